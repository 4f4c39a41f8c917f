//! Testing a webhook.

use grantor_domain::delivery::{Attempt, DeliveryStatus};
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{DeliveryId, WebhookId};
use grantor_domain::webhook::Webhook;
use grantor_domain::{Error, Result};
use grantor_storage::delivery::{self, Claimed, Outcome};
use grantor_storage::webhook::{self, Sealed};
use serde_json::json;

use super::attempt::{AttemptResult, Receiver, open, send};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::webhooks::webhook::{Reason, claim_own, disable, not_found, resource};
use crate::{App, Context};

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult(pub Attempt);

/// Sends `webhook.test` now and waits for the result. It is also sent to a disabled webhook, and
/// never retried. Success counts as a delivery to the receiver; 410 Gone disables the webhook, as
/// with any other event.
pub async fn test(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: WebhookId,
) -> Result<TestResult> {
    // A separate task, so that the result is written even if the caller disconnects.
    let task = tokio::spawn(attempt(app.clone(), context.clone(), caller, id));
    task.await.map_err(|_| Error::internal("the webhook test was interrupted"))?
}

async fn attempt(
    app: App,
    context: Context,
    caller: TenantCaller,
    id: WebhookId,
) -> Result<TestResult> {
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
    let AttemptResult { mut attempt, .. } = send(&app, &receiver, &claimed).await;
    settle(&app, &claimed, vec![attempt.clone()]).await?;
    let system = Context::system(app.clock.monotonic());
    if attempt.is_gone() && disable(&app, &system, id, Reason::Gone).await? {
        let error = attempt.error.unwrap_or_default();
        attempt.error = Some(format!("{error}: the webhook was disabled"));
    }
    Ok(TestResult(attempt))
}

/// Writes the outcome, so that no sender claims the delivery.
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
                webhook::set_pause(tx, webhook, None)?;
                webhook::record_success(tx, webhook, now)?;
            }
            Ok(())
        })
        .await
}

struct Test {
    caller: TenantCaller,
    id: WebhookId,
    delivery: DeliveryId,
}

impl Act for Test {
    type Permit = Webhook;
    type Output = Webhook;
    const ACTION: &'static str = "webhook.test";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Webhook> {
        claim_own(unit, self.caller, self.id)
    }

    fn carry_out(&self, _: &mut UnitOfWork<'_, '_>, webhook: Webhook) -> Result<Done<Webhook>> {
        let event = NewEvent {
            kind: EventType::WebhookTest,
            owner: webhook.tenant,
            license: None,
            resource_version: 1,
            data: json!({ "webhook_id": webhook.id }),
            recipients: vec![webhook.tenant],
            receiver: Some((webhook.id, self.delivery)),
        };
        let resource = resource(&webhook);
        Ok(Done::new(webhook, resource, "A webhook was tested").with_event(event))
    }
}
