//! What a batch does to one record.

use std::sync::Arc;

use grantor_domain::batch::{BatchCommand, BatchItem, Progress};
use grantor_domain::license::{FieldNames, LicenseChange, LicenseStatus};
use grantor_domain::mention::Review;
use grantor_domain::patch::Patch;
use grantor_domain::permission::GranteeName;
use grantor_domain::tag::Tags;
use grantor_domain::{Error, ErrorKind, Result};

use super::Run;
use crate::App;
use crate::identity::access::TenantCaller;
use crate::licensing::license::{self, Expected, LicenseRef};
use crate::licensing::tag::{self, TagChange};
use crate::licensing::{import, permission, request};
use crate::watching::mention;

/// What became of an item.
pub(crate) enum Performed {
    /// An act changed it, and moved the batch to this place.
    Stored(Progress),
    /// It was left as it is, with the reason if the person should know it.
    Skipped(Option<String>),
}

/// Why an item could not be changed.
pub(crate) fn explain(error: &Error) -> String {
    let fields: Vec<_> =
        error.fields().iter().map(|(name, message)| format!("{name}: {message}")).collect();
    if fields.is_empty() || *error.kind() != ErrorKind::Validation {
        return error.message().to_owned();
    }
    fields.join("; ")
}

/// Does what the batch does to a record.
pub(super) async fn record(
    app: &App,
    run: &Run,
    place: Progress,
    item: &BatchItem,
) -> Result<Performed> {
    let context = run.context(app, run.change_step(place, item));
    let (caller, id) = (Arc::clone(&run.caller), item.id);
    let tenant_caller = TenantCaller::from(&*caller);
    let status = match &run.batch.command {
        BatchCommand::Publish => Some(LicenseStatus::Public),
        BatchCommand::MakePrivate => Some(LicenseStatus::Private),
        BatchCommand::Expire => Some(LicenseStatus::Expired),
        _ => None,
    };
    if let Some(status) = status {
        return set_status(app, run, place, item, status).await;
    }
    match &run.batch.command {
        BatchCommand::Share { organization, role, .. } => {
            let grantee = GranteeName::Organization(*organization);
            permission::grant(app, &context, caller, id.into(), grantee, *role).await?;
        }
        BatchCommand::Tag { kind, tags } => {
            let change = TagChange { add: tags.clone(), remove: Tags::default() };
            tag::change(app, &context, caller, (*kind, id), change).await?;
        }
        BatchCommand::Untag { kind, tags } => {
            let change = TagChange { add: Tags::default(), remove: tags.clone() };
            tag::change(app, &context, caller, (*kind, id), change).await?;
        }
        BatchCommand::Decide { status, allowed } => {
            let allowed = allowed.map_or(Patch::Keep, Patch::Set);
            let review = Review { status: Some(*status), allowed, note: None };
            mention::decide(app, &context, caller.reader(), id.into(), review).await?;
        }
        BatchCommand::Decline { reason } => {
            request::decline(app, &context, tenant_caller, id.into(), reason.clone()).await?;
        }
        BatchCommand::Withdraw => {
            request::withdraw(app, &context, tenant_caller, id.into()).await?;
        }
        BatchCommand::UndoImport { kind } => {
            return import::undo_record(app, run, place, (*kind, id)).await;
        }
        // The status is set above, and the items of an import or an undo are not records.
        BatchCommand::Publish
        | BatchCommand::MakePrivate
        | BatchCommand::Expire
        | BatchCommand::Import(_)
        | BatchCommand::Undo { .. } => return Err(Error::internal("a batch of another kind")),
    }
    Ok(Performed::Stored(place.next()))
}

/// Sets the status of a license that the person may edit, as its owner or by a permission.
async fn set_status(
    app: &App,
    run: &Run,
    place: Progress,
    item: &BatchItem,
    status: LicenseStatus,
) -> Result<Performed> {
    let (reader, own) = (run.caller.reader(), run.caller.tenant);
    let named = LicenseRef::Id(item.id.into());
    let hidden = |error: Error| match error.kind() {
        ErrorKind::AccessDenied => Error::not_found("License"),
        _ => error,
    };
    let seen = license::get(app, reader, named.clone()).await.map_err(hidden)?;
    if seen.status == status {
        return Ok(Performed::Skipped(None));
    }
    let within = (seen.shown.license.tenant == own).then_some(own);
    let mut change = LicenseChange::new(FieldNames::CONSOLE);
    change.status = Some(status);
    let context = run.context(app, run.change_step(place, item));
    license::change(app, &context, reader, named, within, Expected::default(), change).await?;
    Ok(Performed::Stored(place.next()))
}
