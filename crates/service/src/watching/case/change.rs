//! Changing a case: its status, its assignee and its comments.

use grantor_domain::case::{COMMENT, CaseComment, CasePatch, CaseStatus, MAX_COMMENTS};
use grantor_domain::id::MentionId;
use grantor_domain::mention::Mention;
use grantor_domain::patch::Patch;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::case;
use serde_json::json;

use super::restore::{self, CaseReverse};
use super::{
    App, CaseView, ClaimedCase, Context, TenantCaller, UnitOfWork, assignee, by_hand,
    check_mention, claim, not_found, note,
};
use crate::act::{Act, Done};
use crate::notices;
use crate::undo::Reverse;

/// Changes the status or the assignee of a case. Nothing happens if the case already has these
/// values.
pub async fn change(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: MentionId,
    patch: CasePatch,
) -> Result<CaseView> {
    app.act(context, Change { caller, id, patch }).await
}

/// Adds a comment to a case.
pub async fn comment(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: MentionId,
    text: &str,
) -> Result<CaseView> {
    let text = COMMENT.parse(text).map_err(|message| Error::field("text", message))?;
    app.act(context, Comment { caller, id, text }).await
}

struct Change {
    caller: TenantCaller,
    id: MentionId,
    patch: CasePatch,
}

impl Act for Change {
    type Permit = ClaimedCase;
    type Output = CaseView;
    const ACTION: &'static str = "case.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ClaimedCase> {
        let claimed = claim(unit, self.caller, self.id)?;
        let case = &claimed.record.case;
        if let Some(versions) = &self.patch.expected
            && !versions.contains(&case.version)
        {
            let message = "The record has changed since it was read";
            return Err(Error::new(ErrorKind::PreconditionFailed, message));
        }
        if let Some(status) = self.patch.status {
            case.status.check_move(status)?;
            if status.is_live() && !case.status.is_live() {
                check_mention(&claimed.seen.shown.mention)?;
            }
        }
        Ok(claimed)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        claimed: ClaimedCase,
    ) -> Result<Done<CaseView>> {
        let ClaimedCase { mut seen, owner, record } = claimed;
        let mut case = record.case.clone();
        let assigned = match self.patch.assignee {
            Patch::Keep => case.assignee,
            Patch::Clear => None,
            Patch::Set(user) => Some(user),
        };
        if assigned != case.assignee {
            if let Some(user) = assigned {
                let tenants = [self.caller.tenant, owner];
                let tenant = assignee::check(unit, tenants, user)?;
                if user != self.caller.user {
                    notices::case_assigned(unit, &seen.shown, tenant, user)?;
                }
            }
            case.assignee = assigned;
            case.touch(unit.now);
        }
        let mut emitted = vec![];
        if let Some(status) = self.patch.status
            && status != case.status
        {
            case.set_status(status, unit.now);
            emitted = by_hand::told(unit, &record.case, &case, (&mut seen.shown, owner))?;
        }
        let before = record.case;
        if case != before {
            case::update(unit.tx, &case)?;
        }
        let record = case::find(unit.tx, self.id)?.ok_or_else(not_found)?;
        let claimed = ClaimedCase { seen, owner, record };
        let mut done = claimed.done(unit, self.caller, "A case was updated")?;
        done.details = json!({ "status": case.status.name(), "assignee_id": case.assignee });
        done.events = emitted;
        if case == before {
            return Ok(done);
        }
        let done = done.with_changes(restore::changes(unit, &before, &case)?);
        Ok(done.undone_by(Reverse::Case(CaseReverse::new(&before, &case))))
    }
}

struct Comment {
    caller: TenantCaller,
    id: MentionId,
    text: String,
}

impl Act for Comment {
    type Permit = ClaimedCase;
    type Output = CaseView;
    const ACTION: &'static str = "case.comment";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ClaimedCase> {
        let claimed = claim(unit, self.caller, self.id)?;
        if case::count_comments(unit.tx, self.id)? >= MAX_COMMENTS {
            let message = format!("A case can have {MAX_COMMENTS} comments at most");
            return Err(Error::conflict(message));
        }
        Ok(claimed)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut claimed: ClaimedCase,
    ) -> Result<Done<CaseView>> {
        let comment = CaseComment {
            id: unit.ids.at(unit.now),
            mention: self.id,
            user: Some(self.caller.user),
            author: unit.actor.name().to_owned(),
            text: self.text.clone(),
            created_at: unit.now,
        };
        case::insert_comment(unit.tx, &comment)?;
        claimed.record.case.touch(unit.now);
        case::update(unit.tx, &claimed.record.case)?;
        claimed.done(unit, self.caller, "A comment was added to a case")
    }
}

/// Closes the case of a mention that was just decided otherwise, so that it cannot have one. Called
/// in the unit of work of the decision.
pub(crate) fn close_undone(unit: &mut UnitOfWork<'_, '_>, mention: &Mention) -> Result<()> {
    if check_mention(mention).is_ok() {
        return Ok(());
    }
    let Some(record) = case::claim(unit.tx, mention.id)? else { return Ok(()) };
    let mut case = record.case;
    if case.status == CaseStatus::Closed {
        return Ok(());
    }
    case.set_status(CaseStatus::Closed, unit.now);
    case::update(unit.tx, &case)?;
    note(unit, mention.id, "The decision about the mention was changed, so the case was closed.")
}
