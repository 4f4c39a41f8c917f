//! The worker's part: what is due is renewed, asked for again or ended, and what a crash left is
//! finished. Any number of nodes may do so: of those who find the same subscription, one gets it.

use grantor_domain::bill::{Bill, BillKind, BillStatus};
use grantor_domain::id::TenantId;
use grantor_domain::organization::Plan;
use grantor_domain::subscription::{Subscription, SubscriptionStatus};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::{bill, card, subscription, tenant};

use super::collect::{Held, LEASE, collect};
use super::{end, resource, save, taken_over};
use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// How many subscriptions one look takes.
const AT_ONCE: u32 = 50;

/// Does what is due now; gives how many subscriptions were looked after.
pub async fn collect_due(app: &App, context: &Context) -> Result<u64> {
    let mut done = 0;
    loop {
        let now = app.clock.now();
        let due = app.store.read(move |tx| subscription::list_due(tx, now, AT_ONCE)).await;
        let due = due.map_err(Error::from)?;
        let mut taken = 0;
        for tenant in &due {
            match look_after(app, context, *tenant).await {
                Ok(()) => taken += 1,
                // Another node was first, or its owner.
                Err(error) if *error.kind() == ErrorKind::Conflict => {}
                Err(error) => return Err(error),
            }
        }
        done += taken;
        if due.len() < AT_ONCE as usize || taken == 0 {
            return Ok(done);
        }
    }
}

async fn look_after(app: &App, context: &Context, tenant: TenantId) -> Result<()> {
    let Some(held) = app.act(context, Renew { tenant }).await? else {
        return Ok(());
    };
    collect(app, context, held).await.map(|_| ())
}

/// Takes a subscription that is due into one's hands, or ends it. Gives nothing when it has ended.
struct Renew {
    tenant: TenantId,
}

impl Act for Renew {
    type Grant = Subscription;
    type Output = Option<Held>;
    const ACTION: &'static str = "subscription.renew";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Subscription> {
        tenant::claim(desk.tx, self.tenant)?;
        let found = subscription::find(desk.tx, self.tenant)?;
        found.filter(|it| it.wakes_at() <= desk.now).ok_or_else(taken_over)
    }

    fn carry_out(
        &self,
        desk: &mut Desk<'_, '_>,
        mut paid: Subscription,
    ) -> Result<Done<Option<Held>>> {
        let open = bill::list_open(desk.tx, self.tenant)?.into_iter().next();
        let resource = resource(&paid);
        if open.is_none() && paid.status == SubscriptionStatus::Canceled {
            end(desk.tx, self.tenant, Plan::Free, desk.now)?;
            let mut done = Done::new(None, resource, "A subscription has ended");
            done.tenant = Some(self.tenant);
            return Ok(done);
        }
        let bill = match open {
            Some(bill) => follow_card(desk, &paid, bill)?,
            None => renewal(desk, &paid)?,
        };
        let claim = paid.claim;
        (paid.claim, paid.leased_until) = (claim + 1, Some(desk.now.plus(LEASE)));
        save(desk.tx, &paid, claim)?;
        let card = card::find(desk.tx, self.tenant, bill.card)?;
        let held = Held { subscription: paid, bill, card };
        let mut done = Done::new(Some(held), resource, "A bill is being collected");
        done.tenant = Some(self.tenant);
        Ok(done)
    }
}

/// A renewal is paid by the card that the subscription has by now.
fn follow_card(desk: &mut Desk<'_, '_>, paid: &Subscription, mut bill: Bill) -> Result<Bill> {
    if bill.kind == BillKind::Renewal && bill.card != paid.card {
        bill.card = paid.card;
        bill::update(desk.tx, &bill)?;
    }
    Ok(bill)
}

/// The bill of the next period. The store takes one for each.
fn renewal(desk: &mut Desk<'_, '_>, paid: &Subscription) -> Result<Bill> {
    let bill = Bill {
        id: desk.ids.at(desk.now),
        tenant: paid.tenant,
        subscription: paid.id,
        card: paid.card,
        plan: paid.renewed_plan(),
        kind: BillKind::Renewal,
        period_start: paid.period_end,
        amount: desk.app.plans.of(paid.renewed_plan()).price,
        status: BillStatus::Open,
        payment: None,
        refusals: 0,
        billing_date: desk.now,
        due_date: paid.period_end,
        paid_date: None,
    };
    bill::insert(desk.tx, &bill)?;
    Ok(bill)
}
