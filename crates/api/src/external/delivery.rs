//! `/webhooks/{id}/deliveries`, `…/retry` and `/webhooks/{id}/replay`.

use axum::extract::State;
use axum::response::{AppendHeaders, IntoResponse, Response};
use grantor_domain::delivery::{Attempt, DeliveryStatus, DropReason};
use grantor_domain::error::Fields;
use grantor_domain::event::EventTypes;
use grantor_domain::page::Page;
use grantor_domain::{Result, Timestamp};
use grantor_service::delivery::{self, AskedReplay, Delivery};
use http::{StatusCode, Uri};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::path_id;
use super::webhook::EventKey;
use crate::describe::value;
use crate::describe::{Answer, DescribeAnswer, Lists, OperationDoc};
use crate::frame::caller::Integration;
use crate::frame::extract::{Json, Query, Segment, Segments};
use crate::frame::page::{ListBody, links};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;
use crate::frame::surface::Surface;

/// What can be asked. All text until it is parsed, so that each fault is named.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Asked {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
    /// Only deliveries of this status.
    #[param(inline, value_type = Option<value::DeliveryStatusName>)]
    status: Option<String>,
}

/// An event on its way to a webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = Delivery)]
pub(super) struct DeliveryBody {
    #[schema(inline, value_type = value::Id)]
    id: String,
    #[schema(inline, value_type = value::Id)]
    webhook_id: String,
    /// The `webhook-id` it is sent with.
    #[schema(inline, value_type = value::Id)]
    event_id: String,
    #[schema(value_type = EventKey)]
    event_type: &'static str,
    sequence: i64,
    #[schema(inline, value_type = value::DeliveryStatusName)]
    status: &'static str,
    /// Why it was dropped, null where it was not: `not_visible` is what its receiver no longer
    /// sees, `expired` what waited for a receiver that was switched off until it was too old.
    #[schema(inline, value_type = Option<value::DropReasonName>)]
    drop_reason: Option<&'static str>,
    /// When it is tried next; null once that is settled. A receiver that keeps failing is left
    /// alone for a while, and what waits for it is not tried before that ends.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_attempt_at: Option<Timestamp>,
    attempts: Vec<AttemptBody>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    finished_at: Option<Timestamp>,
}

/// One try.
#[derive(Serialize, ToSchema)]
#[schema(as = DeliveryAttempt)]
struct AttemptBody {
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    duration_ms: u64,
    /// What the receiver answered with, if it did.
    status_code: Option<u16>,
    /// Why it did not count as arrived.
    error: Option<String>,
    /// How the answer began: at most 1 KiB. Null where the caller no longer sees the license.
    response_body: Option<String>,
}

impl From<Attempt> for AttemptBody {
    fn from(attempt: Attempt) -> Self {
        let Attempt { at, duration_ms, status_code, error, answer } = attempt;
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

/// Which events shall be sent again.
#[derive(Deserialize, ToSchema)]
#[schema(as = WebhookReplay)]
pub(super) struct ReplayInput {
    /// Events written at or after this instant.
    #[schema(required, nullable = false, inline, value_type = value::Instant)]
    since: Option<String>,
    /// Events written before this instant; left out, all until now.
    #[schema(inline, value_type = Option<value::Instant>)]
    until: Option<String>,
    /// Events of these kinds; left out, those the webhook is for.
    #[schema(value_type = Option<Vec<EventKey>>, min_items = 1)]
    types: Option<Vec<String>>,
    /// Events whose newest delivery to this webhook ended so; left out, also those that were never
    /// sent to it. What is pending is never queued twice.
    #[schema(inline, value_type = Option<value::EndedName>)]
    status: Option<String>,
    /// Only counts: the answer is 200, and nothing is queued.
    #[serde(default)]
    dry_run: bool,
}

/// How many events will be sent again, or would be.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookReplayed)]
pub(super) struct Queued {
    queued: u64,
    /// Whether they were only counted; left out where they were queued.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    dry_run: bool,
}

/// What came of a replay: 202, or 200 where events were only counted.
pub(super) struct Replayed(Queued);

impl IntoResponse for Replayed {
    fn into_response(self) -> Response {
        let status = if self.0.dry_run { StatusCode::OK } else { StatusCode::ACCEPTED };
        (status, axum::Json(self.0)).into_response()
    }
}

impl DescribeAnswer for Replayed {
    fn describe(doc: &mut OperationDoc) {
        for status in [200, 202] {
            let schema = doc.schema::<Queued>();
            doc.answers.push(Answer { status, schema });
        }
    }
}

/// It will be seen to: 202.
pub(super) struct Accepted<T>(T);

impl<T: Serialize> IntoResponse for Accepted<T> {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, axum::Json(self.0)).into_response()
    }
}

impl<T: ToSchema> DescribeAnswer for Accepted<T> {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<T>();
        doc.answers.push(Answer { status: 202, schema });
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    Integration { caller, .. }: Integration,
    uri: Uri,
    Segment(id): Segment,
    Query(asked): Query<Asked>,
) -> Result<Lists<DeliveryBody>, Problem> {
    let id = path_id(&id)?;
    let mut fields = Fields::default();
    let rules = Surface::External.page_rules();
    let page = Page::parse(asked.page.as_deref(), asked.per_page.as_deref(), rules);
    let page = fields.take_all(page);
    let status = asked.status.as_deref().and_then(|it| fields.take("status", it.parse()));
    fields.finish()?;
    let page = page.ok_or_else(|| grantor_domain::Error::internal("a page that was not read"))?;
    let page = delivery::list(&state.app, (&*caller).into(), id, status, page).await?;
    let links = links(&page, &uri);
    let body = axum::Json(ListBody::from(page.map(DeliveryBody::from)));
    Ok(Lists::new((AppendHeaders(links), body)))
}

pub(super) async fn retry(
    State(state): State<ApiState>,
    Integration { context, caller }: Integration,
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
    Integration { context, caller }: Integration,
    Segment(id): Segment,
    Json(asked): Json<ReplayInput>,
) -> Result<Replayed, Problem> {
    let (id, asked) = (path_id(&id)?, read(&asked, state.app.clock.now())?);
    let dry_run = asked.dry_run;
    let queued = delivery::replay(&state.app, &context, (&*caller).into(), id, asked).await?;
    Ok(Replayed(Queued { queued, dry_run }))
}

fn read(asked: &ReplayInput, now: Timestamp) -> Result<AskedReplay> {
    let mut fields = Fields::default();
    let since = match asked.since.as_deref() {
        Some(text) => fields.take("since", Timestamp::parse(text)),
        None => fields.take("since", Err("is required")),
    };
    // What is written in this very moment is part of what was until now.
    let open = now.plus(std::time::Duration::from_micros(1));
    let until = asked.until.as_deref().map_or(Ok(open), Timestamp::parse);
    let until = fields.take("until", until);
    if let (Some(since), Some(until)) = (since, until)
        && until <= since
    {
        fields.add("until", "must be after since");
    }
    let kinds = asked.types.as_deref().and_then(|it| fields.take("types", EventTypes::parse(it)));
    let status = asked.status.as_deref().and_then(|it| fields.take("status", ended(it)));
    fields.finish()?;
    let (since, until) = (since.unwrap_or(now), until.unwrap_or(now));
    Ok(AskedReplay { since, until, kinds, status, dry_run: asked.dry_run })
}

/// A status that a delivery can have ended with.
fn ended(text: &str) -> Result<DeliveryStatus, &'static str> {
    let ended = text.parse().ok().filter(|it| *it != DeliveryStatus::Pending);
    ended.ok_or("must be one of delivered, failed, dropped")
}
