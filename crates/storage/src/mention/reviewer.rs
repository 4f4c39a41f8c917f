//! Who may decide about a mention that is shared with a tenant.

use grantor_domain::id::TenantId;
use grantor_domain::mention::Mention;
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Lists the owners of a tenant who may decide about a mention: by the tenant's permission on a
/// license that lists the mention, or by their own. The tenant is not the talent's own.
pub fn list(
    tx: &mut Tx<'_>,
    mention: &Mention,
    tenant: TenantId,
    at_most: u32,
) -> Result<Vec<Uuid>> {
    tx.query(
        sql!(
            "SELECT m.user_id FROM memberships m
             WHERE m.tenant_id = $4 AND m.status = 'active'
               AND m.role IN ('Organization_Admin', 'Individual')
               AND EXISTS (
                 SELECT 1 FROM permissions p JOIN licenses l ON l.license_id = p.license_id
                 WHERE p.talent_id = $1 AND p.grantee_id IN ($4, m.user_id)
                   AND p.role IN ('licensor', 'trustee') AND l.watched_since <= $2
                   AND (l.watched_until IS NULL OR l.watched_until >= $3))
             ORDER BY m.created_at, m.user_id LIMIT $5"
        ),
        params![mention.talent, mention.last_seen_at, mention.first_seen_at, tenant, at_most],
        only_column,
    )
}
