//! Reading the log: tenants read their own, staff read all of them. Exports of a tenant's log.

pub(crate) mod change;
mod file;
mod indexing;
pub mod read_access;
pub mod refusal;

use std::sync::Arc;

use grantor_domain::audit::{Resource, Scheme};
use grantor_domain::id::{ExportId, LogId, TenantId};
use grantor_domain::log::{EXPORT_LIFE, ExportFormat, LogFilter};
use grantor_domain::page::{Listing, Page};
use grantor_domain::{Error, Result};
use grantor_storage::Tx;
use grantor_storage::log::{self, LogScope, Part, Position};
pub use grantor_storage::log::{Export, LogRecord};
use serde_json::json;
use uuid::Uuid;

pub use self::file::File;
pub use self::indexing::index_written;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context};

/// Entries that an export reads at a time.
const BATCH: u32 = 1_000;

/// A staff query over all tenants' logs.
#[derive(Clone, Debug)]
pub struct StaffLogQuery {
    /// The API whose entries are listed.
    pub scheme: Scheme,
    /// Only entries of this tenant.
    pub tenant: Option<TenantId>,
    /// The filter.
    pub filter: LogFilter,
}

/// Lists the tenant's entries, newest first.
pub async fn list(
    app: &App,
    caller: &Caller,
    filter: LogFilter,
    page: Page,
) -> Result<Listing<LogRecord>> {
    let scope = LogScope::Own(caller.tenant);
    let read = move |tx: &mut Tx<'_>| Ok::<_, Error>(log::page(tx, scope, &filter, page)?);
    Ok(app.store.read_replica(read).await?.map(without_staff))
}

/// Lists all tenants' entries of one scheme, newest first. The caller checks the right.
pub async fn list_all(app: &App, query: StaffLogQuery, page: Page) -> Result<Listing<LogRecord>> {
    let StaffLogQuery { scheme, tenant, filter } = query;
    let scope = tenant.map_or(LogScope::Scheme(scheme), |it| LogScope::Tenant(it, scheme));
    app.store.read_replica(move |tx| Ok(log::page(tx, scope, &filter, page)?)).await
}

/// Lists the changes of one record in the tenant's log, newest first. The caller checks the right.
pub async fn history_of(
    app: &App,
    caller: &Caller,
    record: Uuid,
    page: Page,
) -> Result<Listing<LogRecord>> {
    let (tenant, record) = (caller.tenant, record.to_string());
    let found: Result<Listing<LogRecord>> =
        app.store.read(move |tx| Ok(log::record::list(tx, tenant, &record, page)?)).await;
    Ok(found?.map(without_staff))
}

/// Returns one of the tenant's entries.
pub async fn get(app: &App, caller: &Caller, id: LogId) -> Result<LogRecord> {
    let tenant = caller.tenant;
    let found = app.store.read(move |tx| Ok::<_, Error>(log::find(tx, tenant, id)?)).await?;
    found.map(without_staff).ok_or_else(|| Error::not_found("Log entry"))
}

/// Creates an export of the entries up to now.
pub async fn export(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    format: ExportFormat,
    mut filter: LogFilter,
) -> Result<Export> {
    let (tenant, now) = (caller.tenant, app.clock.now());
    // Later entries are not included: the file is the same whenever it is downloaded.
    filter.to = Some(filter.to.map_or(now, |to| to.min(now)));
    // Counted in a read, so that no writer waits for it.
    let counted = filter.clone();
    let count = move |tx: &mut Tx<'_>| Ok::<_, Error>(log::count(tx, tenant, &counted)?);
    let entries = app.store.read(count).await?;
    app.act(context, CreateExport { tenant, format, filter, entries }).await
}

/// Returns an export that has not expired.
pub async fn find_export(app: &App, caller: &Caller, id: ExportId) -> Result<Export> {
    let (tenant, now) = (caller.tenant, app.clock.now());
    let found = app.store.read(move |tx| Ok::<_, Error>(log::find_export(tx, tenant, id, now)?));
    found.await?.ok_or_else(|| Error::not_found("Export"))
}

/// Reads the export's next entries. Empty only at the end.
async fn next_entries(app: &App, export: &Export, after: Option<Position>) -> Result<Part> {
    let mut after = after;
    loop {
        let (tenant, filter) = (export.tenant, export.filter.clone());
        let read =
            move |tx: &mut Tx<'_>| Ok::<_, Error>(log::after(tx, tenant, &filter, after, BATCH)?);
        let Part { records, reached } = app.store.read(read).await?;
        if !records.is_empty() || reached.is_none() {
            let records = records.into_iter().map(without_staff).collect();
            return Ok(Part { records, reached });
        }
        after = reached;
    }
}

/// Hides from the tenant which member of staff acted, and from where.
fn without_staff(mut record: LogRecord) -> LogRecord {
    if record.is_by_staff() {
        record.actor_id = None;
        "Staff".clone_into(&mut record.actor_name);
        (record.address, record.user_agent, record.request_id) = (None, None, None);
    }
    record
}

struct CreateExport {
    tenant: TenantId,
    format: ExportFormat,
    filter: LogFilter,
    entries: u64,
}

impl Act for CreateExport {
    type Permit = ();
    type Output = Export;
    const ACTION: &'static str = "log.export";

    /// The API checks the right; the log is that of the caller's own tenant.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Export>> {
        let export = Export {
            id: unit.ids.next(),
            tenant: self.tenant,
            format: self.format,
            filter: self.filter.clone(),
            entries: self.entries,
            created_at: unit.now,
            expires_at: unit.now.plus(EXPORT_LIFE),
        };
        log::insert_export(unit.tx, &export)?;
        let resource = Resource { kind: "log_export", id: Some(export.id.to_string()), name: None };
        let mut done = Done::new(export, resource, "Log entries were exported");
        done.details = json!({ "format": self.format.name(), "entries": self.entries });
        Ok(done)
    }
}
