//! Reading the log: pages of a tenant's or of a scheme's entries, newest first, and exports.
//!
//! Pages and counts come from sets of bits (`index`). An export walks through a tenant's entries in the
//! order of time, which stays the same whenever it is fetched.

pub mod history;
pub mod index;
mod walk;

use grantor_domain::Timestamp;
use grantor_domain::audit::{Class, Level, Scheme};
use grantor_domain::id::{ExportId, LogId, TenantId};
use grantor_domain::log::{ExportFormat, LogFilter};
use grantor_domain::page::{Listing, Page};
use uuid::Uuid;

use self::index::{Selection, Wanted};
use self::walk::Way;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// An entry as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRecord {
    /// Its id.
    pub id: LogId,
    /// Whose log it is in.
    pub tenant: Option<TenantId>,
    /// When.
    pub at: Timestamp,
    /// How long it is kept.
    pub class: Class,
    /// Which surface it came through.
    pub scheme: Scheme,
    /// How grave.
    pub level: Level,
    /// `resource.verb`.
    pub action: String,
    /// A sentence for people.
    pub message: String,
    /// What kind of actor it was.
    pub actor_kind: String,
    /// Who it was.
    pub actor_id: Option<Uuid>,
    /// What they are called.
    pub actor_name: String,
    /// The noun of what was touched.
    pub resource_type: String,
    /// Its id.
    pub resource_id: Option<String>,
    /// Its name at that time.
    pub resource_name: Option<String>,
    /// The caller's address.
    pub address: Option<String>,
    /// What the caller calls itself.
    pub user_agent: Option<String>,
    /// How long it took, in microseconds.
    pub duration_micros: i64,
    /// The request it belongs to.
    pub request_id: Option<String>,
    /// More, as JSON.
    pub details: serde_json::Value,
}

/// An export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its id.
    pub id: ExportId,
    /// Whose log.
    pub tenant: TenantId,
    /// Which file it becomes.
    pub format: ExportFormat,
    /// Which entries.
    pub filter: LogFilter,
    /// How many there were.
    pub entries: u64,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// Until when it can be fetched.
    pub expires_at: Timestamp,
}

/// The place of an entry in an export; the next one is before it.
pub type Place = (Timestamp, LogId);

/// Entries of an export.
#[derive(Debug)]
pub struct Part {
    /// Those that fit.
    pub records: Vec<LogRecord>,
    /// Up to where was looked; none when that was all.
    pub reached: Option<Place>,
}

/// Entries at most that a page's search looks at to see whether words stand side by side in them.
const MOST_READ: usize = 10_000;

impl LogRecord {
    /// Whether somebody of the staff did it. Who that was is the operator's business, not the tenant's.
    #[must_use]
    pub fn is_by_staff(&self) -> bool {
        matches!(&*self.actor_kind, "admin" | "operator")
    }
}

/// Whose entries, and who asks.
#[derive(Clone, Copy, Debug)]
pub enum Whose {
    /// A tenant's, asked by themselves.
    Own(TenantId),
    /// A tenant's of one scheme, asked by staff.
    Tenant(TenantId, Scheme),
    /// Everybody's of one scheme, asked by staff.
    Scheme(Scheme),
}

impl Whose {
    fn is_staff(self) -> bool {
        !matches!(self, Self::Own(_))
    }
}

/// Entries that fit, newest first.
pub fn page(
    tx: &mut Tx<'_>,
    whose: Whose,
    filter: &LogFilter,
    page: Page,
) -> Result<Listing<LogRecord>> {
    let found = Selection::of(tx, &Wanted::of(whose, filter), MOST_READ)?;
    let offset = u64::try_from(page.offset()).unwrap_or(u64::MAX);
    let items = found.page(tx, offset, page.size() as usize)?;
    Ok(Listing { page, items, total: found.len(), total_is_estimate: found.cut })
}

/// How many entries of a tenant fit: for an export.
pub fn count(tx: &mut Tx<'_>, tenant: TenantId, filter: &LogFilter) -> Result<u64> {
    Ok(Selection::of(tx, &Wanted::of(Whose::Own(tenant), filter), usize::MAX)?.len())
}

