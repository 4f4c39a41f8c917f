//! Chores: background follow-up work of changes, done in short steps so that other writers do not
//! wait long. Any node may do the next step. Each step commits its progress, so a crash loses none.

use grantor_domain::Result;
use grantor_domain::chore::Chore;
use grantor_domain::event::NewEvent;
use grantor_storage::{Changes, Tx, Waiter, chore};

use crate::act::UnitOfWork;
use crate::licensing::license;
use crate::webhooks::delivery;
use crate::{App, Context};

/// Steps per run.
const MAX_STEPS: u64 = 1_000;

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
        chore::insert(unit.tx, unit.ids.next(), &rest, unit.now)?;
    }
    Ok(())
}

/// Does one step. Returns false if there is no unclaimed chore.
async fn step(app: &App) -> Result<bool> {
    let (own, follower) = (app.clone(), app.clone());
    let context = Context::system(app.clock.monotonic());
    let work = move |tx: &mut Tx<'_>| -> Result<bool> {
        let Some((id, chore)) = chore::claim(tx)? else { return Ok(false) };
        let now = own.clock.now();
        let (actor, origin) = (&context.actor, &context.origin);
        let mut unit = UnitOfWork { tx, actor, origin, now, ids: &own.ids, app: &own };
        let StepResult { rest, events } = run_step(&mut unit, &chore)?;
        match rest {
            Some(rest) => chore::update(tx, id, &rest)?,
            None => chore::delete(tx, id)?,
        }
        own.emit(tx, now, events)?;
        Ok(true)
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

fn run_step(unit: &mut UnitOfWork<'_, '_>, chore: &Chore) -> Result<StepResult> {
    match *chore {
        Chore::TenantRenamed { tenant, after } => license::update_for_tenant(unit, tenant, after),
        Chore::TalentRenamed { talent, after } => license::update_for_talent(unit, talent, after),
        Chore::Replay(replay) => {
            let (rest, _) = delivery::queue_batch(unit, replay)?;
            Ok(StepResult { rest, events: vec![] })
        }
    }
}
