//! Taking back a decision about a mention.

use grantor_domain::case::CaseStatus;
use grantor_domain::event::EventType;
use grantor_domain::id::{MentionId, UserId};
use grantor_domain::mention::{Decided, DecisionState, Mention, MentionStatus};
use grantor_domain::note::Note;
use grantor_domain::{Result, Timestamp};
use grantor_storage::license::reader::Reader;
use grantor_storage::mention;
use grantor_storage::mention::visibility;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{claim, decider, decision_changes, events, keep_decision, resource};
use crate::act::{Done, UnitOfWork};
use crate::undo::{changed_since, stored};
use crate::watching::case;

/// What takes back a decision: what was decided before.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct MentionReverse {
    mention: MentionId,
    status: MentionStatus,
    allowed: Option<bool>,
    note: Note,
    decided: Option<(UserId, String, Timestamp)>,
    /// The status of the mention's case, which the decision may close.
    case: Option<String>,
    /// The version that the decision made.
    version: u32,
}

impl MentionReverse {
    /// What the next decision about a mention has to restore, if it can be taken back.
    pub(super) fn before(unit: &mut UnitOfWork<'_, '_>, mention: &Mention) -> Result<Option<Self>> {
        if !unit.undoable {
            return Ok(None);
        }
        let case = case::status_of(unit, mention.id)?.map(|it| it.name().to_owned());
        Ok(Some(Self {
            mention: mention.id,
            status: mention.status,
            allowed: mention.allowed,
            note: mention.note.clone(),
            decided: mention.decided.clone().map(|it| (it.by, it.by_name, it.at)),
            case,
            version: mention.version.saturating_add(1),
        }))
    }

    /// Takes the decision back.
    pub(crate) fn run(self, unit: &mut UnitOfWork<'_, '_>, reader: Reader) -> Result<Done<()>> {
        let (mut seen, owner) = claim(unit, reader, self.mention)?;
        let mention = &mut seen.shown.mention;
        if mention.version != self.version {
            return Err(changed_since());
        }
        let before = mention.clone();
        let restored = DecisionState { status: self.status, allowed: self.allowed };
        if restored != before.decision_state() {
            keep_decision(unit, mention, restored, decider(unit).as_ref())?;
        }
        (mention.status, mention.allowed, mention.note) = (self.status, self.allowed, self.note);
        mention.decided = self.decided.map(|(by, by_name, at)| Decided { by, by_name, at });
        mention.version = mention.version.saturating_add(1);
        mention::update(unit.tx, mention, owner)?;
        case::close_undone(unit, mention)?;
        if let Some(status) = self.case {
            case::reopen(unit, mention, stored(status.parse::<CaseStatus>())?)?;
        }
        let oldest = visibility::oldest_license(unit.tx, mention)?;
        let oldest = oldest.map_or(seen.shown.license, |it| it.id);
        let events = events(unit, EventType::MentionUpdated, &seen.shown, (owner, oldest))?;
        let mention = &seen.shown.mention;
        let mut done = Done::new((), resource(mention), "A decision about a mention was undone");
        done.details = json!({ "status": mention.status, "allowed": mention.allowed });
        (done.tenant, done.events) = (Some(owner), events);
        Ok(done.with_changes(decision_changes(&before, mention)))
    }
}
