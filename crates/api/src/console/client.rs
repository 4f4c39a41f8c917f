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
use grantor_service::client::{self, Changes, Client, NewClient, Shown};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Created, Fine, Gone};
use super::{path_id, required};
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Json, OptionalJson, Query, Segment, whole};
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::settings::ApiState;

/// The client to be made.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClientInput {
    /// 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::Client)]
    name: Option<String>,
    /// production, staging or development.
    #[schema(required, nullable = false, inline, value_type = value::EnvironmentName)]
    environment: Option<String>,
    /// Scopes its tokens carry; all of them when left out.
    #[schema(inline, value_type = Option<value::ScopeList>)]
    permissions: Option<Vec<String>>,
    /// When it ends by itself.
    #[schema(inline, value_type = Option<value::Instant>)]
    expires_at: Option<String>,
}

/// What is to be changed; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClientChanges {
    /// 2 to 100 characters.
    #[schema(inline, value_type = Option<value::Client>)]
    name: Option<String>,
    /// Scopes its tokens carry.
    #[schema(inline, value_type = Option<value::ScopeList>)]
    permissions: Option<Vec<String>>,
    /// When it ends by itself; null for never.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Instant>)]
    expires_at: Patch<String>,
    /// active, inactive or, for good, revoked.
    #[schema(inline, value_type = Option<value::ClientStatusName>)]
    status: Option<String>,
}

/// Which client gets another secret.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Which {
    /// The client's record id.
    #[param(required, nullable = false, inline, value_type = value::Id)]
    client_id: Option<String>,
    /// As in the body.
    #[param(inline, value_type = Option<value::Grace>)]
    grace_seconds: Option<String>,
}

/// How the old secret ends.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rotation {
    /// How many seconds the old secret still works; none when left out.
    #[serde(default, deserialize_with = "whole")]
    #[schema(inline, value_type = Option<value::Grace>)]
    grace_seconds: Option<i64>,
}

/// An API client.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClientBody {
    #[schema(inline, value_type = value::Id)]
    client_id: String,
    name: String,
    #[schema(inline, value_type = value::EnvironmentName)]
    environment: &'static str,
    credentials: KeyPair,
    #[schema(inline, value_type = Vec<value::ScopeName>)]
    permissions: Vec<&'static str>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Instant>)]
    last_used: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Instant>)]
    expires_at: Option<Timestamp>,
    #[schema(inline, value_type = value::ClientStatusName)]
    status: &'static str,
}

/// The pair; the secret only when it was just made.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeyPair {
    /// The public identifier.
    client_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret_key: Option<String>,
}

/// Every API client of the tenant.
#[derive(Serialize, ToSchema)]
pub(super) struct Clients {
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

impl From<Shown> for ClientBody {
    fn from(shown: Shown) -> Self {
        let mut body = Self::from(shown.client);
        body.credentials.secret_key = Some(shown.secret.expose().to_owned());
        body
    }
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(asked): Json<ClientInput>,
) -> Result<Created<ClientBody>, Problem> {
    let mut fields = Fields::default();
    let name = required(&mut fields, "name", asked.name.as_deref());
    let environment = required(&mut fields, "environment", asked.environment.as_deref());
    let name = fields.take("name", ClientName::parse(name));
    let environment = fields.take("environment", environment.parse::<Environment>());
    let scopes = fields.take("permissions", parse_permissions(asked.permissions.as_deref()));
    let now = state.app.clock.now();
    let expires_at = asked.expires_at.as_deref();
    let expires_at = expires_at.and_then(|it| fields.take("expiresAt", parse_expiry(it, now)));
    fields.finish()?;
    let (Some(name), Some(environment), Some(scopes)) = (name, environment, scopes) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let new = NewClient { name, environment, scopes, expires_at };
    let shown = client::create(&state.app, &context, caller, new).await?;
    Ok(Created(shown.into(), "Keep the secret key: it is shown only this once"))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Fine<Clients>, Problem> {
    let clients = client::list(&state.app, &caller).await?;
    let clients = clients.into_iter().map(ClientBody::from).collect();
    Ok(Fine(Clients { clients }, "Your API clients"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Json(asked): Json<ClientChanges>,
) -> Result<Fine<ClientBody>, Problem> {
    let id: ClientId = path_id(&id, "client")?;
    let mut fields = Fields::default();
    let now = state.app.clock.now();
    let changes = Changes {
        name: asked.name.and_then(|it| fields.take("name", ClientName::parse(&it))),
        scopes: asked
            .permissions
            .and_then(|it| fields.take("permissions", parse_permissions(Some(&it)))),
        expires_at: asked.expires_at.parse(|it| fields.take("expiresAt", parse_expiry(&it, now))),
        status: asked.status.and_then(|it| fields.take("status", it.parse::<ClientStatus>())),
    };
    fields.finish()?;
    let changed = client::change(&state.app, &context, caller, id, changes).await?;
    Ok(Fine(changed.into(), "The API client was changed"))
}

pub(super) async fn rotate(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Query(which): Query<Which>,
    OptionalJson(asked): OptionalJson<Rotation>,
) -> Result<Fine<ClientBody>, Problem> {
    let id = which.client_id.as_deref().filter(|it| !it.is_empty()).ok_or_else(|| {
        let message = "The query value clientId is required";
        Problem::new(ProblemKind::MissingRequired, message)
    })?;
    let mut fields = Fields::default();
    let id = fields.take("clientId", id.parse::<ClientId>());
    // Neither document says where it stands: both places are read, the body first.
    let in_query = which.grace_seconds.map(|it| it.parse().unwrap_or(-1));
    let grace = asked.unwrap_or_default().grace_seconds.or(in_query);
    let grace = fields.take("graceSeconds", parse_grace(grace));
    fields.finish()?;
    let (Some(id), Some(grace)) = (id, grace) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let shown = client::rotate(&state.app, &context, caller, id, grace).await?;
    Ok(Fine(shown.into(), "Keep the secret key: it is shown only this once"))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<Gone, Problem> {
    let id: ClientId = path_id(&id, "client")?;
    client::delete(&state.app, &context, caller, id).await?;
    Ok(Gone)
}
