//! Mails to a tenant's owners about failed payments.

use grantor_domain::Result;
use grantor_domain::bill::Bill;
use grantor_domain::plan::CURRENCY;
use grantor_domain::subscription::Subscription;
use grantor_domain::template::MailKind;
use grantor_messages::Value;
use grantor_storage::user;

use crate::act::UnitOfWork;
use crate::mail::compose;
use crate::mail::phrase::{MailValue, Phrase, date};

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
        let values = [bill, date("date", paid.due_at)];
        let mail =
            compose::from_template(unit.tx, kind, &owner.email, Some(&*owner.fullname), &values)?;
        unit.app.mailer.enqueue(unit.tx, kind.name(), &mail)?;
    }
    Ok(())
}

/// The amount of a bill and what it is for.
fn cost(bill: &Bill) -> MailValue<'static> {
    let hundredths = bill.amount.hundredths();
    let values = vec![
        ("whole", Value::from((hundredths / 100).to_string())),
        ("cents", Value::from(format!("{:02}", hundredths % 100))),
        ("currency", Value::from(CURRENCY)),
        ("plan", Value::from(bill.plan.to_string())),
        ("day", Value::from(bill.period_start.to_string()[..10].to_owned())),
    ];
    ("bill", Phrase::Message("mail-bill", values))
}
