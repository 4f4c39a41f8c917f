//! Sending events of a span of time again.

use grantor_domain::chore::{Chore, EVENTS_AT_ONCE, Replay};
use grantor_domain::delivery::DeliveryStatus;
use grantor_domain::event::EventTypes;
use grantor_domain::id::WebhookId;
use grantor_domain::webhook::Webhook;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::delivery::{self, Looked};
use grantor_storage::{Tx, chore as chores, webhook};
use serde_json::json;

use super::switched_on;
use crate::access::Insider;
use crate::act::{Act, Desk, Done};
use crate::webhook::{not_found, own, resource};
use crate::{App, Context, chore};

/// The most events that one replay queues.
const MOST: usize = 5_000;

/// Which events, and whether only to count them.
#[derive(Clone, Copy, Debug)]
pub struct AskedReplay {
    /// Not before.
    pub since: Timestamp,
    /// Before.
    pub until: Timestamp,
    /// Of these kinds; where none are named, of those the webhook is for.
    pub kinds: Option<EventTypes>,
    /// Those whose newest delivery ended so; any, where nothing is said.
    pub status: Option<DeliveryStatus>,
    /// Nothing is queued.
    pub dry_run: bool,
}

impl AskedReplay {
    fn of(&self, webhook: &Webhook) -> Replay {
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

/// Queues events for a webhook once more; gives how many. They are looked for before anything is
/// written, and queued a part at a time: no other change waits for all of them.
pub async fn replay(
    app: &App,
    context: &Context,
    caller: Insider,
    id: WebhookId,
    asked: AskedReplay,
) -> Result<u64> {
    let tenant = caller.tenant;
    let numbers = app
        .store
        .read(move |tx| {
            let webhook = webhook::find(tx, tenant, id)?.ok_or_else(not_found)?;
            look_through(tx, asked.of(&webhook))
        })
        .await?;
    if asked.dry_run {
        return Ok(numbers.len() as u64);
    }
    app.act(context, Queue { caller, id, asked, numbers }).await
}

/// Queues what a part of a feed holds to be sent again; gives what is left, and how many were queued.
pub(crate) fn queue_again(desk: &mut Desk<'_, '_>, replay: Replay) -> Result<(Option<Chore>, u64)> {
    // Held, so that two who ask at once do not both queue the same.
    let held = webhook::claim(desk.tx, replay.tenant, replay.webhook)?;
    if held.is_none_or(|it| switched_on(it).is_err()) {
        return Ok((None, 0));
    }
    let Looked { found, next } = delivery::find_again(desk.tx, &replay, EVENTS_AT_ONCE)?;
    let queued = found.len() as u64;
    for place in found {
        let id = desk.ids.at(desk.now);
        delivery::insert(desk.tx, id, replay.webhook, place, desk.now, desk.now)?;
    }
    Ok((next.map(|after| Chore::Replay(Replay { after, ..replay })), queued))
}

/// The numbers of all that fit. More than may be queued are refused: whoever asked would take them for
/// all.
fn look_through(tx: &mut Tx<'_>, mut replay: Replay) -> Result<Vec<i64>> {
    let mut numbers = Vec::new();
    loop {
        let Looked { found, next } = delivery::find_again(tx, &replay, EVENTS_AT_ONCE)?;
        numbers.extend(found.into_iter().map(|(_, number)| number));
        if numbers.len() > MOST {
            return Err(Error::field("since", format!("must span at most {MOST} events")));
        }
        let Some(after) = next else { return Ok(numbers) };
        replay.after = after;
    }
}

struct Queue {
    caller: Insider,
    id: WebhookId,
    asked: AskedReplay,
    /// What fits, as it was before.
    numbers: Vec<i64>,
}

impl Act for Queue {
    type Grant = Webhook;
    type Output = u64;
    const ACTION: &'static str = "webhook.replay";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Webhook> {
        let webhook = switched_on(own(desk, self.caller, self.id)?)?;
        if chores::is_about(desk.tx, self.id.as_uuid())? {
            return Err(Error::conflict("Another replay of this webhook is still being queued"));
        }
        Ok(webhook)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, webhook: Webhook) -> Result<Done<u64>> {
        let first = self.numbers.first().map_or(i64::MAX - 1, |it| it - 1);
        let replay = Replay { after: first, ..self.asked.of(&webhook) };
        let (rest, mut queued) = queue_again(desk, replay)?;
        if let Some(Chore::Replay(Replay { after, .. })) = rest {
            queued += self.numbers.iter().filter(|it| **it > after).count() as u64;
        }
        chore::leave(desk, rest)?;
        let mut done = Done::new(queued, resource(&webhook), "Deliveries were asked for again");
        done.details = json!({ "queued": queued });
        Ok(done)
    }
}
