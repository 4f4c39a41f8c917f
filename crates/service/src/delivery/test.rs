//! Trying a webhook out.

use grantor_domain::delivery::{Attempt, DeliveryStatus};
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{DeliveryId, WebhookId};
use grantor_domain::webhook::Webhook;
use grantor_domain::{Error, Result};
use grantor_storage::delivery::{self, Claimed, Outcome};
use grantor_storage::webhook::{self, Sealed};
use serde_json::json;

use super::attempt::{Attempted, Receiver, open, send};
use crate::access::Insider;
use crate::act::{Act, Desk, Done};
use crate::webhook::{Reason, disable, not_found, own, resource};
use crate::{App, Context};

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested(pub Attempt);

/// Sends `webhook.test` now and waits for what comes of it. Also to a webhook that is switched off,
/// and never a second time. A receiver that takes it counts as one that an event reached; one that
/// is gone is switched off, as by any other event.
pub async fn test(app: &App, context: &Context, caller: Insider, id: WebhookId) -> Result<Tested> {
    // A task of its own: whoever asked may hang up, and what came of it is written all the same.
    let task = tokio::spawn(attempt(app.clone(), context.clone(), caller, id));
    task.await.map_err(|_| Error::internal("a test broke off"))?
}

async fn attempt(app: App, context: Context, caller: Insider, id: WebhookId) -> Result<Tested> {
    let delivery = app.ids.next();
    let webhook = app.act(&context, Test { caller, id, delivery }).await?;
    let claimed: Result<(Sealed, Claimed)> = app
        .store
        .read(move |tx| {
            let sealed = webhook::secrets(tx, id)?.ok_or_else(not_found)?;
            Ok((sealed, delivery::find_claimed(tx, delivery)?.ok_or_else(not_found)?))
        })
        .await;
    let (sealed, claimed) = claimed?;
    let secrets = match open(&app, id, &sealed, app.clock.now()) {
        Ok(secrets) => secrets,
        Err(error) => {
            settle(&app, &claimed, vec![]).await?;
            return Err(error);
        }
    };
    let receiver = Receiver { url: webhook.url, secrets };
    let Attempted { mut attempt, .. } = send(&app, &receiver, &claimed.told).await;
    settle(&app, &claimed, vec![attempt.clone()]).await?;
    let system = Context::system(app.clock.monotonic());
    if attempt.is_gone() && disable(&app, &system, id, Reason::Gone).await? {
        let error = attempt.error.unwrap_or_default();
        attempt.error = Some(format!("{error}: the webhook was switched off"));
    }
    Ok(Tested(attempt))
}

/// Writes what came of it, so that no sender takes it for its own.
async fn settle(app: &App, claimed: &Claimed, tries: Vec<Attempt>) -> Result<()> {
    let arrived = tries.iter().any(Attempt::arrived);
    let status = if arrived { DeliveryStatus::Delivered } else { DeliveryStatus::Failed };
    let now = app.clock.now();
    let (id, attempts, failed) = (claimed.id, claimed.attempts, u32::from(!arrived));
    let outcome = Outcome { id, attempts, status, failed, tries, due_at: now };
    let webhook = claimed.webhook;
    app.store
        .write(move |tx| {
            delivery::settle(tx, &[&outcome], now)?;
            if arrived {
                webhook::set_rest(tx, webhook, None)?;
                webhook::note_success(tx, webhook, now)?;
            }
            Ok(())
        })
        .await
}

struct Test {
    caller: Insider,
    id: WebhookId,
    delivery: DeliveryId,
}

impl Act for Test {
    type Grant = Webhook;
    type Output = Webhook;
    const ACTION: &'static str = "webhook.test";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Webhook> {
        own(desk, self.caller, self.id)
    }

    fn carry_out(&self, _: &mut Desk<'_, '_>, webhook: Webhook) -> Result<Done<Webhook>> {
        let told = NewEvent {
            kind: EventType::WebhookTest,
            owner: webhook.tenant,
            license: None,
            resource_version: 1,
            data: json!({ "webhook_id": webhook.id }),
            recipients: vec![webhook.tenant],
            receiver: Some((webhook.id, self.delivery)),
        };
        let resource = resource(&webhook);
        Ok(Done::new(webhook, resource, "A webhook was tested").tell(told))
    }
}
