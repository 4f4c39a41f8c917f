//! What the people who look after a tenant hear of a payment that fails.

use grantor_domain::Result;
use grantor_domain::bill::Bill;
use grantor_domain::plan::CURRENCY;
use grantor_domain::subscription::Subscription;
use grantor_domain::template::MailKind;
use grantor_storage::user;

use crate::act::Desk;
use crate::letter;

/// What there is to tell.
#[derive(Clone, Copy)]
pub(super) enum Notice<'a> {
    /// A renewal was refused and is asked for again.
    Refused(&'a Bill),
    /// It was refused for the last time.
    Ended(&'a Bill),
}

/// Mails it to each of them, with the change that it tells of.
pub(super) fn send(desk: &mut Desk<'_, '_>, paid: &Subscription, notice: Notice<'_>) -> Result<()> {
    for owner in user::list_owners(desk.tx, paid.tenant)? {
        let (kind, bill) = match notice {
            Notice::Refused(bill) => (MailKind::PaymentDeclined, cost(bill)),
            Notice::Ended(bill) => (MailKind::SubscriptionEnded, cost(bill)),
        };
        let due = paid.due_at.to_string();
        // The instant begins with its day.
        let values = [("bill", &*bill), ("date", due.split('T').next().unwrap_or_default())];
        let mail = letter::write(desk.tx, kind, &owner.email, Some(&*owner.fullname), &values)?;
        desk.app.mailer.enqueue(desk.tx, kind.name(), &mail)?;
    }
    Ok(())
}

fn cost(bill: &Bill) -> String {
    format!("{} {} ({})", bill.amount, CURRENCY, bill.description())
}
