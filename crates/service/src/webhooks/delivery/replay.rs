//! Replaying events of a time span.

use grantor_domain::chore::{Chore, EVENTS_AT_ONCE, Replay};
use grantor_domain::delivery::DeliveryStatus;
use grantor_domain::event::EventTypes;
use grantor_domain::id::WebhookId;
use grantor_domain::webhook::Webhook;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::delivery::{self, ReplayPage};
use grantor_storage::{Tx, chore as chores, webhook};
use serde_json::json;

use super::require_active;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::operations::chore;
use crate::webhooks::webhook::{claim_own, not_found, resource};
use crate::{App, Context};

/// Events queued per replay.
const MAX_EVENTS: usize = 5_000;

/// Which events to replay.
#[derive(Clone, Copy, Debug)]
pub struct ReplayParams {
    /// From this time on.
    pub since: Timestamp,
    /// Before this time.
    pub until: Timestamp,
    /// Only these types; by default those that the webhook subscribes to.
    pub kinds: Option<EventTypes>,
    /// Only events whose newest delivery has this status.
    pub status: Option<DeliveryStatus>,
    /// Only count the events.
    pub dry_run: bool,
}

impl ReplayParams {
    fn replay(&self, webhook: &Webhook) -> Replay {
        Replay {
            tenant: webhook.tenant,
            webhook: webhook.id,
            since: self.since,
            until: self.until,
            kinds: self.kinds.unwrap_or(webhook.events),
            status: self.status,
            after: 0,
        }
    }
}

/// Queues events for a webhook again and returns how many. They are found in a read and queued in
/// batches, so that other writers do not wait for all of them.
pub async fn replay(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: WebhookId,
    params: ReplayParams,
) -> Result<u64> {
    let tenant = caller.tenant;
    let numbers = app
        .store
        .read(move |tx| {
            let webhook = webhook::find(tx, tenant, id)?.ok_or_else(not_found)?;
            find_matching(tx, params.replay(&webhook))
        })
        .await?;
    if params.dry_run {
        return Ok(numbers.len() as u64);
    }
    app.act(context, Queue { caller, id, params, numbers }).await
}

/// Queues one batch. Returns the chore for the rest, and how many events were queued.
pub(crate) fn queue_batch(
    unit: &mut UnitOfWork<'_, '_>,
    replay: Replay,
) -> Result<(Option<Chore>, u64)> {
    // Locked, so that concurrent replays do not queue the same events twice.
    let held = webhook::claim(unit.tx, replay.tenant, replay.webhook)?;
    if held.is_none_or(|it| require_active(it).is_err()) {
        return Ok((None, 0));
    }
    let ReplayPage { found, next } = delivery::list_for_replay(unit.tx, &replay, EVENTS_AT_ONCE)?;
    let queued = found.len() as u64;
    for event in found {
        let id = unit.ids.at(unit.now);
        delivery::insert(unit.tx, id, replay.webhook, event, unit.now, unit.now)?;
    }
    Ok((next.map(|after| Chore::Replay(Replay { after, ..replay })), queued))
}

/// The sequence numbers of all matching events. Refuses more than one replay may queue, because a
/// partial replay would look like a complete one.
fn find_matching(tx: &mut Tx<'_>, mut replay: Replay) -> Result<Vec<i64>> {
    let mut numbers = Vec::new();
    loop {
        let ReplayPage { found, next } = delivery::list_for_replay(tx, &replay, EVENTS_AT_ONCE)?;
        numbers.extend(found.into_iter().map(|(_, number)| number));
        if numbers.len() > MAX_EVENTS {
            return Err(Error::field("since", format!("must span at most {MAX_EVENTS} events")));
        }
        let Some(after) = next else { return Ok(numbers) };
        replay.after = after;
    }
}

struct Queue {
    caller: TenantCaller,
    id: WebhookId,
    params: ReplayParams,
    /// The matching events, as read before this unit of work.
    numbers: Vec<i64>,
}

impl Act for Queue {
    type Permit = Webhook;
    type Output = u64;
    const ACTION: &'static str = "webhook.replay";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Webhook> {
        let webhook = require_active(claim_own(unit, self.caller, self.id)?)?;
        if chores::exists_for(unit.tx, self.id.as_uuid())? {
            return Err(Error::conflict("Another replay of this webhook is still being queued"));
        }
        Ok(webhook)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, webhook: Webhook) -> Result<Done<u64>> {
        let first = self.numbers.first().map_or(i64::MAX - 1, |it| it - 1);
        let replay = Replay { after: first, ..self.params.replay(&webhook) };
        let (rest, mut queued) = queue_batch(unit, replay)?;
        if let Some(Chore::Replay(Replay { after, .. })) = rest {
            queued += self.numbers.iter().filter(|it| **it > after).count() as u64;
        }
        chore::enqueue(unit, rest)?;
        let mut done = Done::new(queued, resource(&webhook), "Events were replayed");
        done.details = json!({ "queued": queued });
        Ok(done)
    }
}
