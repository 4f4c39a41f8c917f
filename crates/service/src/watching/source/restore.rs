//! Taking back that a source was changed or deleted.

use grantor_domain::id::{FeedId, SourceId, TalentId, UserId};
use grantor_domain::platform::DetectionFrequency;
use grantor_domain::role::Right;
use grantor_domain::source::{Source, SourceName, SourcePatch, SourceStatus, WatchedTalents};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Result, Timestamp};
use grantor_storage::source::{self, FEED_IS_WATCHED, ListedSource};
use grantor_storage::{feed, talent, websub as subscriptions};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::change::Change;
use super::{may_watch, resource};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::log::change::FieldChanges;
use crate::organizations::{rights, usage};
use crate::undo::{self, Reverse, changed_since, stored};
use crate::watching::websub;

/// What takes back an act on a source.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum SourceReverse {
    /// Gives it the values that it had, if nobody changed it since.
    Changed {
        /// The source.
        source: SourceId,
        /// The values.
        before: Values,
        /// The version that the change made.
        version: u32,
    },
    /// Watches the address again.
    Deleted(Box<DeletedSource>),
}

/// What people set of a source.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Values {
    name: String,
    frequency: String,
    status: String,
    /// The talents that it is limited to.
    talents: Option<Vec<TalentId>>,
}

/// A deleted source. Which mentions it found is kept elsewhere.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct DeletedSource {
    id: SourceId,
    feed: FeedId,
    url: String,
    values: Values,
    stopped: Option<Timestamp>,
    asked_at: Option<Timestamp>,
    created_by: UserId,
    created_at: Timestamp,
    version: u32,
    mention_count: u64,
    /// The hub and the topic to which its feed was subscribed.
    hub: Option<(String, String)>,
}

impl Values {
    fn of(source: &Source) -> Self {
        let listed = (!source.talents.is_all()).then(|| source.talents.as_slice().to_vec());
        Self {
            name: source.name.as_str().to_owned(),
            frequency: source.frequency.name().to_owned(),
            status: source.status.name().to_owned(),
            talents: listed,
        }
    }

    fn into_patch(self, version: u32) -> Result<SourcePatch> {
        Ok(SourcePatch {
            name: Some(stored(SourceName::parse(&self.name))?),
            frequency: Some(stored(self.frequency.parse::<DetectionFrequency>())?),
            status: Some(stored(self.status.parse::<SourceStatus>())?),
            talents: Some(self.talents.map_or(WatchedTalents::All, WatchedTalents::Listed)),
            expected: Some(vec![version]),
        })
    }
}

impl SourceReverse {
    /// What takes back a change.
    pub(super) fn changed(before: &Source, after: &Source) -> Reverse {
        let (source, version) = (before.id, after.version);
        Reverse::Source(Self::Changed { source, before: Values::of(before), version })
    }

    /// What takes back the deletion of a source that is about to be deleted, if that can be.
    pub(super) fn deleted(
        unit: &mut UnitOfWork<'_, '_>,
        listed: &ListedSource,
    ) -> Result<Option<Reverse>> {
        if !unit.undoable {
            return Ok(None);
        }
        let source = &listed.source;
        let hub = subscriptions::find(unit.tx, source.feed)?.map(|it| (it.hub, it.topic));
        let deleted = DeletedSource {
            id: source.id,
            feed: source.feed,
            url: source.url.clone(),
            values: Values::of(source),
            stopped: source.stopped,
            asked_at: source.asked_at,
            created_by: source.created_by,
            created_at: source.created_at,
            version: source.version,
            mention_count: listed.mention_count,
            hub,
        };
        Ok(Some(Reverse::Source(Self::Deleted(Box::new(deleted)))))
    }

    /// The source that gets its mentions back.
    pub(crate) fn restored(&self) -> Option<SourceId> {
        match self {
            Self::Changed { .. } => None,
            Self::Deleted(deleted) => Some(deleted.id),
        }
    }

    /// Takes the act back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: TenantCaller,
    ) -> Result<Done<()>> {
        match self {
            Self::Changed { source: id, before, version } => {
                let patch = before.into_patch(version)?;
                undo::run(unit, &Change { caller, id, patch }, "A change of a source was undone")
            }
            Self::Deleted(deleted) => restore(unit, caller, *deleted),
        }
    }
}

fn restore(
    unit: &mut UnitOfWork<'_, '_>,
    caller: TenantCaller,
    deleted: DeletedSource,
) -> Result<Done<()>> {
    let DeletedSource { id, feed: feed_id, url, values, hub, mention_count, .. } = deleted;
    let patch = values.into_patch(deleted.version)?;
    let talents = patch.talents.unwrap_or_default();
    let own = rights::limited_to(unit.tx, unit.actor, Right::ManageSources)?;
    may_watch(unit.tx, own.as_deref(), caller, &talents)?;
    usage::admit(unit, caller.tenant, LimitedResource::Sources, 1)?;
    if source::find_of_feed(unit.tx, caller.tenant, feed_id)?.is_some() {
        return Err(changed_since());
    }
    let source = Source {
        id,
        tenant: caller.tenant,
        feed: feed_id,
        url,
        name: patch.name.ok_or_else(changed_since)?,
        frequency: patch.frequency.unwrap_or_default(),
        status: patch.status.unwrap_or_default(),
        stopped: deleted.stopped,
        talents,
        asked_at: deleted.asked_at,
        created_by: deleted.created_by,
        created_at: deleted.created_at,
        updated_at: unit.now,
        version: deleted.version.saturating_add(1),
    };
    source::restore(unit.tx, &source, mention_count).map_err(|error| match error {
        grantor_storage::Error::Unique(name) if name == FEED_IS_WATCHED => changed_since(),
        other => other.into(),
    })?;
    if source.is_active() {
        feed::note_change(unit.tx, feed_id, unit.now)?;
    }
    feed::reschedule(unit.tx, feed_id, unit.now)?;
    if let Some((hub, topic)) = hub {
        websub::subscribe(unit.app, unit.tx, feed_id, &hub, &topic)?;
    }
    let mut done = Done::new((), resource(&source), "A deleted source was restored");
    done.details = json!({ "url": source.url });
    Ok(done)
}

/// The old and new values of a source, with the names of its talents.
pub(super) fn changes(
    unit: &mut UnitOfWork<'_, '_>,
    before: &Source,
    after: &Source,
) -> Result<FieldChanges> {
    let changes = FieldChanges::default()
        .field("name", before.name.as_str(), after.name.as_str())
        .field("status", before.status.name(), after.status.name())
        .field("frequency", before.frequency.name(), after.frequency.name());
    if before.talents == after.talents {
        return Ok(changes);
    }
    let (old, new) = (watched(unit, before)?, watched(unit, after)?);
    Ok(changes.field("talents", old, new))
}

/// The talents of a source in words.
fn watched(unit: &mut UnitOfWork<'_, '_>, source: &Source) -> Result<String> {
    let WatchedTalents::Listed(ids) = &source.talents else { return Ok("all".to_owned()) };
    let names = talent::names_of(unit.tx, source.tenant, ids)?;
    Ok(names.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(", "))
}