/// Looks at the next so many entries of a tenant after a place, from the newest where there is none.
pub fn after(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    filter: &LogFilter,
    place: Option<Place>,
    at_most: u32,
) -> Result<Part> {
    let wanted = Wanted::of(Whose::Own(tenant), filter);
    let mut records = walk::next(tx, Way::Whole(tenant), &wanted.times(), place, at_most)?;
    let is_all = records.len() < at_most as usize;
    let reached = records.last().map(|it| (it.at, it.id)).filter(|_| !is_all);
    records.retain(|it| wanted.fits(it));
    Ok(Part { records, reached })
}

/// The entry of this id in a tenant's log.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: LogId) -> Result<Option<LogRecord>> {
    tx.find(
        sql!(
            "SELECT log_id, tenant_id, created_at, class, scheme, level, action, message,
               actor_kind, actor_id, actor_name, resource_type, resource_id, resource_name,
               address, user_agent, duration_micros, request_id, details
             FROM log_entries WHERE log_id = $2 AND tenant_id = $1"
        ),
        params![tenant, id],
        read,
    )
}

/// Adds an export.
pub fn insert_export(tx: &mut Tx<'_>, export: &Export) -> Result<()> {
    let filter =
        serde_json::to_string(&export.filter).map_err(|it| Error::Fault(it.to_string()))?;
    let entries = i64::try_from(export.entries).unwrap_or(i64::MAX);
    tx.execute(
        sql!(
            "INSERT INTO log_exports (export_id, tenant_id, format, filter, entries, created_at,
               expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)"
        ),
        params![
            export.id,
            export.tenant,
            export.format.name(),
            filter,
            entries,
            export.created_at,
            export.expires_at,
        ],
    )?;
    Ok(())
}

/// A tenant's export of this id that can still be fetched.
pub fn find_export(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    id: ExportId,
    now: Timestamp,
) -> Result<Option<Export>> {
    tx.find(
        sql!(
            "SELECT export_id, tenant_id, format, filter, entries, created_at, expires_at
             FROM log_exports WHERE export_id = $2 AND tenant_id = $1 AND expires_at > $3"
        ),
        params![tenant, id, now],
        |row| {
            let filter = row.get::<String>(3)?;
            Ok(Export {
                id: row.get(0)?,
                tenant: row.get(1)?,
                format: row.get::<String>(2)?.parse().map_err(Error::Fault)?,
                filter: serde_json::from_str(&filter).map_err(|it| Error::Fault(it.to_string()))?,
                entries: u64::try_from(row.get::<i64>(4)?).unwrap_or(0),
                created_at: row.get(5)?,
                expires_at: row.get(6)?,
            })
        },
    )
}

/// Deletes exports that ended, a bounded number at a time.
pub fn delete_expired_exports(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM log_exports WHERE export_id IN (
               SELECT export_id FROM log_exports WHERE expires_at < $1
               ORDER BY expires_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}

/// Reads the columns of an entry, from `log_id` to `details`.
pub(crate) fn read(row: &Row<'_>) -> Result<LogRecord> {
    let tenant: TenantId = row.get(1)?;
    let details = serde_json::from_str(&row.get::<String>(18)?);
    Ok(LogRecord {
        id: row.get(0)?,
        tenant: Some(tenant).filter(|it| !it.as_uuid().is_nil()),
        at: row.get(2)?,
        class: row.get::<String>(3)?.parse().map_err(Error::Fault)?,
        scheme: row.get::<String>(4)?.parse().map_err(Error::Fault)?,
        level: row.get::<String>(5)?.parse().map_err(Error::Fault)?,
        action: row.get(6)?,
        message: row.get(7)?,
        actor_kind: row.get(8)?,
        actor_id: row.get(9)?,
        actor_name: row.get(10)?,
        resource_type: row.get(11)?,
        resource_id: row.get(12)?,
        resource_name: row.get(13)?,
        address: row.get(14)?,
        user_agent: row.get(15)?,
        duration_micros: row.get(16)?,
        request_id: row.get(17)?,
        details: details.map_err(|error| Error::Fault(format!("a log entry: {error}")))?,
    })
}
