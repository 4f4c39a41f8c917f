//! What others are told when a person, and no look, says that a mention was removed, and when a person
//! takes that back.

use grantor_domain::Result;
use grantor_domain::case::Case;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::TenantId;
use grantor_storage::mention::ListedMention;

use super::{UnitOfWork, events, removed_events, say};
use crate::notices::{self, CaseWorkers};

const REMOVED: &str = "Marked the mention as removed.";
const NOT_REMOVED: &str = "Marked the mention as not removed.";

/// Tells about a change of the status that a person made, and returns the events. Those who got an
/// event that the mention is gone get one that it is not; a notice that nobody got yet is deleted, and
/// those who were told get another one.
pub(super) fn told(
    unit: &mut UnitOfWork<'_, '_>,
    before: &Case,
    after: &Case,
    (shown, owner): (&mut ListedMention, TenantId),
) -> Result<Vec<NewEvent>> {
    let person = unit.actor.name().to_owned();
    if before.removed_at.is_some() == after.removed_at.is_some() {
        return Ok(vec![]);
    }
    let workers = CaseWorkers::find(unit, &shown.mention, owner)?;
    let Some(since) = before.removed_at else {
        say(unit, after.mention, &person, REMOVED)?;
        notices::mention_marked_removed(unit, &workers, shown, after)?;
        return removed_events(unit, shown, &workers, owner, Some(&person));
    };
    say(unit, after.mention, &person, NOT_REMOVED)?;
    notices::mention_not_removed(unit, &workers, shown, since)?;
    events(unit, EventType::MentionUpdated, shown, owner)
}
