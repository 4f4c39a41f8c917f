//! The sample agency's subscription, paid with a sandbox card. Skipped with a real payment
//! processor: sample data charges nobody.

use std::sync::Arc;

use grantor_domain::Result;
use grantor_domain::card::CardToken;
use grantor_domain::id::{CardId, SubscriptionId};
use grantor_domain::organization::Plan;

use super::invalid;
use super::people::Account;
use grantor_service::{App, billing};

/// The agency's subscription.
pub struct SampleSubscription {
    /// The card.
    pub card: CardId,
    /// The subscription, whose first month is paid.
    pub subscription: SubscriptionId,
    /// The plan.
    pub plan: Plan,
}

/// Adds a card and subscribes.
pub(super) async fn subscribe(app: &App, account: &Account) -> Result<Option<SampleSubscription>> {
    if app.processor.name() != billing::Sandbox::NAME {
        return Ok(None);
    }
    let (context, caller) = (account.context(app), &account.caller);
    let token = CardToken::parse("tok_visa").map_err(invalid)?;
    let card = billing::add_card(app, &context, Arc::clone(caller), token).await?.id;
    let paid = billing::subscribe(app, &context, Arc::clone(caller), Plan::Starter, Some(card));
    let paid = paid.await?;
    Ok(Some(SampleSubscription { card, subscription: paid.id, plan: paid.plan }))
}
