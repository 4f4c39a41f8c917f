//! What the sample's agency pays for, with a card of the sandbox. Where a real processor takes
//! payments there is none of this: a sample charges nobody.

use std::sync::Arc;

use grantor_domain::Result;
use grantor_domain::card::CardToken;
use grantor_domain::id::{CardId, SubscriptionId};
use grantor_domain::organization::Plan;

use super::people::Account;
use super::unfit;
use crate::{App, billing};

/// What the agency pays for.
pub struct Paid {
    /// Its card.
    pub card: CardId,
    /// Its subscription, whose first month is paid.
    pub subscription: SubscriptionId,
    /// The plan.
    pub plan: Plan,
}

/// Adds a card and subscribes.
pub(super) async fn subscribe(app: &App, account: &Account) -> Result<Option<Paid>> {
    if app.processor.name() != billing::Sandbox::NAME {
        return Ok(None);
    }
    let (context, caller) = (account.context(app), &account.caller);
    let token = CardToken::parse("tok_visa").map_err(unfit)?;
    let card = billing::add_card(app, &context, Arc::clone(caller), token).await?.id;
    let paid = billing::subscribe(app, &context, Arc::clone(caller), Plan::Starter, Some(card));
    let paid = paid.await?;
    Ok(Some(Paid { card, subscription: paid.id, plan: paid.plan }))
}
