//! Imports of talents and licenses from CSV and XLSX files. A file is checked first; the person sees
//! every wrong cell and then starts the import, which is a batch. Each row goes through the same acts
//! as the forms. What an import created can be removed again.

mod check;
mod file;
mod perform;
mod undo;
mod xlsx;

use std::sync::Arc;

use grantor_domain::batch::{AT_ONCE, BatchProblem};
use grantor_domain::id::BatchId;
use grantor_domain::import::Columns;
pub use grantor_domain::import::{Duplicates, ImportKind, ImportPlan};
use grantor_domain::role::may;
use grantor_domain::{Error, Result};
use grantor_storage::batch;
use serde_json::json;

use self::check::{Checked, check_rows};
pub(crate) use self::perform::perform_row;
pub use self::undo::undo;
pub(crate) use self::undo::undo_record;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::operations::batch::{
    self as batches, Batch, BatchCommand, BatchStatus, NewBatch, admit, enqueue, finish_now, own,
    start_new, written,
};
use crate::{App, Context};

/// How many problems one unit of work stores.
const PROBLEMS_AT_ONCE: usize = 500;

/// Checks a file and keeps its rows for the import.
pub async fn check(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    kind: ImportKind,
    bytes: Vec<u8>,
) -> Result<BatchId> {
    let right = BatchCommand::UndoImport { kind }.right();
    may(caller.role, caller.tenant_type, right)?;
    let file::Table { header, rows } = file::read(bytes).await?;
    let columns = Columns::read(kind, &header)?;
    let Checked { plan, rows, problems } = check_rows(app, &caller, kind, columns, rows).await?;
    let new = NewBatch {
        caller,
        command: BatchCommand::Import(plan),
        status: BatchStatus::Checked,
        total: rows.len(),
        parts: written(&rows)?,
        undoes: None,
    };
    let id = start_new(app, context, new).await?;
    store_problems(app, id, problems).await?;
    Ok(id)
}

async fn store_problems(app: &App, id: BatchId, problems: Vec<BatchProblem>) -> Result<()> {
    for part in problems.chunks(PROBLEMS_AT_ONCE) {
        let part = part.to_vec();
        app.store
            .write(move |tx| {
                for problem in &part {
                    batch::insert_problem(tx, id, problem)?;
                }
                Ok::<_, Error>(())
            })
            .await?;
    }
    Ok(())
}

/// Starts the import of a checked file. A short one is done when this returns.
pub async fn start(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: BatchId,
    duplicates: Duplicates,
) -> Result<()> {
    let total = app.act(context, Start { caller, id, duplicates }).await?;
    if total as usize <= AT_ONCE {
        finish_now(app, id).await;
    }
    Ok(())
}

/// Returns what a batch imports, if it is an import.
#[must_use]
pub fn plan_of(batch: &Batch) -> Option<&ImportPlan> {
    match &batch.command {
        BatchCommand::Import(plan) => Some(plan),
        _ => None,
    }
}

struct Start {
    caller: Arc<Caller>,
    id: BatchId,
    duplicates: Duplicates,
}

impl Act for Start {
    type Permit = (Batch, ImportPlan);
    /// The number of rows.
    type Output = u32;
    const ACTION: &'static str = "import.start";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let found = own(batch::claim(unit.tx, self.id)?, &self.caller)?;
        let plan = plan_of(&found).cloned().ok_or_else(|| Error::not_found("Import"))?;
        admit(unit, &self.caller, found.command.right())?;
        if found.status != BatchStatus::Checked {
            return Err(Error::conflict("This import was already started or discarded"));
        }
        Ok((found, plan))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (found, plan): Self::Permit,
    ) -> Result<Done<u32>> {
        let kind = plan.kind;
        let plan = ImportPlan { duplicates: self.duplicates, ..plan };
        batch::delete_problems(unit.tx, self.id)?;
        batch::start(unit.tx, self.id, &BatchCommand::Import(plan))?;
        enqueue(unit, self.id, found.total as usize)?;
        let resource = batches::resource(self.id);
        let mut done = Done::new(found.total, resource, "An import was started");
        done.details = json!({
            "kind": kind.name(), "rows": found.total, "duplicates": self.duplicates.name(),
        });
        Ok(done)
    }
}
