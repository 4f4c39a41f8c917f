//! The authenticator apps of people.

use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::id::UserId;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// An authenticator app that was confirmed.
#[derive(Clone, PartialEq, Eq)]
pub struct AuthenticatorApp {
    /// The secret, sealed.
    pub sealed: Vec<u8>,
    /// The time step of the last accepted code.
    pub last_step: i64,
    /// When it was set up.
    pub created_at: Timestamp,
}

impl fmt::Debug for AuthenticatorApp {
    /// Omits the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("AuthenticatorApp");
        shown.field("created_at", &self.created_at).finish_non_exhaustive()
    }
}

/// Returns a person's app.
pub fn find(tx: &mut Tx<'_>, user: UserId) -> Result<Option<AuthenticatorApp>> {
    tx.find(
        sql!(
            "SELECT sealed_secret, last_step, created_at FROM authenticator_apps
             WHERE user_id = $1"
        ),
        params![user],
        |row| {
            let (sealed, last_step) = (row.get("sealed_secret")?, row.get("last_step")?);
            Ok(AuthenticatorApp { sealed, last_step, created_at: row.get("created_at")? })
        },
    )
}

/// Sets a person's app, in place of an earlier one.
pub fn put(tx: &mut Tx<'_>, user: UserId, app: &AuthenticatorApp) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO authenticator_apps (user_id, sealed_secret, last_step, created_at)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (user_id) DO UPDATE
             SET sealed_secret = $2, last_step = $3, created_at = $4"
        ),
        params![user, app.sealed, app.last_step, app.created_at],
    )?;
    Ok(())
}

/// Records the time step of an accepted code. False if this step or a later one was accepted before;
/// only one of several concurrent calls succeeds.
pub fn use_step(tx: &mut Tx<'_>, user: UserId, step: i64) -> Result<bool> {
    let used = tx.execute(
        sql!("UPDATE authenticator_apps SET last_step = $2 WHERE user_id = $1 AND last_step < $2"),
        params![user, step],
    )?;
    Ok(used == 1)
}

/// Deletes a person's app. False if there was none.
pub fn delete(tx: &mut Tx<'_>, user: UserId) -> Result<bool> {
    let deleted =
        tx.execute(sql!("DELETE FROM authenticator_apps WHERE user_id = $1"), params![user])?;
    Ok(deleted == 1)
}

/// Returns the sealed secret of the app that a person is setting up.
pub fn find_pending(tx: &mut Tx<'_>, user: UserId, now: Timestamp) -> Result<Option<Vec<u8>>> {
    tx.find(
        sql!("SELECT sealed_secret FROM pending_apps WHERE user_id = $1 AND expires_at > $2"),
        params![user, now],
        only_column,
    )
}

/// Starts setting up an app, in place of one that was not confirmed.
pub fn put_pending(
    tx: &mut Tx<'_>,
    user: UserId,
    sealed: &[u8],
    expires_at: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO pending_apps (user_id, sealed_secret, expires_at) VALUES ($1, $2, $3)
             ON CONFLICT (user_id) DO UPDATE SET sealed_secret = $2, expires_at = $3"
        ),
        params![user, sealed, expires_at],
    )?;
    Ok(())
}

/// Deletes the app that a person is setting up.
pub fn delete_pending(tx: &mut Tx<'_>, user: UserId) -> Result<()> {
    tx.execute(sql!("DELETE FROM pending_apps WHERE user_id = $1"), params![user])?;
    Ok(())
}

/// Deletes apps that were not confirmed in time, a limited number at a time.
pub fn delete_expired(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM pending_apps WHERE user_id IN (
               SELECT user_id FROM pending_apps WHERE expires_at < $1
               ORDER BY expires_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}
