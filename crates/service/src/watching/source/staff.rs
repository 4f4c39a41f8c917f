//! What staff do with sources of all tenants.

use std::marker::PhantomData;

use grantor_domain::Result;
use grantor_domain::audit::Resource;
use grantor_domain::id::SourceId;
use grantor_domain::page::Listing;
use grantor_domain::source::StaffSourceQuery;
use grantor_storage::feed;
use grantor_storage::source::{self, ListedSource, StaffSource};
use serde_json::json;

use super::{not_found, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::organizations::suspension::require_staff;
use crate::undo::Reverse;
use crate::watching::websub;
use crate::{App, Context};

/// Sources stopped per unit of work.
const AT_ONCE: u32 = 200;

/// Lists matching sources of all tenants, newest first.
pub async fn list_all(app: &App, query: StaffSourceQuery) -> Result<Listing<StaffSource>> {
    app.store.read(move |tx| Ok(source::list_all(tx, &query)?)).await
}

/// Stops a source; its tenant cannot resume it. Nothing happens if it is stopped already.
pub async fn stop(app: &App, context: &Context, id: SourceId) -> Result<ListedSource> {
    app.act(context, Apply::<Stop>::new(id)).await
}

/// Lets a tenant use a source again. Nothing happens if it is not stopped.
pub async fn resume(app: &App, context: &Context, id: SourceId) -> Result<ListedSource> {
    app.act(context, Apply::<Resume>::new(id)).await
}

/// Stops all sources of all tenants and returns how many were stopped.
pub async fn stop_all(app: &App, context: &Context) -> Result<u64> {
    let mut stopped = 0;
    loop {
        let more = app.act(context, StopSome).await?;
        stopped += more;
        if more < u64::from(AT_ONCE) {
            return Ok(stopped);
        }
    }
}

/// Logged in the audit log of the source's tenant.
fn done(
    unit: &mut UnitOfWork<'_, '_>,
    listed: &ListedSource,
    message: &'static str,
) -> Result<Done<ListedSource>> {
    let listed = source::find_anywhere(unit.tx, listed.source.id)?.ok_or_else(not_found)?;
    let (resource, tenant) = (resource(&listed.source), listed.source.tenant);
    let mut done = Done::new(listed, resource, message);
    done.tenant = Some(tenant);
    Ok(done)
}

/// What staff do with one source.
pub(crate) trait Command: Send + Sync + 'static {
    /// The audit action.
    const ACTION: &'static str;
    /// Whether the source is stopped afterward.
    const STOPS: bool;
    /// The log message.
    const DONE: &'static str;
    /// The log message if nothing changes.
    const UNCHANGED: &'static str;
}

/// Stops a source.
pub(crate) struct Stop;

impl Command for Stop {
    const ACTION: &'static str = "source.stop";
    const STOPS: bool = true;
    const DONE: &'static str = "A source was stopped by the operator";
    const UNCHANGED: &'static str = "A source was already stopped";
}

/// Lets a source run again.
pub(crate) struct Resume;

impl Command for Resume {
    const ACTION: &'static str = "source.resume";
    const STOPS: bool = false;
    const DONE: &'static str = "A source was resumed by the operator";
    const UNCHANGED: &'static str = "A source was not stopped";
}

/// Carries out a command.
pub(crate) struct Apply<V> {
    id: SourceId,
    command: PhantomData<V>,
}

impl<V> Apply<V> {
    pub(crate) fn new(id: SourceId) -> Self {
        Self { id, command: PhantomData }
    }
}

impl<V: Command> Act for Apply<V> {
    type Permit = ListedSource;
    type Output = ListedSource;
    const ACTION: &'static str = V::ACTION;

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ListedSource> {
        require_staff(unit)?;
        source::claim_anywhere(unit.tx, self.id)?.ok_or_else(not_found)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut listed: ListedSource,
    ) -> Result<Done<ListedSource>> {
        if listed.source.stopped.is_some() == V::STOPS {
            return done(unit, &listed, V::UNCHANGED);
        }
        listed.source.stopped = V::STOPS.then_some(unit.now);
        listed.source.updated_at = unit.now;
        listed.source.version += 1;
        source::update(unit.tx, &listed.source)?;
        if !V::STOPS {
            feed::note_change(unit.tx, listed.feed.id, unit.now)?;
        }
        feed::reschedule(unit.tx, listed.feed.id, unit.now)?;
        if listed.source.is_active() {
            websub::resume(unit.tx, listed.feed.id, unit.now)?;
        }
        let reverse = if V::STOPS { Reverse::StoppedSource } else { Reverse::ResumedSource };
        Ok(done(unit, &listed, V::DONE)?.undone_by(reverse(self.id)))
    }
}

/// Stops a batch of sources.
struct StopSome;

impl Act for StopSome {
    type Permit = ();
    type Output = u64;
    const ACTION: &'static str = "source.stop_all";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        require_staff(unit)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<u64>> {
        let mut feeds = source::stop_some(unit.tx, unit.now, AT_ONCE)?;
        let stopped = feeds.len() as u64;
        feeds.sort_unstable();
        feeds.dedup();
        for feed in feeds {
            feed::reschedule(unit.tx, feed, unit.now)?;
        }
        let resource = Resource { kind: "source", id: None, name: None };
        let mut done = Done::new(stopped, resource, "Sources were stopped by the operator");
        done.details = json!({ "stopped": stopped });
        Ok(done)
    }
}
