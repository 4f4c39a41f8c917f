//! What is done to a batch: starting a checked file, stopping, taking back.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::batch::{Batch, BatchStatus};
use grantor_domain::id::BatchId;
use grantor_domain::import::Duplicates;
use grantor_messages::text;
use grantor_service::licensing::import;
use grantor_service::operations::batch;

use super::{LIST, draw, load, summary};
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::sign_in::next;

/// Leads to the page of a batch that was started. If it has ended already, there is no message: the
/// page says what became of it.
pub(crate) fn lead_to(person: &Person, batch: &Batch, message: &str) -> Response {
    let path = format!("{LIST}/{}", batch.id);
    match batch.status {
        BatchStatus::Running => person.redirect(path, message),
        _ => Redirect::to(&path).into_response(),
    }
}

/// Stops a batch, or discards a checked file.
pub(crate) async fn stop(person: Person, Segment(id): Segment<BatchId>) -> Outcome {
    let path = format!("{LIST}/{id}");
    match batch::stop(person.app(), person.context(), person.caller(), id).await {
        Ok(()) => Ok(person.redirect(path, text!("bulk-stopped"))),
        Err(error) => refuse(&person, id, error).await,
    }
}

/// Starts the import of a checked file.
pub(crate) async fn start(
    person: Person,
    Segment(id): Segment<BatchId>,
    entered: FormData,
) -> Outcome {
    let duplicates = match entered.optional("duplicates") {
        Some(text) => text.parse::<Duplicates>().map_err(|it| Error::field("duplicates", it))?,
        None => Duplicates::default(),
    };
    match import::start(person.app(), person.context(), person.caller(), id, duplicates).await {
        Ok(()) => {
            let batch = batch::get(person.app(), &person.caller, id).await?;
            Ok(lead_to(&person, &batch, text!("import-started")))
        }
        Err(error) => refuse(&person, id, error).await,
    }
}

/// Takes an import or a bulk action back.
pub(crate) async fn undo(
    person: Person,
    Segment(id): Segment<BatchId>,
    entered: FormData,
) -> Outcome {
    let (app, context, caller) = (person.app(), person.context(), person.caller());
    let undone = batch::get(app, &caller, id).await?;
    let started = match import::plan_of(&undone) {
        Some(_) => import::undo(app, context, caller, id).await,
        None => batch::undo(app, context, caller, id).await,
    };
    let undo = match started {
        Ok(undo) => batch::get(app, &person.caller, undo).await?,
        Err(error) => return refuse(&person, id, error).await,
    };
    match entered.optional("back") {
        // Everything was taken back, so the list is more useful than the report.
        Some(back) if undo.status == BatchStatus::Finished && undo.done == undo.total => {
            Ok(person.redirect(next(Some(back)), &summary(&undo)))
        }
        _ => Ok(lead_to(&person, &undo, text!("bulk-undo-started"))),
    }
}

/// Shows the page again with the reason.
async fn refuse(person: &Person, id: BatchId, error: Error) -> Outcome {
    let page = load(person, id, Params::default().page()?).await?;
    Ok(person.redisplay(error, FormData::default(), |entered| draw(person, &page, entered)))
}
