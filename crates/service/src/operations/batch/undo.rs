//! Taking a bulk action back: a batch of its own restores record by record what the action changed. What
//! somebody changed since stays.

use std::sync::Arc;

use grantor_domain::batch::{AT_ONCE, BatchUndo, ItemOutcome, Progress};
use grantor_domain::id::BatchId;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::batch;
use serde_json::json;

use super::{
    Batch, BatchCommand, BatchStatus, NewBatch, Performed, Run, explain, finish_now, insert, own,
    resource,
};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::organizations::rights;
use crate::undo::{Undoer, is_readable, over, restore};
use crate::{App, Context};

/// Returns the batch that takes another one back, if there is one.
pub async fn undone_by(app: &App, undone: BatchId) -> Result<Option<BatchId>> {
    app.store.read(move |tx| Ok(batch::find_undo(tx, undone)?)).await
}

/// Starts to take back a bulk action that the caller started. A short one is done when this returns.
pub async fn undo(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    undone: BatchId,
) -> Result<BatchId> {
    let (id, total) = app.act(context, StartUndo { caller, undone }).await?;
    if total <= AT_ONCE {
        finish_now(app, id).await;
    }
    Ok(id)
}

struct StartUndo {
    caller: Arc<Caller>,
    undone: BatchId,
}

impl Act for StartUndo {
    type Permit = Batch;
    /// The batch, and how many items it has.
    type Output = (BatchId, usize);
    const ACTION: &'static str = "batch.undo";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Batch> {
        let undone = own(batch::claim(unit.tx, self.undone)?, &self.caller)?;
        // Each is undone once, so that their number needs no limit of its own.
        rights::require(unit, undone.command.right())?;
        if undone.status == BatchStatus::Running {
            let message = "Wait until the bulk action is finished, or stop it first";
            return Err(Error::conflict(message));
        }
        Some(undone)
            .filter(|it| it.undo_until.is_some_and(|until| unit.now < until))
            .ok_or_else(over)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        undone: Batch,
    ) -> Result<Done<(BatchId, usize)>> {
        let undos = batch::undo::take(unit.tx, undone.id)?;
        let total = undos.len();
        let new = NewBatch {
            caller: Arc::clone(&self.caller),
            command: BatchCommand::Undo { of: Box::new(undone.command) },
            status: BatchStatus::Running,
            total,
            parts: undos.chunks(AT_ONCE).map(|part| format!("[{}]", part.join(","))).collect(),
            undoes: Some(undone.id),
        };
        let id = insert(unit, &new)?;
        let mut done =
            Done::new((id, total), resource(id), "The undo of a bulk action was started");
        done.details = json!({ "items": total });
        Ok(done)
    }
}

/// Restores one record.
pub(super) async fn perform(
    app: &App,
    run: &Run,
    place: Progress,
    item: &BatchUndo,
) -> Result<Performed> {
    if !is_readable(&item.reverse) {
        return Ok(Performed::Skipped(Some(explain(&over()))));
    }
    let context = run.context(app, run.step(place, ItemOutcome::Changed));
    let by = Undoer::Person(Arc::clone(&run.caller));
    match app.act(&context, Restore { by, item: item.clone() }).await {
        Ok(()) => Ok(Performed::Stored(place.next())),
        Err(error) => match error.kind() {
            ErrorKind::Conflict | ErrorKind::PreconditionFailed | ErrorKind::NotFound => {
                Ok(Performed::Skipped(Some(explain(&error))))
            }
            _ => Err(error),
        },
    }
}

struct Restore {
    by: Undoer,
    item: BatchUndo,
}

impl Act for Restore {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "change.undo";

    /// What is taken back checks the rights.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        let BatchUndo { action, reverse, .. } = &self.item;
        // Bulk actions change no source, which would get its mentions back afterwards.
        Ok(restore(unit, &self.by, reverse, action.clone())?.map(|_| ()))
    }
}
