//! Exchanges of an API client's pair for tokens, and tokens revoked one by one.

use grantor_domain::Timestamp;
use grantor_domain::id::{ClientId, ExchangeId};
use grantor_domain::secret::SecretHash;
use uuid::Uuid;

use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Result, Row, Tx};

/// One exchange and everything renewed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Its id, which its access tokens carry.
    pub id: ExchangeId,
    /// Whose pair it was.
    pub client: ClientId,
    /// Until when its refresh token works.
    pub refresh_until: Timestamp,
    /// When it was ended, if it was.
    pub revoked_at: Option<Timestamp>,
}

/// Adds an exchange; without a refresh token where none is given out.
pub fn insert(
    tx: &mut Tx<'_>,
    exchange: &Exchange,
    refresh: Option<&SecretHash>,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO exchanges (exchange_id, client_id, refresh_hash, refresh_until, created_at)
             VALUES ($1, $2, $3, $4, $5)"
        ),
        params![
            exchange.id,
            exchange.client,
            refresh.map(|it| it.as_bytes().as_slice()),
            exchange.refresh_until,
            now,
        ],
    )?;
    Ok(())
}

/// The exchange of this id.
pub fn find(tx: &mut Tx<'_>, id: ExchangeId) -> Result<Option<Exchange>> {
    find_by(tx, 0, params![id])
}

/// The exchange of this refresh token.
pub fn find_by_refresh(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<Exchange>> {
    find_by(tx, 1, params![hash.as_bytes().as_slice()])
}

fn find_by(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Option<Exchange>> {
    tx.find(
        sql_choice!(
            by,
            "SELECT exchange_id, client_id, refresh_until, revoked_at FROM exchanges WHERE ",
            ["exchange_id = $1", "refresh_hash = $1"],
            ""
        ),
        key,
        read,
    )
}

/// Ends an exchange and with it all its tokens. False when it had ended before.
pub fn revoke(tx: &mut Tx<'_>, id: ExchangeId, now: Timestamp) -> Result<bool> {
    let ended = tx.execute(
        sql!("UPDATE exchanges SET revoked_at = $2 WHERE exchange_id = $1 AND revoked_at IS NULL"),
        params![id, now],
    )?;
    Ok(ended == 1)
}

/// Lets the refresh tokens of a client work until this instant at most: all of them, or those that
/// end by another instant.
pub fn shorten(
    tx: &mut Tx<'_>,
    client: ClientId,
    ending_by: Option<Timestamp>,
    until: Timestamp,
) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE exchanges SET refresh_until = $2
             WHERE client_id = $1 AND refresh_hash IS NOT NULL AND refresh_until > $2
               AND (CAST($3 AS bigint) IS NULL OR refresh_until <= $3)"
        ),
        params![client, until, ending_by],
    )
}

/// Ends every exchange of a client.
pub fn revoke_all(tx: &mut Tx<'_>, client: ClientId, now: Timestamp) -> Result<u64> {
    tx.execute(
        sql!("UPDATE exchanges SET revoked_at = $2 WHERE client_id = $1 AND revoked_at IS NULL"),
        params![client, now],
    )
}

/// Ends one access token. Doing so again changes nothing.
pub fn revoke_token(tx: &mut Tx<'_>, token: Uuid, expires_at: Timestamp) -> Result<bool> {
    let revoked = tx.execute(
        sql!(
            "INSERT INTO revoked_tokens (token_id, expires_at) VALUES ($1, $2)
             ON CONFLICT (token_id) DO NOTHING"
        ),
        params![token, expires_at],
    )?;
    Ok(revoked == 1)
}

/// Whether this access token was ended.
pub fn is_revoked(tx: &mut Tx<'_>, token: Uuid) -> Result<bool> {
    let found =
        tx.find(sql!("SELECT 1 FROM revoked_tokens WHERE token_id = $1"), params![token], |_| {
            Ok(())
        })?;
    Ok(found.is_some())
}

/// Forgets exchanges whose tokens have all expired, a bounded number at a time; the hash of a refresh
/// token that nobody revoked stays (`expired_token`).
pub fn delete_expired(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    let ended: Vec<ExchangeId> = tx.query(
        sql!(
            "SELECT exchange_id FROM exchanges WHERE refresh_until < $1
             ORDER BY refresh_until LIMIT $2 /*skip locked*/"
        ),
        params![before, at_most],
        |row| row.get(0),
    )?;
    let mut deleted = 0;
    for id in ended {
        tx.execute(
            sql!(
                "INSERT INTO expired_tokens (token_hash, expired_at)
                 SELECT refresh_hash, refresh_until FROM exchanges
                 WHERE exchange_id = $1 AND refresh_hash IS NOT NULL AND revoked_at IS NULL
                 ON CONFLICT (token_hash) DO NOTHING"
            ),
            params![id],
        )?;
        deleted += tx.execute(sql!("DELETE FROM exchanges WHERE exchange_id = $1"), params![id])?;
    }
    Ok(deleted)
}

/// Forgets revoked tokens that would have expired, a bounded number at a time.
pub fn delete_expired_tokens(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM revoked_tokens WHERE token_id IN (
               SELECT token_id FROM revoked_tokens WHERE expires_at < $1
               ORDER BY expires_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}

fn read(row: &Row<'_>) -> Result<Exchange> {
    Ok(Exchange {
        id: row.get(0)?,
        client: row.get(1)?,
        refresh_until: row.get(2)?,
        revoked_at: row.get(3)?,
    })
}
