//! Subscribing to a plan and canceling the subscription.

use std::sync::Arc;

use grantor_domain::bill::{Bill, BillKind, BillStatus};
use grantor_domain::card::Card;
use grantor_domain::id::CardId;
use grantor_domain::organization::Plan;
use grantor_domain::role::{Right, may};
use grantor_domain::subscription::{Step, Subscription, SubscriptionStatus};
use grantor_domain::{Error, Result};
use grantor_storage::tenant::{self, Tenant};
use grantor_storage::{bill, card, subscription};
use serde_json::json;

use super::card::public_code;
use super::collect::{Claimed, Collected, LEASE, collect};
use super::{end, resource, save};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context};

const CANCELED: &str = "A subscription was canceled";

/// Subscribes to a plan. An invoice is written first, then charged, then settled; a worker finishes
/// what is interrupted.
pub async fn subscribe(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    plan: Plan,
    card: Option<CardId>,
) -> Result<Subscription> {
    let claimed = match app.act(context, Subscribe { caller, plan, card }).await? {
        Subscribed::Done(subscription) => return Ok(subscription),
        Subscribed::PaymentDue(claimed) => claimed,
    };
    match collect(app, context, *claimed).await? {
        Collected::Paid(subscription) => Ok(subscription),
        Collected::Declined(code) => {
            let message = format!("The card was declined ({})", public_code(&code));
            Err(Error::conflict(message).at("cardId"))
        }
        Collected::Unknown(reason) => {
            Err(Error::unavailable(format!("payment processor: {reason}")))
        }
    }
}

/// Cancels the subscription at the end of the paid period, or at once if it is past due.
pub async fn cancel(app: &App, context: &Context, caller: Arc<Caller>) -> Result<()> {
    app.act(context, Cancel { caller }).await.map(drop)
}

enum Subscribed {
    /// Nothing has to be paid.
    Done(Subscription),
    /// An invoice was written.
    PaymentDue(Box<Claimed>),
}

struct Subscribe {
    caller: Arc<Caller>,
    plan: Plan,
    card: Option<CardId>,
}

struct Terms {
    tenant: Tenant,
    current: Option<Subscription>,
    card: Option<Card>,
}

impl Act for Subscribe {
    type Permit = Terms;
    type Output = Subscribed;
    const ACTION: &'static str = "subscription.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Terms> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageBilling)?;
        let id = self.caller.tenant;
        tenant::claim(unit.tx, id)?;
        let tenant = tenant::find(unit.tx, id)?.ok_or_else(|| Error::not_found("Organization"))?;
        if self.plan == Plan::Enterprise || tenant.plan == Plan::Enterprise {
            let message = "The Enterprise plan has custom pricing: contact the server's operator";
            return Err(Error::conflict(message).at("subscriptionId"));
        }
        let card = match self.card.filter(|_| self.plan.is_paid()) {
            Some(card) => card::find(unit.tx, id, card)?.map(Some),
            None => Some(None),
        };
        let card = card.ok_or_else(|| Error::not_found("Card").at("cardId"))?;
        Ok(Terms { tenant, current: subscription::find(unit.tx, id)?, card })
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, terms: Terms) -> Result<Done<Subscribed>> {
        let Terms { tenant, current, card } = terms;
        let Some(mut current) = current else {
            let Some(card) = card else {
                return Err(self.nothing_to_pay(&tenant));
            };
            let id = unit.ids.at(unit.now);
            let new = Subscription::begin(id, tenant.id, self.plan, card.id, unit.now);
            subscription::insert(unit.tx, &new)?;
            return self.bill(unit, new, card);
        };
        current.ensure_no_pending_payment(unit.now)?;
        let step = current.select(self.plan, self.card)?;
        let claim = current.claim;
        match (step, card) {
            (Step::End, _) => {
                let stopped = stop(unit, current)?;
                let resource = resource(&stopped);
                return Ok(Done::new(Subscribed::Done(stopped), resource, CANCELED));
            }
            (_, None) => return Err(Error::field("cardId", "is required")),
            (Step::Pay, Some(card)) => return self.bill(unit, current, card),
            (Step::Keep, Some(card)) => (current.next_plan, current.card) = (None, card.id),
            (Step::Follow, Some(card)) => {
                (current.next_plan, current.card) = (Some(self.plan), card.id);
            }
        }
        current.status = SubscriptionStatus::Active;
        save(unit.tx, &current, claim)?;
        let resource = resource(&current);
        Ok(Done::new(Subscribed::Done(current), resource, "A subscription was updated"))
    }
}

impl Subscribe {
    fn nothing_to_pay(&self, tenant: &Tenant) -> Error {
        if self.plan.is_paid() {
            return Error::field("cardId", "is required");
        }
        if tenant.plan == self.plan {
            return Error::conflict(format!("You are already on the {} plan", self.plan))
                .at("subscriptionId");
        }
        let message = "Your plan has no subscription: contact the server's operator to change it";
        Error::conflict(message).at("subscriptionId")
    }

    /// Writes the invoice before anything is charged, and claims the subscription until it is
    /// settled.
    fn bill(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut paid: Subscription,
        card: Card,
    ) -> Result<Done<Subscribed>> {
        let bill = Bill {
            id: unit.ids.at(unit.now),
            tenant: paid.tenant,
            subscription: paid.id,
            card: card.id,
            plan: self.plan,
            kind: BillKind::Purchase,
            period_start: unit.now,
            amount: unit.app.plans.of(self.plan).price,
            status: BillStatus::Open,
            payment: None,
            refusals: 0,
            billing_date: unit.now,
            due_date: unit.now,
            paid_date: None,
        };
        bill::insert(unit.tx, &bill)?;
        let claim = paid.claim;
        (paid.claim, paid.leased_until) = (claim + 1, Some(unit.now.plus(LEASE)));
        save(unit.tx, &paid, claim)?;
        let resource = resource(&paid);
        let details = json!({ "billId": bill.id, "plan": self.plan.name() });
        let claimed = Claimed { subscription: paid, bill, card: Some(card) };
        let mut done =
            Done::new(Subscribed::PaymentDue(Box::new(claimed)), resource, "A plan was invoiced");
        done.details = details;
        Ok(done)
    }
}

struct Cancel {
    caller: Arc<Caller>,
}

impl Act for Cancel {
    type Permit = Subscription;
    type Output = Subscription;
    const ACTION: &'static str = "subscription.cancel";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Subscription> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageBilling)?;
        tenant::claim(unit.tx, self.caller.tenant)?;
        let found = subscription::find(unit.tx, self.caller.tenant)?;
        let found = found.ok_or_else(|| Error::not_found("Subscription"))?;
        found.ensure_no_pending_payment(unit.now)?;
        Ok(found)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        subscription: Subscription,
    ) -> Result<Done<Subscription>> {
        let stopped = stop(unit, subscription)?;
        let resource = resource(&stopped);
        Ok(Done::new(stopped, resource, CANCELED))
    }
}

/// Stops further charges. The plan stays until the end of the paid period.
fn stop(unit: &mut UnitOfWork<'_, '_>, mut paid: Subscription) -> Result<Subscription> {
    let overdue = paid.status == SubscriptionStatus::PastDue;
    (paid.status, paid.next_plan) = (SubscriptionStatus::Canceled, None);
    if overdue {
        end(unit.tx, paid.tenant, Plan::Free, unit.now)?;
    } else {
        save(unit.tx, &paid, paid.claim)?;
    }
    Ok(paid)
}
