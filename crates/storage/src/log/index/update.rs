//! Adds entries to the index and removes them.

use grantor_domain::Timestamp;

use super::super::{LogRecord, read};
use super::{term, times};
use crate::bitmap::{self, BitmapIndex, PostingChanges};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Indexes up to `at_most` entries written before a time, oldest first. Returns their number; zero
/// if none is left or another node is updating the index.
pub fn update(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    if !tx.claim_index(BitmapIndex::Log)? {
        return Ok(0);
    }
    let numbered = number(tx, before, at_most)?;
    let mut changes = PostingChanges::default();
    for (number, record) in &numbered {
        for term in term::all(record) {
            changes.add(&term, *number, true);
        }
    }
    bitmap::apply(tx, BitmapIndex::Log, &changes)?;
    times::add(tx, numbered.iter().map(|(number, record)| (*number, record.at)))?;
    Ok(numbered.len() as u64)
}

/// Whether an entry written before a time is not indexed yet.
pub fn has_fresh(tx: &mut Tx<'_>, before: Timestamp) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM log_entries WHERE number IS NULL AND created_at < $1 LIMIT 1"),
        params![before],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Assigns the next numbers and returns the entries with their numbers, in any order.
fn number(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<Vec<(i64, LogRecord)>> {
    let last: Option<i64> = tx.find(
        sql!(
            "SELECT number FROM log_entries WHERE number IS NOT NULL
                 ORDER BY number DESC LIMIT 1"
        ),
        params![],
        only_column,
    )?;
    tx.query(
        sql!(
            "UPDATE log_entries SET number = fresh.number
             FROM (SELECT id, $1 + row_number() OVER (ORDER BY at, id) AS number
               FROM (SELECT log_id AS id, created_at AS at FROM log_entries
                 WHERE number IS NULL AND created_at < $2
                 ORDER BY created_at, log_id LIMIT $3) oldest) fresh
             WHERE log_id = fresh.id
             RETURNING log_id, tenant_id, created_at, class, scheme, level, action, message,
               actor_kind, actor_id, actor_name, resource_type, resource_id, resource_name,
               address, user_agent, duration_micros, request_id, details, log_entries.number"
        ),
        params![last.unwrap_or(-1), before, at_most],
        |row| Ok((row.get("number")?, read(row)?)),
    )
}

/// Removes deleted entries from the index. The caller must hold the lock; see `Tx::lock_index`.
pub(crate) fn forget(tx: &mut Tx<'_>, deleted: &[(Option<i64>, LogRecord)]) -> Result<()> {
    let mut changes = PostingChanges::default();
    for (number, record) in deleted {
        let Some(number) = number else { continue };
        for term in term::all(record) {
            changes.add(&term, *number, false);
        }
    }
    bitmap::apply(tx, BitmapIndex::Log, &changes)
}
