//! Reading the log: pages of a tenant's or of a scheme's entries, newest first, and exports.
//!
//! Each question has an index that leads to its days: by tenant or scheme alone, with an action, or
//! among what is not mere information. What is left is looked at entry by entry.

mod count;
pub mod history;

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::audit::{Class, Level, Scheme};
use grantor_domain::id::{ExportId, LogId, TenantId};
use grantor_domain::log::{ExportFormat, LogFilter};
use grantor_domain::page::{Listing, Page};
use uuid::Uuid;

use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, total};

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

/// The place of an entry in a list; the next one is before it.
pub type Place = (Timestamp, LogId);

const FIRST: Timestamp = Timestamp::from_micros(i64::MIN);
const LAST: Timestamp = Timestamp::from_micros(i64::MAX);

/// Whose entries.
#[derive(Clone, Copy, Debug)]
pub enum Whose {
    /// A tenant's, of one scheme or of all.
    Tenant(TenantId, Option<Scheme>),
    /// Everybody's of one scheme.
    Scheme(Scheme),
}

/// Entries that fit, newest first.
pub fn page(
    tx: &mut Tx<'_>,
    whose: Whose,
    filter: &LogFilter,
    page: Page,
) -> Result<Listing<LogRecord>> {
    let ask = Ask::of(whose, filter);
    // One more tells whether a page follows.
    let items = entries(tx, &ask, None, page.size() + 1, page.offset())?;
    total::listing(page, items, || count::count(tx, &ask))
}

/// The entries that come next after a place, from the newest where there is none.
pub fn after(
    tx: &mut Tx<'_>,
    whose: Whose,
    filter: &LogFilter,
    place: Option<Place>,
    at_most: u32,
) -> Result<Vec<LogRecord>> {
    let mut ask = Ask::of(whose, filter);
    if let Some((at, _)) = place {
        // The index leads to the place's own instant; what was given of it is left out.
        ask.to = ask.to.min(at.plus(Duration::from_micros(1)));
    }
    entries(tx, &ask, place, at_most, 0)
}

/// How many entries fit.
pub fn count(tx: &mut Tx<'_>, whose: Whose, filter: &LogFilter) -> Result<u64> {
    let ask = Ask::of(whose, filter);
    let found: Option<i64> = tx.find(
        sql_choice!(
            ask.way,
            "SELECT count(*) FROM log_entries WHERE ",
            [
                "tenant_id = $1 AND '' = $2",
                "tenant_id = $1 AND action = $2",
                "tenant_id = $1 AND level <> 'INFO' AND '' = $2",
                "scheme = $1 AND '' = $2",
                "scheme = $1 AND action = $2",
                "scheme = $1 AND level <> 'INFO' AND '' = $2",
            ],
            " AND created_at >= $3 AND created_at < $4 AND ($5 = '' OR level = $5)
               AND ($6 = '' OR class = $6) AND ($7 = '' OR scheme = $7)
               AND ($8 = '' OR words LIKE $8 ESCAPE '\\')"
        ),
        &ask.params(),
        |row| row.get(0),
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

fn entries(
    tx: &mut Tx<'_>,
    ask: &Ask<'_>,
    place: Option<Place>,
    at_most: u32,
    offset: i64,
) -> Result<Vec<LogRecord>> {
    let (at, id) = place.map_or((LAST, Uuid::max()), |(at, id)| (at, id.as_uuid()));
    let mut params = ask.params().to_vec();
    params.extend_from_slice(params![at, id, at_most, offset]);
    tx.query(
        sql_choice!(
            ask.way,
            "SELECT log_id, tenant_id, created_at, class, scheme, level, action, message,
               actor_kind, actor_id, actor_name, resource_type, resource_id, resource_name,
               address, user_agent, duration_micros, request_id, details
             FROM log_entries WHERE ",
            [
                "tenant_id = $1 AND '' = $2",
                "tenant_id = $1 AND action = $2",
                "tenant_id = $1 AND level <> 'INFO' AND '' = $2",
                "scheme = $1 AND '' = $2",
                "scheme = $1 AND action = $2",
                "scheme = $1 AND level <> 'INFO' AND '' = $2",
            ],
            " AND created_at >= $3 AND created_at < $4 AND ($5 = '' OR level = $5)
               AND ($6 = '' OR class = $6) AND ($7 = '' OR scheme = $7)
               AND ($8 = '' OR words LIKE $8 ESCAPE '\\')
               AND (created_at < $9 OR log_id < $10)
             ORDER BY created_at DESC, log_id DESC LIMIT $11 OFFSET $12"
        ),
        &params,
        read,
    )
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

/// A question as the statements take it: what is not asked for is empty.
struct Ask<'a> {
    /// Which of the six ways leads to the entries.
    way: usize,
    whose: Value<'static>,
    action: &'a str,
    from: Timestamp,
    to: Timestamp,
    level: &'static str,
    class: &'static str,
    scheme: &'static str,
    search: String,
}

impl<'a> Ask<'a> {
    fn of(whose: Whose, filter: &'a LogFilter) -> Self {
        let by = match (&filter.action, filter.level) {
            (Some(_), _) => 1,
            (None, Some(Level::Warn | Level::Error)) => 2,
            (None, _) => 0,
        };
        let (way, whose, scheme) = match whose {
            Whose::Tenant(tenant, scheme) => {
                (by, Value::Uuid(tenant.as_uuid()), scheme.map_or("", Scheme::name))
            }
            Whose::Scheme(scheme) => (by + 3, Value::Text(scheme.name()), ""),
        };
        Self {
            way,
            whose,
            action: filter.action.as_deref().unwrap_or_default(),
            from: filter.from.unwrap_or(FIRST),
            to: filter.to.unwrap_or(LAST),
            level: filter.level.map_or("", Level::name),
            class: filter.class.map_or("", Class::name),
            scheme,
            search: filter.search.as_deref().map(pattern).unwrap_or_default(),
        }
    }

    fn params(&self) -> [Value<'_>; 8] {
        let text = Value::Text;
        [
            self.whose,
            text(self.action),
            Value::Integer(self.from.as_micros()),
            Value::Integer(self.to.as_micros()),
            text(self.level),
            text(self.class),
            text(self.scheme),
            text(&self.search),
        ]
    }
}

/// Text that must be somewhere, with nothing in it that stands for anything else.
fn pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for it in text.chars() {
        if matches!(it, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(it);
    }
    pattern + "%"
}

fn read(row: &Row<'_>) -> Result<LogRecord> {
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
