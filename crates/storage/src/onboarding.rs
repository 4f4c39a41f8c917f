//! What is known of a person's first steps. Most steps leave rows of their own, which are looked up.

use grantor_domain::Timestamp;
use grantor_domain::id::{TenantId, UserId};

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// What a person did with the list of first steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Whether the person hid the list.
    pub hidden: bool,
    /// Whether the person verified a receipt.
    pub verified: bool,
}

/// Returns what a person did with the list in this tenant.
pub fn marks(tx: &mut Tx<'_>, user: UserId, tenant: TenantId) -> Result<Marks> {
    let found = tx.find(
        sql!("SELECT hidden_at, verified_at FROM onboarding WHERE user_id = $1 AND tenant_id = $2"),
        params![user, tenant],
        |row| {
            let (hidden, verified): (Option<Timestamp>, Option<Timestamp>) =
                (row.get("hidden_at")?, row.get("verified_at")?);
            Ok(Marks { hidden: hidden.is_some(), verified: verified.is_some() })
        },
    )?;
    Ok(found.unwrap_or_default())
}

/// Hides the list.
pub fn hide(tx: &mut Tx<'_>, user: UserId, tenant: TenantId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO onboarding (user_id, tenant_id, hidden_at) VALUES ($1, $2, $3)
             ON CONFLICT (user_id, tenant_id) DO UPDATE SET hidden_at = excluded.hidden_at"
        ),
        params![user, tenant, now],
    )?;
    Ok(())
}

/// Records that the person verified a receipt.
pub fn mark_verified(
    tx: &mut Tx<'_>,
    user: UserId,
    tenant: TenantId,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO onboarding (user_id, tenant_id, verified_at) VALUES ($1, $2, $3)
             ON CONFLICT (user_id, tenant_id) DO UPDATE SET verified_at = excluded.verified_at"
        ),
        params![user, tenant, now],
    )?;
    Ok(())
}

/// The steps that left rows, by the names of the statement below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traces(Vec<String>);

impl Traces {
    /// One of the tenant's newest licenses has a reference image.
    pub const PICTURE: &'static str = "picture";
    /// The person chose how to be told.
    pub const EMAILS: &'static str = "emails";
    /// The tenant has another member or invited one.
    pub const COLLEAGUE: &'static str = "colleague";
    /// The tenant requested a license.
    pub const REQUEST: &'static str = "request";
    /// The person bookmarked a license, or one was shared with the tenant or the person.
    pub const FOUND: &'static str = "found";
    /// The tenant has a platform.
    pub const PLATFORM: &'static str = "platform";
    /// The tenant verified the domain of a platform.
    pub const VERIFIED: &'static str = "verified";
    /// A platform of the tenant has a scanner, or waits for one.
    pub const SCANNER: &'static str = "scanner";

    /// Whether a step left this trace.
    #[must_use]
    pub fn has(&self, trace: &str) -> bool {
        self.0.iter().any(|it| it == trace)
    }
}

/// How many of a tenant's licenses are looked at for a reference image.
pub const LICENSES_LOOKED_AT: u32 = 200;

/// Looks for traces in one statement. Each part reads the first row of an index.
pub fn traces(tx: &mut Tx<'_>, user: UserId, tenant: TenantId) -> Result<Traces> {
    let found = tx.query(
        sql!(
            "SELECT 'picture' AS trace WHERE EXISTS (
               SELECT 1 FROM (
                 SELECT license_id FROM licenses WHERE tenant_id = $1 AND deleted_at IS NULL
                 ORDER BY license_id DESC LIMIT $3) newest
               CROSS JOIN images i WHERE i.license_id = newest.license_id)
             UNION ALL SELECT 'emails' WHERE EXISTS (
               SELECT 1 FROM notice_preferences WHERE person_id = $2) OR EXISTS (
               SELECT 1 FROM notice_settings WHERE person_id = $2 AND digest_hour IS NOT NULL)
             UNION ALL SELECT 'colleague' WHERE EXISTS (
               SELECT 1 FROM memberships WHERE tenant_id = $1 AND user_id <> $2) OR EXISTS (
               SELECT 1 FROM invitations WHERE tenant_id = $1 AND kind = 'team')
             UNION ALL SELECT 'request' WHERE EXISTS (
               SELECT 1 FROM requests WHERE asker_id = $1)
             UNION ALL SELECT 'found' WHERE EXISTS (
               SELECT 1 FROM bookmarks WHERE user_id = $2 AND target_type = 'license') OR EXISTS (
               SELECT 1 FROM permissions WHERE grantee_id IN ($1, $2))
             UNION ALL SELECT 'platform' WHERE EXISTS (
               SELECT 1 FROM platforms WHERE tenant_id = $1 AND deleted_at IS NULL)
             UNION ALL SELECT 'verified' WHERE EXISTS (
               SELECT 1 FROM platforms
               WHERE tenant_id = $1 AND deleted_at IS NULL AND status = 'verified')
             UNION ALL SELECT 'scanner' WHERE EXISTS (
               SELECT 1 FROM platforms p WHERE p.tenant_id = $1 AND p.deleted_at IS NULL
                 AND (EXISTS (SELECT 1 FROM pods d WHERE d.platform_id = p.platform_id)
                   OR EXISTS (
                     SELECT 1 FROM scanner_requests r WHERE r.platform_id = p.platform_id)))"
        ),
        params![tenant, user, LICENSES_LOOKED_AT],
        only_column,
    )?;
    Ok(Traces(found))
}
