//! Working on the items of a batch, a part at a time.

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::audit::Scheme;
use grantor_domain::batch::{
    AT_ONCE, Batch, BatchCommand, BatchItem, BatchProblem, BatchStatus, BatchStep, BatchUndo,
    ItemOutcome, MAX_ATTEMPTS, Progress,
};
use grantor_domain::id::BatchId;
use grantor_domain::import::ImportRow;
use grantor_domain::trace::TraceContext;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::batch::BatchEnd;
use grantor_storage::{Tx, batch, chore};

use super::perform::{self, Performed, explain};
use super::undo;
use crate::identity::access::Caller;
use crate::licensing::import;
use crate::undo::LIFE;
use crate::{App, Context};

/// How long a batch is kept after it was started.
const KEPT: Duration = Duration::from_hours(30 * 24);
/// How long a checked file can be imported.
const CHECKED: Duration = Duration::from_hours(24);
/// How many batches a sweep deletes at most.
const SWEPT: u64 = 200;

/// The items of a part.
enum Items {
    Records(Vec<BatchItem>),
    Rows(Vec<ImportRow>),
    Undos(Vec<BatchUndo>),
}

impl Items {
    fn read(command: &BatchCommand, text: &str) -> Result<Self> {
        let read = match command {
            BatchCommand::Import(_) => serde_json::from_str(text).map(Self::Rows),
            BatchCommand::Undo { .. } => serde_json::from_str(text).map(Self::Undos),
            _ => serde_json::from_str(text).map(Self::Records),
        };
        read.map_err(|error| Error::internal(format!("invalid items of a batch: {error}")))
    }

    fn len(&self) -> usize {
        match self {
            Self::Records(items) => items.len(),
            Self::Rows(rows) => rows.len(),
            Self::Undos(undos) => undos.len(),
        }
    }

    /// The name of an item in reports.
    fn name(&self, at: usize) -> String {
        match self {
            Self::Records(items) => items[at].name.clone(),
            Self::Rows(rows) => format!("Row {}", rows[at].row),
            Self::Undos(undos) => undos[at].record.name.clone(),
        }
    }
}

/// A batch that is worked on, and who started it.
pub(crate) struct Run {
    pub(crate) batch: Batch,
    pub(crate) caller: Arc<Caller>,
    /// The trace of the request that started it.
    trace: Option<TraceContext>,
}

impl Run {
    /// The context of one act of the batch: the person acts, as the request that started it.
    pub(crate) fn context(&self, app: &App, step: BatchStep) -> Context {
        let mut context = Context::system(app.clock.monotonic());
        context.actor = self.caller.actor();
        context.origin.scheme = Scheme::Console;
        context.origin.request_id.clone_from(&self.batch.request_id);
        context.origin.trace = self.trace;
        context.batch = Some(step);
        context
    }

    /// The step that ends an item.
    pub(crate) fn step(&self, from: Progress, outcome: ItemOutcome) -> BatchStep {
        let batch = self.batch.id;
        let (notes_created, undoable) = (None, None);
        BatchStep { batch, from, to: from.next(), outcome, notes_created, undoable }
    }

    /// The step that changes a record. What takes it back is kept if the batch can be undone.
    pub(crate) fn change_step(&self, from: Progress, record: &BatchItem) -> BatchStep {
        let undoable = self.batch.command.can_be_undone().then(|| record.clone());
        BatchStep { undoable, ..self.step(from, ItemOutcome::Changed) }
    }
}

/// What a part needs.
struct Part {
    batch: Batch,
    items: String,
    caller: Option<Caller>,
    trace: Option<TraceContext>,
}

/// Works on the items of the current part. Returns whether the batch goes on.
pub(crate) async fn run_part(app: &App, id: BatchId) -> Result<bool> {
    let now = app.clock.now();
    let loaded = app.store.write(move |tx| load(tx, id, now)).await?;
    let Some(Part { batch, items, caller, trace }) = loaded else {
        return Ok(false);
    };
    let Some(caller) = caller else {
        let reason = "The person who started it can no longer act in this organization";
        return end(app, id, BatchStatus::Stopped, Some(reason)).await;
    };
    let (total, mut place) = (batch.total, batch.progress);
    let items = Items::read(&batch.command, &items)?;
    let first = place.item() as usize / AT_ONCE * AT_ONCE;
    let run = Run { batch, caller: Arc::new(caller), trace };
    loop {
        let at = (place.item() as usize).saturating_sub(first);
        if at >= items.len() {
            break;
        }
        match work_on(app, &run, (&items, at), place).await? {
            Some(next) => place = next,
            // Another worker was faster, or the batch was stopped.
            None => return Ok(true),
        }
    }
    if place.item() >= total {
        return end(app, id, BatchStatus::Finished, None).await;
    }
    Ok(true)
}

