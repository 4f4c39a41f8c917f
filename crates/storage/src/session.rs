//! Sign-ins and the refresh tokens that keep them.

use grantor_domain::Timestamp;
use grantor_domain::id::{SessionId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::secret::SecretHash;
use grantor_domain::session::{FamilyState, TokenState};
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx};

/// A sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Which API it opens: `console` or `admin`.
    pub audience: String,
    /// Whose it is: a user's or an admin's id.
    pub subject: Uuid,
    /// Where a person acts by it; staff's acts in no tenant.
    pub tenant: Option<TenantId>,
    /// The session that began with the sign-in: those switched from it to other tenants are its
    /// family, and end with it.
    pub family: SessionId,
    /// What the browser or program called itself.
    pub device: Option<String>,
    /// Where it came from.
    pub address: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last renewed.
    pub last_seen_at: Timestamp,
    /// Until when it can be renewed.
    pub expires_at: Timestamp,
    /// When it was ended, if it was.
    pub revoked_at: Option<Timestamp>,
}

/// Adds a sign-in.
pub fn insert(tx: &mut Tx<'_>, session: &Session) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO sessions (session_id, audience, subject_id, device, address, created_at,
               last_seen_at, expires_at, tenant_id, family_id)
             VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9)"
        ),
        params![
            session.id,
            session.audience,
            session.subject,
            session.device,
            session.address,
            session.created_at,
            session.expires_at,
            session.tenant,
            session.family,
        ],
    )?;
    Ok(())
}

/// The sign-in of this id.
pub fn find(tx: &mut Tx<'_>, id: SessionId) -> Result<Option<Session>> {
    tx.find(
        sql!(
            "SELECT session_id, audience, subject_id, device, address, created_at, last_seen_at,
               expires_at, revoked_at, tenant_id, family_id
             FROM sessions WHERE session_id = $1"
        ),
        params![id],
        read,
    )
}

/// Notes that a sign-in was renewed.
pub fn touch(tx: &mut Tx<'_>, id: SessionId, now: Timestamp, expires_at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE sessions SET last_seen_at = $2, expires_at = $3
             WHERE session_id = $1 /*unwatched*/"
        ),
        params![id, now, expires_at],
    )?;
    Ok(())
}

/// A session that has not ended, held until the unit of work ends: nobody ends it meanwhile.
pub fn claim(tx: &mut Tx<'_>, id: SessionId) -> Result<Option<Session>> {
    tx.lock(sql!("SELECT 1 FROM sessions WHERE session_id = $1 /*for update*/"), params![id])?;
    Ok(find(tx, id)?.filter(|it| it.revoked_at.is_none()))
}

/// The session of a family that acts in this tenant and can still be used.
pub fn find_in_family(
    tx: &mut Tx<'_>,
    family: SessionId,
    tenant: TenantId,
    now: Timestamp,
) -> Result<Option<Session>> {
    tx.find(
        sql!(
            "SELECT session_id, audience, subject_id, device, address, created_at, last_seen_at,
               expires_at, revoked_at, tenant_id, family_id
             FROM sessions
             WHERE family_id = $1 AND tenant_id = $2 AND revoked_at IS NULL AND expires_at > $3
             LIMIT 1"
        ),
        params![family, tenant, now],
        read,
    )
}

/// Ends a sign-in wherever it acts.
pub fn revoke_family(tx: &mut Tx<'_>, family: SessionId, now: Timestamp) -> Result<()> {
    // The first waits for whoever holds one of them to switch; the second sees what that one added.
    for _ in 0..2 {
        tx.execute(
            sql!("UPDATE sessions SET revoked_at = $2 WHERE family_id = $1 AND revoked_at IS NULL"),
            params![family, now],
        )?;
    }
    Ok(())
}

/// Ends all sessions of a person that act in this tenant; those that act elsewhere go on.
pub fn revoke_in(tx: &mut Tx<'_>, subject: Uuid, tenant: TenantId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE sessions SET revoked_at = $3
             WHERE subject_id = $1 AND tenant_id = $2 AND revoked_at IS NULL"
        ),
        params![subject, tenant, now],
    )?;
    Ok(())
}

