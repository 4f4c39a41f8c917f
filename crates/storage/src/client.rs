//! API clients and their credentials.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::client::{ClientStatus, Environment, ExpiryWarning};
use grantor_domain::id::{ClientId, TenantId, UserId};
use grantor_domain::scope::Scopes;
use grantor_domain::secret::SecretHash;
use uuid::Uuid;

use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column};

/// An API client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The client's id.
    pub id: ClientId,
    /// The tenant in which it acts.
    pub tenant: TenantId,
    /// The user as whom it acts.
    pub user: UserId,
    /// The client's name.
    pub name: String,
    /// The environment in which it is used.
    pub environment: Environment,
    /// The API key, the public part of the credentials.
    pub api_key: String,
    /// The hash of the secret.
    pub secret_hash: SecretHash,
    /// The hash of the previous secret and when it stops working.
    pub old_secret: Option<(SecretHash, Timestamp)>,
    /// The scopes that its tokens may have.
    pub scopes: Scopes,
    /// Whether it may be used.
    pub status: ClientStatus,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// How many days before the expiry its tenant was last warned.
    pub warned_days: Option<u32>,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// Inserts an API client.
pub fn insert(tx: &mut Tx<'_>, client: &Client) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO clients (client_id, tenant_id, user_id, name, environment, api_key,
               secret_hash, scopes, status, expires_at, warned_days, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)"
        ),
        params![
            client.id,
            client.tenant,
            client.user,
            client.name,
            client.environment.name(),
            client.api_key,
            client.secret_hash.as_bytes().as_slice(),
            client.scopes.to_string(),
            client.status.name(),
            client.expires_at,
            client.warned_days,
            client.created_at,
        ],
    )?;
    Ok(())
}

/// Returns a tenant's API client.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: ClientId) -> Result<Option<Client>> {
    let found = select(tx, 0, params![id])?.pop();
    Ok(found.filter(|it| it.tenant == tenant))
}

/// Like [`find`], and locks the client until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, tenant: TenantId, id: ClientId) -> Result<Option<Client>> {
    Ok(claim_anywhere(tx, id)?.filter(|it| it.tenant == tenant))
}

/// Locks and returns an API client of any tenant, for a caller who has its secret.
pub fn claim_anywhere(tx: &mut Tx<'_>, id: ClientId) -> Result<Option<Client>> {
    tx.lock(sql!("SELECT 1 FROM clients WHERE client_id = $1 /*for update*/"), params![id])?;
    find_anywhere(tx, id)
}

/// Returns an API client of any tenant, for a caller who has one of its tokens.
pub fn find_anywhere(tx: &mut Tx<'_>, id: ClientId) -> Result<Option<Client>> {
    Ok(select(tx, 0, params![id])?.pop())
}

/// Returns the API client with this API key.
pub fn find_by_key(tx: &mut Tx<'_>, api_key: &str) -> Result<Option<Client>> {
    Ok(select(tx, 1, params![api_key])?.pop())
}

/// The credentials of an API client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The client.
    pub client: ClientId,
    /// The hash of its secret.
    pub secret_hash: SecretHash,
    /// The hash of the previous secret and when it stops working; long past if there is none.
    pub old_secret: (SecretHash, Timestamp),
}

impl Client {
    /// The client's credentials.
    #[must_use]
    pub fn credentials(&self) -> Credentials {
        let never = (SecretHash::from_bytes([0; 32]), Timestamp::from_micros(0));
        let old_secret = self.old_secret.unwrap_or(never);
        Credentials { client: self.id, secret_hash: self.secret_hash, old_secret }
    }
}

/// Returns the credentials of the API client with this API key. If there is none, a dummy row is
/// read instead, so that both cases take the same time: anyone can send an API key.
pub fn find_credentials(tx: &mut Tx<'_>, api_key: &str) -> Result<Option<Credentials>> {
    let found = tx.find(
        sql!(
            "SELECT coalesce(client_id, $2) AS client_id, coalesce(secret_hash, $3) AS secret_hash,
               coalesce(old_secret_hash, $3) AS old_secret_hash,
               coalesce(old_secret_until, 0) AS old_secret_until
             FROM (SELECT 1 AS one) nobody LEFT JOIN clients ON api_key = $1"
        ),
        params![api_key, Uuid::nil(), [0_u8; 32].as_slice()],
        |row| {
            let old_secret = (hash(row.get("old_secret_hash")?)?, row.get("old_secret_until")?);
            Ok(Credentials {
                client: row.get("client_id")?,
                secret_hash: hash(row.get("secret_hash")?)?,
                old_secret,
            })
        },
    )?;
    Ok(found.filter(|it| !it.client.as_uuid().is_nil()))
}

/// Lists a tenant's API clients, newest first.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<Client>> {
    select(tx, 2, params![tenant])
}

