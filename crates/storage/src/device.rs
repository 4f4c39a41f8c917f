//! Devices from which users have signed in.

use grantor_domain::Timestamp;
use grantor_domain::id::UserId;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// How many devices are kept per user: the most recently used ones.
const MOST: u32 = 50;

/// Whether a user has signed in from this device.
pub fn is_known(tx: &mut Tx<'_>, device: &str, user: UserId) -> Result<bool> {
    let found: Option<i64> = tx.find(
        sql!("SELECT last_seen_at FROM known_devices WHERE device = $1 AND user_id = $2"),
        params![device, user],
        only_column,
    )?;
    Ok(found.is_some())
}

/// Whether a user has signed in from any device that is still remembered.
pub fn any_known(tx: &mut Tx<'_>, user: UserId) -> Result<bool> {
    let found: Option<i64> = tx.find(
        sql!("SELECT last_seen_at FROM known_devices WHERE user_id = $1 LIMIT 1"),
        params![user],
        only_column,
    )?;
    Ok(found.is_some())
}

/// Records that a user signed in from a device.
pub fn remember(tx: &mut Tx<'_>, user: UserId, device: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO known_devices (device, user_id, last_seen_at) VALUES ($1, $2, $3)
             ON CONFLICT (device, user_id) DO UPDATE SET last_seen_at = $3"
        ),
        params![device, user, now],
    )?;
    Ok(())
}

/// Deletes a user's oldest devices, keeping the newest ones.
pub fn forget_oldest(tx: &mut Tx<'_>, user: UserId) -> Result<()> {
    tx.execute(
        sql!(
            "DELETE FROM known_devices WHERE user_id = $1 AND device IN (
               SELECT device FROM known_devices WHERE user_id = $1
               ORDER BY last_seen_at DESC, device LIMIT 1000 OFFSET $2)"
        ),
        params![user, MOST],
    )?;
    Ok(())
}

/// Deletes devices that have not been used for long, a limited number at a time.
pub fn delete_idle(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM known_devices WHERE (device, user_id) IN (
               SELECT device, user_id FROM known_devices WHERE last_seen_at < $1
               ORDER BY last_seen_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}
