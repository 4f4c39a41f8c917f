//! `/events`: the feed of those who cannot receive webhooks.

use std::time::Duration;

use axum::extract::State;
use grantor_domain::Result;
use grantor_domain::error::Fields;
use grantor_domain::event::Payload;
use grantor_domain::role::Right;
use grantor_domain::scope::Scope;
use grantor_service::delivery::payload;
use grantor_service::feed;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::payload::PayloadBody;
use crate::frame::caller::{Integration, readmit};
use crate::frame::extract::Query;
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// The longest a reader may wait.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// What can be asked. All text until it is parsed, so that each fault is named.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Asked {
    /// The `next_cursor` of the answer before; left out, from the oldest event that is kept. One
    /// beyond the newest event is refused.
    #[param(value_type = Option<u64>, minimum = 0, maximum = 9_223_372_036_854_775_807_u64)]
    after: Option<String>,
    /// How many events at most.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 50)]
    limit: Option<String>,
    /// How many seconds to wait for the first event where there is none.
    #[param(value_type = Option<u32>, minimum = 0, maximum = 30, default = 0)]
    wait: Option<String>,
}

/// A part of the feed.
#[derive(Serialize, ToSchema)]
#[schema(as = EventFeed)]
pub(super) struct FeedBody {
    /// Oldest first. What the caller no longer sees is left out.
    data: Vec<EventBody>,
    /// What to go on after; the same as before where nothing is new.
    next_cursor: String,
    /// Whether there are more now.
    has_more: bool,
}

/// An event, as webhooks are sent it, with its id.
#[derive(Serialize, ToSchema)]
#[schema(as = Event)]
struct EventBody {
    /// The same as the `webhook-id` of its deliveries.
    #[schema(format = "uuid")]
    id: String,
    #[serde(flatten)]
    #[schema(value_type = PayloadBody)]
    payload: Payload,
}

pub(super) async fn list(
    State(state): State<ApiState>,
    Integration { caller, .. }: Integration,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Result<axum::Json<FeedBody>, Problem> {
    let (after, limit, wait) = read(&asked)?;
    let part = feed::read(&state.app, &caller, after, limit, wait).await?;
    if !wait.is_zero() {
        let right = Right::ManageWebhooks;
        readmit(&state.app, &headers, Scope::WebhookManage, right).await?;
    }
    let event = |told: feed::Told| EventBody { id: told.id.to_string(), payload: payload(&told) };
    Ok(axum::Json(FeedBody {
        data: part.events.into_iter().map(event).collect(),
        next_cursor: part.next.to_string(),
        has_more: part.has_more,
    }))
}

fn read(asked: &Asked) -> Result<(i64, u32, Duration)> {
    let mut fields = Fields::default();
    let after = asked.after.as_deref().map_or(Ok(0), |text| {
        let read = text.parse::<i64>().ok().filter(|it| *it >= 0);
        read.ok_or("must be the next_cursor of an answer before")
    });
    let after = fields.take("after", after);
    let limit = fields.take("limit", within(asked.limit.as_deref(), 1, 100, 50));
    let longest = u32::try_from(LONGEST_WAIT.as_secs()).unwrap_or(u32::MAX);
    let wait = fields.take("wait", within(asked.wait.as_deref(), 0, longest, 0));
    fields.finish()?;
    let wait = Duration::from_secs(wait.unwrap_or_default().into());
    Ok((after.unwrap_or_default(), limit.unwrap_or(50), wait))
}

fn within(text: Option<&str>, least: u32, most: u32, usual: u32) -> Result<u32, String> {
    let Some(text) = text else { return Ok(usual) };
    let read = text.parse().ok().filter(|it| (least..=most).contains(it));
    read.ok_or_else(|| format!("must be a whole number from {least} to {most}"))
}
