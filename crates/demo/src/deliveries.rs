//! Past deliveries to the sample webhooks: what their receivers got before the webhooks were
//! disabled. They are in the past, so a special act records them.

use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::delivery::{Attempt, DeliveryStatus};
use grantor_domain::id::WebhookId;
use grantor_domain::webhook::Webhook;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::delivery::{self, Outcome};
use grantor_storage::event::FeedEvent;
use grantor_storage::{event, webhook};

use grantor_service::act::{Act, Done, UnitOfWork};
use grantor_service::{App, Context};

/// The maximum number of events that are delivered to a webhook.
const AT_MOST: u32 = 500;
/// What is younger is not past.
const HOUR: Duration = Duration::from_hours(1);
/// How long the receivers take.
const TAKEN: Duration = Duration::from_millis(84);

/// How a delivery goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Course {
    /// It arrives at once.
    Smooth,
    /// It arrives at the second attempt.
    Retried,
    /// It is given up.
    Failed,
}

impl Course {
    /// Most deliveries arrive at once.
    const fn of(index: usize) -> Self {
        match index % 12 {
            3 => Self::Failed,
            5 | 10 => Self::Retried,
            _ => Self::Smooth,
        }
    }
}

/// Records a delivery of each past event that a webhook subscribes to. Returns their number.
pub(super) async fn record(app: &App, operator: &Context, webhooks: &[WebhookId]) -> Result<u64> {
    let mut recorded = 0;
    for id in webhooks {
        recorded += app.act(operator, Deliver(*id)).await?;
    }
    Ok(recorded)
}

struct Deliver(WebhookId);

impl Act for Deliver {
    type Permit = Webhook;
    type Output = u64;
    const ACTION: &'static str = "demo.delivery";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Webhook> {
        webhook::find_anywhere(unit.tx, self.0)?.ok_or_else(|| Error::not_found("Webhook"))
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, to: Webhook) -> Result<Done<u64>> {
        let mut told = event::list_feed(unit.tx, to.tenant, 0, AT_MOST)?;
        let now = unit.now;
        told.retain(|it| to.events.contains(it.kind) && now.since(it.at) >= HOUR);
        told.sort_by_key(|it| it.at);
        let mut recorded = 0;
        for (index, event) in told.iter().enumerate() {
            let mut past = Past::new(unit, event, Course::of(index));
            if past.ended_at > now {
                past = Past::new(unit, event, Course::Smooth);
            }
            let place = (event.id, event.sequence);
            delivery::insert(unit.tx, past.outcome.id, to.id, place, event.at, event.at)?;
            delivery::settle(unit.tx, &[&past.outcome], past.ended_at)?;
            if past.outcome.status == DeliveryStatus::Delivered {
                webhook::record_success(unit.tx, to.id, past.ended_at)?;
            }
            recorded += 1;
        }
        let resource = Resource { kind: "webhook", id: Some(to.id.to_string()), name: None };
        let mut done = Done::new(recorded, resource, "Sample deliveries were recorded");
        done.tenant = Some(to.tenant);
        Ok(done)
    }
}

/// A finished delivery.
struct Past {
    outcome: Outcome,
    ended_at: Timestamp,
}

impl Past {
    fn new(unit: &UnitOfWork<'_, '_>, event: &FeedEvent, course: Course) -> Self {
        let (mut tries, mut at) = (vec![], event.at);
        for failed in 0.. {
            let Some(wait) = unit.app.schedule.wait(failed, 0, None) else { break };
            at = at.plus(wait);
            let arrives = match course {
                Course::Smooth => true,
                Course::Retried => failed == 1,
                Course::Failed => false,
            };
            tries.push(attempt(at, arrives));
            if arrives {
                break;
            }
        }
        let arrived = tries.last().is_some_and(Attempt::arrived);
        let status = if arrived { DeliveryStatus::Delivered } else { DeliveryStatus::Failed };
        let failed = tries.iter().filter(|it| !it.arrived()).count();
        let failed = u32::try_from(failed).unwrap_or(u32::MAX);
        let (id, ended_at) = (unit.ids.at(event.at), at.plus(TAKEN));
        // No sender claimed it.
        let attempts = 0;
        let outcome = Outcome { id, attempts, status, failed, tries, due_at: ended_at };
        Self { outcome, ended_at }
    }
}

fn attempt(at: Timestamp, arrives: bool) -> Attempt {
    let duration_ms = u64::try_from(TAKEN.as_millis()).unwrap_or(0);
    let status = if arrives { 200 } else { 503 };
    let error = (!arrives).then(|| format!("the receiver returned status {status}"));
    let (status_code, answer, signature) = (Some(status), None, None);
    Attempt { at, duration_ms, status_code, error, answer, signature }
}
