//! Sessions and their refresh tokens.

use grantor_domain::Timestamp;
use grantor_domain::id::{SessionId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::secret::SecretHash;
use grantor_domain::session::{FamilyState, TokenState};
use grantor_domain::sign_in::SignInMethod;
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// A session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The session's id.
    pub id: SessionId,
    /// The API it is for: `console` or `admin`.
    pub audience: String,
    /// The id of its user or staff member.
    pub subject: Uuid,
    /// The tenant in which it acts; `None` for staff.
    pub tenant: Option<TenantId>,
    /// The session of the original sign-in. Sessions switched from it to other tenants belong to
    /// the same family and end with it.
    pub family: SessionId,
    /// The user agent.
    pub device: Option<String>,
    /// The IP address.
    pub address: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last refreshed.
    pub last_seen_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// How the person signed in; `None` for staff and for older sessions.
    pub method: Option<SignInMethod>,
    /// When the person signed in. Switching to another tenant does not change it.
    pub signed_in_at: Timestamp,
}

/// Inserts a session.
pub fn insert(tx: &mut Tx<'_>, session: &Session) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO sessions (session_id, audience, subject_id, device, address, created_at,
               last_seen_at, expires_at, tenant_id, family_id, method, signed_in_at)
             VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11)"
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
            session.method.map(SignInMethod::name),
            session.signed_in_at,
        ],
    )?;
    Ok(())
}

/// Returns the session with this id.
pub fn find(tx: &mut Tx<'_>, id: SessionId) -> Result<Option<Session>> {
    tx.find(
        sql!(
            "SELECT session_id, audience, subject_id, device, address, created_at, last_seen_at,
               expires_at, revoked_at, tenant_id, family_id, method, signed_in_at
             FROM sessions WHERE session_id = $1"
        ),
        params![id],
        read,
    )
}

/// Records that a session was refreshed.
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

/// Returns a session that has not ended and locks it until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, id: SessionId) -> Result<Option<Session>> {
    tx.lock(sql!("SELECT 1 FROM sessions WHERE session_id = $1 /*for update*/"), params![id])?;
    Ok(find(tx, id)?.filter(|it| it.revoked_at.is_none()))
}

/// Returns the active session of a family in this tenant.
pub fn find_in_family(
    tx: &mut Tx<'_>,
    family: SessionId,
    tenant: TenantId,
    now: Timestamp,
) -> Result<Option<Session>> {
    tx.find(
        sql!(
            "SELECT session_id, audience, subject_id, device, address, created_at, last_seen_at,
               expires_at, revoked_at, tenant_id, family_id, method, signed_in_at
             FROM sessions
             WHERE family_id = $1 AND tenant_id = $2 AND revoked_at IS NULL AND expires_at > $3
             LIMIT 1"
        ),
        params![family, tenant, now],
        read,
    )
}

/// Revokes all sessions of a family.
pub fn revoke_family(tx: &mut Tx<'_>, family: SessionId, now: Timestamp) -> Result<()> {
    // The first update waits for a switch in progress; the second sees the session that it added.
    for _ in 0..2 {
        tx.execute(
            sql!("UPDATE sessions SET revoked_at = $2 WHERE family_id = $1 AND revoked_at IS NULL"),
            params![family, now],
        )?;
    }
    Ok(())
}

/// Revokes a user's sessions in this tenant; those in other tenants stay active.
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

/// Lists the active sessions of a user or staff member, newest first.
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
        only_column,
    )?;
    let items = tx.query(
        sql!(
            "SELECT session_id, audience, subject_id, device, address, created_at, last_seen_at,
               expires_at, revoked_at, tenant_id, family_id, method, signed_in_at
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

/// Revokes all other sessions of a user or staff member.
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

/// Revokes all sessions of a user that do not belong to this family.
pub fn revoke_other_families(
    tx: &mut Tx<'_>,
    subject: Uuid,
    but: SessionId,
    now: Timestamp,
) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE sessions SET revoked_at = $3
             WHERE subject_id = $1 AND family_id <> $2 AND revoked_at IS NULL"
        ),
        params![subject, but, now],
    )
}

/// Revokes all sessions of a user or staff member.
pub fn revoke_all(tx: &mut Tx<'_>, subject: Uuid, now: Timestamp) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE sessions SET revoked_at = $2
             WHERE subject_id = $1 AND revoked_at IS NULL"
        ),
        params![subject, now],
    )
}

/// A known refresh token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshToken {
    /// The session it belongs to.
    pub session: Session,
    /// The token's state.
    pub token: TokenState,
}

impl RefreshToken {
    /// The state of its family.
    #[must_use]
    pub fn family(&self) -> FamilyState {
        if self.session.revoked_at.is_some() { FamilyState::Revoked } else { FamilyState::Live }
    }
}

/// Inserts a refresh token of a session.
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

/// Returns the refresh token with this hash, with its session.
pub fn find_token(tx: &mut Tx<'_>, hash: &SecretHash) -> Result<Option<RefreshToken>> {
    tx.find(
        sql!(
            "SELECT s.session_id, s.audience, s.subject_id, s.device, s.address, s.created_at,
               s.last_seen_at, s.expires_at, s.revoked_at, s.tenant_id, s.family_id, s.method,
               s.signed_in_at, t.expires_at AS token_expires_at, t.used_at
             FROM refresh_tokens t JOIN sessions s ON s.session_id = t.session_id
             WHERE t.token_hash = $1"
        ),
        params![hash.as_bytes().as_slice()],
        |row| {
            let token = TokenState {
                expires_at: row.get("token_expires_at")?,
                used_at: row.get("used_at")?,
            };
            Ok(RefreshToken { session: read(row)?, token })
        },
    )
}

/// Marks a refresh token as used. False if it was used before; only one of several concurrent calls
/// succeeds.
pub fn use_token(tx: &mut Tx<'_>, hash: &SecretHash, now: Timestamp) -> Result<bool> {
    let used = tx.execute(
        sql!("UPDATE refresh_tokens SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL"),
        params![hash.as_bytes().as_slice(), now],
    )?;
    Ok(used == 1)
}

/// Deletes expired sessions, a limited number of rows at a time. The hashes of tokens that expired
/// unused are kept (`expired_token`); tokens of revoked sessions become unknown.
pub fn delete_expired(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    let ended: Vec<SessionId> = tx.query(
        sql!(
            "SELECT session_id FROM sessions WHERE expires_at < $1
             ORDER BY expires_at LIMIT $2 /*skip locked*/"
        ),
        params![before, at_most],
        only_column,
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
    let method: Option<String> = row.get("method")?;
    Ok(Session {
        id: row.get("session_id")?,
        audience: row.get("audience")?,
        subject: row.get("subject_id")?,
        device: row.get("device")?,
        address: row.get("address")?,
        created_at: row.get("created_at")?,
        last_seen_at: row.get("last_seen_at")?,
        expires_at: row.get("expires_at")?,
        revoked_at: row.get("revoked_at")?,
        tenant: row.get("tenant_id")?,
        family: row.get("family_id")?,
        method: method.map(|it| it.parse()).transpose().map_err(Error::Fault)?,
        signed_in_at: row.get("signed_in_at")?,
    })
}
