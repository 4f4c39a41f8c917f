//! `/webhooks`, `/webhooks/{id}` and what can be asked of one.

use axum::extract::State;
use axum::response::{AppendHeaders, IntoResponse, Response};
use grantor_domain::error::Fields;
use grantor_domain::event::{EventType, EventTypes};
use grantor_domain::patch::Patch;
use grantor_domain::webhook::{Webhook, WebhookNote};
use grantor_domain::{Result, Timestamp};
use grantor_service::delivery::{self, Tested};
use grantor_service::webhook::{self, NewWebhook, WebhookChange, WithSecret};
use http::{StatusCode, Uri};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::bookmark::{Asked, Gone};
use super::path_id;
use crate::describe::value;
use crate::describe::{Answer, DescribeAnswer, Lists, OperationDoc};
use crate::frame::caller::Integration;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::page::{ListBody, links};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// Kinds of events, for the document.
#[derive(ToSchema)]
#[schema(as = EventType)]
#[expect(dead_code, reason = "only its schema is used: the domain's own type is parsed")]
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
}

/// A receiver to be.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewWebhook)]
pub(super) struct WebhookInput {
    /// Where events are sent: https, and a public address.
    #[schema(required, nullable = false, inline, value_type = value::SecureUrl)]
    url: Option<String>,
    /// What it is for, in at most 500 characters.
    #[schema(inline, value_type = Option<value::WebhookAbout>)]
    description: Option<String>,
    /// Which events, at least one; left out, all of them.
    #[schema(value_type = Option<Vec<EventKey>>, min_items = 1)]
    events: Option<Vec<String>>,
}

/// What of a webhook is to become another; what is not named stays.
#[derive(Deserialize, ToSchema)]
#[schema(as = WebhookChange)]
pub(super) struct WebhookChangeInput {
    /// Where events are sent: https, and a public address.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::SecureUrl>)]
    url: Patch<String>,
    /// What it is for, in at most 500 characters; null for nothing.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::WebhookAbout>)]
    description: Patch<String>,
    /// Which events, at least one.
    #[serde(default)]
    #[schema(nullable = false, value_type = Option<Vec<EventKey>>, min_items = 1)]
    events: Patch<Vec<String>>,
    /// Whether they are sent. A webhook that is switched on again begins afresh.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::WebhookStatusName>)]
    status: Patch<String>,
}

/// A receiver of events (contract section 6).
#[derive(Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(super) struct WebhookBody {
    #[schema(inline, value_type = value::Id)]
    id: String,
    #[schema(format = "uri")]
    url: String,
    description: String,
    #[schema(value_type = Vec<EventKey>)]
    events: Vec<&'static str>,
    #[schema(inline, value_type = value::WebhookStatusName)]
    status: &'static str,
    /// What deliveries are signed with. Only at creation and rotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// When an event arrived last.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_success_at: Option<Timestamp>,
    /// Since when none arrives.
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

/// What came of a test.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookTest)]
pub(super) struct TestedBody {
    /// Whether the receiver answered with 2xx.
    delivered: bool,
    /// What it answered with, if it did.
    status_code: Option<u16>,
    duration_ms: u64,
    /// Why it was not delivered, and whether the webhook was switched off for it (410).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
}

impl From<Tested> for TestedBody {
    fn from(Tested(attempt): Tested) -> Self {
        Self {
            delivered: attempt.arrived(),
            status_code: attempt.status_code,
            duration_ms: attempt.duration_ms,
            error: attempt.error,
        }
    }
}

/// A webhook that was made: 201.
pub(super) struct Made(WebhookBody);

impl IntoResponse for Made {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, axum::Json(self.0)).into_response()
    }
}

