//! Batches: what a person does to many records at once. The records are changed one after the other,
//! by the same acts and with the same rights as one at a time.

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};
use uuid::Uuid;

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::id::{BatchId, TenantId, UserId};
use crate::import::{ImportKind, ImportPlan};
use crate::mention::MentionStatus;
use crate::permission::PermissionRole;
use crate::role::Right;
use crate::tag::{TaggedKind, Tags};

enum_names!(BatchStatus, BatchList);

/// The maximum number of items of a batch.
pub const MAX_ITEMS: usize = 10_000;

/// Up to this many items are changed while the person waits; more are left to a worker. Also the
/// number of items that are stored together.
pub const AT_ONCE: usize = 50;

/// How often an item is tried again if the server fails.
pub const MAX_ATTEMPTS: u32 = 5;

/// A list whose rows can be selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum BatchList {
    /// Licenses.
    Licenses,
    /// Talents.
    Talents,
    /// Mentions.
    Mentions,
    /// Requests.
    Requests,
}

/// What is done to each item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum BatchCommand {
    /// Licenses become public.
    Publish,
    /// Licenses become private.
    MakePrivate,
    /// Licenses end.
    Expire,
    /// Licenses are shared with an organization.
    Share {
        /// The organization.
        organization: TenantId,
        /// Its name at that time.
        name: String,
        /// What it may do.
        role: PermissionRole,
    },
    /// Licenses or talents get tags.
    Tag {
        /// The kind of the items.
        kind: TaggedKind,
        /// The tags.
        tags: Tags,
    },
    /// Licenses or talents lose tags.
    Untag {
        /// The kind of the items.
        kind: TaggedKind,
        /// The tags.
        tags: Tags,
    },
    /// Mentions are decided about.
    Decide {
        /// Whether it is the talent.
        status: MentionStatus,
        /// Whether the use is allowed; `None` leaves it as it is.
        allowed: Option<bool>,
    },
    /// Requests or offers are declined.
    Decline {
        /// The reason, for the other party.
        reason: String,
    },
    /// Requests or offers are withdrawn.
    Withdraw,
    /// Rows of a file are imported.
    Import(ImportPlan),
    /// The records that an import created are deleted.
    UndoImport {
        /// What was imported.
        kind: ImportKind,
    },
    /// What another bulk action changed gets the values from before.
    Undo {
        /// What that action did.
        of: Box<BatchCommand>,
    },
}

impl BatchCommand {
    /// Whether what takes back each change is kept, for a minute after the end. An import has an undo
    /// of its own.
    #[must_use]
    pub const fn can_be_undone(&self) -> bool {
        match self {
            Self::Publish
            | Self::MakePrivate
            | Self::Expire
            | Self::Share { .. }
            | Self::Tag { .. }
            | Self::Untag { .. }
            | Self::Decide { .. } => true,
            Self::Decline { .. }
            | Self::Withdraw
            | Self::Import(_)
            | Self::UndoImport { .. }
            | Self::Undo { .. } => false,
        }
    }

    /// The right without which nothing of it can be done. Each act checks more.
    #[must_use]
    pub fn right(&self) -> Right {
        match self {
            Self::Publish | Self::MakePrivate | Self::Expire => Right::EditLicenses,
            Self::Share { .. } => Right::ManageLicenses,
            Self::Tag { kind, .. } | Self::Untag { kind, .. } => match kind {
                TaggedKind::License => Right::ManageLicenses,
                TaggedKind::Talent => Right::ManageTalents,
            },
            Self::Decide { .. } => Right::ReviewMentions,
            // The asker needs another right than the owner, which the act checks.
            Self::Decline { .. } | Self::Withdraw => Right::Read,
            Self::Import(ImportPlan { kind, .. }) | Self::UndoImport { kind } => match kind {
                ImportKind::Talents => Right::ManageTalents,
                ImportKind::Licenses => Right::ManageLicenses,
            },
            Self::Undo { of } => of.right(),
        }
    }
}

/// An existing record that a batch changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchItem {
    /// The record.
    pub id: Uuid,
    /// Its name when it was selected; empty if the person cannot see it.
    pub name: String,
}

/// What takes back the change of a record. It is an item of the batch that undoes another one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchUndo {
    /// The record.
    pub record: BatchItem,
    /// The action of the change in the log.
    pub action: String,
    /// What is restored, as JSON.
    pub reverse: String,
}

/// How far a batch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum BatchStatus {
    /// An import that waits for the person's consent.
    Checked,
    /// In progress.
    Running,
    /// All items were worked on.
    Finished,
    /// It ended early.
    Stopped,
}

