//! `/app/undo`: takes back what was just done. The page that says what was done has the button.

use grantor_service::undo::{Undoer, take_back};

use crate::frame::{FormData, Outcome, Person, Staff};
use crate::sign_in::next;

/// Takes back what a user did.
pub(crate) async fn submit(person: Person, entered: FormData) -> Outcome {
    let by = Undoer::Person(person.caller());
    let done = take_back(person.app(), person.context(), by, entered.get("token")).await?;
    Ok(person.redirect(next(entered.optional("back")), &done))
}

/// Takes back what a member of staff did.
pub(crate) async fn submit_as_staff(staff: Staff, entered: FormData) -> Outcome {
    let by = Undoer::Staff(staff.caller());
    let done = take_back(staff.app(), staff.context(), by, entered.get("token")).await?;
    Ok(staff.redirect(next(entered.optional("back")), &done))
}
