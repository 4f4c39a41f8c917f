//! Pages of a license's permissions: two lists, by hand and by grant, each read in the order of its
//! index, so that a page costs the same however many permissions follow it.

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, PermissionId};
use grantor_domain::page::{Listing, Page};

use super::{HeldPermission, read};
use crate::merge;
use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Total};
use crate::value::{padded, params};
use crate::{Result, Tx, only_column};

/// How many permissions one statement looks up.
const AT_ONCE: usize = 20;

/// A permission in a list: its sort key, and whether it comes from a grant.
type Key = (Timestamp, PermissionId, bool);

/// Lists the permissions on a license, given by hand or by an active grant, oldest first.
pub fn list(tx: &mut Tx<'_>, license: LicenseId, page: Page) -> Result<Listing<HeldPermission>> {
    let lists = [false, true];
    let keys = merge::page(page, lists.len(), |list, limit, offset| {
        part(tx, license, lists[list], (limit, offset))
    })?;
    let ids = |by_grant: bool| -> Vec<PermissionId> {
        keys.iter().filter(|(.., it)| *it == by_grant).map(|(_, id, _)| *id).collect()
    };
    let mut items = given_by_hand(tx, &ids(false))?;
    items.extend(given_by_grants(tx, &ids(true))?);
    items.sort_unstable_by_key(|it| (it.created_at, it.id));
    total::listing(page, items, || count(tx, license))
}

/// A part of one list, in order.
fn part(
    tx: &mut Tx<'_>,
    license: LicenseId,
    by_grant: bool,
    (limit, offset): (i64, i64),
) -> Result<Vec<Key>> {
    tx.query(
        sql_choice!(
            usize::from(by_grant),
            "SELECT created_at, ",
            [
                "permission_id AS id FROM permissions WHERE license_id = $1
                 ORDER BY created_at, permission_id",
                "grant_id AS id FROM grants WHERE license_id = $1 AND status = 'active'
                 ORDER BY created_at, grant_id",
            ],
            " LIMIT $2 OFFSET $3"
        ),
        params![license, limit, offset],
        |row| Ok((row.get("created_at")?, row.get("id")?, by_grant)),
    )
}

/// Counts the permissions of both lists, each up to a bound.
fn count(tx: &mut Tx<'_>, license: LicenseId) -> Result<Total> {
    let by_hand: Option<u32> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT 1 FROM permissions WHERE license_id = $1 LIMIT $2) found"
        ),
        params![license, BOUND],
        only_column,
    )?;
    let by_grant: Option<u32> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT 1 FROM grants WHERE license_id = $1 AND status = 'active' LIMIT $2) found"
        ),
        params![license, BOUND],
        only_column,
    )?;
    let counts = [by_hand, by_grant].map(Option::unwrap_or_default);
    let total = counts.iter().copied().map(u64::from).sum();
    Ok(if counts.contains(&BOUND) { Total::About(total) } else { Total::Exact(total) })
}

fn given_by_hand(tx: &mut Tx<'_>, ids: &[PermissionId]) -> Result<Vec<HeldPermission>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT p.permission_id, p.license_id, p.grantee_kind, p.grantee_id, p.role,
                   p.granted_by, p.created_at, coalesce(p.email, t.name, '') AS grantee_name,
                   p.email_key,
                   p.accepted_at
                 FROM permissions p LEFT JOIN tenants t ON t.tenant_id = p.grantee_id
                 WHERE p.permission_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
                   $14, $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

fn given_by_grants(tx: &mut Tx<'_>, ids: &[PermissionId]) -> Result<Vec<HeldPermission>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT g.grant_id AS permission_id, g.license_id,
                   'organization' AS grantee_kind, g.licensee_id AS grantee_id, 'viewer' AS role,
                   g.accepted_by AS granted_by, g.created_at, t.name AS grantee_name,
                   CAST(NULL AS TEXT) AS email_key, g.created_at AS accepted_at
                 FROM grants g JOIN tenants t ON t.tenant_id = g.licensee_id
                 WHERE g.grant_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok(HeldPermission { by_grant: true, ..read(row)? }),
        )?);
    }
    Ok(found)
}