/// A batch with its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The unique ID.
    pub id: BatchId,
    /// The tenant in which the person acts.
    pub tenant: TenantId,
    /// The person.
    pub user: UserId,
    /// What is done.
    pub command: BatchCommand,
    /// How far it is.
    pub status: BatchStatus,
    /// The number of items.
    pub total: u32,
    /// Where it is.
    pub progress: Progress,
    /// How many items were changed or created.
    pub done: u32,
    /// How many of them were created.
    pub created: u32,
    /// How many were left as they are.
    pub skipped: u32,
    /// How many could not be changed.
    pub failed: u32,
    /// How often the current item failed because of the server.
    pub attempts: u32,
    /// Why it stopped.
    pub reason: Option<String>,
    /// The batch that it takes back.
    pub undoes: Option<BatchId>,
    /// Until when it can be taken back. An import can be as long as it is kept.
    pub undo_until: Option<Timestamp>,
    /// The request that started it.
    pub request_id: Option<String>,
    /// When it was started, or when the file was checked.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

impl Batch {
    /// How many items were worked on.
    #[must_use]
    pub fn worked_on(&self) -> u32 {
        self.progress.item().min(self.total)
    }

    /// Whether no item is left.
    #[must_use]
    pub fn is_through(&self) -> bool {
        self.progress.item() >= self.total
    }
}

/// The place of a batch. An item that needs two changes has a place between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Progress(i64);

impl Progress {
    /// Before an item.
    #[must_use]
    pub fn before(item: u32) -> Self {
        Self(i64::from(item) * 2)
    }

    /// The current item.
    #[must_use]
    pub fn item(self) -> u32 {
        u32::try_from(self.0 / 2).unwrap_or(u32::MAX)
    }

    /// Whether the first of two changes of the current item is done.
    #[must_use]
    pub const fn is_between(self) -> bool {
        self.0 % 2 == 1
    }

    /// Between the two changes of the current item.
    #[must_use]
    pub fn between(self) -> Self {
        Self(self.0 / 2 * 2 + 1)
    }

    /// Before the next item.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 / 2 * 2 + 2)
    }

    /// The place as stored.
    #[must_use]
    pub const fn as_stored(self) -> i64 {
        self.0
    }

    /// A stored place.
    #[must_use]
    pub const fn from_stored(place: i64) -> Self {
        Self(place)
    }
}

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemOutcome {
    /// A record was created.
    Created,
    /// It was changed.
    Changed,
    /// It was left as it is.
    Skipped,
    /// It could not be changed.
    Failed,
    /// The first of two changes is done; the second one follows.
    Between,
}

/// One step of a batch. The unit of work of a change stores it, so that each item is changed once,
/// even if a server stops in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchStep {
    /// The batch.
    pub batch: BatchId,
    /// The place before the step.
    pub from: Progress,
    /// The place after it.
    pub to: Progress,
    /// What it counts as.
    pub outcome: ItemOutcome,
    /// Whether the record is noted, to be able to undo an import. `Some(true)` if it is created.
    pub notes_created: Option<bool>,
    /// The record, if what takes its change back is kept.
    pub undoable: Option<BatchItem>,
}

/// A problem with an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchProblem {
    /// The number of the item, from 0.
    pub item: u32,
    /// The name of the record, or the row of the file.
    pub name: String,
    /// Why it could not be changed.
    pub problem: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tag::Tag;

    #[test]
    fn a_place_is_before_an_item_or_between_its_changes() {
        let place = Progress::before(3);
        assert_eq!((place.item(), place.is_between()), (3, false));
        let between = place.between();
        assert_eq!((between.item(), between.is_between()), (3, true));
        assert_eq!(between.next(), Progress::before(4));
        assert_eq!(place.next(), Progress::before(4));
        assert_eq!(Progress::from_stored(between.as_stored()), between);
        assert!(place < between && between < place.next());
    }

    #[test]
    fn a_command_is_read_as_it_was_written() {
        let tags = Tags::from(Tag::parse("VIP").unwrap());
        let organization = Uuid::from_u128(1).into();
        let commands = [
            BatchCommand::Publish,
            BatchCommand::Share {
                organization,
                name: "Acme".to_owned(),
                role: PermissionRole::Viewer,
            },
            BatchCommand::Tag { kind: TaggedKind::Talent, tags },
            BatchCommand::Decide { status: MentionStatus::Confirmed, allowed: Some(false) },
            BatchCommand::UndoImport { kind: ImportKind::Licenses },
            BatchCommand::Undo { of: Box::new(BatchCommand::Expire) },
        ];
        for command in commands {
            let written = serde_json::to_string(&command).unwrap();
            assert_eq!(serde_json::from_str::<BatchCommand>(&written).unwrap(), command);
        }
    }

    #[test]
    fn each_command_needs_a_right() {
        let tags = Tags::default();
        let tag = |kind| BatchCommand::Tag { kind, tags: tags.clone() }.right();
        assert_eq!(tag(TaggedKind::Talent), Right::ManageTalents);
        assert_eq!(tag(TaggedKind::License), Right::ManageLicenses);
        assert_eq!(BatchCommand::Expire.right(), Right::EditLicenses);
        let undo = BatchCommand::Undo { of: Box::new(BatchCommand::Expire) };
        assert_eq!((undo.right(), undo.can_be_undone()), (Right::EditLicenses, false));
    }
}
