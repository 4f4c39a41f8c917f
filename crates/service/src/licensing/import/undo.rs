//! Taking an import back: what it created is deleted, unless somebody changed or used it since.

use std::sync::Arc;

use grantor_domain::batch::{ItemOutcome, Progress};
use grantor_domain::id::{BatchId, LicenseId};
use grantor_domain::import::ImportKind;
use grantor_domain::license::License;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::{batch, license as licenses};
use uuid::Uuid;

use super::plan_of;
use crate::identity::access::Caller;
use crate::licensing::license::{self, Expected};
use crate::licensing::talent;
use crate::operations::batch::{
    self as batches, BatchCommand, BatchList, BatchStatus, Chosen, NewBatch, Performed, Run, own,
    select, start_new, written,
};
use crate::{App, Context};

/// Starts to take an import back.
pub async fn undo(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    import: BatchId,
) -> Result<BatchId> {
    let read = move |tx: &mut grantor_storage::Tx<'_>| {
        let undone = batch::find_undo(tx, import)?;
        Ok::<_, Error>((batch::find(tx, import)?, undone, batch::created_by(tx, import)?))
    };
    let (found, undone, created) = app.store.read(read).await?;
    let found = own(found, &caller)?;
    let kind = plan_of(&found).ok_or_else(|| Error::not_found("Import"))?.kind;
    if !matches!(found.status, BatchStatus::Finished | BatchStatus::Stopped) {
        return Err(Error::conflict("Wait until the import is finished, or stop it first"));
    }
    if undone.is_some() {
        return Err(Error::conflict("This import was already undone"));
    }
    if created.is_empty() {
        return Err(Error::conflict("This import created nothing"));
    }
    let list = match kind {
        ImportKind::Talents => BatchList::Talents,
        ImportKind::Licenses => BatchList::Licenses,
    };
    let items = select(app, &caller, list, Chosen::Ids(created)).await?;
    let new = NewBatch {
        caller,
        command: BatchCommand::UndoImport { kind },
        status: BatchStatus::Running,
        total: items.len(),
        parts: written(&items)?,
        undoes: Some(import),
    };
    start_new(app, context, new).await
}

/// Deletes a record that an import created, if it is still as it was.
pub(crate) async fn undo_record(
    app: &App,
    run: &Run,
    place: Progress,
    (kind, id): (ImportKind, Uuid),
) -> Result<Performed> {
    let removed = match kind {
        ImportKind::Talents => {
            let context = run.context(app, run.step(place, ItemOutcome::Changed));
            let caller = Arc::clone(&run.caller);
            talent::remove_unchanged(app, &context, caller, id.into()).await
        }
        ImportKind::Licenses => remove_license(app, run, place, id.into()).await,
    };
    match removed {
        Ok(()) => Ok(Performed::Stored(place.next())),
        Err(error) if *error.kind() == ErrorKind::NotFound => {
            Ok(Performed::Skipped(Some("It was already deleted".to_owned())))
        }
        Err(error) => match error.kind() {
            ErrorKind::Conflict | ErrorKind::PreconditionFailed => {
                Ok(Performed::Skipped(Some(batches::explain(&error))))
            }
            _ => Err(error),
        },
    }
}

async fn remove_license(app: &App, run: &Run, place: Progress, id: LicenseId) -> Result<()> {
    let tenant = run.caller.tenant;
    let found = app
        .store
        .read(move |tx| {
            let found = licenses::find(tx, id)?.map(|it| it.license);
            let used = licenses::is_in_use(tx, id)?;
            Ok::<_, Error>(found.filter(|it| it.tenant == tenant).map(|it| (it, used)))
        })
        .await?;
    let (license, used): (License, bool) = found.ok_or_else(|| Error::not_found("License"))?;
    let (version, status) = (license.version, license.effective_status(app.clock.now()));
    // The first version is what the import created.
    if version != 1 {
        return Err(Error::conflict("The license was changed since the import"));
    }
    if used {
        return Err(Error::conflict("The license was shared or requested since the import"));
    }
    let context = run.context(app, run.step(place, ItemOutcome::Changed));
    let expected = Expected(Some(vec![(version, status)]));
    let reader = run.caller.reader();
    license::delete(app, &context, reader, tenant, id, expected).await
}
