//! Mails to a tenant's owners about failed payments.

use grantor_domain::Result;
use grantor_domain::bill::Bill;
use grantor_domain::plan::CURRENCY;
use grantor_domain::subscription::Subscription;
use grantor_domain::template::MailKind;
use grantor_storage::user;

use crate::act::UnitOfWork;
use crate::mail::compose;

/// What a mail is about.
#[derive(Clone, Copy)]
pub(super) enum Notice<'a> {
    /// A renewal was declined and will be tried again.
    Declined(&'a Bill),
    /// A renewal was declined for the last time and the subscription ended.
    Ended(&'a Bill),
}

/// Queues a mail to each owner, in the same unit of work as the change.
pub(super) fn send(
    unit: &mut UnitOfWork<'_, '_>,
    paid: &Subscription,
    notice: Notice<'_>,
) -> Result<()> {
    for owner in user::list_owners(unit.tx, paid.tenant)? {
        let (kind, bill) = match notice {
            Notice::Declined(bill) => (MailKind::PaymentDeclined, cost(bill)),
            Notice::Ended(bill) => (MailKind::SubscriptionEnded, cost(bill)),
        };
        let due = paid.due_at.date();
        let values = [("bill", &*bill), ("date", &*due)];
        let mail =
            compose::from_template(unit.tx, kind, &owner.email, Some(&*owner.fullname), &values)?;
        unit.app.mailer.enqueue(unit.tx, kind.name(), &mail)?;
    }
    Ok(())
}

fn cost(bill: &Bill) -> String {
    format!("{} {} ({})", bill.amount, CURRENCY, bill.description())
}
