//! Every version of a license, with who made it.

use grantor_domain::Timestamp;
use grantor_domain::access::Actor;
use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::license::License;
use grantor_domain::page::{Listing, Page};

use super::read_license;
use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Total};
use crate::value::params;
use crate::{Result, Row, Tx, only_column};

/// A version of a license.
#[derive(Clone, Debug, PartialEq)]
pub struct LicenseVersion {
    /// The license as it was. Its watch period is not kept.
    pub license: License,
    /// When this version began.
    pub since: Timestamp,
    /// Whether this version is the deletion.
    pub deleted: bool,
    /// The kind of actor who made it.
    pub actor_kind: String,
    /// The name of the actor who made it.
    pub actor_name: String,
}

/// Keeps the current state of a license as its newest version, unless its version is kept already.
pub(super) fn keep(tx: &mut Tx<'_>, id: LicenseId, actor: &Actor) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO license_versions (license_id, version, external_id, title, description,
               status, license_type, uses, territories, fee, can_crawl, terms, valid_from,
               expires_at, image_count, since, deleted, actor_kind, actor_id, actor_name)
             SELECT license_id, version, external_id, title, description, status, license_type,
               uses, territories, fee, can_crawl, terms, valid_from, expires_at, image_count,
               updated_at, deleted_at IS NOT NULL, $2, $3, $4
             FROM licenses WHERE license_id = $1
             ON CONFLICT (license_id, version) DO NOTHING"
        ),
        params![id, actor.kind(), actor.id(), actor.name()],
    )
}

/// Like [`keep`], for a tenant's licenses in a range of ids.
pub(super) fn keep_range(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    (after, last): (LicenseId, LicenseId),
    actor: &Actor,
) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO license_versions (license_id, version, external_id, title, description,
               status, license_type, uses, territories, fee, can_crawl, terms, valid_from,
               expires_at, image_count, since, deleted, actor_kind, actor_id, actor_name)
             SELECT license_id, version, external_id, title, description, status, license_type,
               uses, territories, fee, can_crawl, terms, valid_from, expires_at, image_count,
               updated_at, deleted_at IS NOT NULL, $4, $5, $6
             FROM licenses
             WHERE tenant_id = $1 AND license_id > $2 AND license_id <= $3
               AND deleted_at IS NULL
             ON CONFLICT (license_id, version) DO NOTHING"
        ),
        params![tenant, after, last, actor.kind(), actor.id(), actor.name()],
    )
}

/// Returns a version of a license by its number.
pub fn find(tx: &mut Tx<'_>, id: LicenseId, version: u32) -> Result<Option<LicenseVersion>> {
    find_by(tx, id, version, EXACT)
}

/// Returns the version of a license before this one, if it is known.
pub fn find_before(tx: &mut Tx<'_>, id: LicenseId, version: u32) -> Result<Option<LicenseVersion>> {
    find_by(tx, id, version, BEFORE)
}

/// The positions in the choices of [`find_by`].
const EXACT: usize = 0;
const BEFORE: usize = 1;

fn find_by(
    tx: &mut Tx<'_>,
    id: LicenseId,
    version: u32,
    choice: usize,
) -> Result<Option<LicenseVersion>> {
    tx.find(
        sql_choice!(
            choice,
            "SELECT v.license_id, l.tenant_id, l.talent_id, v.external_id, v.title,
               v.description, v.status, v.license_type, v.uses, v.territories, v.fee,
               v.can_crawl, v.terms, v.valid_from, v.expires_at, v.image_count, v.version,
               l.created_at, v.since AS updated_at, v.deleted, v.actor_kind, v.actor_name
             FROM license_versions v JOIN licenses l ON l.license_id = v.license_id
             WHERE v.license_id = $1 AND v.version ",
            ["= $2", "< $2"],
            " ORDER BY v.version DESC LIMIT 1"
        ),
        params![id, version],
        read,
    )
}

/// Lists the versions of a license, newest first.
pub fn list(tx: &mut Tx<'_>, id: LicenseId, page: Page) -> Result<Listing<LicenseVersion>> {
    let items = tx.query(
        sql!(
            "SELECT v.license_id, l.tenant_id, l.talent_id, v.external_id, v.title,
               v.description, v.status, v.license_type, v.uses, v.territories, v.fee,
               v.can_crawl, v.terms, v.valid_from, v.expires_at, v.image_count, v.version,
               l.created_at, v.since AS updated_at, v.deleted, v.actor_kind, v.actor_name
             FROM license_versions v JOIN licenses l ON l.license_id = v.license_id
             WHERE v.license_id = $1 ORDER BY v.version DESC LIMIT $2 OFFSET $3"
        ),
        params![id, page.size() + 1, page.offset()],
        read,
    )?;
    total::listing(page, items, || count(tx, id))
}

/// Counts the versions of a license up to a bound.
fn count(tx: &mut Tx<'_>, id: LicenseId) -> Result<Total> {
    let found: Option<u32> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT version FROM license_versions WHERE license_id = $1 LIMIT $2) found"
        ),
        params![id, BOUND],
        only_column,
    )?;
    let found = found.unwrap_or_default();
    Ok(if found < BOUND { Total::Exact(found.into()) } else { Total::About(found.into()) })
}

fn read(row: &Row<'_>) -> Result<LicenseVersion> {
    let license = read_license(row)?;
    Ok(LicenseVersion {
        since: license.updated_at,
        license,
        deleted: row.get("deleted")?,
        actor_kind: row.get("actor_kind")?,
        actor_name: row.get("actor_name")?,
    })
}
