//! `/events`: the event feed, an alternative to webhooks.

use std::time::Duration;

use axum::extract::State;
use grantor_domain::Result;
use grantor_domain::error::Fields;
use grantor_domain::event::Payload;
use grantor_domain::role::Right;
use grantor_domain::scope::Scope;
use grantor_service::webhooks::delivery::payload;
use grantor_service::webhooks::feed;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::payload::FeedEventBody;
use crate::frame::caller::{ApiClient, reauthorize};
use crate::frame::extract::Query;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The maximum wait for a new event.
pub(super) const MAX_WAIT: Duration = Duration::from_secs(30);

/// The query parameters. Values stay text until they are parsed, so that all invalid ones are
/// reported.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The `next_cursor` of the previous response. If omitted, the feed starts at the oldest
    /// available event.
    #[param(value_type = Option<u64>, minimum = 0, maximum = 9_223_372_036_854_775_807_u64)]
    after: Option<String>,
    /// The maximum number of events to return.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 50)]
    limit: Option<String>,
    /// How many seconds to wait for new events if there are none yet.
    #[param(value_type = Option<u32>, minimum = 0, maximum = 30, default = 0)]
    wait: Option<String>,
}

/// A page of the event feed.
#[derive(Serialize, ToSchema)]
#[schema(as = EventFeed)]
pub(super) struct FeedBody {
    /// The events, oldest first. Events that the caller can no longer view are left out.
    #[schema(value_type = Vec<FeedEventBody>)]
    data: Vec<EventBody>,
    /// The cursor for the next request. Unchanged if there are no new events.
    next_cursor: String,
    /// Whether more events are available.
    has_more: bool,
}

/// An event: its ID and the payload that webhooks receive.
#[derive(Serialize)]
struct EventBody {
    id: String,
    #[serde(flatten)]
    payload: Payload,
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    headers: HeaderMap,
    Query(params): Query<ListParams>,
) -> Result<axum::Json<FeedBody>, Problem> {
    let (after, limit, wait) = read(&params)?;
    let part = feed::read(&state.app, &caller, after, limit, wait).await?;
    if !wait.is_zero() {
        let right = Right::ManageWebhooks;
        reauthorize(&state.app, &headers, Scope::WebhookManage, right).await?;
    }
    let body =
        |event: feed::FeedEvent| EventBody { id: event.id.to_string(), payload: payload(&event) };
    Ok(axum::Json(FeedBody {
        data: part.events.into_iter().map(body).collect(),
        next_cursor: part.next.to_string(),
        has_more: part.has_more,
    }))
}

fn read(params: &ListParams) -> Result<(i64, u32, Duration)> {
    let mut fields = Fields::default();
    let after = params.after.as_deref().map_or(Ok(0), |text| {
        let read = text.parse::<i64>().ok().filter(|it| *it >= 0);
        read.ok_or("must be the next_cursor of a previous response")
    });
    let after = fields.take("after", after);
    let limit = fields.take("limit", within(params.limit.as_deref(), 1, 100, 50));
    let longest = u32::try_from(MAX_WAIT.as_secs()).unwrap_or(u32::MAX);
    let wait = fields.take("wait", within(params.wait.as_deref(), 0, longest, 0));
    fields.finish()?;
    let wait = Duration::from_secs(wait.unwrap_or_default().into());
    Ok((after.unwrap_or_default(), limit.unwrap_or(50), wait))
}

fn within(text: Option<&str>, min: u32, max: u32, default: u32) -> Result<u32, String> {
    let Some(text) = text else { return Ok(default) };
    let read = text.parse().ok().filter(|it| (min..=max).contains(it));
    read.ok_or_else(|| format!("must be a whole number from {min} to {max}"))
}
