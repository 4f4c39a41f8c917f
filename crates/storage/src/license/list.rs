//! Lists of licenses, by their ids.

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, TalentId, TenantId};
use grantor_domain::page::Page;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Lists a talent's licenses after this id, ordered by id.
pub fn list_of_talent_after(
    tx: &mut Tx<'_>,
    talent: TalentId,
    after: LicenseId,
    at_most: u32,
) -> Result<Vec<LicenseId>> {
    tx.query(
        sql!(
            "SELECT license_id FROM licenses
             WHERE talent_id = $1 AND license_id > $2 AND deleted_at IS NULL
             ORDER BY license_id LIMIT $3"
        ),
        params![talent, after, at_most],
        only_column,
    )
}

/// Lists a tenant's licenses after this id, ordered by id.
pub fn list_of_tenant_after(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    after: LicenseId,
    at_most: u32,
) -> Result<Vec<LicenseId>> {
    tx.query(
        sql!(
            "SELECT license_id FROM licenses
             WHERE tenant_id = $1 AND license_id > $2 AND deleted_at IS NULL
             ORDER BY license_id LIMIT $3"
        ),
        params![tenant, after, at_most],
        only_column,
    )
}

/// A page of a talent's licenses, newest first.
pub fn page_of_talent(tx: &mut Tx<'_>, talent: TalentId, page: Page) -> Result<Vec<LicenseId>> {
    tx.query(
        sql!(
            "SELECT license_id FROM licenses WHERE talent_id = $1 AND deleted_at IS NULL
             ORDER BY license_id DESC LIMIT $2 OFFSET $3"
        ),
        params![talent, page.size(), page.offset()],
        only_column,
    )
}

/// Lists licenses that have expired but are not marked as such yet, longest expired first.
pub fn list_expired(tx: &mut Tx<'_>, now: Timestamp, at_most: u32) -> Result<Vec<LicenseId>> {
    tx.query(
        sql!(
            "SELECT license_id FROM licenses
             WHERE status IN ('private', 'public') AND deleted_at IS NULL AND expires_at <= $1
             ORDER BY expires_at LIMIT $2"
        ),
        params![now, at_most],
        only_column,
    )
}
