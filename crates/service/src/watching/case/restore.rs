//! Taking back a change of a case.

use grantor_domain::Result;
use grantor_domain::case::{Case, CaseStatus};
use grantor_domain::id::{MentionId, UserId};
use grantor_domain::mention::Mention;
use grantor_storage::{case, user};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{ClaimedCase, TenantCaller, UnitOfWork, by_hand, check_mention, claim, note, resource};
use crate::act::Done;
use crate::log::change::FieldChanges;
use crate::undo::{changed_since, stored};

/// What takes back a change of a case: its status and assignee before.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct CaseReverse {
    mention: MentionId,
    status: String,
    assignee: Option<UserId>,
    /// The version that the change made.
    version: u32,
}

impl CaseReverse {
    /// What restores the case as it was before a change.
    pub(super) fn new(before: &Case, after: &Case) -> Self {
        let status = before.status.name().to_owned();
        let (assignee, version) = (before.assignee, after.version);
        Self { mention: before.mention, status, assignee, version }
    }

    /// Takes the change back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: TenantCaller,
    ) -> Result<Done<()>> {
        let ClaimedCase { mut seen, owner, record } = claim(unit, caller, self.mention)?;
        let before = record.case;
        if before.version != self.version {
            return Err(changed_since());
        }
        let mut case = before.clone();
        let status = stored(self.status.parse::<CaseStatus>())?;
        if status.is_live() && !case.status.is_live() {
            check_mention(&seen.shown.mention)?;
        }
        if case.assignee != self.assignee {
            case.assignee = self.assignee;
            case.touch(unit.now);
        }
        if case.status != status {
            case.set_status(status, unit.now);
        }
        case::update(unit.tx, &case)?;
        let emitted = by_hand::told(unit, &before, &case, (&mut seen.shown, owner))?;
        let resource = resource(&case, &seen.shown.mention);
        let mut done = Done::new((), resource, "A change of a case was undone");
        done.details = json!({ "status": case.status.name() });
        (done.tenant, done.events) = (Some(owner), emitted);
        let changes = changes(unit, &before, &case)?;
        Ok(done.with_changes(changes))
    }
}

/// The old and new status and assignee of a case.
pub(super) fn changes(
    unit: &mut UnitOfWork<'_, '_>,
    before: &Case,
    after: &Case,
) -> Result<FieldChanges> {
    let changes =
        FieldChanges::default().field("status", before.status.name(), after.status.name());
    if before.assignee == after.assignee {
        return Ok(changes);
    }
    let mut names = [None, None];
    for (name, id) in names.iter_mut().zip([before.assignee, after.assignee]) {
        if let Some(id) = id {
            *name = user::find(unit.tx, id)?.map(|it| it.fullname);
        }
    }
    let [old, new] = names;
    Ok(changes.field("assignee", old, new))
}

/// Returns the status of a mention's case, if it has one.
pub(crate) fn status_of(
    unit: &mut UnitOfWork<'_, '_>,
    id: MentionId,
) -> Result<Option<CaseStatus>> {
    Ok(case::find(unit.tx, id)?.map(|it| it.case.status))
}

/// Gives the case of a mention the status that it had before the decision that closed it, which was
/// taken back in this unit of work.
pub(crate) fn reopen(
    unit: &mut UnitOfWork<'_, '_>,
    mention: &Mention,
    status: CaseStatus,
) -> Result<()> {
    let Some(record) = case::claim(unit.tx, mention.id)? else { return Ok(()) };
    let mut case = record.case;
    if case.status == status || case.status != CaseStatus::Closed {
        return Ok(());
    }
    case.set_status(status, unit.now);
    case::update(unit.tx, &case)?;
    note(unit, mention.id, "The decision about the mention was undone, so the case was reopened.")
}
