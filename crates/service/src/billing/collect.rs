//! Collecting an invoice: calls the processor outside any unit of work, then settles the result.

use std::time::Duration;

use grantor_domain::bill::{Bill, BillKind, BillStatus};
use grantor_domain::card::Card;
use grantor_domain::organization::Plan;
use grantor_domain::subscription::{Subscription, SubscriptionStatus};
use grantor_domain::{Error, Result};
use grantor_storage::{bill, subscription, tenant};
use serde_json::json;

use super::notice::{self, Notice};
use super::processor::{Payment, ProcessorError};
use super::{end, resource, save, taken_over};
use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};

/// How long a subscription stays claimed: longer than a processor call can take.
pub(super) const LEASE: Duration = Duration::from_mins(2);

/// A subscription claimed for collection.
#[derive(Clone, Debug)]
pub(super) struct Claimed {
    pub(super) subscription: Subscription,
    pub(super) bill: Bill,
    /// The card to charge, unless it was removed.
    pub(super) card: Option<Card>,
}

/// The result of collecting an invoice.
#[derive(Debug)]
pub(super) enum Collected {
    /// The invoice is paid.
    Paid(Subscription),
    /// The card was declined, with a code.
    Declined(String),
    /// The processor could not be reached or did not respond. Whether it charged the card is found
    /// out once the lease expires.
    Unknown(String),
}

/// The processor's result.
#[derive(Clone, Debug)]
enum PaymentResult {
    Paid,
    Declined(String),
    /// The card was definitely not charged.
    NotCharged(String),
}

/// Collects an invoice and settles it. After a crash or a lost response, a later call asks for the
/// same payment, which is collected only once.
pub(super) async fn collect(app: &App, context: &Context, claimed: Claimed) -> Result<Collected> {
    let payment = match charge(app, &claimed).await? {
        Ok(payment) => payment,
        Err(reason) => return Ok(Collected::Unknown(reason)),
    };
    let purchase = claimed.bill.kind == BillKind::Purchase;
    if let (PaymentResult::NotCharged(reason), false) = (&payment, purchase) {
        return Ok(Collected::Unknown(reason.clone()));
    }
    let settled = app.act(context, Settle { claimed, payment: payment.clone() }).await?;
    Ok(match payment {
        PaymentResult::Paid => Collected::Paid(settled),
        PaymentResult::Declined(code) => Collected::Declined(code),
        PaymentResult::NotCharged(reason) => Collected::Unknown(reason),
    })
}

/// Charges the card. The inner error means that the result is unknown.
async fn charge(app: &App, claimed: &Claimed) -> Result<Result<PaymentResult, String>> {
    let card = claimed.card.clone().filter(|it| it.processor == app.processor.name());
    let Some(card) = card else {
        return Ok(Ok(PaymentResult::Declined("card_not_usable".to_owned())));
    };
    let payment = Payment {
        bill: claimed.bill.id,
        amount: claimed.bill.amount,
        description: claimed.bill.description(),
        card,
        attempt: u32::try_from(claimed.subscription.claim).unwrap_or(u32::MAX),
    };
    let name = match &claimed.bill.payment {
        Some(name) => name.clone(),
        None => match app.processor.open(&payment).await {
            Ok(name) => name,
            Err(ProcessorError::Declined(code)) => return Ok(Ok(PaymentResult::Declined(code))),
            // A payment whose id was not stored is never collected.
            Err(ProcessorError::Unreachable(reason)) => {
                return Ok(Ok(PaymentResult::NotCharged(reason)));
            }
        },
    };
    let (bill, kept) = (claimed.bill.id, name.clone());
    let written = app.store.write(move |tx| bill::set_payment(tx, bill, &kept)).await;
    written.map_err(Error::from)?;
    Ok(match app.processor.collect(&name, &payment).await {
        Ok(()) => Ok(PaymentResult::Paid),
        Err(ProcessorError::Declined(code)) => Ok(PaymentResult::Declined(code)),
        Err(ProcessorError::Unreachable(reason)) => Err(reason),
    })
}

struct Settle {
    claimed: Claimed,
    payment: PaymentResult,
}

impl Act for Settle {
    type Permit = Subscription;
    type Output = Subscription;
    const ACTION: &'static str = "bill.settle";

    /// Settles only while the claim is still valid.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Subscription> {
        let claimed = &self.claimed.subscription;
        tenant::claim(unit.tx, claimed.tenant)?;
        let found = subscription::find(unit.tx, claimed.tenant)?;
        found.filter(|it| it.id == claimed.id && it.claim == claimed.claim).ok_or_else(taken_over)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut paid: Subscription,
    ) -> Result<Done<Subscription>> {
        let bill = &self.claimed.bill;
        let message = match &self.payment {
            PaymentResult::Paid => {
                settle_paid(unit, &mut paid, bill)?;
                "An invoice was paid"
            }
            PaymentResult::Declined(_) if bill.kind == BillKind::Renewal => {
                self.record_decline(unit, &mut paid)?;
                "A renewal payment was declined"
            }
            PaymentResult::Declined(_) => {
                drop_purchase(unit, &mut paid, bill, BillStatus::Failed)?;
                "A payment was declined"
            }
            PaymentResult::NotCharged(_) => {
                drop_purchase(unit, &mut paid, bill, BillStatus::Void)?;
                "A purchase failed: the payment processor was unavailable"
            }
        };
        let resource = resource(&paid);
        let tenant = paid.tenant;
        let mut done = Done::new(paid, resource, message);
        done.tenant = Some(tenant);
        done.details = json!({ "billId": bill.id, "plan": bill.plan.name() });
        if let PaymentResult::Declined(code) = &self.payment {
            done.details["reason"] = json!(code);
            return Ok(done.refused());
        }
        Ok(done)
    }
}

impl Settle {
    fn record_decline(&self, unit: &mut UnitOfWork<'_, '_>, paid: &mut Subscription) -> Result<()> {
        let bill = &self.claimed.bill;
        if paid.record_decline(unit.now) {
            let refusals = bill.refusals + 1;
            bill::update(unit.tx, &Bill { refusals, ..bill.clone() })?;
            save(unit.tx, paid, paid.claim)?;
            return notice::send(unit, paid, Notice::Declined(bill));
        }
        bill::close(unit.tx, bill.id, BillStatus::Failed, unit.now)?;
        end(unit.tx, paid.tenant, Plan::Free, unit.now)?;
        notice::send(unit, paid, Notice::Ended(bill))
    }
}

fn settle_paid(unit: &mut UnitOfWork<'_, '_>, paid: &mut Subscription, bill: &Bill) -> Result<()> {
    if !bill::close(unit.tx, bill.id, BillStatus::Paid, unit.now)? {
        return Err(taken_over());
    }
    // The new purchase replaces earlier open invoices.
    bill::void_open(unit.tx, paid.tenant)?;
    paid.pay(bill);
    save(unit.tx, paid, paid.claim)?;
    tenant::set_plan(unit.tx, paid.tenant, paid.plan, unit.now)?;
    Ok(())
}

/// Undoes a failed purchase.
fn drop_purchase(
    unit: &mut UnitOfWork<'_, '_>,
    paid: &mut Subscription,
    bill: &Bill,
    status: BillStatus,
) -> Result<()> {
    bill::close(unit.tx, bill.id, status, unit.now)?;
    if paid.status == SubscriptionStatus::Pending {
        subscription::delete(unit.tx, paid.id)?;
        return Ok(());
    }
    paid.leased_until = None;
    save(unit.tx, paid, paid.claim)
}
