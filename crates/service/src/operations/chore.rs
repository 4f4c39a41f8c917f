//! Chores: background follow-up work of changes, done in short steps so that other writers do not
//! wait long. Any node may do the next step. Each step commits its progress, so a crash loses none.
//!
//! A step of a batch is many units of work, one for each item. While a node does it, the chore is not
//! due for others; if the node stops, it becomes due again.

use std::time::Duration;

use grantor_domain::Result;
use grantor_domain::audit::Origin;
use grantor_domain::chore::Chore;
use grantor_domain::event::NewEvent;
use grantor_domain::id::{BatchId, ChoreId};
use grantor_domain::trace::TraceContext;
use grantor_storage::{Changes, Tx, Waiter, chore};

use crate::act::UnitOfWork;
use crate::licensing::grant::exclusivity;
use crate::licensing::license;
use crate::operations::batch;
use crate::operations::trace::{Ending, SpanKind};
use crate::webhooks::delivery;
use crate::{App, Context};

/// Steps per run.
const MAX_STEPS: u64 = 1_000;

/// How long a node has for a step of a batch.
pub(crate) const LEASE: Duration = Duration::from_mins(2);

/// Does the pending steps and returns how many it did.
pub async fn work(app: &App) -> Result<u64> {
    let mut done = 0;
    while done < MAX_STEPS && app.store.read(chore::any_exists).await? && step(app).await? {
        done += 1;
    }
    Ok(done)
}

/// Queues the rest of a change.
pub(crate) fn enqueue(unit: &mut UnitOfWork<'_, '_>, rest: Option<Chore>) -> Result<()> {
    if let Some(rest) = rest {
        let id = unit.ids.next();
        chore::insert(unit.tx, id, &rest, unit.now)?;
        continue_trace(unit, id)?;
    }
    Ok(())
}

/// Makes a chore part of the trace of the request that leaves it.
pub(crate) fn continue_trace(unit: &mut UnitOfWork<'_, '_>, id: ChoreId) -> Result<()> {
    if let Some(trace) = unit.origin.trace {
        chore::set_trace(unit.tx, id, trace)?;
    }
    Ok(())
}

/// What a worker found to do.
enum Found {
    /// No chore is due.
    Nothing,
    /// A step that is done, and the trace that it belongs to.
    Done(Option<TraceContext>),
    /// A step of a batch, which is not done yet.
    Batch(ChoreId, BatchId),
}

/// Does one step. Returns false if there is no unclaimed chore.
async fn step(app: &App) -> Result<bool> {
    let started = app.clock.monotonic();
    match claim(app).await? {
        Found::Nothing => Ok(false),
        Found::Done(trace) => {
            app.tracer.record(trace, started, || Ending {
                name: "chore".into(),
                kind: SpanKind::Consumer,
                attributes: vec![],
                failure: None,
            });
            Ok(true)
        }
        Found::Batch(id, batch) => {
            // The batch deletes its chore when it ends. Otherwise others that are due come first.
            if batch::run_part(app, batch).await? {
                let now = app.clock.now();
                app.store.write(move |tx| chore::put_back(tx, id, now)).await?;
            }
            Ok(true)
        }
    }
}

/// Claims a chore, and does its step unless it is one of a batch.
async fn claim(app: &App) -> Result<Found> {
    let (own, follower) = (app.clone(), app.clone());
    let context = Context::system(app.clock.monotonic());
    let work = move |tx: &mut Tx<'_>| -> Result<Found> {
        let now = own.clock.now();
        let Some((id, chore, trace)) = chore::claim(tx, now)? else {
            return Ok(Found::Nothing);
        };
        if let Chore::Batch { batch } = chore {
            chore::hold(tx, id, now.plus(LEASE))?;
            return Ok(Found::Batch(id, batch));
        }
        let origin = Origin { trace, ..context.origin.clone() };
        let (actor, origin, undoable) = (&context.actor, &origin, false);
        let (ids, app, language) = (&own.ids, &own, None);
        let mut unit = UnitOfWork { tx, actor, origin, now, ids, app, undoable, language };
        let StepResult { rest, events } = run_step(&mut unit, chore)?;
        match rest {
            Some(rest) => chore::update(tx, id, &rest)?,
            None => chore::delete(tx, id)?,
        }
        own.emit(tx, now, trace, events)?;
        Ok(Found::Done(trace))
    };
    let after = move |changes: &Changes| follower.after_commit(changes);
    app.store.write_for(&Waiter::default(), work, after).await
}

/// The result of one step of a chore.
pub(crate) struct StepResult {
    /// The rest of the chore, if any.
    pub(crate) rest: Option<Chore>,
    /// The events to publish.
    pub(crate) events: Vec<NewEvent>,
}

fn run_step(unit: &mut UnitOfWork<'_, '_>, chore: Chore) -> Result<StepResult> {
    match chore {
        Chore::TenantRenamed { tenant, after } => license::update_for_tenant(unit, tenant, after),
        Chore::TalentRenamed { talent, after } => license::update_for_talent(unit, talent, after),
        Chore::OffersBlocked { grant, after } => exclusivity::tell_of_blocked(unit, grant, after),
        Chore::Replay(replay) => {
            let (rest, _) = delivery::queue_batch(unit, replay)?;
            Ok(StepResult { rest, events: vec![] })
        }
        // Worked on outside of this unit of work.
        Chore::Batch { .. } => Ok(StepResult { rest: Some(chore), events: vec![] }),
    }
}
