//! The log for whoever may read it: a tenant its own, staff everybody's, and exports to take away.

mod file;
mod indexing;

use std::sync::Arc;

use grantor_domain::audit::{Resource, Scheme};
use grantor_domain::id::{ExportId, LogId, TenantId};
use grantor_domain::log::{EXPORT_LIFE, ExportFormat, LogFilter};
use grantor_domain::page::{Listing, Page};
use grantor_domain::{Error, Result};
use grantor_storage::Tx;
use grantor_storage::log::{self, Part, Place, Whose};
pub use grantor_storage::log::{Export, LogRecord};
use serde_json::json;

pub use self::file::File;
pub use self::indexing::{index_at_start, index_written};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// Entries that an export looks at, and holds in memory, at once.
const AT_ONCE: u32 = 1_000;

/// What staff asks of everybody's log.
#[derive(Clone, Debug)]
pub struct AskedByStaff {
    /// Which surface's entries.
    pub scheme: Scheme,
    /// Only those of this tenant.
    pub tenant: Option<TenantId>,
    /// Which of them.
    pub filter: LogFilter,
}

/// The tenant's own entries, newest first.
pub async fn list(
    app: &App,
    caller: &Caller,
    filter: LogFilter,
    page: Page,
) -> Result<Listing<LogRecord>> {
    let whose = Whose::Own(caller.tenant);
    let read = move |tx: &mut Tx<'_>| Ok::<_, Error>(log::page(tx, whose, &filter, page)?);
    Ok(app.store.read_lagging(read).await?.map(without_staff))
}

/// Everybody's entries of one scheme, newest first. The surface asks for the right before.
pub async fn list_all(app: &App, asked: AskedByStaff, page: Page) -> Result<Listing<LogRecord>> {
    let AskedByStaff { scheme, tenant, filter } = asked;
    let whose = tenant.map_or(Whose::Scheme(scheme), |it| Whose::Tenant(it, scheme));
    app.store.read_lagging(move |tx| Ok(log::page(tx, whose, &filter, page)?)).await
}

/// One of the tenant's entries.
pub async fn show(app: &App, caller: &Caller, id: LogId) -> Result<LogRecord> {
    let tenant = caller.tenant;
    let found = app.store.read(move |tx| Ok::<_, Error>(log::find(tx, tenant, id)?)).await?;
    found.map(without_staff).ok_or_else(|| Error::not_found("Log entry"))
}

/// Puts an export together: what was written until now.
pub async fn export(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    format: ExportFormat,
    mut filter: LogFilter,
) -> Result<Export> {
    let (tenant, now) = (caller.tenant, app.clock.now());
    // What comes later is not part of it: the file is the same whenever it is fetched.
    filter.to = Some(filter.to.map_or(now, |to| to.min(now)));
    // Counted before anything is written: nobody waits for that.
    let asked = filter.clone();
    let count = move |tx: &mut Tx<'_>| Ok::<_, Error>(log::count(tx, tenant, &asked)?);
    let entries = app.store.read(count).await?;
    app.act(context, MakeExport { tenant, format, filter, entries }).await
}

/// An export that can still be fetched.
pub async fn find_export(app: &App, caller: &Caller, id: ExportId) -> Result<Export> {
    let (tenant, now) = (caller.tenant, app.clock.now());
    let found = app.store.read(move |tx| Ok::<_, Error>(log::find_export(tx, tenant, id, now)?));
    found.await?.ok_or_else(|| Error::not_found("Export"))
}

/// The export's next entries after a place. There is at least one, unless that was all.
async fn next_entries(app: &App, export: &Export, after: Option<Place>) -> Result<Part> {
    let mut after = after;
    loop {
        let (tenant, filter) = (export.tenant, export.filter.clone());
        let read =
            move |tx: &mut Tx<'_>| Ok::<_, Error>(log::after(tx, tenant, &filter, after, AT_ONCE)?);
        let Part { records, reached } = app.store.read(read).await?;
        if !records.is_empty() || reached.is_none() {
            let records = records.into_iter().map(without_staff).collect();
            return Ok(Part { records, reached });
        }
        after = reached;
    }
}

/// As the tenant sees it: who of the staff acted, and from where, is the operator's business.
fn without_staff(mut record: LogRecord) -> LogRecord {
    if record.is_by_staff() {
        record.actor_id = None;
        "Staff".clone_into(&mut record.actor_name);
        (record.address, record.user_agent, record.request_id) = (None, None, None);
    }
    record
}

struct MakeExport {
    tenant: TenantId,
    format: ExportFormat,
    filter: LogFilter,
    entries: u64,
}

impl Act for MakeExport {
    type Grant = ();
    type Output = Export;
    const ACTION: &'static str = "log.export";

    /// The frame asked for the right; the log is the caller's own tenant's.
    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<Export>> {
        let export = Export {
            id: desk.ids.next(),
            tenant: self.tenant,
            format: self.format,
            filter: self.filter.clone(),
            entries: self.entries,
            created_at: desk.now,
            expires_at: desk.now.plus(EXPORT_LIFE),
        };
        log::insert_export(desk.tx, &export)?;
        let resource = Resource { kind: "log_export", id: Some(export.id.to_string()), name: None };
        let mut done = Done::new(export, resource, "Log entries were exported");
        done.details = json!({ "format": self.format.name(), "entries": self.entries });
        Ok(done)
    }
}
