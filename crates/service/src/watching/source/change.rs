//! Changing, deleting and scanning a source.

use grantor_domain::id::SourceId;
use grantor_domain::role::Right;
use grantor_domain::source::{Source, SourcePatch};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::source::{self, ListedSource};
use grantor_storage::{Tx, feed, undo};
use serde_json::json;

use super::restore::{self, SourceReverse};
use super::{claim_own, manageable, may_watch, not_found, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::organizations::rights;
use crate::undo::mentions_until;
use crate::watching::websub;
use crate::{App, Context};

/// Mentions detached from a deleted source per unit of work.
const AT_ONCE: u32 = 500;

/// Changes a source. Nothing happens if it already has these values.
pub async fn change(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: SourceId,
    patch: SourcePatch,
) -> Result<ListedSource> {
    app.act(context, Change { caller, id, patch }).await
}

/// Deletes a source. Its mentions stay.
pub async fn delete(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: SourceId,
) -> Result<()> {
    let actor = context.actor.clone();
    app.store
        .read(move |tx| {
            let found = source::find(tx, caller.tenant, id)?;
            manageable(tx, &actor, caller, found).map(drop)
        })
        .await?;
    // A source may have many mentions, which one unit of work must not hold up others for.
    let (kept, now) = (context.undo.is_bound(), app.clock.now());
    let detach = || app.store.write(move |tx| detach_mentions(tx, id, kept, now));
    while detach().await? == u64::from(AT_ONCE) {}
    app.act(context, Delete { caller, id }).await
}

/// Takes a source from some of its mentions, and keeps which ones they are if the deletion of the
/// source can be taken back.
fn detach_mentions(
    tx: &mut Tx<'_>,
    id: SourceId,
    kept: bool,
    now: Timestamp,
) -> grantor_storage::Result<u64> {
    if kept {
        return undo::detach_mentions(tx, id, mentions_until(now), AT_ONCE);
    }
    source::detach_mentions(tx, id, AT_ONCE)
}

/// Scans a source now: its feed is due at once. Refused if the last time was less than a minute
/// ago.
pub async fn scan_now(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: SourceId,
) -> Result<ListedSource> {
    app.act(context, ScanNow { caller, id }).await
}

pub(super) struct Change {
    pub(super) caller: TenantCaller,
    pub(super) id: SourceId,
    pub(super) patch: SourcePatch,
}

impl Act for Change {
    type Permit = ListedSource;
    type Output = ListedSource;
    const ACTION: &'static str = "source.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ListedSource> {
        let listed = claim_own(unit, self.caller, self.id)?;
        if let Some(versions) = &self.patch.expected
            && !versions.contains(&listed.source.version)
        {
            let message = "The record has changed since it was read";
            return Err(Error::new(ErrorKind::PreconditionFailed, message));
        }
        if let Some(talents) = &self.patch.talents {
            let own = rights::limited_to(unit.tx, unit.actor, Right::ManageSources)?;
            may_watch(unit.tx, own.as_deref(), self.caller, talents)?;
        }
        Ok(listed)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut listed: ListedSource,
    ) -> Result<Done<ListedSource>> {
        let before = listed.source.clone();
        let source = &mut listed.source;
        if !source.apply(self.patch.clone(), unit.now)? {
            let resource = resource(source);
            return Ok(Done::new(listed, resource, "A source already had these values"));
        }
        source::update(unit.tx, source)?;
        if source.talents != before.talents {
            source::replace_talents(unit.tx, source)?;
        }
        if widens(&before, source) {
            feed::note_change(unit.tx, source.feed, unit.now)?;
        }
        if (before.is_active(), before.frequency) != (source.is_active(), source.frequency) {
            feed::reschedule(unit.tx, source.feed, unit.now)?;
        }
        if source.is_active() && !before.is_active() {
            websub::resume(unit.tx, source.feed, unit.now)?;
        }
        let listed = source::find(unit.tx, self.caller.tenant, self.id)?.ok_or_else(not_found)?;
        let resource = resource(&listed.source);
        let details = json!({
            "status": listed.source.status.name(), "frequency": listed.source.frequency.name(),
        });
        let changes = restore::changes(unit, &before, &listed.source)?;
        let reverse = SourceReverse::changed(&before, &listed.source);
        let mut done = Done::new(listed, resource, "A source was updated");
        done.details = details;
        Ok(done.with_changes(changes).undone_by(reverse))
    }
}

/// Whether more can be found than before, so that known content has to be read again.
fn widens(before: &Source, after: &Source) -> bool {
    after.is_active() && (!before.is_active() || before.talents != after.talents)
}

struct Delete {
    caller: TenantCaller,
    id: SourceId,
}

impl Act for Delete {
    type Permit = ListedSource;
    type Output = ();
    const ACTION: &'static str = "source.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ListedSource> {
        claim_own(unit, self.caller, self.id)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, listed: ListedSource) -> Result<Done<()>> {
        let reverse = SourceReverse::deleted(unit, &listed)?;
        // Locked: no more mentions are added.
        let (kept, now) = (reverse.is_some(), unit.now);
        while detach_mentions(unit.tx, self.id, kept, now)? == u64::from(AT_ONCE) {}
        source::delete(unit.tx, &listed.source, unit.now)?;
        feed::reschedule(unit.tx, listed.feed.id, unit.now)?;
        if !source::is_watched(unit.tx, listed.feed.id)? {
            websub::release(unit.tx, listed.feed.id, unit.now)?;
        }
        let mut done = Done::new((), resource(&listed.source), "A source was deleted");
        done.details = json!({ "url": listed.source.url });
        Ok(match reverse {
            Some(reverse) => done.undone_by(reverse),
            None => done,
        })
    }
}

struct ScanNow {
    caller: TenantCaller,
    id: SourceId,
}

impl Act for ScanNow {
    type Permit = ListedSource;
    type Output = ListedSource;
    const ACTION: &'static str = "source.scan";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ListedSource> {
        claim_own(unit, self.caller, self.id)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut listed: ListedSource,
    ) -> Result<Done<ListedSource>> {
        listed.source.may_scan_now(unit.now)?;
        if listed.feed.push_only {
            let message = "This address is only read when its hub sends something new";
            return Err(Error::conflict(message));
        }
        listed.source.asked_at = Some(unit.now);
        source::update(unit.tx, &listed.source)?;
        source::want_scan(unit.tx, self.id)?;
        // Known content is judged anew: permissions may have changed.
        feed::note_change(unit.tx, listed.feed.id, unit.now)?;
        feed::make_due(unit.tx, listed.feed.id, unit.now, true)?;
        let listed = source::find(unit.tx, self.caller.tenant, self.id)?.ok_or_else(not_found)?;
        let resource = resource(&listed.source);
        Ok(Done::new(listed, resource, "A scan of a source was requested"))
    }
}
