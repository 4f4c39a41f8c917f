//! `/webhooks`, `/webhooks/{id}` and their tests and secret rotations.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use grantor_domain::error::Fields;
use grantor_domain::event::{EventType, EventTypes};
use grantor_domain::patch::Patch;
use grantor_domain::webhook::{Webhook, WebhookNote};
use grantor_domain::{Result, Timestamp};
use grantor_service::webhooks::delivery::{self, TestResult};
use grantor_service::webhooks::webhook::{self, NewWebhook, WebhookChange, WithSecret};
use http::{StatusCode, Uri};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::bookmark::{NoContent, PageParams};
use super::path_id;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{DescribeResponse, ListOf, OperationDoc, ResponseDoc};
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The type of an event.
#[derive(ToSchema)]
#[schema(as = EventType)]
#[expect(dead_code, reason = "only its schema is used: the domain type is parsed")]
pub(super) enum EventKey {
    #[schema(rename = "license.created")]
    LicenseCreated,
    #[schema(rename = "license.updated")]
    LicenseUpdated,
    #[schema(rename = "license.published")]
    LicensePublished,
    #[schema(rename = "license.expired")]
    LicenseExpired,
    #[schema(rename = "license.deleted")]
    LicenseDeleted,
    #[schema(rename = "permission.granted")]
    PermissionGranted,
    #[schema(rename = "permission.revoked")]
    PermissionRevoked,
    #[schema(rename = "mention.created")]
    MentionCreated,
    #[schema(rename = "mention.updated")]
    MentionUpdated,
    #[schema(rename = "client.expiring")]
    ClientExpiring,
    #[schema(rename = "webhook.test")]
    WebhookTest,
    #[schema(rename = "request.created")]
    RequestCreated,
    #[schema(rename = "request.offered")]
    RequestOffered,
    #[schema(rename = "request.declined")]
    RequestDeclined,
    #[schema(rename = "request.withdrawn")]
    RequestWithdrawn,
    #[schema(rename = "request.lapsed")]
    RequestLapsed,
    #[schema(rename = "request.message")]
    RequestMessage,
    #[schema(rename = "grant.created")]
    GrantCreated,
    #[schema(rename = "grant.expiring")]
    GrantExpiring,
    #[schema(rename = "grant.ended")]
    GrantEnded,
    #[schema(rename = "grant.revoked")]
    GrantRevoked,
    #[schema(rename = "license.expiring")]
    LicenseExpiring,
    #[schema(rename = "mention.removed")]
    MentionRemoved,
}

/// The webhook to create.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewWebhook)]
pub(super) struct WebhookInput {
    /// The URL that receives events. Must use HTTPS and resolve to a public address.
    #[schema(required, nullable = false, inline, value_type = value::SecureUrl)]
    url: Option<String>,
    /// A description. At most 500 characters.
    #[schema(inline, value_type = Option<value::WebhookAbout>)]
    description: Option<String>,
    /// The event types to send, at least one. Defaults to all.
    #[schema(value_type = Option<Vec<EventKey>>, min_items = 1)]
    events: Option<Vec<String>>,
}

/// The fields to change. Omitted fields keep their value.
#[derive(Deserialize, ToSchema)]
#[schema(as = WebhookChange)]
pub(super) struct WebhookChangeInput {
    /// The URL that receives events. Must use HTTPS and resolve to a public address.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::SecureUrl>)]
    url: Patch<String>,
    /// A description. At most 500 characters. Null removes it.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::WebhookAbout>)]
    description: Patch<String>,
    /// The event types to send, at least one.
    #[serde(default)]
    #[schema(nullable = false, value_type = Option<Vec<EventKey>>, min_items = 1)]
    events: Patch<Vec<String>>,
    /// Whether events are sent. Enabling a webhook again resets its failure state.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::WebhookStatusName>)]
    status: Patch<String>,
}

/// A webhook, which receives events.
#[derive(Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(super) struct WebhookBody {
    /// The webhook's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The URL that receives events, as it was given.
    url: String,
    /// The webhook's description.
    description: String,
    /// The event types that are sent.
    #[schema(value_type = Vec<EventKey>)]
    events: Vec<&'static str>,
    /// The webhook's status.
    #[schema(inline, value_type = value::WebhookStatusName)]
    status: &'static str,
    /// The secret that signs deliveries. Only returned on creation and rotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
    /// When the webhook was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the webhook was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// When an event was last delivered.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_success_at: Option<Timestamp>,
    /// When deliveries started failing, if they are failing.
    #[schema(value_type = Option<String>, format = DateTime)]
    failing_since: Option<Timestamp>,
}

