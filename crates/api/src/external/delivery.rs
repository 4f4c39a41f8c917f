//! `/webhooks/{id}/deliveries`, `…/retry` and `/webhooks/{id}/replay`.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use grantor_domain::delivery::{Attempt, DeliveryStatus, DropReason};
use grantor_domain::error::Fields;
use grantor_domain::event::EventTypes;
use grantor_domain::page::Page;
use grantor_domain::{Result, Timestamp};
use grantor_service::webhooks::delivery::{self, Delivery, ReplayParams};
use http::{StatusCode, Uri};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::path_id;
use super::webhook::EventKey;
use crate::frame::api::Api;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{DescribeResponse, ListOf, OperationDoc, ResponseDoc};
use crate::frame::extract::{Json, Query, Segment, Segments};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The query parameters. Values stay text until they are parsed, so that all invalid ones are
/// reported.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
    /// Only return deliveries with this status.
    #[param(inline, value_type = Option<value::DeliveryStatusName>)]
    status: Option<String>,
}

/// The delivery of an event to a webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = Delivery)]
pub(super) struct DeliveryBody {
    /// The delivery's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The webhook's ID.
    #[schema(inline, value_type = value::Id)]
    webhook_id: String,
    /// The event's ID, sent in the `webhook-id` header.
    #[schema(inline, value_type = value::Id)]
    event_id: String,
    #[schema(value_type = EventKey)]
    event_type: &'static str,
    /// The event's number in the recipient's feed.
    sequence: i64,
    /// The delivery's status.
    #[schema(inline, value_type = value::DeliveryStatusName)]
    status: &'static str,
    /// Why the delivery was dropped: `not_visible` if the recipient can no longer view the event,
    /// `expired` if the webhook was disabled for too long. Null if it was not dropped.
    #[schema(inline, value_type = Option<value::DropReasonName>)]
    drop_reason: Option<&'static str>,
    /// When the next attempt is due, or null if there is none. Attempts to a receiver that keeps
    /// failing are paused for a while.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_attempt_at: Option<Timestamp>,
    /// The attempts so far.
    attempts: Vec<AttemptBody>,
    /// When the delivery was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the delivery was completed.
    #[schema(value_type = Option<String>, format = DateTime)]
    finished_at: Option<Timestamp>,
}

/// An attempt to deliver an event.
#[derive(Serialize, ToSchema)]
#[schema(as = DeliveryAttempt)]
struct AttemptBody {
    /// When the attempt was made.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The duration in milliseconds.
    duration_ms: u64,
    /// The response status, if there was a response.
    status_code: Option<u16>,
    /// Why the attempt failed.
    error: Option<String>,
    /// The start of the response body, at most 1 KiB. Null if the caller can no longer view the
    /// license.
    response_body: Option<String>,
}

impl From<Attempt> for AttemptBody {
    fn from(attempt: Attempt) -> Self {
        let Attempt { at, duration_ms, status_code, error, answer, signature: _ } = attempt;
        Self { at, duration_ms, status_code, error, response_body: answer }
    }
}

impl From<Delivery> for DeliveryBody {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.id.to_string(),
            webhook_id: delivery.webhook.to_string(),
            event_id: delivery.event.to_string(),
            event_type: delivery.kind.name(),
            sequence: delivery.sequence,
            status: delivery.status.name(),
            drop_reason: delivery.reason.map(DropReason::name),
            next_attempt_at: delivery.next_attempt_at,
            attempts: delivery.attempts.into_iter().map(AttemptBody::from).collect(),
            created_at: delivery.created_at,
            finished_at: delivery.finished_at,
        }
    }
}

/// The events to replay.
#[derive(Deserialize, ToSchema)]
#[schema(as = WebhookReplay)]
pub(super) struct ReplayInput {
    /// Only replay events created at or after this time.
    #[schema(required, nullable = false, inline, value_type = value::Instant)]
    since: Option<String>,
    /// Only replay events created before this time. Defaults to now.
    #[schema(inline, value_type = Option<value::Instant>)]
    until: Option<String>,
    /// Only replay events of these types. Defaults to the webhook's event types.
    #[schema(value_type = Option<Vec<EventKey>>, min_items = 1)]
    types: Option<Vec<String>>,
    /// Only replay events whose latest delivery to this webhook has this status. If omitted, events
    /// that were never sent to the webhook are included. Pending deliveries are never queued twice.
    #[schema(inline, value_type = Option<value::EndedName>)]
    status: Option<String>,
    /// Only count the events. Returns 200 and queues nothing.
    #[serde(default)]
    dry_run: bool,
}

