//! Which second factors people have, and which organizations require one.

use grantor_domain::Timestamp;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::role::Role;
use grantor_domain::second_factor::Factors;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx, authenticator_app, ceremony, only_column, passkey, recovery_code};

/// A member of an organization with their second factors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberFactors {
    /// The member.
    pub user: UserId,
    /// Their name.
    pub fullname: String,
    /// Their email address.
    pub email: String,
    /// Their role.
    pub role: Role,
    /// Whether the membership is active.
    pub active: bool,
    /// Their second factors.
    pub factors: Factors,
}

/// Returns a person's second factors.
pub fn factors(tx: &mut Tx<'_>, user: UserId) -> Result<Factors> {
    let found = tx.find(
        sql!(
            "SELECT (SELECT count(*) FROM authenticator_apps WHERE user_id = $1) AS apps,
               (SELECT count(*) FROM passkeys WHERE user_id = $1) AS passkeys,
               (SELECT count(*) FROM recovery_codes WHERE user_id = $1) AS recovery_codes"
        ),
        params![user],
        |row| {
            let (passkeys, recovery_codes) = (row.get("passkeys")?, row.get("recovery_codes")?);
            Ok(Factors { app: row.get::<i64>("apps")? > 0, passkeys, recovery_codes })
        },
    )?;
    Ok(found.unwrap_or_default())
}

/// Whether an organization requires its members to have a second factor.
pub fn is_required(tx: &mut Tx<'_>, tenant: TenantId) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT requires_second_factor FROM tenants WHERE tenant_id = $1"),
        params![tenant],
        only_column,
    )?;
    Ok(found.unwrap_or(false))
}

/// Sets whether an organization requires its members to have a second factor.
pub fn set_required(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    required: bool,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE tenants SET requires_second_factor = $2, updated_at = $3
             WHERE tenant_id = $1 /*unwatched*/"
        ),
        params![tenant, required, now],
    )?;
    Ok(())
}

/// Lists the members of an organization in the order in which they joined.
pub fn members(tx: &mut Tx<'_>, tenant: TenantId, page: Page) -> Result<Listing<MemberFactors>> {
    let total: Option<i64> = tx.find(
        sql!("SELECT count(*) FROM memberships WHERE tenant_id = $1"),
        params![tenant],
        only_column,
    )?;
    let items = tx.query(
        sql!(
            "SELECT m.user_id, u.fullname, u.email, m.role, m.status,
               (SELECT count(*) FROM authenticator_apps a WHERE a.user_id = m.user_id) AS apps,
               (SELECT count(*) FROM passkeys p WHERE p.user_id = m.user_id) AS passkeys,
               (SELECT count(*) FROM recovery_codes r WHERE r.user_id = m.user_id) AS recovery_codes
             FROM memberships m JOIN users u ON u.user_id = m.user_id
             WHERE m.tenant_id = $1 ORDER BY m.created_at, m.user_id LIMIT $2 OFFSET $3"
        ),
        params![tenant, page.size(), page.offset()],
        |row| {
            let app = row.get::<i64>("apps")? > 0;
            let factors = Factors {
                app,
                passkeys: row.get("passkeys")?,
                recovery_codes: row.get("recovery_codes")?,
            };
            Ok(MemberFactors {
                user: row.get("user_id")?,
                fullname: row.get("fullname")?,
                email: row.get("email")?,
                role: row.get::<String>("role")?.parse().map_err(Error::Fault)?,
                active: row.get::<String>("status")? == "active",
                factors,
            })
        },
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

/// Counts the active members of an organization who have no second factor.
pub fn count_without(tx: &mut Tx<'_>, tenant: TenantId) -> Result<u64> {
    let count: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM memberships m
             WHERE m.tenant_id = $1 AND m.status = 'active'
               AND NOT EXISTS (SELECT 1 FROM authenticator_apps a WHERE a.user_id = m.user_id)
               AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = m.user_id)"
        ),
        params![tenant],
        only_column,
    )?;
    Ok(count.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Removes all second factors of a person, with what waits for them.
pub fn delete_all(tx: &mut Tx<'_>, user: UserId) -> Result<()> {
    authenticator_app::delete(tx, user)?;
    authenticator_app::delete_pending(tx, user)?;
    passkey::delete_all(tx, user)?;
    recovery_code::delete_all(tx, user)?;
    ceremony::delete_of(tx, user)
}
