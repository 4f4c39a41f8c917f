//! Who may decide about a mention that is shared with a tenant.

use grantor_domain::id::{TenantId, UserId};
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

/// A tenant whose people may decide about a mention that is shared with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewingTenant {
    /// The tenant.
    pub tenant: TenantId,
    /// The people with a permission of their own; `None` if the tenant has one, which counts for
    /// everybody in it.
    pub people: Option<Vec<UserId>>,
}

/// Lists the tenants other than the talent's own that may decide about a mention: those of the
/// feeds of its events (`visibility::feeds`), as far as their permission is more than to view it.
pub fn list_tenants(
    tx: &mut Tx<'_>,
    mention: &Mention,
    owner: TenantId,
) -> Result<Vec<ReviewingTenant>> {
    // Skips from holder to holder in the index, however many licenses each has. Nobody acts by a
    // permission that waits for an account.
    let mut found: Vec<(TenantId, Option<UserId>)> = tx.query(
        sql!(
            "WITH RECURSIVE holders (grantee_id) AS (
               SELECT (SELECT p.grantee_id FROM permissions p WHERE p.talent_id = $1
                       ORDER BY p.grantee_id LIMIT 1)
               UNION ALL
               SELECT (SELECT p.grantee_id FROM permissions p
                       WHERE p.talent_id = $1 AND p.grantee_id > h.grantee_id
                       ORDER BY p.grantee_id LIMIT 1)
               FROM holders h WHERE h.grantee_id IS NOT NULL)
             SELECT CASE WHEN held.grantee_kind = 'user' THEN m.tenant_id ELSE held.grantee_id END
                 AS tenant_id,
               CASE WHEN held.grantee_kind = 'user' THEN held.grantee_id END AS user_id
             FROM (
               SELECT h.grantee_id,
                 (SELECT p.grantee_kind FROM permissions p
                  JOIN licenses l ON l.license_id = p.license_id
                  WHERE p.talent_id = $1 AND p.grantee_id = h.grantee_id
                    AND p.role IN ('licensor', 'trustee') AND p.permission_id <> p.grantee_id
                    AND l.watched_since <= $2
                    AND (l.watched_until IS NULL OR l.watched_until >= $3)
                  LIMIT 1) AS grantee_kind
               FROM holders h WHERE h.grantee_id IS NOT NULL) held
             LEFT JOIN memberships m ON held.grantee_kind = 'user'
               AND m.user_id = held.grantee_id AND m.status = 'active'
             WHERE held.grantee_kind = 'organization' OR m.tenant_id IS NOT NULL"
        ),
        params![mention.talent, mention.last_seen_at, mention.first_seen_at],
        |row| Ok((row.get("tenant_id")?, row.get("user_id")?)),
    )?;
    // The permission of a tenant comes before those of its people.
    found.sort_unstable();
    let mut tenants: Vec<ReviewingTenant> = Vec::new();
    for (tenant, person) in found.into_iter().filter(|it| it.0 != owner) {
        match tenants.last_mut().filter(|it| it.tenant == tenant) {
            Some(known) => known.people.iter_mut().for_each(|it| it.extend(person)),
            None => tenants.push(ReviewingTenant { tenant, people: person.map(|it| vec![it]) }),
        }
    }
    Ok(tenants)
}
