//! The parts of the log on PostgreSQL. Each has the entries of one class and of a tenth of its
//! retention, so that what is past its retention is dropped instead of deleted entry by entry.
//!
//! Entries from before there were parts, and those that no part covers, are in tables of their own,
//! whose rows are deleted. `SQLite` has no parts: there all rows are deleted.

use std::ops::Range;
use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::audit::Class;
use uuid::Uuid;

use super::{LogRecord, index, read};
use crate::bitmap::BitmapIndex;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx};

/// The table for entries that no part covers.
const REST: &str = "log_entries_rest";
/// How many parts cover the retention of a class.
const PARTS: u64 = 10;
const DAY: Duration = Duration::from_hours(24);
const DAY_MILLIS: u128 = 86_400_000;

/// A part of the log that was made for a range of IDs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The name of its table.
    pub name: String,
    /// The IDs of its entries.
    pub ids: Range<Uuid>,
}

/// The parts of one class, which follow each other without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    /// In the order of time.
    made: Vec<Partition>,
    /// Where the next part starts.
    end: Uuid,
}

impl Parts {
    /// The IDs that parts cover.
    fn covered(&self) -> Range<Uuid> {
        self.made.first().map_or(self.end, |it| it.ids.start)..self.end
    }
}

/// Reads the parts of a class; `None` if the engine has no parts.
fn list(tx: &mut Tx<'_>, class: Class) -> Result<Option<Parts>> {
    let query = tx.schema_queries().log_partitions;
    let rows = tx.query_text(query, params![], |row| {
        let text = |name| row.get::<String>(name);
        Ok((text("table_name")?, text("from_id")?, text("until_id")?))
    })?;
    if rows.is_empty() {
        return Ok(None);
    }
    let first = class.first_id_at(Timestamp::from_micros(0));
    let (mut made, mut end) = (vec![], first);
    for (name, from, to) in rows {
        let ids = bound(&from)?..bound(&to)?;
        if !is_of(class, ids.end) {
            continue;
        }
        end = end.max(ids.end);
        // The first table has what was there before.
        if ids.start > first {
            made.push(Partition { name, ids });
        }
    }
    made.sort_by_key(|it| it.ids.start);
    Ok(Some(Parts { made, end }))
}

/// Whether the ID that ends a part is of a class. No part ends with the last ID of its class.
fn is_of(class: Class, end: Uuid) -> bool {
    let access = Class::Access.first_id_at(Timestamp::from_micros(0));
    match class {
        Class::Audit => end < access,
        Class::Access => end > access,
    }
}

/// A bound; the nil ID if there is none.
fn bound(text: &str) -> Result<Uuid> {
    if text.is_empty() {
        return Ok(Uuid::nil());
    }
    let invalid = |error| Error::Fault(format!("invalid bound of a partition: {error}"));
    Uuid::try_parse(text).map_err(invalid)
}

/// The IDs outside of all parts, whose entries are deleted one by one: up to the first of these,
/// from the second to the third, and from the fourth on. All IDs if there are no parts.
pub(crate) fn outside(tx: &mut Tx<'_>) -> Result<[Uuid; 4]> {
    let (audit, access) = (list(tx, Class::Audit)?, list(tx, Class::Access)?);
    let (Some(audit), Some(access)) = (audit, access) else { return Ok([Uuid::max(); 4]) };
    let (audit, access) = (audit.covered(), access.covered());
    Ok([audit.start, audit.end, access.start, access.end])
}

/// Makes the parts that are missing for a class up to the one after the current, and returns their
/// number. Entries that came before their part are moved into it.
pub fn prepare(tx: &mut Tx<'_>, class: Class, now: Timestamp, kept: Duration) -> Result<u64> {
    let (today, period) = (days(class.first_id_at(now)), period(kept));
    let end =
        |parts: Option<Parts>| parts.map(|it| days(it.end)).filter(|end| *end <= today + period);
    if end(list(tx, class)?).is_none() {
        return Ok(0);
    }
    begin(tx)?;
    // Another node may have been faster.
    let (mut missing, mut made) = (end(list(tx, class)?), 0);
    while let Some(start) = missing {
        let next = (start.max(today) / period + 1) * period;
        create(tx, class, start..next)?;
        made += 1;
        missing = Some(next).filter(|end| *end <= today + period);
    }
    Ok(made)
}

/// The oldest part of a class if all of its entries were written before a time.
pub fn find_expired(tx: &mut Tx<'_>, class: Class, before: Timestamp) -> Result<Option<Partition>> {
    let end = class.first_id_at(before);
    let oldest = list(tx, class)?.and_then(|it| it.made.into_iter().next());
    Ok(oldest.filter(|it| it.ids.end <= end))
}

