//! What the people who look after a tenant hear of a payment that fails.

use grantor_domain::Result;
use grantor_domain::bill::Bill;
use grantor_domain::plan::CURRENCY;
use grantor_domain::subscription::Subscription;
use grantor_storage::user;

use crate::act::Desk;
use crate::letter::Letter;

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
        let letter = |subject| Letter::to(&owner.email, Some(&owner.fullname), subject);
        let (kind, mail) = match notice {
            Notice::Refused(bill) => {
                let letter = letter("Your Grantor payment was declined")
                    .say(&format!("your card was declined for {}.", cost(bill)))
                    .say(&format!(
                        "We ask again on {}. Until then your plan stays as it is.",
                        &paid.due_at.to_string()[..10]
                    ))
                    .say("Add another card and subscribe again to pay at once.");
                ("payment_declined", letter.write())
            }
            Notice::Ended(bill) => {
                let letter = letter("Your Grantor subscription has ended")
                    .say(&format!("your card was declined again for {}.", cost(bill)))
                    .say("Your subscription has ended, and you are on the plan Free now.")
                    .say("Add a card and subscribe whenever you like.");
                ("subscription_ended", letter.write())
            }
        };
        desk.app.mailer.enqueue(desk.tx, kind, &mail)?;
    }
    Ok(())
}

fn cost(bill: &Bill) -> String {
    format!("{} {} ({})", bill.amount, CURRENCY, bill.description())
}