/// The sign-ins of one person or admin that can still be used, newest first.
pub fn list_live(
    tx: &mut Tx<'_>,
    subject: Uuid,
    page: Page,
    now: Timestamp,
) -> Result<Listing<Session>> {
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM sessions
             WHERE subject_id = $1 AND revoked_at IS NULL AND expires_at > $2"
        ),
        params![subject, now],
        |row| row.get(0),
    )?;
    let items = tx.query(
        sql!(
            "SELECT session_id, audience, subject_id, device, address, created_at, last_seen_at,
               expires_at, revoked_at, tenant_id, family_id
             FROM sessions
             WHERE subject_id = $1 AND revoked_at IS NULL AND expires_at > $2
             ORDER BY created_at DESC, session_id DESC LIMIT $3 OFFSET $4"
        ),
        params![subject, now, page.size(), page.offset()],
        read,
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

/// Ends all sign-ins of one person or admin but this one.
pub fn revoke_others(
    tx: &mut Tx<'_>,
    subject: Uuid,
    but: SessionId,
    now: Timestamp,
) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE sessions SET revoked_at = $3
             WHERE subject_id = $1 AND session_id <> $2 AND revoked_at IS NULL"
        ),
        params![subject, but, now],
    )
}

/// Ends all sign-ins of one person or admin.
pub fn revoke_all(tx: &mut Tx<'_>, subject: Uuid, now: Timestamp) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE sessions SET revoked_at = $2
             WHERE subject_id = $1 AND revoked_at IS NULL"
        ),
        params![subject, now],
    )
}

/// A refresh token that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshToken {
    /// The sign-in it keeps.
    pub session: Session,
    /// The token itself.
    pub token: TokenState,
}

impl RefreshToken {
    /// What became of its family.
    #[must_use]
    pub fn family(&self) -> FamilyState {
        if self.session.revoked_at.is_some() { FamilyState::Revoked } else { FamilyState::Live }
    }
}

/// Adds a refresh token to a sign-in.
pub fn insert_token(
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    session: SessionId,
    token: TokenState,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO refresh_tokens (token_hash, session_id, expires_at, created_at)
             VALUES ($1, $2, $3, $4)"
        ),
        params![hash.as_bytes().as_slice(), session, token.expires_at, now],
    )?;
    Ok(())
}

/// The refresh token of this hash, with its sign-in.
pub fn find_token(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<RefreshToken>> {
    tx.find(
        sql!(
            "SELECT s.session_id, s.audience, s.subject_id, s.device, s.address, s.created_at,
               s.last_seen_at, s.expires_at, s.revoked_at, s.tenant_id, s.family_id,
               t.expires_at, t.used_at
             FROM refresh_tokens t JOIN sessions s ON s.session_id = t.session_id
             WHERE t.token_hash = $1"
        ),
        params![hash.as_bytes().as_slice()],
        |row| {
            let token = TokenState { expires_at: row.get(11)?, used_at: row.get(12)? };
            Ok(RefreshToken { session: read(row)?, token })
        },
    )
}

/// Uses a refresh token up. False when it was used before: of many who race, one is told true.
pub fn use_token(tx: &mut Tx<'_>, hash: &SecretHash, now: Timestamp) -> Result<bool> {
    let used = tx.execute(
        sql!("UPDATE refresh_tokens SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL"),
        params![hash.as_bytes().as_slice(), now],
    )?;
    Ok(used == 1)
}

/// Forgets sign-ins that can no longer be renewed, until so many rows are gone; of their tokens that
/// expired unused the hash stays (`expired_token`). Those of a sign-in that was ended count as unknown.
pub fn delete_expired(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    let ended: Vec<SessionId> = tx.query(
        sql!(
            "SELECT session_id FROM sessions WHERE expires_at < $1
             ORDER BY expires_at LIMIT $2 /*skip locked*/"
        ),
        params![before, at_most],
        |row| row.get(0),
    )?;
    let mut deleted = 0;
    for id in ended {
        tx.execute(
            sql!(
                "INSERT INTO expired_tokens (token_hash, expired_at)
                 SELECT t.token_hash, t.expires_at
                 FROM refresh_tokens t JOIN sessions s ON s.session_id = t.session_id
                 WHERE t.session_id = $1 AND t.used_at IS NULL AND s.revoked_at IS NULL
                 ON CONFLICT (token_hash) DO NOTHING"
            ),
            params![id],
        )?;
        deleted +=
            tx.execute(sql!("DELETE FROM refresh_tokens WHERE session_id = $1"), params![id])?;
        deleted += tx.execute(sql!("DELETE FROM sessions WHERE session_id = $1"), params![id])?;
        if deleted >= u64::from(at_most) {
            break;
        }
    }
    Ok(deleted)
}

fn read(row: &Row<'_>) -> Result<Session> {
    Ok(Session {
        id: row.get(0)?,
        audience: row.get(1)?,
        subject: row.get(2)?,
        device: row.get(3)?,
        address: row.get(4)?,
        created_at: row.get(5)?,
        last_seen_at: row.get(6)?,
        expires_at: row.get(7)?,
        revoked_at: row.get(8)?,
        tenant: row.get(9)?,
        family: row.get(10)?,
    })
}
