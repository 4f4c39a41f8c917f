//! `/org/create/client`, `/org/clients`, `/org/client/{clientId}`, `/org/refresh/client`.

use axum::extract::State;
use grantor_domain::client::{
    ClientName, ClientStatus, Environment, parse_expiry, parse_grace, parse_permissions,
};
use grantor_domain::error::Fields;
use grantor_domain::id::ClientId;
use grantor_domain::patch::Patch;
use grantor_domain::scope::Scope;
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::identity::client::{self, Changes, Client, ClientWithSecret, NewClient};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Created, Data, NoContent};
use super::{path_id, required};
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Json, OptionalJson, Query, Segment, whole};
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::state::ApiState;

/// The API client to create.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClientInput {
    /// The client's name. 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::Client)]
    name: Option<String>,
    /// The client's environment: `production`, `staging` or `development`.
    #[schema(required, nullable = false, inline, value_type = value::EnvironmentName)]
    environment: Option<String>,
    /// The scopes of the client's tokens. Defaults to all.
    #[schema(inline, value_type = Option<value::ScopeList>)]
    permissions: Option<Vec<String>>,
    /// When the client expires.
    #[schema(inline, value_type = Option<value::Instant>)]
    expires_at: Option<String>,
}

/// The fields to change. Omitted fields keep their value.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClientChanges {
    /// The client's name. 2 to 100 characters.
    #[schema(inline, value_type = Option<value::Client>)]
    name: Option<String>,
    /// The scopes of the client's tokens.
    #[schema(inline, value_type = Option<value::ScopeList>)]
    permissions: Option<Vec<String>>,
    /// When the client expires. Null for never.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Instant>)]
    expires_at: Patch<String>,
    /// The client's status: `active`, `inactive` or `revoked`. Revoking is permanent.
    #[schema(inline, value_type = Option<value::ClientStatusName>)]
    status: Option<String>,
}

/// The query parameters of a secret rotation.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct RotateParams {
    /// The client's ID.
    #[param(required, nullable = false, inline, value_type = value::Id)]
    client_id: Option<String>,
    /// How many seconds the old secret stays valid. Can also be sent in the body.
    #[param(inline, value_type = Option<value::Grace>)]
    grace_seconds: Option<String>,
}

/// Options for rotating a secret.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rotation {
    /// How many seconds the old secret stays valid. Defaults to 0.
    #[serde(default, deserialize_with = "whole")]
    #[schema(inline, value_type = Option<value::Grace>)]
    grace_seconds: Option<i64>,
}

/// An API client.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClientBody {
    /// The client's ID.
    #[schema(inline, value_type = value::Id)]
    client_id: String,
    /// The client's name.
    name: String,
    /// The client's environment.
    #[schema(inline, value_type = value::EnvironmentName)]
    environment: &'static str,
    credentials: KeyPair,
    /// The scopes of the client's tokens.
    #[schema(inline, value_type = Vec<value::ScopeName>)]
    permissions: Vec<&'static str>,
    /// When the client was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the client was last used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Instant>)]
    last_used: Option<Timestamp>,
    /// When the client expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Instant>)]
    expires_at: Option<Timestamp>,
    /// The client's status.
    #[schema(inline, value_type = value::ClientStatusName)]
    status: &'static str,
}

/// The credentials of an API client.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeyPair {
    /// The public identifier (API key).
    client_id: String,
    /// The secret key. Only returned on creation and rotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret_key: Option<String>,
}

/// The API clients of the tenant.
#[derive(Serialize, ToSchema)]
pub(super) struct Clients {
    /// The API clients.
    clients: Vec<ClientBody>,
}

impl From<Client> for ClientBody {
    fn from(client: Client) -> Self {
        Self {
            client_id: client.id.to_string(),
            name: client.name,
            environment: client.environment.name(),
            credentials: KeyPair { client_id: client.api_key, secret_key: None },
            permissions: client.scopes.iter().map(Scope::name).collect(),
            created_at: client.created_at,
            last_used: client.last_used_at,
            expires_at: client.expires_at,
            status: client.status.name(),
        }
    }
}

impl From<ClientWithSecret> for ClientBody {
    fn from(shown: ClientWithSecret) -> Self {
        let mut body = Self::from(shown.client);
        body.credentials.secret_key = Some(shown.secret.expose().to_owned());
        body
    }
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(input): Json<ClientInput>,
) -> Result<Created<ClientBody>, Problem> {
    let mut fields = Fields::default();
    let name = required(&mut fields, "name", input.name.as_deref());
    let environment = required(&mut fields, "environment", input.environment.as_deref());
    let name = fields.take("name", ClientName::parse(name));
    let environment = fields.take("environment", environment.parse::<Environment>());
    let scopes = fields.take("permissions", parse_permissions(input.permissions.as_deref()));
    let now = state.app.clock.now();
    let expires_at = input.expires_at.as_deref();
    let expires_at = expires_at.and_then(|it| fields.take("expiresAt", parse_expiry(it, now)));
    fields.finish()?;
    let (Some(name), Some(environment), Some(scopes)) = (name, environment, scopes) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let new = NewClient { name, environment, scopes, expires_at };
    let shown = client::create(&state.app, &context, caller, new).await?;
    Ok(Created(shown.into(), "Store the secret key now. It is shown only once."))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Data<Clients>, Problem> {
    let clients = client::list(&state.app, &caller).await?;
    let clients = clients.into_iter().map(ClientBody::from).collect();
    Ok(Data(Clients { clients }, "Your API clients"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Json(input): Json<ClientChanges>,
) -> Result<Data<ClientBody>, Problem> {
    let id: ClientId = path_id(&id, "client")?;
    let mut fields = Fields::default();
    let now = state.app.clock.now();
    let changes = Changes {
        name: input.name.and_then(|it| fields.take("name", ClientName::parse(&it))),
        scopes: input
            .permissions
            .and_then(|it| fields.take("permissions", parse_permissions(Some(&it)))),
        expires_at: input.expires_at.parse(|it| fields.take("expiresAt", parse_expiry(&it, now))),
        status: input.status.and_then(|it| fields.take("status", it.parse::<ClientStatus>())),
    };
    fields.finish()?;
    let changed = client::change(&state.app, &context, caller, id, changes).await?;
    Ok(Data(changed.into(), "API client updated"))
}

pub(super) async fn rotate(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Query(params): Query<RotateParams>,
    OptionalJson(input): OptionalJson<Rotation>,
) -> Result<Data<ClientBody>, Problem> {
    let id = params.client_id.as_deref().filter(|it| !it.is_empty()).ok_or_else(|| {
        let message = "The query parameter clientId is required";
        Problem::new(ProblemKind::MissingRequired, message)
    })?;
    let mut fields = Fields::default();
    let id = fields.take("clientId", id.parse::<ClientId>());
    // The specification doesn't say whether this is sent in the query or the body, so both are
    // accepted. The body takes precedence.
    let in_query = params.grace_seconds.map(|it| it.parse().unwrap_or(-1));
    let grace = input.unwrap_or_default().grace_seconds.or(in_query);
    let grace = fields.take("graceSeconds", parse_grace(grace));
    fields.finish()?;
    let (Some(id), Some(grace)) = (id, grace) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let shown = client::rotate(&state.app, &context, caller, id, grace).await?;
    Ok(Data(shown.into(), "Store the secret key now. It is shown only once."))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    let id: ClientId = path_id(&id, "client")?;
    client::delete(&state.app, &context, caller, id).await?;
    Ok(NoContent)
}
