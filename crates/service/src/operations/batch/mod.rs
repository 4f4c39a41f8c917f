//! Batches: what a person does to many records at once. Each item goes through the same act, with the
//! same rights, log entries and events, as if the person changed it alone.
//!
//! A few items are changed at once; more are left to the chores. The unit of work of each item also
//! stores how far the batch is, so that no item is changed twice and none is left out, whichever node
//! stops in between.

mod perform;
mod run;
mod select;
mod undo;

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::batch::{AT_ONCE, Progress};
pub use grantor_domain::batch::{
    Batch, BatchCommand, BatchItem, BatchList, BatchProblem, BatchStatus, MAX_ITEMS,
};
use grantor_domain::chore::Chore;
use grantor_domain::id::BatchId;
use grantor_domain::page::{Listing, Page};
use grantor_domain::role::Right;
use grantor_domain::{Error, Result};
use grantor_storage::{batch, chore};
use serde::Serialize;
use serde_json::json;

pub(crate) use self::perform::{Performed, explain};
use self::run::ended;
pub use self::run::forget_old;
pub(crate) use self::run::{Run, run_part};
pub use self::select::{Chosen, Filter, select};
pub use self::undo::{undo, undone_by};
use super::chore::{LEASE, continue_trace};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::organizations::rights;
use crate::{App, Context};

/// How many batches of a person can be in progress.
const MAX_RUNNING: u64 = 5;

/// Starts a batch. A short one is done when this returns.
pub async fn start(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    command: BatchCommand,
    items: &[BatchItem],
) -> Result<BatchId> {
    check_count(items.len())?;
    let parts = written(items)?;
    let (status, undoes) = (BatchStatus::Running, None);
    let new = NewBatch { caller, command, status, total: items.len(), parts, undoes };
    start_new(app, context, new).await
}

/// Starts a batch with these parts.
pub(crate) async fn start_new(app: &App, context: &Context, new: NewBatch) -> Result<BatchId> {
    let (total, waits) = (new.total, new.status == BatchStatus::Checked);
    let id = app.act(context, Start(new)).await?;
    if total <= AT_ONCE && !waits {
        finish_now(app, id).await;
    }
    Ok(id)
}

/// Works on a short batch while the person waits. If that fails, a worker goes on later.
pub(crate) async fn finish_now(app: &App, id: BatchId) {
    loop {
        match run_part(app, id).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(batch = %id, %error, "batch waits for a worker");
                return;
            }
        }
    }
}

/// Returns a batch that the caller started in this tenant.
pub async fn get(app: &App, caller: &Caller, id: BatchId) -> Result<Batch> {
    let found = app.store.read(move |tx| Ok::<_, Error>(batch::find(tx, id)?)).await?;
    own(found, caller)
}

/// Lists the batches that the caller started in this tenant, newest first.
pub async fn list(app: &App, caller: &Caller, page: Page) -> Result<Listing<Batch>> {
    let (tenant, user) = (caller.tenant, caller.user);
    app.store.read(move |tx| Ok(batch::list(tx, tenant, user, page)?)).await
}

/// Returns a page of what could not be done.
pub async fn problems(app: &App, id: BatchId, page: Page) -> Result<Listing<BatchProblem>> {
    app.store.read(move |tx| Ok(batch::problems(tx, id, page)?)).await
}

/// Stops a batch. What was done stays.
pub async fn stop(app: &App, context: &Context, caller: Arc<Caller>, id: BatchId) -> Result<()> {
    app.act(context, Stop { caller, id }).await
}

/// Returns the batch if the caller started it in this tenant.
pub(crate) fn own(found: Option<Batch>, caller: &Caller) -> Result<Batch> {
    let found = found.filter(|it| it.tenant == caller.tenant && it.user == caller.user);
    found.ok_or_else(|| Error::not_found("Bulk action"))
}

fn check_count(count: usize) -> Result<()> {
    if count == 0 {
        return Err(Error::validation("Select at least one row"));
    }
    if count > MAX_ITEMS {
        let message = "A bulk action can have at most 10,000 rows. Narrow the list with filters";
        return Err(Error::validation(message));
    }
    Ok(())
}

