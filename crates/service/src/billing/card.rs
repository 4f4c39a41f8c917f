//! Payment cards of a tenant.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::card::{Card, CardToken, MAX_CARDS};
use grantor_domain::id::{CardId, TenantId};
use grantor_domain::role::{Right, may};
use grantor_domain::subscription::SubscriptionStatus;
use grantor_domain::{Error, Result};
use grantor_storage::{Tx, card, subscription, tenant};

use super::processor::{AttachedCard, ProcessorError};
use super::save;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context};

/// Adds the card that a token identifies.
pub async fn add(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    token: CardToken,
) -> Result<Card> {
    may(caller.role, caller.tenant_type, Right::ManageBilling)?;
    let tenant = caller.tenant;
    app.store.read(move |tx| check_limit(tx, tenant)).await?;
    let customer = customer(app, tenant).await?;
    let attached = app.processor.attach(&customer, &token).await.map_err(refused)?;
    app.act(context, Add { caller, customer, attached }).await
}

/// Lists the tenant's cards, newest first.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<Card>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(card::list(tx, tenant)?)).await
}

/// Removes a card. A subscription that used it continues with the newest other card.
pub async fn remove(app: &App, context: &Context, caller: Arc<Caller>, id: CardId) -> Result<()> {
    let card = app.act(context, Remove { caller, id }).await?;
    // Best effort: Grantor no longer uses the card, even if the processor still has it.
    if card.processor == app.processor.name()
        && let Err(error) = app.processor.detach(&card).await
    {
        tracing::warn!(card = %card.id, ?error, "cannot detach a removed card at the payment processor");
    }
    Ok(())
}

/// The tenant's customer id at the processor. Stored as soon as it is created, so that there is
/// only one.
async fn customer(app: &App, tenant: TenantId) -> Result<String> {
    let processor = app.processor.name();
    let known = app.store.lookup(move |tx| card::find_customer(tx, tenant, processor)).await;
    if let Some(known) = known.map_err(Error::from)? {
        return Ok(known);
    }
    let made = app.processor.make_customer(tenant).await.map_err(refused)?;
    let now = app.clock.now();
    app.store
        .write(move |tx| -> Result<_> {
            card::put_customer(tx, tenant, processor, &made, now)?;
            let kept = card::find_customer(tx, tenant, processor)?;
            Ok(kept.unwrap_or_else(|| made.clone()))
        })
        .await
}

fn refused(error: ProcessorError) -> Error {
    match error {
        ProcessorError::Declined(code) => {
            Error::field("token", format!("was declined ({})", public_code(&code)))
        }
        ProcessorError::Unreachable(reason) => {
            Error::unavailable(format!("payment processor: {reason}"))
        }
    }
}

/// The decline code to show: a thief must not learn that a card is reported stolen.
pub(super) fn public_code(code: &str) -> &str {
    match code {
        "lost_card" | "stolen_card" | "fraudulent" | "pickup_card" | "merchant_blacklist" => {
            "generic_decline"
        }
        code => code,
    }
}

fn check_limit(tx: &mut Tx<'_>, tenant: TenantId) -> Result<()> {
    if card::list(tx, tenant)?.len() >= MAX_CARDS {
        return Err(Error::conflict(format!(
            "You can have at most {MAX_CARDS} cards; remove one first"
        )));
    }
    Ok(())
}

/// Only the brand and the last four digits.
fn resource(card: &Card) -> Resource {
    let name = format!("{} {}", card.face.brand, card.face.last4);
    Resource { kind: "card", id: Some(card.id.to_string()), name: Some(name) }
}

struct Add {
    caller: Arc<Caller>,
    customer: String,
    attached: AttachedCard,
}

impl Act for Add {
    type Permit = ();
    type Output = Card;
    const ACTION: &'static str = "card.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageBilling)?;
        tenant::claim(unit.tx, self.caller.tenant)?;
        check_limit(unit.tx, self.caller.tenant)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Card>> {
        let card = Card {
            id: unit.ids.at(unit.now),
            tenant: self.caller.tenant,
            processor: unit.app.processor.name().to_owned(),
            customer: self.customer.clone(),
            reference: self.attached.reference.clone(),
            face: self.attached.face.clone(),
            created_at: unit.now,
        };
        card::insert(unit.tx, &card)?;
        let resource = resource(&card);
        Ok(Done::new(card, resource, "A payment card was added"))
    }
}

struct Remove {
    caller: Arc<Caller>,
    id: CardId,
}

impl Act for Remove {
    type Permit = Card;
    type Output = Card;
    const ACTION: &'static str = "card.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Card> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageBilling)?;
        tenant::claim(unit.tx, self.caller.tenant)?;
        let found = card::find(unit.tx, self.caller.tenant, self.id)?;
        found.ok_or_else(|| Error::not_found("Card"))
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, card: Card) -> Result<Done<Card>> {
        card::delete(unit.tx, card.tenant, card.id)?;
        if let Some(mut paid) = subscription::find(unit.tx, card.tenant)?
            && paid.card == card.id
        {
            paid.ensure_no_pending_payment(unit.now)?;
            let others = card::list(unit.tx, card.tenant)?;
            match others.first() {
                Some(other) => paid.card = other.id,
                None if paid.status == SubscriptionStatus::Canceled => {}
                None => {
                    let message = "The only card of a subscription cannot be removed: add another \
                                   first, or cancel the subscription";
                    return Err(Error::conflict(message));
                }
            }
            save(unit.tx, &paid, paid.claim)?;
        }
        let resource = resource(&card);
        Ok(Done::new(card, resource, "A payment card was removed"))
    }
}
