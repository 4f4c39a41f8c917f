//! Writes to the log. Only the act framework inserts entries for changes.

use grantor_domain::Timestamp;
use grantor_domain::audit::Entry;
use uuid::Uuid;

use crate::bitmap::BitmapIndex;
use crate::log::{self, index};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Inserts an entry.
pub fn insert(tx: &mut Tx<'_>, entry: &Entry) -> Result<()> {
    let tenant = entry.tenant.map_or(Uuid::nil(), grantor_domain::id::TenantId::as_uuid);
    let duration = i64::try_from(entry.duration.as_micros()).unwrap_or(i64::MAX);
    tx.send(
        sql!(
            "INSERT INTO log_entries (tenant_id, created_at, log_id, class, scheme, level, action,
               message, actor_kind, actor_id, actor_name, resource_type, resource_id,
               resource_name, address, user_agent, duration_micros, request_id, details,
               license_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
               $18, $19, $20)"
        ),
        params![
            tenant,
            entry.at,
            entry.id,
            entry.class.name(),
            entry.origin.scheme.name(),
            entry.level.name(),
            &*entry.action,
            entry.message,
            entry.actor.kind(),
            entry.actor.id(),
            entry.actor.name(),
            entry.resource.kind,
            entry.resource.id,
            entry.resource.name,
            entry.origin.address.map(|it| it.to_string()),
            entry.origin.user_agent,
            duration,
            entry.origin.request_id,
            entry.details.to_string(),
            entry.license,
        ],
    )
}

/// Deletes entries of a class that are older than its retention, a limited number at a time, and
/// removes them from the index. Entries in parts of the log are dropped instead; see
/// [`log::partition`].
pub fn delete_before(tx: &mut Tx<'_>, class: &str, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.lock_index(BitmapIndex::Log)?;
    let outside = log::partition::outside(tx)?;
    delete_within(tx, class, before, at_most, outside)
}

/// The same, with entries in parts of the log.
pub fn delete_overdue(
    tx: &mut Tx<'_>,
    class: &str,
    before: Timestamp,
    at_most: u32,
) -> Result<u64> {
    tx.lock_index(BitmapIndex::Log)?;
    delete_within(tx, class, before, at_most, [Uuid::max(); 4])
}

/// Deletes entries with IDs up to the first of these, from the second to the third, and from the
/// fourth on.
fn delete_within(
    tx: &mut Tx<'_>,
    class: &str,
    before: Timestamp,
    at_most: u32,
    [audit, audit_end, access, access_end]: [Uuid; 4],
) -> Result<u64> {
    let deleted = tx.query(
        sql!(
            "DELETE FROM log_entries WHERE log_id IN (
               SELECT log_id FROM log_entries WHERE class = $1 AND created_at < $2
                 AND (log_id < $4 OR (log_id >= $5 AND log_id < $6) OR log_id >= $7)
               ORDER BY created_at LIMIT $3)
             RETURNING log_id, tenant_id, created_at, class, scheme, level, action, message,
               actor_kind, actor_id, actor_name, resource_type, resource_id, resource_name,
               address, user_agent, duration_micros, request_id, details, number"
        ),
        params![class, before, at_most, audit, audit_end, access, access_end],
        |row| Ok((row.get("number")?, log::read(row)?)),
    )?;
    index::forget(tx, &deleted)?;
    Ok(deleted.len() as u64)
}
