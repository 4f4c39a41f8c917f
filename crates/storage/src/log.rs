//! Reading the log: pages of the entries of a tenant or a scheme, newest first, and exports.
//!
//! Pages and counts use bitmaps (`index`). An export walks through a tenant's entries in time
//! order, which does not change between downloads.

pub mod history;
pub mod index;
pub mod partition;
pub mod record;
mod walk;

use grantor_domain::Timestamp;
use grantor_domain::audit::{Class, Level, Scheme};
use grantor_domain::id::{ExportId, LogId, TenantId};
use grantor_domain::log::{ExportFormat, LogFilter};
use grantor_domain::page::{Listing, Page};
use uuid::Uuid;

use self::index::{LogQuery, Selection};
use self::walk::WalkScope;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// A log entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRecord {
    /// The entry's id.
    pub id: LogId,
    /// The tenant whose log it is in.
    pub tenant: Option<TenantId>,
    /// When it was written.
    pub at: Timestamp,
    /// The class, which determines the retention.
    pub class: Class,
    /// The API it came through.
    pub scheme: Scheme,
    /// The severity.
    pub level: Level,
    /// The action, such as `resource.verb`.
    pub action: String,
    /// A human-readable message.
    pub message: String,
    /// The kind of actor.
    pub actor_kind: String,
    /// The actor's id.
    pub actor_id: Option<Uuid>,
    /// The actor's name.
    pub actor_name: String,
    /// The type of the resource.
    pub resource_type: String,
    /// The resource's id.
    pub resource_id: Option<String>,
    /// The resource's name at that time.
    pub resource_name: Option<String>,
    /// The caller's IP address.
    pub address: Option<String>,
    /// The caller's user agent.
    pub user_agent: Option<String>,
    /// The duration in microseconds.
    pub duration_micros: i64,
    /// The id of the HTTP request.
    pub request_id: Option<String>,
    /// Further details as JSON.
    pub details: serde_json::Value,
}

/// An export of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The export's id.
    pub id: ExportId,
    /// The tenant.
    pub tenant: TenantId,
    /// The file format.
    pub format: ExportFormat,
    /// The filter of its entries.
    pub filter: LogFilter,
    /// Number of entries.
    pub entries: u64,
    /// When it was requested.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// The position of an entry in an export; the next entry is older.
pub type Position = (Timestamp, LogId);

/// A part of an export.
#[derive(Debug)]
pub struct Part {
    /// The matching entries.
    pub records: Vec<LogRecord>,
    /// The position up to which entries were read; `None` at the end.
    pub reached: Option<Position>,
}

/// How many entries a page's search reads at most to match phrases.
const MOST_READ: usize = 10_000;

impl LogRecord {
    /// Whether staff did it. The tenant does not see which staff member.
    #[must_use]
    pub fn is_by_staff(&self) -> bool {
        matches!(&*self.actor_kind, "admin" | "operator")
    }
}

/// Which entries are read, and by whom.
#[derive(Clone, Copy, Debug)]
pub enum LogScope {
    /// A tenant's entries, read by the tenant.
    Own(TenantId),
    /// A tenant's entries of one scheme, read by staff.
    Tenant(TenantId, Scheme),
    /// All tenants' entries of one scheme, read by staff.
    Scheme(Scheme),
}

impl LogScope {
    fn is_staff(self) -> bool {
        !matches!(self, Self::Own(_))
    }
}

/// Returns a page of matching entries, newest first.
pub fn page(
    tx: &mut Tx<'_>,
    scope: LogScope,
    filter: &LogFilter,
    page: Page,
) -> Result<Listing<LogRecord>> {
    let found = Selection::of(tx, &LogQuery::of(scope, filter), MOST_READ)?;
    let offset = u64::try_from(page.offset()).unwrap_or(u64::MAX);
    let items = found.page(tx, offset, page.size() as usize)?;
    Ok(Listing { page, items, total: found.len(), total_is_estimate: found.cut })
}

/// Counts a tenant's matching entries, for an export.
pub fn count(tx: &mut Tx<'_>, tenant: TenantId, filter: &LogFilter) -> Result<u64> {
    Ok(Selection::of(tx, &LogQuery::of(LogScope::Own(tenant), filter), usize::MAX)?.len())
}

/// Reads the next `at_most` entries of a tenant after a position, or the newest ones.
pub fn after(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    filter: &LogFilter,
    position: Option<Position>,
    at_most: u32,
) -> Result<Part> {
    let query = LogQuery::of(LogScope::Own(tenant), filter);
    // Filtered afterwards, so that a rare action does not make one statement read the whole log.
    let (all, times) = (LogFilter::default(), query.times());
    let mut records = walk::next(tx, WalkScope::Whole(tenant), (&all, &times), position, at_most)?;
    let is_all = records.len() < at_most as usize;
    let reached = records.last().map(|it| (it.at, it.id)).filter(|_| !is_all);
    records.retain(|it| query.fits(it));
    Ok(Part { records, reached })
}

/// Returns an entry of a tenant's log.
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

/// Inserts an export.
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

/// Returns a tenant's export that has not expired.
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
            let filter = row.get::<String>("filter")?;
            Ok(Export {
                id: row.get("export_id")?,
                tenant: row.get("tenant_id")?,
                format: row.get::<String>("format")?.parse().map_err(Error::Fault)?,
                filter: serde_json::from_str(&filter).map_err(|it| Error::Fault(it.to_string()))?,
                entries: u64::try_from(row.get::<i64>("entries")?).unwrap_or(0),
                created_at: row.get("created_at")?,
                expires_at: row.get("expires_at")?,
            })
        },
    )
}

/// Deletes expired exports, a limited number at a time.
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

pub(crate) fn read(row: &Row<'_>) -> Result<LogRecord> {
    let tenant: TenantId = row.get("tenant_id")?;
    let details = serde_json::from_str(&row.get::<String>("details")?);
    Ok(LogRecord {
        id: row.get("log_id")?,
        tenant: Some(tenant).filter(|it| !it.as_uuid().is_nil()),
        at: row.get("created_at")?,
        class: row.get::<String>("class")?.parse().map_err(Error::Fault)?,
        scheme: row.get::<String>("scheme")?.parse().map_err(Error::Fault)?,
        level: row.get::<String>("level")?.parse().map_err(Error::Fault)?,
        action: row.get("action")?,
        message: row.get("message")?,
        actor_kind: row.get("actor_kind")?,
        actor_id: row.get("actor_id")?,
        actor_name: row.get("actor_name")?,
        resource_type: row.get("resource_type")?,
        resource_id: row.get("resource_id")?,
        resource_name: row.get("resource_name")?,
        address: row.get("address")?,
        user_agent: row.get("user_agent")?,
        duration_micros: row.get("duration_micros")?,
        request_id: row.get("request_id")?,
        details: details.map_err(|error| Error::Fault(format!("invalid log entry: {error}")))?,
    })
}
