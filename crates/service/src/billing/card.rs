//! Cards: added by a token, listed, removed.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::card::{Card, CardToken, MOST};
use grantor_domain::id::{CardId, TenantId};
use grantor_domain::role::{Right, may};
use grantor_domain::subscription::SubscriptionStatus;
use grantor_domain::{Error, Result};
use grantor_storage::{Tx, card, subscription, tenant};

use super::processor::{Attached, Trouble};
use super::save;
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// Adds the card that a token stands for.
pub async fn add(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    token: CardToken,
) -> Result<Card> {
    may(caller.role, caller.tenant_type, Right::ManageBilling)?;
    let tenant = caller.tenant;
    app.store.read(move |tx| room(tx, tenant)).await?;
    let customer = customer(app, tenant).await?;
    let attached = app.processor.attach(&customer, &token).await.map_err(refused)?;
    app.act(context, Add { caller, customer, attached }).await
}

/// The tenant's cards, newest first.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<Card>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(card::list(tx, tenant)?)).await
}

/// Removes a card. A subscription that it paid goes on with the newest of the others.
pub async fn remove(app: &App, context: &Context, caller: Arc<Caller>, id: CardId) -> Result<()> {
    let card = app.act(context, Remove { caller, id }).await?;
    // It is out of our use; that the processor keeps it longer does no harm.
    if card.processor == app.processor.name()
        && let Err(trouble) = app.processor.detach(&card).await
    {
        tracing::warn!(card = %card.id, ?trouble, "the payment processor keeps a removed card");
    }
    Ok(())
}

/// Who the tenant is to the processor. The name is kept at once, so that there is one.
async fn customer(app: &App, tenant: TenantId) -> Result<String> {
    let processor = app.processor.name();
    let known = app.store.glance(move |tx| card::find_customer(tx, tenant, processor)).await;
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

fn refused(trouble: Trouble) -> Error {
    match trouble {
        Trouble::Refused(code) => Error::field("token", format!("was refused ({})", told(&code))),
        Trouble::Unreachable(reason) => Error::unavailable(format!("payment processor: {reason}")),
    }
}

/// What whoever holds the card may hear: a thief need not learn that a card is known as stolen.
pub(super) fn told(code: &str) -> &str {
    match code {
        "lost_card" | "stolen_card" | "fraudulent" | "pickup_card" | "merchant_blacklist" => {
            "generic_decline"
        }
        code => code,
    }
}

fn room(tx: &mut Tx<'_>, tenant: TenantId) -> Result<()> {
    if card::list(tx, tenant)?.len() >= MOST {
        return Err(Error::conflict(format!("There can be {MOST} cards; remove one")));
    }
    Ok(())
}

/// Nothing of it but what people recognize it by.
fn resource(card: &Card) -> Resource {
    let name = format!("{} {}", card.face.brand, card.face.last4);
    Resource { kind: "card", id: Some(card.id.to_string()), name: Some(name) }
}

struct Add {
    caller: Arc<Caller>,
    customer: String,
    attached: Attached,
}

impl Act for Add {
    type Grant = ();
    type Output = Card;
    const ACTION: &'static str = "card.create";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<()> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageBilling)?;
        tenant::claim(desk.tx, self.caller.tenant)?;
        room(desk.tx, self.caller.tenant)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<Card>> {
        let card = Card {
            id: desk.ids.at(desk.now),
            tenant: self.caller.tenant,
            processor: desk.app.processor.name().to_owned(),
            customer: self.customer.clone(),
            reference: self.attached.reference.clone(),
            face: self.attached.face.clone(),
            created_at: desk.now,
        };
        card::insert(desk.tx, &card)?;
        let resource = resource(&card);
        Ok(Done::new(card, resource, "A payment card was added"))
    }
}

struct Remove {
    caller: Arc<Caller>,
    id: CardId,
}

impl Act for Remove {
    type Grant = Card;
    type Output = Card;
    const ACTION: &'static str = "card.delete";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Card> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageBilling)?;
        tenant::claim(desk.tx, self.caller.tenant)?;
        let found = card::find(desk.tx, self.caller.tenant, self.id)?;
        found.ok_or_else(|| Error::not_found("Card"))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, card: Card) -> Result<Done<Card>> {
        card::delete(desk.tx, card.tenant, card.id)?;
        if let Some(mut paid) = subscription::find(desk.tx, card.tenant)?
            && paid.card == card.id
        {
            paid.free_hands(desk.now)?;
            let others = card::list(desk.tx, card.tenant)?;
            match others.first() {
                Some(other) => paid.card = other.id,
                None if paid.status == SubscriptionStatus::Canceled => {}
                None => {
                    let message = "The only card of a subscription cannot be removed: add another \
                                   first, or cancel the subscription";
                    return Err(Error::conflict(message));
                }
            }
            save(desk.tx, &paid, paid.claim)?;
        }
        let resource = resource(&card);
        Ok(Done::new(card, resource, "A payment card was removed"))
    }
}
