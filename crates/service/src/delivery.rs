//! Deliveries: events on their way to webhooks, shown to their owner and sent again on request.

mod attempt;
mod replay;
mod sender;
mod test;
mod turn;

use std::time::Duration;

use grantor_domain::delivery::DeliveryStatus;
use grantor_domain::id::{DeliveryId, WebhookId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::webhook::{Webhook, WebhookStatus};
use grantor_domain::{Error, Result};
use grantor_storage::license::reader::{self, Reader};
use grantor_storage::{Tx, delivery, webhook};

use crate::access::Insider;
use crate::act::{Act, Desk, Done};
use crate::webhook::{not_found, own, resource};
use crate::{App, Context};

pub use grantor_storage::delivery::Delivery;

pub(crate) use self::attempt::bound_to;
pub use self::attempt::{payload, seal};
pub(crate) use self::replay::queue_again;
pub use self::replay::{AskedReplay, replay};
pub use self::sender::Sender;
pub use self::test::{Tested, test};

/// Deliveries to one of the tenant's webhooks, newest first; of one status, or all.
pub async fn list(
    app: &App,
    caller: Insider,
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
                hide(tx, reader, it)?;
            }
            Ok(listed)
        })
        .await
}

/// Answers may repeat what was sent: whoever no longer sees the license does not see them either.
fn hide(tx: &mut Tx<'_>, reader: Reader, delivery: &mut Delivery) -> Result<()> {
    let license = delivery.license.filter(|_| delivery.kind.needs_sight());
    let answered = delivery.attempts.iter().any(|it| it.answer.is_some());
    if let Some(license) = license.filter(|_| answered)
        && reader::find(tx, reader, license)?.is_none()
    {
        delivery.attempts.iter_mut().for_each(|it| it.answer = None);
    }
    Ok(())
}

/// Makes a delivery due now, whatever became of it; its schedule begins anew.
pub async fn retry(
    app: &App,
    context: &Context,
    caller: Insider,
    webhook: WebhookId,
    id: DeliveryId,
) -> Result<Delivery> {
    app.act(context, Retry { caller, webhook, id }).await
}

/// How long the oldest delivery that is due has been due; zero when none is. What waits for a
/// receiver that is switched off or rests is not due.
pub async fn queue_age(app: &App) -> Result<Duration> {
    let now = app.clock.now();
    let waiting = app.store.read(delivery::waiting).await;
    let first = waiting.map_err(Error::from)?.first().map(|it| it.1);
    Ok(first.map_or(Duration::ZERO, |due| now.since(due)))
}

/// The webhook, unless it is switched off: nothing would be sent.
fn switched_on(webhook: Webhook) -> Result<Webhook> {
    match webhook.status {
        WebhookStatus::Active => Ok(webhook),
        WebhookStatus::Disabled => {
            Err(Error::conflict("The webhook is disabled: set its status to active first"))
        }
    }
}

struct Retry {
    caller: Insider,
    webhook: WebhookId,
    id: DeliveryId,
}

impl Act for Retry {
    type Grant = Webhook;
    type Output = Delivery;
    const ACTION: &'static str = "webhook.retry";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        switched_on(own(desk, self.caller, self.webhook)?)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, webhook: Self::Grant) -> Result<Done<Delivery>> {
        let unknown = || Error::not_found("Delivery");
        delivery::find(desk.tx, webhook.id, self.id)?.ok_or_else(unknown)?;
        delivery::retry(desk.tx, self.id, desk.now)?;
        let mut delivery = delivery::find(desk.tx, webhook.id, self.id)?.ok_or_else(unknown)?;
        hide(desk.tx, self.caller.reader(), &mut delivery)?;
        Ok(Done::new(delivery, resource(&webhook), "A delivery was asked for again"))
    }
}