/// Loads the current part, and counts the attempt. A batch that has ended has no chore.
fn load(tx: &mut Tx<'_>, id: BatchId, now: Timestamp) -> Result<Option<Part>> {
    let found = batch::claim(tx, id)?.filter(|it| it.status == BatchStatus::Running);
    let Some(batch) = found else {
        chore::delete_of(tx, id.as_uuid())?;
        return Ok(None);
    };
    batch::count_attempt(tx, id)?;
    let part = place_of_part(batch.progress);
    let items = batch::part(tx, id, part)?.unwrap_or_else(|| "[]".to_owned());
    let caller = Caller::of_member(tx, batch.tenant, batch.user, now)?;
    let trace = chore::find_trace(tx, id.as_uuid())?;
    Ok(Some(Part { batch, items, caller, trace }))
}

fn place_of_part(progress: Progress) -> u32 {
    u32::try_from(progress.item() as usize / AT_ONCE).unwrap_or(u32::MAX)
}

/// How a batch ends now. What it did can be taken back for as long as any act on a page.
pub(super) fn ended(status: BatchStatus, reason: Option<&'static str>, at: Timestamp) -> BatchEnd {
    BatchEnd { status, reason, at, undo_until: at.plus(LIFE) }
}

/// Ends a batch. Always false: it does not go on.
async fn end(
    app: &App,
    id: BatchId,
    status: BatchStatus,
    reason: Option<&'static str>,
) -> Result<bool> {
    let now = app.clock.now();
    app.store
        .write(move |tx| {
            batch::finish(tx, id, ended(status, reason, now))?;
            chore::delete_of(tx, id.as_uuid())
        })
        .await?;
    Ok(false)
}

/// Works on one item. `None` if it is no longer this worker's turn.
async fn work_on(
    app: &App,
    run: &Run,
    (items, at): (&Items, usize),
    place: Progress,
) -> Result<Option<Progress>> {
    let performed = match items {
        Items::Records(records) => perform::record(app, run, place, &records[at]).await,
        Items::Rows(rows) => import::perform_row(app, run, place, &rows[at]).await,
        Items::Undos(undos) => undo::perform(app, run, place, &undos[at]).await,
    };
    let (outcome, problem) = match performed {
        Ok(Performed::Stored(next)) => return Ok(Some(next)),
        Ok(Performed::Skipped(problem)) => (ItemOutcome::Skipped, problem),
        Err(error) if error.is_refusal() => (ItemOutcome::Failed, Some(explain(&error))),
        Err(error) if run.batch.attempts >= MAX_ATTEMPTS => {
            tracing::error!(batch = %run.batch.id, %error, "item of a batch failed");
            let problem = match items {
                Items::Undos(_) => "Something went wrong on our side. Change it back by hand",
                _ => "Something went wrong on our side. Try it again on its own",
            };
            (ItemOutcome::Failed, Some(problem.to_owned()))
        }
        Err(error) => return Err(error),
    };
    let step = run.step(place, outcome);
    let item = place.item();
    let problem = problem.map(|problem| BatchProblem { item, name: items.name(at), problem });
    note(app, step, problem).await
}

/// Stores an item that was not changed.
async fn note(
    app: &App,
    step: BatchStep,
    problem: Option<BatchProblem>,
) -> Result<Option<Progress>> {
    app.store
        .write(move |tx| {
            if !batch::advance(tx, &step, None)? {
                return Ok::<_, Error>(None);
            }
            if let Some(problem) = &problem {
                batch::insert_problem(tx, step.batch, problem)?;
            }
            Ok(Some(step.to))
        })
        .await
}

/// Deletes old batches, one in each unit of work, and returns how many.
pub async fn forget_old(app: &App) -> Result<u64> {
    let now = app.clock.now();
    let (before, checked) = (now.minus(KEPT), now.minus(CHECKED));
    let delete = move |tx: &mut Tx<'_>| batch::delete_oldest(tx, before, checked);
    let mut deleted = 0;
    while deleted < SWEPT && app.store.write(delete).await? {
        deleted += 1;
    }
    Ok(deleted)
}
