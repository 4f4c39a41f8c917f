//! Sending letters.

use grantor_domain::case::{CaseLetter, MAX_LETTERS, NewLetter};
use grantor_domain::id::MentionId;
use grantor_domain::mail::Mail;
use grantor_domain::{Error, Result};
use grantor_storage::{case, user};
use serde_json::json;

use super::{
    App, CaseView, ClaimedCase, Context, TenantCaller, UnitOfWork, check_mention, claim, not_found,
};
use crate::act::{Act, Done};
use crate::mail::notify::is_sample;
use crate::mail::throttle;

/// The kind of the emails in the queue.
const MAIL_KIND: &str = "case_letter";

/// Sends a letter. Answers go to the caller.
pub async fn send(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: MentionId,
    letter: NewLetter,
) -> Result<CaseView> {
    let to = letter.to.clone();
    let change = app.act(context, SendLetter { caller, id, letter });
    throttle::writing(app, context, &to, change).await
}

struct SendLetter {
    caller: TenantCaller,
    id: MentionId,
    letter: NewLetter,
}

impl Act for SendLetter {
    type Permit = ClaimedCase;
    type Output = CaseView;
    const ACTION: &'static str = "case.letter";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ClaimedCase> {
        let claimed = claim(unit, self.caller, self.id)?;
        claimed.record.case.status.after_letter()?;
        check_mention(&claimed.seen.shown.mention)?;
        if case::count_letters(unit.tx, self.id)? >= MAX_LETTERS {
            let message = format!("A case can have {MAX_LETTERS} letters at most");
            return Err(Error::conflict(message));
        }
        Ok(claimed)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        ClaimedCase { seen, owner, mut record }: ClaimedCase,
    ) -> Result<Done<CaseView>> {
        let NewLetter { to, subject, text } = &self.letter;
        let sender = user::find(unit.tx, self.caller.user)?;
        let sender = sender.ok_or_else(|| Error::internal("the sender has no account"))?;
        let mail = Mail {
            to: to.as_str().to_owned(),
            subject: subject.clone(),
            text: text.clone(),
            html: None,
            unsubscribe: None,
            reply_to: Some(sender.email),
        };
        let queued = if is_sample(unit) {
            None
        } else {
            Some(unit.app.mailer.enqueue(unit.tx, MAIL_KIND, &mail)?)
        };
        let letter = CaseLetter {
            id: unit.ids.at(unit.now),
            mention: self.id,
            to: mail.to,
            subject: mail.subject,
            text: mail.text,
            sent_by: self.caller.user,
            author: unit.actor.name().to_owned(),
            sent_at: unit.now,
            mail: queued,
        };
        case::insert_letter(unit.tx, &letter)?;
        let status = record.case.status.after_letter()?;
        record.case.set_status(status, unit.now);
        case::update(unit.tx, &record.case)?;
        let record = case::find(unit.tx, self.id)?.ok_or_else(not_found)?;
        let claimed = ClaimedCase { seen, owner, record };
        let mut done = claimed.done(unit, self.caller, "A letter about a mention was sent")?;
        done.details = json!({ "letter_id": letter.id });
        Ok(done)
    }
}