/// The time before which even the parts of all entries should be gone. Entries that are still there
/// are in a part that a node made for years, because its clock was wrong.
#[must_use]
pub fn overdue(before: Timestamp, kept: Duration) -> Timestamp {
    let days = u32::try_from(period(kept).saturating_mul(2)).unwrap_or(u32::MAX);
    before.minus(DAY.saturating_mul(days))
}

/// Removes up to `at_most` entries of a part from the index, in the order of their IDs, and returns
/// how many there were and the range that is left. The entries stay until their part is dropped.
pub fn forget(
    tx: &mut Tx<'_>,
    ids: &Range<Uuid>,
    at_most: u32,
) -> Result<(u64, Option<Range<Uuid>>)> {
    tx.lock_index(BitmapIndex::Log)?;
    let entries: Vec<(Option<i64>, LogRecord)> = tx.query(
        sql!(
            "SELECT log_id, tenant_id, created_at, class, scheme, level, action, message,
               actor_kind, actor_id, actor_name, resource_type, resource_id, resource_name,
               address, user_agent, duration_micros, request_id, details, number
             FROM log_entries WHERE log_id >= $1 AND log_id < $2 ORDER BY log_id LIMIT $3"
        ),
        params![ids.start, ids.end, at_most],
        |row| Ok((row.get("number")?, read(row)?)),
    )?;
    index::forget(tx, &entries)?;
    let is_full = entries.len() == at_most as usize;
    let last = entries.last().filter(|_| is_full).map(|(_, it)| it.id.as_uuid().as_u128());
    let left = last.map(|last| Uuid::from_u128(last.saturating_add(1))..ids.end);
    Ok((entries.len() as u64, left))
}

/// Drops a part with its entries.
pub fn drop_expired(tx: &mut Tx<'_>, expired: &Partition) -> Result<()> {
    begin(tx)?;
    // Another node may have been faster.
    let class = Class::ALL.into_iter().find(|it| is_of(*it, expired.ids.end));
    let parts = class.map(|it| list(tx, it)).transpose()?.flatten();
    if parts.is_some_and(|it| it.made.contains(expired)) {
        tx.script(&format!("DROP TABLE {}", expired.name))?;
    }
    Ok(())
}

/// One node at a time changes parts. It gives up soon if a statement is in its way, because others
/// wait behind it.
fn begin(tx: &mut Tx<'_>) -> Result<()> {
    tx.lock_schema()?;
    tx.script("SET LOCAL lock_timeout = '1s'")
}

/// Makes the part for a range of days since 1970. It is attached as a finished table, so that
/// nobody waits for its indexes.
fn create(tx: &mut Tx<'_>, class: Class, range: Range<u128>) -> Result<()> {
    let id = |day: u128| Uuid::from_u128(((day * DAY_MILLIS) << 80) | first_bit(class));
    let (from, to) = (id(range.start), id(range.end));
    let start = Timestamp::from_secs(i64::try_from(range.start).unwrap_or(0) * 86_400).to_string();
    let date = start.split('T').next().unwrap_or_default().replace('-', "_");
    let name = format!("log_entries_{}_{date}", class.name());
    tx.script(&format!(
        "CREATE TABLE {name} (LIKE log_entries INCLUDING CONSTRAINTS)
           WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
             vacuum_index_cleanup = on);
         LOCK TABLE {REST} IN SHARE ROW EXCLUSIVE MODE;
         WITH early AS (
           DELETE FROM {REST} WHERE log_id >= '{from}' AND log_id < '{to}' RETURNING *)
         INSERT INTO {name} SELECT * FROM early;
         ALTER TABLE log_entries ATTACH PARTITION {name} FOR VALUES FROM ('{from}') TO ('{to}')"
    ))
}

/// How many days a part covers.
fn period(kept: Duration) -> u128 {
    u128::from((kept.as_secs() / DAY.as_secs() / PARTS).max(1))
}

/// The day since 1970 on which an ID was made.
fn days(id: Uuid) -> u128 {
    let millis = (id.as_u128() & !first_bit(Class::Access)) >> 80;
    millis / DAY_MILLIS
}

fn first_bit(class: Class) -> u128 {
    class.first_id_at(Timestamp::from_micros(0)).as_u128()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_covers_a_tenth_of_the_retention() {
        assert_eq!(period(DAY * 730), 73);
        assert_eq!(period(DAY * 30), 3);
        assert_eq!(period(DAY * 3), 1, "at least a day");
    }

    #[test]
    fn both_classes_count_the_same_days() {
        let noon = Timestamp::from_secs(20_000 * 86_400 + 43_200);
        for class in Class::ALL {
            assert_eq!(days(class.first_id_at(noon)), 20_000, "{class:?}");
            assert!(is_of(class, class.first_id_at(noon)), "{class:?}");
        }
        assert!(!is_of(Class::Audit, Class::Access.first_id_at(noon)));
        assert!(!is_of(Class::Access, Class::Audit.first_id_at(noon)));
    }
}