/// Items as they are stored, in parts.
pub(crate) fn written<T: Serialize>(items: &[T]) -> Result<Vec<String>> {
    let part = |items: &[T]| {
        serde_json::to_string(items).map_err(|error| Error::internal(format!("batch: {error}")))
    };
    items.chunks(AT_ONCE).map(part).collect()
}

pub(crate) fn resource(id: BatchId) -> Resource {
    Resource { kind: "batch", id: Some(id.to_string()), name: None }
}

/// A batch to start.
pub(crate) struct NewBatch {
    pub(crate) caller: Arc<Caller>,
    pub(crate) command: BatchCommand,
    /// In progress, or an import that waits for consent.
    pub(crate) status: BatchStatus,
    pub(crate) total: usize,
    pub(crate) parts: Vec<String>,
    /// The batch that it takes back.
    pub(crate) undoes: Option<BatchId>,
}

/// Refuses another batch if too many are in progress.
pub(crate) fn admit(unit: &mut UnitOfWork<'_, '_>, caller: &Caller, right: Right) -> Result<()> {
    rights::require(unit, right)?;
    if batch::count_running(unit.tx, caller.user)? >= MAX_RUNNING {
        let message = "You have 5 bulk actions in progress. Wait until one of them is finished";
        return Err(Error::conflict(message));
    }
    Ok(())
}

/// Queues the work on a batch. A short one is done by the request itself, unless that fails.
pub(crate) fn enqueue(unit: &mut UnitOfWork<'_, '_>, id: BatchId, total: usize) -> Result<()> {
    let due_at = if total <= AT_ONCE { unit.now.plus(LEASE) } else { unit.now };
    let work = Chore::Batch { batch: id };
    let chore = unit.ids.next();
    chore::insert_due(unit.tx, chore, &work, (unit.now, due_at))?;
    continue_trace(unit, chore)
}

/// Stores a batch, and queues the work on it unless it waits for consent.
fn insert(unit: &mut UnitOfWork<'_, '_>, new: &NewBatch) -> Result<BatchId> {
    let id: BatchId = unit.ids.next();
    let stored = Batch {
        id,
        tenant: new.caller.tenant,
        user: new.caller.user,
        command: new.command.clone(),
        status: new.status,
        total: u32::try_from(new.total).unwrap_or(u32::MAX),
        progress: Progress::default(),
        done: 0,
        created: 0,
        skipped: 0,
        failed: 0,
        attempts: 0,
        reason: None,
        undoes: new.undoes,
        undo_until: None,
        request_id: unit.origin.request_id.clone(),
        created_at: unit.now,
        finished_at: None,
    };
    batch::insert(unit.tx, &stored)?;
    for (number, items) in (0..).zip(&new.parts) {
        batch::insert_part(unit.tx, id, number, items)?;
    }
    if new.status == BatchStatus::Running {
        enqueue(unit, id, new.total)?;
    }
    Ok(id)
}

struct Start(NewBatch);

impl Act for Start {
    type Permit = ();
    type Output = BatchId;
    const ACTION: &'static str = "batch.start";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        let NewBatch { caller, command, .. } = &self.0;
        admit(unit, caller, command.right())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<BatchId>> {
        let NewBatch { status, total, .. } = &self.0;
        let id = insert(unit, &self.0)?;
        let message = match status {
            BatchStatus::Checked => "A file to import was checked",
            _ => "A bulk action was started",
        };
        let mut done = Done::new(id, resource(id), message);
        done.details = json!({ "items": total });
        Ok(done)
    }
}

struct Stop {
    caller: Arc<Caller>,
    id: BatchId,
}

impl Act for Stop {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "batch.stop";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        own(batch::claim(unit.tx, self.id)?, &self.caller).map(|_| ())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        let reason = Some("You stopped it");
        let end = ended(BatchStatus::Stopped, reason, unit.now);
        if !batch::finish(unit.tx, self.id, end)? {
            return Err(Error::conflict("This bulk action has already ended"));
        }
        chore::delete_of(unit.tx, self.id.as_uuid())?;
        Ok(Done::new((), resource(self.id), "A bulk action was stopped"))
    }
}
