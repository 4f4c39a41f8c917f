//! Sending events of a span of time again.

use grantor_domain::event::EventTypes;
use grantor_domain::id::WebhookId;
use grantor_domain::webhook::Webhook;
use grantor_domain::{Error, Result};
use grantor_storage::delivery::{self, Again};
use grantor_storage::webhook;
use serde_json::json;

use super::switched_on;
use crate::access::Insider;
use crate::act::{Act, Desk, Done};
use crate::webhook::{not_found, resource};
use crate::{App, Context};

/// The most events that one replay queues: a change must not hold up every other.
const MOST: u32 = 5_000;

/// Which events, and whether only to count them.
#[derive(Clone, Copy, Debug)]
pub struct Replay {
    /// Which.
    pub again: Again,
    /// Of these kinds; where none are named, of those the webhook is for.
    pub kinds: Option<EventTypes>,
    /// Nothing is queued.
    pub dry_run: bool,
}

impl Replay {
    fn over(&self, webhook: &Webhook) -> Again {
        Again { kinds: self.kinds.unwrap_or(webhook.events), ..self.again }
    }
}

/// Queues events for a webhook once more; gives how many.
pub async fn replay(
    app: &App,
    context: &Context,
    caller: Insider,
    id: WebhookId,
    mut asked: Replay,
) -> Result<u64> {
    asked.again.limit = MOST + 1;
    if !asked.dry_run {
        return app.act(context, Queue { caller, id, asked }).await;
    }
    let tenant = caller.tenant;
    app.store
        .read(move |tx| {
            let webhook = webhook::find(tx, tenant, id)?.ok_or_else(not_found)?;
            bounded(delivery::find_again(tx, tenant, id, &asked.over(&webhook))?.len())
        })
        .await
}

/// More than fit are refused: whoever asked would take them for all.
fn bounded(found: usize) -> Result<u64> {
    if found > MOST as usize {
        let message = format!("must span at most {MOST} events");
        return Err(Error::field("since", message));
    }
    Ok(found as u64)
}

struct Queue {
    caller: Insider,
    id: WebhookId,
    asked: Replay,
}

impl Act for Queue {
    type Grant = Webhook;
    type Output = u64;
    const ACTION: &'static str = "webhook.replay";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Webhook> {
        // Held, so that two who ask at once do not both queue the same.
        switched_on(webhook::claim(desk.tx, self.caller.tenant, self.id)?.ok_or_else(not_found)?)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, webhook: Webhook) -> Result<Done<u64>> {
        let found =
            delivery::find_again(desk.tx, webhook.tenant, webhook.id, &self.asked.over(&webhook))?;
        let queued = bounded(found.len())?;
        for place in found {
            delivery::insert(
                desk.tx,
                desk.ids.at(desk.now),
                webhook.id,
                place,
                desk.now,
                desk.now,
            )?;
        }
        let mut done = Done::new(queued, resource(&webhook), "Deliveries were asked for again");
        done.details = json!({ "queued": queued });
        Ok(done)
    }
}