/// Lists active clients that expire within 30, 7 or 1 days and whose tenant has not been warned
/// yet, soonest first.
pub fn list_expiring(tx: &mut Tx<'_>, now: Timestamp, at_most: u32) -> Result<Vec<Client>> {
    let [month, week, day] =
        ExpiryWarning::ALL.map(|it| now.plus(Duration::from_hours(24 * u64::from(it.days()))));
    select(tx, 3, params![now, month, week, day, at_most])
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<Client>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT client_id, tenant_id, user_id, name, environment, api_key, secret_hash,
               old_secret_hash, old_secret_until, scopes, status, expires_at, warned_days,
               last_used_at, created_at
             FROM clients WHERE ",
            [
                "client_id = $1",
                "api_key = $1",
                "tenant_id = $1 ORDER BY created_at DESC, client_id DESC",
                "status = 'active' AND expires_at > $1 AND expires_at <= $2
                   AND (warned_days IS NULL OR (warned_days > 7 AND expires_at <= $3)
                     OR (warned_days > 1 AND expires_at <= $4))
                 ORDER BY expires_at LIMIT $5",
            ],
            ""
        ),
        key,
        read,
    )
}

/// Updates a client.
pub fn update(tx: &mut Tx<'_>, client: &Client, now: Timestamp) -> Result<()> {
    let (old_hash, old_until) = client.old_secret.unzip();
    tx.execute(
        sql!(
            "UPDATE clients SET name = $2, secret_hash = $3, old_secret_hash = $4,
               old_secret_until = $5, scopes = $6, status = $7, expires_at = $8, warned_days = $9,
               updated_at = $10
             WHERE client_id = $1"
        ),
        params![
            client.id,
            client.name,
            client.secret_hash.as_bytes().as_slice(),
            old_hash.as_ref().map(|it| it.as_bytes().as_slice()),
            old_until,
            client.scopes.to_string(),
            client.status.name(),
            client.expires_at,
            client.warned_days,
            now,
        ],
    )?;
    Ok(())
}

/// Records that the tenant was warned of a client's expiry. False if another caller was first.
pub fn record_warning(
    tx: &mut Tx<'_>,
    id: ClientId,
    before: Option<u32>,
    days: u32,
) -> Result<bool> {
    let noted = tx.execute(
        sql!(
            "UPDATE clients SET warned_days = $3
             WHERE client_id = $1 AND coalesce(warned_days, 0) = coalesce($2, 0) /*unwatched*/"
        ),
        params![id, before, days],
    )?;
    Ok(noted == 1)
}

/// Records that a client was used; an earlier time never replaces a later one.
pub fn record_use(tx: &mut Tx<'_>, id: ClientId, at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE clients SET last_used_at = $2
             WHERE client_id = $1 AND (last_used_at IS NULL OR last_used_at < $2) /*unwatched*/"
        ),
        params![id, at],
    )?;
    Ok(())
}

/// Deletes a client with its exchanges and tokens. False if the tenant has no such client.
pub fn delete(tx: &mut Tx<'_>, tenant: TenantId, id: ClientId) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM clients WHERE client_id = $1 AND tenant_id = $2"),
        params![id, tenant],
    )?;
    Ok(deleted == 1)
}

fn hash(bytes: Vec<u8>) -> Result<SecretHash> {
    let bytes = <[u8; 32]>::try_from(bytes);
    bytes.map(SecretHash::from_bytes).map_err(|_| Error::Fault("invalid hash of a secret".into()))
}

/// Disables the clients that a member created in a tenant and revokes their tokens. The clients can
/// be enabled again later.
pub fn disable_for_member(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    user: UserId,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE exchanges SET revoked_at = $3 WHERE revoked_at IS NULL AND client_id IN (
               SELECT client_id FROM clients WHERE user_id = $2 AND tenant_id = $1)"
        ),
        params![tenant, user, now],
    )?;
    tx.execute(
        sql!(
            "UPDATE clients SET status = 'inactive', updated_at = $3
             WHERE user_id = $2 AND tenant_id = $1 AND status = 'active'"
        ),
        params![tenant, user, now],
    )?;
    Ok(())
}

/// Lists the active clients that a member created in a tenant.
pub fn list_active_of(tx: &mut Tx<'_>, tenant: TenantId, user: UserId) -> Result<Vec<ClientId>> {
    tx.query(
        sql!(
            "SELECT client_id FROM clients
             WHERE user_id = $2 AND tenant_id = $1 AND status = 'active'"
        ),
        params![tenant, user],
        only_column,
    )
}

/// Enables a client that was disabled with its member. A client that somebody revoked or deleted since
/// stays as it is.
pub fn enable(tx: &mut Tx<'_>, tenant: TenantId, id: ClientId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE clients SET status = 'active', updated_at = $3
             WHERE client_id = $1 AND tenant_id = $2 AND status = 'inactive'"
        ),
        params![id, tenant, now],
    )?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<Client> {
    let old_hash = row.get::<Option<Vec<u8>>>("old_secret_hash")?.map(hash).transpose()?;
    let parse = |text: String| text.parse().map_err(Error::Fault);
    Ok(Client {
        id: row.get("client_id")?,
        tenant: row.get("tenant_id")?,
        user: row.get("user_id")?,
        name: row.get("name")?,
        environment: row.get::<String>("environment")?.parse().map_err(Error::Fault)?,
        api_key: row.get("api_key")?,
        secret_hash: hash(row.get("secret_hash")?)?,
        old_secret: old_hash.zip(row.get("old_secret_until")?),
        scopes: row
            .get::<String>("scopes")?
            .parse()
            .map_err(|_| Error::Fault("invalid scopes".into()))?,
        status: parse(row.get("status")?)?,
        expires_at: row.get("expires_at")?,
        warned_days: row.get("warned_days")?,
        last_used_at: row.get("last_used_at")?,
        created_at: row.get("created_at")?,
    })
}