impl From<Webhook> for WebhookBody {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id.to_string(),
            url: webhook.url,
            description: webhook.description.as_str().to_owned(),
            events: webhook.events.iter().map(EventType::name).collect(),
            status: webhook.status.name(),
            secret: None,
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
            last_success_at: webhook.last_success_at,
            failing_since: webhook.failing_since,
        }
    }
}

impl From<WithSecret> for WebhookBody {
    fn from(WithSecret { webhook, secret }: WithSecret) -> Self {
        Self { secret: Some(secret.expose().to_owned()), ..webhook.into() }
    }
}

/// The result of a webhook test.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookTestResult)]
pub(super) struct TestedBody {
    /// Whether the receiver responded with a 2xx status.
    delivered: bool,
    /// The response status, if there was a response.
    status_code: Option<u16>,
    /// The duration in milliseconds.
    duration_ms: u64,
    /// Why the delivery failed, and whether a 410 response disabled the webhook.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
}

impl From<TestResult> for TestedBody {
    fn from(TestResult(attempt): TestResult) -> Self {
        Self {
            delivered: attempt.arrived(),
            status_code: attempt.status_code,
            duration_ms: attempt.duration_ms,
            error: attempt.error,
        }
    }
}

/// A 201 response with the created webhook.
pub(super) struct Created(WebhookBody);

impl IntoResponse for Created {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, axum::Json(self.0)).into_response()
    }
}

impl DescribeResponse for Created {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<WebhookBody>();
        doc.responses.push(ResponseDoc { status: 201, schema });
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Query(params): Query<PageParams>,
) -> Result<ListOf<WebhookBody>, Problem> {
    let page = webhook::list(&state.app, (&*caller).into(), params.page()?).await?;
    Ok(ListOf::page(page.map(WebhookBody::from), &uri))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Json(input): Json<WebhookInput>,
) -> Result<Created, Problem> {
    let new = read_new(input)?;
    Ok(Created(webhook::create(&state.app, &context, (&*caller).into(), new).await?.into()))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<WebhookBody>, Problem> {
    Ok(axum::Json(webhook::get(&state.app, (&*caller).into(), path_id(&id)?).await?.into()))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    Json(input): Json<WebhookChangeInput>,
) -> Result<axum::Json<WebhookBody>, Problem> {
    let (id, change) = (path_id(&id)?, read_change(input)?);
    Ok(axum::Json(
        webhook::change(&state.app, &context, (&*caller).into(), id, change).await?.into(),
    ))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    webhook::delete(&state.app, &context, (&*caller).into(), path_id(&id)?).await?;
    Ok(NoContent)
}

pub(super) async fn rotate_secret(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<WebhookBody>, Problem> {
    let id = path_id(&id)?;
    Ok(axum::Json(
        webhook::rotate_secret(&state.app, &context, (&*caller).into(), id).await?.into(),
    ))
}

pub(super) async fn test(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<TestedBody>, Problem> {
    Ok(axum::Json(
        delivery::test(&state.app, &context, (&*caller).into(), path_id(&id)?).await?.into(),
    ))
}

fn read_new(input: WebhookInput) -> Result<NewWebhook> {
    let mut fields = Fields::default();
    let url = input.url.filter(|it| !it.is_empty()).ok_or("is required");
    let url = fields.take("url", url);
    let description =
        input.description.as_deref().map_or(Ok(WebhookNote::default()), WebhookNote::parse);
    let description = fields.take("description", description);
    let events = input.events.as_deref().map_or(Ok(EventTypes::ALL), EventTypes::parse);
    let events = fields.take("events", events);
    fields.finish()?;
    Ok(NewWebhook {
        url: url.unwrap_or_default(),
        description: description.unwrap_or_default(),
        events: events.unwrap_or(EventTypes::ALL),
    })
}

fn read_change(input: WebhookChangeInput) -> Result<WebhookChange> {
    let mut fields = Fields::default();
    let description = match input.description {
        Patch::Keep => None,
        Patch::Clear => Some(WebhookNote::default()),
        Patch::Set(text) => fields.take("description", WebhookNote::parse(&text)),
    };
    let url = not_null(&mut fields, "url", input.url, "must be a string");
    let events = not_null(&mut fields, "events", input.events, "must be a list");
    let events = events.and_then(|it| fields.take("events", EventTypes::parse(&it)));
    let status = not_null(&mut fields, "status", input.status, "must be a string");
    let status = status.and_then(|it| fields.take("status", it.parse()));
    fields.finish()?;
    Ok(WebhookChange { url, description, events, status })
}

/// Returns the new value of a field that can't be null.
pub(super) fn not_null<T>(
    fields: &mut Fields,
    name: &'static str,
    patch: Patch<T>,
    message: &str,
) -> Option<T> {
    if matches!(patch, Patch::Clear) {
        fields.add(name, message);
    }
    patch.set()
}