impl DescribeAnswer for Made {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<WebhookBody>();
        doc.answers.push(Answer { status: 201, schema });
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    Integration { caller, .. }: Integration,
    uri: Uri,
    Query(asked): Query<Asked>,
) -> Result<Lists<WebhookBody>, Problem> {
    let page = webhook::list(&state.app, (&*caller).into(), asked.page()?).await?;
    let links = links(&page, &uri);
    let body = axum::Json(ListBody::from(page.map(WebhookBody::from)));
    Ok(Lists::new((AppendHeaders(links), body)))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    Integration { context, caller }: Integration,
    Json(asked): Json<WebhookInput>,
) -> Result<Made, Problem> {
    let new = read_new(asked)?;
    Ok(Made(webhook::create(&state.app, &context, (&*caller).into(), new).await?.into()))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    Integration { caller, .. }: Integration,
    Segment(id): Segment,
) -> Result<axum::Json<WebhookBody>, Problem> {
    Ok(axum::Json(webhook::get(&state.app, (&*caller).into(), path_id(&id)?).await?.into()))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    Integration { context, caller }: Integration,
    Segment(id): Segment,
    Json(asked): Json<WebhookChangeInput>,
) -> Result<axum::Json<WebhookBody>, Problem> {
    let (id, change) = (path_id(&id)?, read_change(asked)?);
    Ok(axum::Json(
        webhook::change(&state.app, &context, (&*caller).into(), id, change).await?.into(),
    ))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    Integration { context, caller }: Integration,
    Segment(id): Segment,
) -> Result<Gone, Problem> {
    webhook::delete(&state.app, &context, (&*caller).into(), path_id(&id)?).await?;
    Ok(Gone)
}

pub(super) async fn rotate_secret(
    State(state): State<ApiState>,
    Integration { context, caller }: Integration,
    Segment(id): Segment,
) -> Result<axum::Json<WebhookBody>, Problem> {
    let id = path_id(&id)?;
    Ok(axum::Json(
        webhook::rotate_secret(&state.app, &context, (&*caller).into(), id).await?.into(),
    ))
}

pub(super) async fn test(
    State(state): State<ApiState>,
    Integration { context, caller }: Integration,
    Segment(id): Segment,
) -> Result<axum::Json<TestedBody>, Problem> {
    Ok(axum::Json(
        delivery::test(&state.app, &context, (&*caller).into(), path_id(&id)?).await?.into(),
    ))
}

fn read_new(asked: WebhookInput) -> Result<NewWebhook> {
    let mut fields = Fields::default();
    let url = asked.url.filter(|it| !it.is_empty()).ok_or("is required");
    let url = fields.take("url", url);
    let description =
        asked.description.as_deref().map_or(Ok(WebhookNote::default()), WebhookNote::parse);
    let description = fields.take("description", description);
    let events = asked.events.as_deref().map_or(Ok(EventTypes::ALL), EventTypes::parse);
    let events = fields.take("events", events);
    fields.finish()?;
    Ok(NewWebhook {
        url: url.unwrap_or_default(),
        description: description.unwrap_or_default(),
        events: events.unwrap_or(EventTypes::ALL),
    })
}

fn read_change(asked: WebhookChangeInput) -> Result<WebhookChange> {
    let mut fields = Fields::default();
    let description = match asked.description {
        Patch::Keep => None,
        Patch::Clear => Some(WebhookNote::default()),
        Patch::Set(text) => fields.take("description", WebhookNote::parse(&text)),
    };
    let url = given(&mut fields, "url", asked.url, "must be a string");
    let events = given(&mut fields, "events", asked.events, "must be a list");
    let events = events.and_then(|it| fields.take("events", EventTypes::parse(&it)));
    let status = given(&mut fields, "status", asked.status, "must be a string");
    let status = status.and_then(|it| fields.take("status", it.parse()));
    fields.finish()?;
    Ok(WebhookChange { url, description, events, status })
}

/// What a field becomes, if it is named; it cannot become nothing.
fn given<T>(fields: &mut Fields, name: &'static str, asked: Patch<T>, reason: &str) -> Option<T> {
    if matches!(asked, Patch::Clear) {
        fields.add(name, reason);
    }
    asked.set()
}
