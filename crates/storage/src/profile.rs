//! Profiles on hosted services that tenants claim. Many may claim a profile; one has proved it.

use grantor_domain::Timestamp;
use grantor_domain::id::{ProfileId, TenantId};
use grantor_domain::platform::ProofToken;
use grantor_domain::source::Profile;

use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column};

/// The constraint violated if the tenant already claims the profile.
pub const PROFILE_IS_CLAIMED: &str = "profiles_url";
/// The constraint violated if another tenant has proved the profile.
pub const PROFILE_IS_PROVED: &str = "profiles_proved";

/// Inserts a profile.
pub fn insert(tx: &mut Tx<'_>, profile: &Profile) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO profiles (profile_id, tenant_id, service, url, code, proved_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)"
        ),
        params![
            profile.id,
            profile.tenant,
            profile.service.name(),
            profile.url,
            profile.code.as_str(),
            profile.proved_at,
            profile.created_at,
        ],
    )?;
    Ok(())
}

/// Records that a profile was proved.
pub fn prove(tx: &mut Tx<'_>, id: ProfileId, now: Timestamp) -> Result<()> {
    tx.execute(sql!("UPDATE profiles SET proved_at = $2 WHERE profile_id = $1"), params![id, now])?;
    Ok(())
}

/// Deletes a profile.
pub fn delete(tx: &mut Tx<'_>, id: ProfileId) -> Result<()> {
    tx.execute(sql!("DELETE FROM profiles WHERE profile_id = $1"), params![id])?;
    Ok(())
}

/// Returns a tenant's profile.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: ProfileId) -> Result<Option<Profile>> {
    Ok(select(tx, 0, params![id])?.pop().filter(|it| it.tenant == tenant))
}

/// Like [`find`], and locks the profile until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, tenant: TenantId, id: ProfileId) -> Result<Option<Profile>> {
    tx.lock(sql!("SELECT 1 FROM profiles WHERE profile_id = $1 /*for update*/"), params![id])?;
    find(tx, tenant, id)
}

/// Lists a tenant's profiles, by address.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<Profile>> {
    select(tx, 1, params![tenant])
}

/// Counts a tenant's profiles.
pub fn count(tx: &mut Tx<'_>, tenant: TenantId) -> Result<u64> {
    let count: Option<i64> = tx.find(
        sql!("SELECT count(*) FROM profiles WHERE tenant_id = $1"),
        params![tenant],
        only_column,
    )?;
    Ok(count.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Returns the tenant that proved a profile.
pub fn find_proved(tx: &mut Tx<'_>, url: &str) -> Result<Option<TenantId>> {
    tx.find(
        sql!("SELECT tenant_id FROM profiles WHERE url = $1 AND proved_at IS NOT NULL"),
        params![url],
        only_column,
    )
}

fn select(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<Profile>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT profile_id, tenant_id, service, url, code, proved_at, created_at
             FROM profiles WHERE ",
            ["profile_id = $1", "tenant_id = $1 ORDER BY url"],
            ""
        ),
        key,
        read,
    )
}

fn read(row: &Row<'_>) -> Result<Profile> {
    let fault = |what: &str| Error::Fault(format!("invalid profile: {what}"));
    let code = row.get::<String>("code")?;
    Ok(Profile {
        id: row.get("profile_id")?,
        tenant: row.get("tenant_id")?,
        service: row.get::<String>("service")?.parse().map_err(|error: String| fault(&error))?,
        url: row.get("url")?,
        code: ProofToken::parse(&code).ok_or_else(|| fault("its code"))?,
        proved_at: row.get("proved_at")?,
        created_at: row.get("created_at")?,
    })
}
