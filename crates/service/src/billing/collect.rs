//! Collecting a bill: ask the processor outside of any unit of work, then settle what it answered.

use std::time::Duration;

use grantor_domain::bill::{Bill, BillKind, BillStatus};
use grantor_domain::card::Card;
use grantor_domain::organization::Plan;
use grantor_domain::subscription::{Subscription, SubscriptionStatus};
use grantor_domain::{Error, Result};
use grantor_storage::{bill, subscription, tenant};
use serde_json::json;

use super::notice::{self, Notice};
use super::processor::{Payment, Trouble};
use super::{end, resource, save, taken_over};
use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// How long whoever collects holds a subscription: longer than a processor can take to answer.
pub(super) const LEASE: Duration = Duration::from_mins(2);

/// A subscription in the hands of one who collects.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) subscription: Subscription,
    pub(super) bill: Bill,
    /// The card that pays, while it is there.
    pub(super) card: Option<Card>,
}

/// What became of a bill.
#[derive(Debug)]
pub(super) enum Collected {
    /// It is paid.
    Paid(Subscription),
    /// The card was refused; the code says why.
    Refused(String),
    /// The processor could not be asked or did not answer. What it may have charged is found out when
    /// the lease is over.
    Unknown(String),
}

/// What the processor answered.
#[derive(Clone, Debug)]
enum Verdict {
    Paid,
    Refused(String),
    /// It was surely not charged.
    NotAsked(String),
}

/// Collects a bill and settles it. Whoever comes later, after a crash or a lost answer, asks for the
/// same payment, which is collected once.
pub(super) async fn collect(app: &App, context: &Context, held: Held) -> Result<Collected> {
    let verdict = match ask(app, &held).await? {
        Ok(verdict) => verdict,
        Err(reason) => return Ok(Collected::Unknown(reason)),
    };
    let purchase = held.bill.kind == BillKind::Purchase;
    if let (Verdict::NotAsked(reason), false) = (&verdict, purchase) {
        return Ok(Collected::Unknown(reason.clone()));
    }
    let settled = app.act(context, Settle { held, verdict: verdict.clone() }).await?;
    Ok(match verdict {
        Verdict::Paid => Collected::Paid(settled),
        Verdict::Refused(code) => Collected::Refused(code),
        Verdict::NotAsked(reason) => Collected::Unknown(reason),
    })
}

/// Asks the processor; an error inside is an answer that did not come.
async fn ask(app: &App, held: &Held) -> Result<Result<Verdict, String>> {
    let card = held.card.clone().filter(|it| it.processor == app.processor.name());
    let Some(card) = card else {
        return Ok(Ok(Verdict::Refused("card_not_usable".to_owned())));
    };
    let payment = Payment {
        bill: held.bill.id,
        amount: held.bill.amount,
        description: held.bill.description(),
        card,
        attempt: u32::try_from(held.subscription.claim).unwrap_or(u32::MAX),
    };
    let name = match &held.bill.payment {
        Some(name) => name.clone(),
        None => match app.processor.open(&payment).await {
            Ok(name) => name,
            Err(Trouble::Refused(code)) => return Ok(Ok(Verdict::Refused(code))),
            // A payment that was opened and not kept can never be collected.
            Err(Trouble::Unreachable(reason)) => return Ok(Ok(Verdict::NotAsked(reason))),
        },
    };
    let (bill, kept) = (held.bill.id, name.clone());
    let written = app.store.write(move |tx| bill::set_payment(tx, bill, &kept)).await;
    written.map_err(Error::from)?;
    Ok(match app.processor.collect(&name, &payment).await {
        Ok(()) => Ok(Verdict::Paid),
        Err(Trouble::Refused(code)) => Ok(Verdict::Refused(code)),
        Err(Trouble::Unreachable(reason)) => Err(reason),
    })
}

struct Settle {
    held: Held,
    verdict: Verdict,
}

impl Act for Settle {
    type Grant = Subscription;
    type Output = Subscription;
    const ACTION: &'static str = "bill.settle";

    /// Only who still holds the subscription settles.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Subscription> {
        let held = &self.held.subscription;
        tenant::claim(desk.tx, held.tenant)?;
        let found = subscription::find(desk.tx, held.tenant)?;
        found.filter(|it| it.id == held.id && it.claim == held.claim).ok_or_else(taken_over)
    }

    fn carry_out(
        &self,
        desk: &mut Desk<'_, '_>,
        mut paid: Subscription,
    ) -> Result<Done<Subscription>> {
        let bill = &self.held.bill;
        let message = match &self.verdict {
            Verdict::Paid => {
                settle_paid(desk, &mut paid, bill)?;
                "A bill was paid"
            }
            Verdict::Refused(_) if bill.kind == BillKind::Renewal => {
                self.fall_behind(desk, &mut paid)?;
                "A renewal was refused"
            }
            Verdict::Refused(_) => {
                drop_purchase(desk, &mut paid, bill, BillStatus::Failed)?;
                "A purchase was refused"
            }
            Verdict::NotAsked(_) => {
                drop_purchase(desk, &mut paid, bill, BillStatus::Void)?;
                "A purchase could not be made"
            }
        };
        let resource = resource(&paid);
        let tenant = paid.tenant;
        let mut done = Done::new(paid, resource, message);
        done.tenant = Some(tenant);
        done.details = json!({ "billId": bill.id, "plan": bill.plan.name() });
        if let Verdict::Refused(code) = &self.verdict {
            done.details["reason"] = json!(code);
            return Ok(done.refused());
        }
        Ok(done)
    }
}

impl Settle {
    fn fall_behind(&self, desk: &mut Desk<'_, '_>, paid: &mut Subscription) -> Result<()> {
        let bill = &self.held.bill;
        if paid.fall_behind(desk.now) {
            let refusals = bill.refusals + 1;
            bill::update(desk.tx, &Bill { refusals, ..bill.clone() })?;
            save(desk.tx, paid, paid.claim)?;
            return notice::send(desk, paid, Notice::Refused(bill));
        }
        bill::close(desk.tx, bill.id, BillStatus::Failed, desk.now)?;
        end(desk.tx, paid.tenant, Plan::Free, desk.now)?;
        notice::send(desk, paid, Notice::Ended(bill))
    }
}

fn settle_paid(desk: &mut Desk<'_, '_>, paid: &mut Subscription, bill: &Bill) -> Result<()> {
    if !bill::close(desk.tx, bill.id, BillStatus::Paid, desk.now)? {
        return Err(taken_over());
    }
    // What was due before is paid for by what was bought now.
    bill::void_open(desk.tx, paid.tenant)?;
    paid.pay(bill);
    save(desk.tx, paid, paid.claim)?;
    tenant::set_plan(desk.tx, paid.tenant, paid.plan, desk.now)?;
    Ok(())
}

/// A purchase that came to nothing leaves everything as it was.
fn drop_purchase(
    desk: &mut Desk<'_, '_>,
    paid: &mut Subscription,
    bill: &Bill,
    status: BillStatus,
) -> Result<()> {
    bill::close(desk.tx, bill.id, status, desk.now)?;
    if paid.status == SubscriptionStatus::Pending {
        subscription::delete(desk.tx, paid.id)?;
        return Ok(());
    }
    paid.leased_until = None;
    save(desk.tx, paid, paid.claim)
}