/// The result of a replay.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookReplayed)]
pub(super) struct ReplayBody {
    /// The number of events that were queued, or would be.
    queued: u64,
    /// Present and true if the events were only counted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    dry_run: bool,
}

/// A 202 response, or 200 if events were only counted.
pub(super) struct ReplayResponse(ReplayBody);

impl IntoResponse for ReplayResponse {
    fn into_response(self) -> Response {
        let status = if self.0.dry_run { StatusCode::OK } else { StatusCode::ACCEPTED };
        (status, axum::Json(self.0)).into_response()
    }
}

impl DescribeResponse for ReplayResponse {
    fn describe(doc: &mut OperationDoc) {
        for status in [200, 202] {
            let schema = doc.schema::<ReplayBody>();
            doc.responses.push(ResponseDoc { status, schema });
        }
    }
}

/// A 202 response.
pub(super) struct Accepted<T>(T);

impl<T: Serialize> IntoResponse for Accepted<T> {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, axum::Json(self.0)).into_response()
    }
}

impl<T: ToSchema> DescribeResponse for Accepted<T> {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<T>();
        doc.responses.push(ResponseDoc { status: 202, schema });
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Segment(id): Segment,
    Query(params): Query<ListParams>,
) -> Result<ListOf<DeliveryBody>, Problem> {
    let id = path_id(&id)?;
    let mut fields = Fields::default();
    let rules = Api::External.page_rules();
    let page = Page::parse(params.page.as_deref(), params.per_page.as_deref(), rules);
    let page = fields.take_all(page);
    let status = params.status.as_deref().and_then(|it| fields.take("status", it.parse()));
    fields.finish()?;
    let page = page.ok_or_else(|| grantor_domain::Error::internal("the page was not parsed"))?;
    let page = delivery::list(&state.app, (&*caller).into(), id, status, page).await?;
    Ok(ListOf::page(page.map(DeliveryBody::from), &uri))
}

pub(super) async fn retry(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segments([id, delivery]): Segments<2>,
) -> Result<Accepted<DeliveryBody>, Problem> {
    let delivery = delivery.parse();
    let delivery = delivery.map_err(|_| Problem::field("delivery_id", "must be a UUID"))?;
    let retried =
        delivery::retry(&state.app, &context, (&*caller).into(), path_id(&id)?, delivery).await?;
    Ok(Accepted(retried.into()))
}

pub(super) async fn replay(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    Json(input): Json<ReplayInput>,
) -> Result<ReplayResponse, Problem> {
    let (id, input) = (path_id(&id)?, read(&input, state.app.clock.now())?);
    let dry_run = input.dry_run;
    let queued = delivery::replay(&state.app, &context, (&*caller).into(), id, input).await?;
    Ok(ReplayResponse(ReplayBody { queued, dry_run }))
}

fn read(input: &ReplayInput, now: Timestamp) -> Result<ReplayParams> {
    let mut fields = Fields::default();
    let since = match input.since.as_deref() {
        Some(text) => fields.take("since", Timestamp::parse(text)),
        None => fields.take("since", Err("is required")),
    };
    // `until` is exclusive, and events created right now are included.
    let open = now.plus(std::time::Duration::from_micros(1));
    let until = input.until.as_deref().map_or(Ok(open), Timestamp::parse);
    let until = fields.take("until", until);
    if let (Some(since), Some(until)) = (since, until)
        && until <= since
    {
        fields.add("until", "must be after since");
    }
    let kinds = input.types.as_deref().and_then(|it| fields.take("types", EventTypes::parse(it)));
    let status = input.status.as_deref().and_then(|it| fields.take("status", ended(it)));
    fields.finish()?;
    let (since, until) = (since.unwrap_or(now), until.unwrap_or(now));
    Ok(ReplayParams { since, until, kinds, status, dry_run: input.dry_run })
}

/// Parses the status of a completed delivery.
fn ended(text: &str) -> Result<DeliveryStatus, &'static str> {
    let ended = text.parse().ok().filter(|it| *it != DeliveryStatus::Pending);
    ended.ok_or("must be one of delivered, failed, dropped")
}
