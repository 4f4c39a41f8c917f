//! Deliveries of events to webhooks.

mod attempt;
mod replay;
mod round;
mod sender;
mod sent;
mod test;

use grantor_domain::delivery::DeliveryStatus;
use grantor_domain::id::{DeliveryId, WebhookId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::webhook::{Webhook, WebhookStatus};
use grantor_domain::{Error, Result};
use grantor_storage::license::reader::{self, Reader};
use grantor_storage::{Tx, delivery, webhook};

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::webhooks::webhook::{claim_own, not_found, resource};
use crate::{App, Context};

pub use grantor_storage::delivery::Delivery;

pub(crate) use self::attempt::bound_to;
pub use self::attempt::{payload, seal};
pub(crate) use self::replay::queue_batch;
pub use self::replay::{ReplayParams, replay};
pub use self::sender::Sender;
pub use self::sent::{SentDelivery, SentRequest, get};
pub use self::test::{TestResult, test};

/// Lists the deliveries to one of the tenant's webhooks, newest first, optionally of one status.
pub async fn list(
    app: &App,
    caller: TenantCaller,
    id: WebhookId,
    status: Option<DeliveryStatus>,
    page: Page,
) -> Result<Listing<Delivery>> {
    let (tenant, reader) = (caller.tenant, caller.reader());
    app.store
        .read(move |tx| {
            webhook::find(tx, tenant, id)?.ok_or_else(not_found)?;
            let mut listed = delivery::list(tx, id, status, page)?;
            for it in &mut listed.items {
                redact(tx, reader, it)?;
            }
            Ok(listed)
        })
        .await
}

/// Removes the receiver's responses if the reader no longer sees the license: they may echo the
/// event.
fn redact(tx: &mut Tx<'_>, reader: Reader, delivery: &mut Delivery) -> Result<()> {
    let license = delivery.license.filter(|_| delivery.kind.requires_visibility());
    let answered = delivery.attempts.iter().any(|it| it.answer.is_some());
    if let Some(license) = license.filter(|_| answered)
        && reader::find(tx, reader, license)?.is_none()
    {
        delivery.attempts.iter_mut().for_each(|it| it.answer = None);
    }
    Ok(())
}

/// Makes a delivery due now, whatever its status, and restarts its retry schedule.
pub async fn retry(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Delivery> {
    app.act(context, Retry { caller, webhook, id }).await
}

/// Returns the webhook, unless it is disabled.
fn require_active(webhook: Webhook) -> Result<Webhook> {
    match webhook.status {
        WebhookStatus::Active => Ok(webhook),
        WebhookStatus::Disabled => {
            Err(Error::conflict("The webhook is disabled: set its status to active first"))
        }
    }
}

struct Retry {
    caller: TenantCaller,
    webhook: WebhookId,
    id: DeliveryId,
}

impl Act for Retry {
    type Permit = Webhook;
    type Output = Delivery;
    const ACTION: &'static str = "webhook.retry";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        require_active(claim_own(unit, self.caller, self.webhook)?)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        webhook: Self::Permit,
    ) -> Result<Done<Delivery>> {
        let unknown = || Error::not_found("Delivery");
        delivery::find(unit.tx, webhook.id, self.id)?.ok_or_else(unknown)?;
        delivery::retry(unit.tx, self.id, unit.now)?;
        let mut delivery = delivery::find(unit.tx, webhook.id, self.id)?.ok_or_else(unknown)?;
        redact(unit.tx, self.caller.reader(), &mut delivery)?;
        Ok(Done::new(delivery, resource(&webhook), "A delivery was retried"))
    }
}
