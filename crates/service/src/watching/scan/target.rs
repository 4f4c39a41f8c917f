//! What a run scans: a platform, for its pod, or a feed, for the sources that watch it.

use std::collections::BTreeMap;

use grantor_domain::Result;
use grantor_domain::id::{RunId, SourceId};
use grantor_domain::scan::RunCounts;
use grantor_storage::feed::{self, ClaimedFeed};
use grantor_storage::scan::{self, Claimed, TargetId};
use grantor_storage::{Error as StorageError, Tx, source};

use crate::watching::sighting::{self, Candidate, Prepared, RecordedMention};
use crate::{App, Context};

/// How many mentions each source found first.
pub(super) type Found = BTreeMap<SourceId, u32>;

/// What a run scans.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// A platform, for its pod.
    Pod(Box<Claimed>),
    /// A feed, for the sources that watch it.
    Feed(Box<ClaimedFeed>),
}

impl Target {
    /// The ID that scanned content is stored under.
    pub(super) fn id(&self) -> TargetId {
        match self {
            Self::Pod(it) => it.platform.id.into(),
            Self::Feed(it) => it.feed.id.into(),
        }
    }

    /// The run.
    pub(super) fn run(&self) -> RunId {
        match self {
            Self::Pod(it) => it.run,
            Self::Feed(it) => it.run,
        }
    }

    /// The feed, if that is what is scanned.
    pub(super) fn feed(&self) -> Option<&ClaimedFeed> {
        match self {
            Self::Pod(_) => None,
            Self::Feed(it) => Some(it),
        }
    }

    /// Adds new counts to the run.
    pub(super) fn count(&self, tx: &mut Tx<'_>, counts: RunCounts) -> Result<(), StorageError> {
        match self {
            Self::Pod(it) => scan::count(tx, it, counts),
            Self::Feed(it) => feed::count(tx, it.run, counts),
        }
    }

    /// Adds to the run what each source found first.
    pub(super) fn count_found(&self, tx: &mut Tx<'_>, found: &Found) -> Result<(), StorageError> {
        found.iter().try_for_each(|(id, count)| source::count_found(tx, self.run(), *id, *count))
    }

    /// Recognizes talents in content.
    pub(super) async fn prepare(&self, app: &App, candidates: Vec<Candidate>) -> Result<Prepared> {
        sighting::prepare(app, self.feed().map(|it| it.feed.id), candidates).await
    }

    /// Records the sightings in content.
    pub(super) async fn record(
        &self,
        app: &App,
        context: &Context,
        prepared: Prepared,
    ) -> Result<Vec<Vec<RecordedMention>>> {
        match self {
            Self::Pod(it) => sighting::record(app, context, it.platform.id, prepared).await,
            Self::Feed(it) => sighting::record(app, context, it.feed.id, prepared).await,
        }
    }
}
