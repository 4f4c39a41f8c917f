//! What the owner of licenses imports and takes back.

use grantor_domain::id::{LicenseId, TenantId};

use super::AT_ONCE;
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Result, Tx};

/// Returns the tenant's own licenses with these external ids.
pub fn find_own_by_external_id(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    ids: &[String],
) -> Result<Vec<(String, LicenseId)>> {
    let mut found = Vec::new();
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT external_id, license_id FROM licenses
                 WHERE tenant_id = $1 AND deleted_at IS NULL AND external_id IS NOT NULL
                   AND external_id IN ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                     $15, $16, $17, $18, $19, $20, $21)"
            ),
            &[params![tenant] as &[_], &padded::<_, AT_ONCE>(chunk)].concat(),
            |row| Ok((row.get("external_id")?, row.get("license_id")?)),
        )?);
    }
    Ok(found)
}

/// Whether anybody else has to do with a license: it is shared, or there was a request for it.
pub fn is_in_use(tx: &mut Tx<'_>, id: LicenseId) -> Result<bool> {
    let found = tx.find(
        sql!(
            "SELECT 1 FROM permissions WHERE license_id = $1
             UNION ALL SELECT 1 FROM requests WHERE license_id = $1 LIMIT 1"
        ),
        params![id],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}
