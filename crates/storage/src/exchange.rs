//! Exchanges of API client credentials for tokens, and individually revoked tokens.

use grantor_domain::Timestamp;
use grantor_domain::id::{ClientId, ExchangeId};
use grantor_domain::secret::SecretHash;
use uuid::Uuid;

use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Result, Row, Tx, only_column};

/// An exchange, including all tokens refreshed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The exchange's id, which its access tokens contain.
    pub id: ExchangeId,
    /// The API client.
    pub client: ClientId,
    /// When its refresh token expires.
    pub refresh_until: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// Inserts an exchange, with or without a refresh token.
pub fn insert(
    tx: &mut Tx<'_>,
    exchange: &Exchange,
    refresh: Option<&SecretHash>,
    now: Timestamp,
) -> Result<()> {
    tx.send(
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
    )
}

/// Returns the exchange with this id.
pub fn find(tx: &mut Tx<'_>, id: ExchangeId) -> Result<Option<Exchange>> {
    find_by(tx, 0, params![id])
}

/// Returns the exchange with this refresh token.
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

/// Revokes an exchange and all its tokens. False if it was already revoked.
pub fn revoke(tx: &mut Tx<'_>, id: ExchangeId, now: Timestamp) -> Result<bool> {
    let ended = tx.execute(
        sql!("UPDATE exchanges SET revoked_at = $2 WHERE exchange_id = $1 AND revoked_at IS NULL"),
        params![id, now],
    )?;
    Ok(ended == 1)
}

/// Moves the expiry of a client's refresh tokens to `until` at the latest: of all tokens, or only
/// of those that expire by `ending_by`.
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

/// Revokes every exchange of a client.
pub fn revoke_all(tx: &mut Tx<'_>, client: ClientId, now: Timestamp) -> Result<u64> {
    tx.execute(
        sql!("UPDATE exchanges SET revoked_at = $2 WHERE client_id = $1 AND revoked_at IS NULL"),
        params![client, now],
    )
}

/// Revokes one access token. Has no effect if it is already revoked.
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

/// Whether this access token was revoked.
pub fn is_revoked(tx: &mut Tx<'_>, token: Uuid) -> Result<bool> {
    let found =
        tx.find(sql!("SELECT 1 FROM revoked_tokens WHERE token_id = $1"), params![token], |_| {
            Ok(())
        })?;
    Ok(found.is_some())
}

/// Deletes exchanges whose tokens have all expired, a limited number at a time. The hash of a
/// refresh token that was not revoked is kept (`expired_token`).
pub fn delete_expired(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    let ended: Vec<ExchangeId> = tx.query(
        sql!(
            "SELECT exchange_id FROM exchanges WHERE refresh_until < $1
             ORDER BY refresh_until LIMIT $2 /*skip locked*/"
        ),
        params![before, at_most],
        only_column,
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

/// Deletes revoked tokens that have expired, a limited number at a time.
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
        id: row.get("exchange_id")?,
        client: row.get("client_id")?,
        refresh_until: row.get("refresh_until")?,
        revoked_at: row.get("revoked_at")?,
    })
}
