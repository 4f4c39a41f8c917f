//! Asking for a plan, and asking for no more of it.

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

use super::card::told;
use super::collect::{Collected, Held, LEASE, collect};
use super::{end, resource, save};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context};

const CANCELED: &str = "A subscription was canceled";

/// Subscribes to a plan. What is to be paid is billed first, then charged, then settled; a worker goes
/// on where this is cut off.
pub async fn subscribe(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    plan: Plan,
    card: Option<CardId>,
) -> Result<Subscription> {
    let held = match app.act(context, Ask { caller, plan, card }).await? {
        Asked::Done(subscription) => return Ok(subscription),
        Asked::ToPay(held) => held,
    };
    match collect(app, context, *held).await? {
        Collected::Paid(subscription) => Ok(subscription),
        Collected::Refused(code) => {
            let message = format!("The card was declined ({})", told(&code));
            Err(Error::conflict(message).at("cardId"))
        }
        Collected::Unknown(reason) => {
            Err(Error::unavailable(format!("payment processor: {reason}")))
        }
    }
}

/// Ends the subscription with the time that is paid; at once when that is over.
pub async fn cancel(app: &App, context: &Context, caller: Arc<Caller>) -> Result<()> {
    app.act(context, Cancel { caller }).await.map(drop)
}

enum Asked {
    /// There was nothing to pay.
    Done(Subscription),
    /// A bill was written.
    ToPay(Box<Held>),
}

struct Ask {
    caller: Arc<Caller>,
    plan: Plan,
    card: Option<CardId>,
}

struct Terms {
    tenant: Tenant,
    current: Option<Subscription>,
    card: Option<Card>,
}

impl Act for Ask {
    type Grant = Terms;
    type Output = Asked;
    const ACTION: &'static str = "subscription.create";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Terms> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageBilling)?;
        let id = self.caller.tenant;
        tenant::claim(desk.tx, id)?;
        let tenant = tenant::find(desk.tx, id)?.ok_or_else(|| Error::not_found("Organization"))?;
        if self.plan == Plan::Enterprise || tenant.plan == Plan::Enterprise {
            let message = "The plan Enterprise is by arrangement: ask whoever runs this server";
            return Err(Error::conflict(message).at("subscriptionId"));
        }
        let card = match self.card.filter(|_| self.plan.is_paid()) {
            Some(card) => card::find(desk.tx, id, card)?.map(Some),
            None => Some(None),
        };
        let card = card.ok_or_else(|| Error::not_found("Card").at("cardId"))?;
        Ok(Terms { tenant, current: subscription::find(desk.tx, id)?, card })
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, terms: Terms) -> Result<Done<Asked>> {
        let Terms { tenant, current, card } = terms;
        let Some(mut current) = current else {
            let Some(card) = card else {
                return Err(self.nothing_to_pay(&tenant));
            };
            let id = desk.ids.at(desk.now);
            let new = Subscription::begin(id, tenant.id, self.plan, card.id, desk.now);
            subscription::insert(desk.tx, &new)?;
            return self.bill(desk, new, card);
        };
        current.free_hands(desk.now)?;
        let step = current.ask(self.plan, self.card)?;
        let claim = current.claim;
        match (step, card) {
            (Step::End, _) => {
                let stopped = stop(desk, current)?;
                let resource = resource(&stopped);
                return Ok(Done::new(Asked::Done(stopped), resource, CANCELED));
            }
            (_, None) => return Err(Error::field("cardId", "is required")),
            (Step::Pay, Some(card)) => return self.bill(desk, current, card),
            (Step::Keep, Some(card)) => (current.next_plan, current.card) = (None, card.id),
            (Step::Follow, Some(card)) => {
                (current.next_plan, current.card) = (Some(self.plan), card.id);
            }
        }
        current.status = SubscriptionStatus::Active;
        save(desk.tx, &current, claim)?;
        let resource = resource(&current);
        Ok(Done::new(Asked::Done(current), resource, "A subscription was changed"))
    }
}

impl Ask {
    fn nothing_to_pay(&self, tenant: &Tenant) -> Error {
        if self.plan.is_paid() {
            return Error::field("cardId", "is required");
        }
        if tenant.plan == self.plan {
            return Error::conflict(format!("You are on the plan {} already", self.plan))
                .at("subscriptionId");
        }
        let message = "No card pays for your plan: ask whoever runs this server to change it";
        Error::conflict(message).at("subscriptionId")
    }

    /// Writes the bill before anybody is charged, and holds the subscription until it is settled.
    fn bill(
        &self,
        desk: &mut Desk<'_, '_>,
        mut paid: Subscription,
        card: Card,
    ) -> Result<Done<Asked>> {
        let bill = Bill {
            id: desk.ids.at(desk.now),
            tenant: paid.tenant,
            subscription: paid.id,
            card: card.id,
            plan: self.plan,
            kind: BillKind::Purchase,
            period_start: desk.now,
            amount: desk.app.plans.of(self.plan).price,
            status: BillStatus::Open,
            payment: None,
            refusals: 0,
            billing_date: desk.now,
            due_date: desk.now,
            paid_date: None,
        };
        bill::insert(desk.tx, &bill)?;
        let claim = paid.claim;
        (paid.claim, paid.leased_until) = (claim + 1, Some(desk.now.plus(LEASE)));
        save(desk.tx, &paid, claim)?;
        let resource = resource(&paid);
        let details = json!({ "billId": bill.id, "plan": self.plan.name() });
        let held = Held { subscription: paid, bill, card: Some(card) };
        let mut done =
            Done::new(Asked::ToPay(Box::new(held)), resource, "A plan was asked for and billed");
        done.details = details;
        Ok(done)
    }
}

struct Cancel {
    caller: Arc<Caller>,
}

impl Act for Cancel {
    type Grant = Subscription;
    type Output = Subscription;
    const ACTION: &'static str = "subscription.cancel";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Subscription> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageBilling)?;
        tenant::claim(desk.tx, self.caller.tenant)?;
        let found = subscription::find(desk.tx, self.caller.tenant)?;
        let found = found.ok_or_else(|| Error::not_found("Subscription"))?;
        found.free_hands(desk.now)?;
        Ok(found)
    }

    fn carry_out(
        &self,
        desk: &mut Desk<'_, '_>,
        subscription: Subscription,
    ) -> Result<Done<Subscription>> {
        let stopped = stop(desk, subscription)?;
        let resource = resource(&stopped);
        Ok(Done::new(stopped, resource, CANCELED))
    }
}

/// Nothing more is charged. The plan stays for as long as it is paid.
fn stop(desk: &mut Desk<'_, '_>, mut paid: Subscription) -> Result<Subscription> {
    let overdue = paid.status == SubscriptionStatus::PastDue;
    (paid.status, paid.next_plan) = (SubscriptionStatus::Canceled, None);
    if overdue {
        end(desk.tx, paid.tenant, Plan::Free, desk.now)?;
    } else {
        save(desk.tx, &paid, paid.claim)?;
    }
    Ok(paid)
}
