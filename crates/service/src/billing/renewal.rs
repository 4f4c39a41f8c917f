//! Renews due subscriptions, retries failed payments, ends canceled subscriptions and finishes
//! payments that a crash interrupted. Any number of nodes may run this; one claims each
//! subscription.

use grantor_domain::bill::{Bill, BillKind, BillStatus};
use grantor_domain::id::TenantId;
use grantor_domain::organization::Plan;
use grantor_domain::subscription::{Subscription, SubscriptionStatus};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::{bill, card, subscription, tenant};

use super::collect::{Claimed, LEASE, collect};
use super::{end, resource, save, taken_over};
use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};

/// Subscriptions read at a time.
const BATCH: u32 = 50;

/// Processes all due subscriptions and returns how many there were.
pub async fn collect_due(app: &App, context: &Context) -> Result<u64> {
    let mut done = 0;
    loop {
        let now = app.clock.now();
        let due = app.store.read(move |tx| subscription::list_due(tx, now, BATCH)).await;
        let due = due.map_err(Error::from)?;
        let mut taken = 0;
        for tenant in &due {
            match renew(app, context, *tenant).await {
                Ok(()) => taken += 1,
                // Another node or the tenant was first.
                Err(error) if *error.kind() == ErrorKind::Conflict => {}
                Err(error) => return Err(error),
            }
        }
        done += taken;
        if due.len() < BATCH as usize || taken == 0 {
            return Ok(done);
        }
    }
}

async fn renew(app: &App, context: &Context, tenant: TenantId) -> Result<()> {
    let Some(claimed) = app.act(context, Renew { tenant }).await? else {
        return Ok(());
    };
    collect(app, context, claimed).await.map(|_| ())
}

/// Claims a due subscription, or ends it if it is canceled and returns `None`.
struct Renew {
    tenant: TenantId,
}

impl Act for Renew {
    type Permit = Subscription;
    type Output = Option<Claimed>;
    const ACTION: &'static str = "subscription.renew";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Subscription> {
        tenant::claim(unit.tx, self.tenant)?;
        let found = subscription::find(unit.tx, self.tenant)?;
        found.filter(|it| it.wakes_at() <= unit.now).ok_or_else(taken_over)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut paid: Subscription,
    ) -> Result<Done<Option<Claimed>>> {
        let open = bill::list_open(unit.tx, self.tenant)?.into_iter().next();
        let resource = resource(&paid);
        if open.is_none() && paid.status == SubscriptionStatus::Canceled {
            end(unit.tx, self.tenant, Plan::Free, unit.now)?;
            let mut done = Done::new(None, resource, "A subscription ended");
            done.tenant = Some(self.tenant);
            return Ok(done);
        }
        let bill = match open {
            Some(bill) => follow_card(unit, &paid, bill)?,
            None => renewal(unit, &paid)?,
        };
        let claim = paid.claim;
        (paid.claim, paid.leased_until) = (claim + 1, Some(unit.now.plus(LEASE)));
        save(unit.tx, &paid, claim)?;
        let card = card::find(unit.tx, self.tenant, bill.card)?;
        let claimed = Claimed { subscription: paid, bill, card };
        let mut done = Done::new(Some(claimed), resource, "An invoice payment was started");
        done.tenant = Some(self.tenant);
        Ok(done)
    }
}

/// Moves a renewal invoice to the subscription's current card.
fn follow_card(unit: &mut UnitOfWork<'_, '_>, paid: &Subscription, mut bill: Bill) -> Result<Bill> {
    if bill.kind == BillKind::Renewal && bill.card != paid.card {
        bill.card = paid.card;
        bill::update(unit.tx, &bill)?;
    }
    Ok(bill)
}

/// Creates the invoice of the next period. The database allows one per period.
fn renewal(unit: &mut UnitOfWork<'_, '_>, paid: &Subscription) -> Result<Bill> {
    let bill = Bill {
        id: unit.ids.at(unit.now),
        tenant: paid.tenant,
        subscription: paid.id,
        card: paid.card,
        plan: paid.renewed_plan(),
        kind: BillKind::Renewal,
        period_start: paid.period_end,
        amount: unit.app.plans.of(paid.renewed_plan()).price,
        status: BillStatus::Open,
        payment: None,
        refusals: 0,
        billing_date: unit.now,
        due_date: paid.period_end,
        paid_date: None,
    };
    bill::insert(unit.tx, &bill)?;
    Ok(bill)
}
