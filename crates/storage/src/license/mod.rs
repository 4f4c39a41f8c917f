//! Licenses and their visibility.

pub mod index;
mod list;
mod own;
pub mod public;
pub mod reader;
mod reminder;
pub mod version;
pub mod watch;

use grantor_domain::Timestamp;
use grantor_domain::access::Actor;
use grantor_domain::id::{LicenseId, TalentId, TenantId};
use grantor_domain::license::{Description, ExternalId, License, Title};
use grantor_domain::reminder as schedule;
use grantor_domain::role::TenantType;
use grantor_domain::usage::LimitedResource;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::list::{list_expired, list_of_talent_after, list_of_tenant_after, page_of_talent};
pub use self::own::{find_own_by_external_id, is_in_use};
pub use self::reminder::{list as list_reminders, take as take_reminder};
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Error, Result, Row, Tx, only_column, record_index, usage};

/// The unique index of external ids of an owner.
pub const EXTERNAL_ID_IS_TAKEN: &str = "licenses_external_id";

/// How many licenses one statement looks up.
const AT_ONCE: usize = 20;

/// A license with the names of its talent and owner.
#[derive(Clone, Debug, PartialEq)]
pub struct LicenseRecord {
    /// The license.
    pub license: License,
    /// The talent's name.
    pub talent_name: String,
    /// The talent's aliases.
    pub talent_aliases: Vec<String>,
    /// The owner's name.
    pub owner_name: String,
    /// The owner's tenant type.
    pub owner_type: TenantType,
}

/// Inserts a license. The owner may have used its external id before; see [`EXTERNAL_ID_IS_TAKEN`].
pub fn insert(tx: &mut Tx<'_>, license: &License, actor: &Actor) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO licenses (license_id, tenant_id, talent_id, external_id, title,
               description, status, license_type, uses, territories, fee, can_crawl, terms,
               valid_from, expires_at, image_count, version, created_at, updated_at,
               watched_since, watched_until, remind_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
               $18, $19, $20, $21, $22)"
        ),
        params![
            license.id,
            license.tenant,
            license.talent,
            license.external_id.as_ref().map(ExternalId::as_str),
            license.title.as_str(),
            license.description.as_str(),
            license.status.name(),
            license.license_type.key(),
            json(&license.uses)?,
            json(&license.territories)?,
            license.fee.as_ref().map(json).transpose()?,
            license.can_crawl,
            json(&license.terms)?,
            license.valid_from,
            license.expires_at,
            license.image_count,
            license.version,
            license.created_at,
            license.updated_at,
            license.watched_since,
            license.watched_until,
            schedule::next(license.expires_at, license.updated_at),
        ],
    )?;
    version::keep(tx, license.id, actor)?;
    usage::add(tx, license.tenant, LimitedResource::Licenses, 1)
}

/// Updates a claimed license and keeps its new version.
pub fn update(tx: &mut Tx<'_>, license: &License, actor: &Actor) -> Result<()> {
    record_index::license_renamed(tx, license.id, license.title.as_str())?;
    tx.send(
        sql!(
            "UPDATE licenses SET title = $2, description = $3, license_type = $4, uses = $5,
               territories = $6, fee = $7, can_crawl = $8, terms = $9, image_count = $10,
               version = $11, updated_at = $12
             WHERE license_id = $1"
        ),
        params![
            license.id,
            license.title.as_str(),
            license.description.as_str(),
            license.license_type.key(),
            json(&license.uses)?,
            json(&license.territories)?,
            license.fee.as_ref().map(json).transpose()?,
            license.can_crawl,
            json(&license.terms)?,
            license.image_count,
            license.version,
            license.updated_at,
        ],
    )?;
    update_indexed(tx, license)?;
    version::keep(tx, license.id, actor)
}

/// Updates the columns that indexes contain, if one has changed: `SQLite` writes such an index again
/// even if its columns keep their values.
fn update_indexed(tx: &mut Tx<'_>, license: &License) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE licenses SET external_id = $2, status = $3, valid_from = $4, expires_at = $5,
               watched_since = $6, watched_until = $7,
               remind_at = CASE WHEN expires_at IS NOT DISTINCT FROM $5 AND status = $3
                 THEN remind_at ELSE $8 END
             WHERE license_id = $1
               AND (external_id, status, valid_from, expires_at, watched_since, watched_until)
                 IS DISTINCT FROM ($2, $3, $4, $5, $6, $7)"
        ),
        params![
            license.id,
            license.external_id.as_ref().map(ExternalId::as_str),
            license.status.name(),
            license.valid_from,
            license.expires_at,
            license.watched_since,
            license.watched_until,
            schedule::next(license.expires_at, license.updated_at),
        ],
    )?;
    Ok(())
}

/// Marks a license as deleted, so that it no longer lists mentions. False if it was already
/// deleted.
pub fn delete(tx: &mut Tx<'_>, id: LicenseId, now: Timestamp, actor: &Actor) -> Result<bool> {
    let tenant: Option<TenantId> = tx.find(
        sql!(
            "UPDATE licenses SET deleted_at = $2, version = version + 1, updated_at = $2,
               watched_since = NULL, watched_until = NULL
             WHERE license_id = $1 AND deleted_at IS NULL RETURNING tenant_id"
        ),
        params![id, now],
        only_column,
    )?;
    if let Some(tenant) = tenant {
        version::keep(tx, id, actor)?;
        usage::add(tx, tenant, LimitedResource::Licenses, -1)?;
    }
    Ok(tenant.is_some())
}

/// Restores a license that was deleted, as a new version, with the period in which it was watched.
/// False if it is not deleted, or has another version than its deletion made. Its owner may have used
/// its external id again; see [`EXTERNAL_ID_IS_TAKEN`].
pub fn restore(
    tx: &mut Tx<'_>,
    (id, version): (LicenseId, u32),
    (since, until): (Option<Timestamp>, Option<Timestamp>),
    now: Timestamp,
    actor: &Actor,
) -> Result<bool> {
    let tenant: Option<TenantId> = tx.find(
        sql!(
            "UPDATE licenses SET deleted_at = NULL, version = version + 1, updated_at = $3,
               watched_since = $4, watched_until = $5
             WHERE license_id = $1 AND version = $2 AND deleted_at IS NOT NULL
             RETURNING tenant_id"
        ),
        params![id, version, now, since, until],
        only_column,
    )?;
    if let Some(tenant) = tenant {
        version::keep(tx, id, actor)?;
        usage::add(tx, tenant, LimitedResource::Licenses, 1)?;
    }
    Ok(tenant.is_some())
}

/// Returns the owner of a license, even of a deleted one, and its talent.
pub fn owner_of(tx: &mut Tx<'_>, id: LicenseId) -> Result<Option<(TenantId, TalentId)>> {
    tx.find(
        sql!("SELECT tenant_id, talent_id FROM licenses WHERE license_id = $1"),
        params![id],
        |row| Ok((row.get("tenant_id")?, row.get("talent_id")?)),
    )
}

/// Returns the license with this id, unless it was deleted.
pub fn find(tx: &mut Tx<'_>, id: LicenseId) -> Result<Option<LicenseRecord>> {
    // A separate statement, because an IN list would make the engine build a temporary table.
    tx.find(
        sql!(
            "SELECT l.license_id, l.tenant_id, l.talent_id, l.external_id, l.title, l.description,
               l.status, l.license_type, l.uses, l.territories, l.fee, l.can_crawl, l.terms,
               l.valid_from, l.expires_at, l.image_count, l.version, l.created_at, l.updated_at,
               t.fullname, t.aliases, o.name, o.type, l.watched_since, l.watched_until
             FROM licenses l
             JOIN talents t ON t.talent_id = l.talent_id
             JOIN tenants o ON o.tenant_id = l.tenant_id
             WHERE l.deleted_at IS NULL AND l.license_id = $1"
        ),
        params![id],
        read,
    )
}

/// Locks a license, even a deleted one, until the unit of work ends.
pub fn lock(tx: &mut Tx<'_>, id: LicenseId) -> Result<()> {
    tx.lock(sql!("SELECT 1 FROM licenses WHERE license_id = $1 /*for update*/"), params![id])
}

/// Like [`find`], and locks the license until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, id: LicenseId) -> Result<Option<LicenseRecord>> {
    lock(tx, id)?;
    find(tx, id)
}

/// Returns the licenses with these ids, in any order; deleted ones are skipped.
pub fn load(tx: &mut Tx<'_>, ids: &[LicenseId]) -> Result<Vec<LicenseRecord>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT l.license_id, l.tenant_id, l.talent_id, l.external_id, l.title,
                   l.description, l.status, l.license_type, l.uses, l.territories, l.fee,
                   l.can_crawl, l.terms, l.valid_from, l.expires_at, l.image_count, l.version,
                   l.created_at, l.updated_at, t.fullname, t.aliases, o.name, o.type,
                   l.watched_since, l.watched_until
                 FROM licenses l
                 JOIN talents t ON t.talent_id = l.talent_id
                 JOIN tenants o ON o.tenant_id = l.tenant_id
                 WHERE l.deleted_at IS NULL AND l.license_id IN ($1, $2, $3, $4, $5, $6, $7, $8,
                   $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

/// Whether the license exists, whoever may see it.
pub fn exists(tx: &mut Tx<'_>, id: LicenseId) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM licenses WHERE license_id = $1 AND deleted_at IS NULL"),
        params![id],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Returns up to two licenses with this external id, each with its owner, the caller's own first.
/// Two suffice to detect that the id is ambiguous.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    external_id: &str,
    own: TenantId,
    readers: [uuid::Uuid; 2],
) -> Result<Vec<(LicenseId, TenantId)>> {
    tx.query(
        sql!(
            "SELECT l.license_id, l.tenant_id FROM licenses l
             WHERE l.external_id = $1 AND l.deleted_at IS NULL AND l.external_id IS NOT NULL
               AND EXISTS (SELECT 1 FROM license_readers r
                 WHERE r.license_id = l.license_id AND r.reader_id IN ($2, $3))
             ORDER BY CASE WHEN l.tenant_id = $4 THEN 0 ELSE 1 END, l.license_id LIMIT 2"
        ),
        params![external_id, readers[0], readers[1], own],
        |row| Ok((row.get("license_id")?, row.get("tenant_id")?)),
    )
}

/// Increases the versions of a tenant's licenses in a range of ids, in every list too.
pub fn bump_versions(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    (after, last): (LicenseId, LicenseId),
    now: Timestamp,
    actor: &Actor,
) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE licenses SET version = version + 1, updated_at = $2
             WHERE tenant_id = $1 AND license_id > $3 AND license_id <= $4
               AND deleted_at IS NULL"
        ),
        params![tenant, now, after, last],
    )?;
    tx.execute(
        sql!(
            "UPDATE license_readers SET version = version + 1, updated_at = $2
             WHERE license_id IN (
               SELECT license_id FROM licenses
               WHERE tenant_id = $1 AND license_id > $3 AND license_id <= $4
                 AND deleted_at IS NULL)"
        ),
        params![tenant, now, after, last],
    )?;
    version::keep_range(tx, tenant, (after, last), actor)
}

fn json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Fault(error.to_string()))
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::Fault(format!("invalid license: {error}")))
}

/// Converts the parse error of a stored value.
fn kept<T, E: ToString>(parsed: Result<T, E>) -> Result<T> {
    parsed.map_err(|error| Error::Fault(format!("invalid license: {}", error.to_string())))
}

/// Reads the first 19 columns of a license or of one of its versions, without the watch period.
fn read_license(row: &Row<'_>) -> Result<License> {
    let text = |name| row.get::<String>(name);
    let external_id = row.get::<Option<String>>("external_id")?;
    Ok(License {
        id: row.get("license_id")?,
        tenant: row.get("tenant_id")?,
        talent: row.get("talent_id")?,
        external_id: external_id.map(|it| kept(ExternalId::parse(&it))).transpose()?,
        title: kept(Title::parse(&text("title")?))?,
        description: kept(Description::parse(&text("description")?))?,
        status: kept(text("status")?.parse())?,
        license_type: kept(text("license_type")?.parse())?,
        uses: from_json(&text("uses")?)?,
        territories: from_json(&text("territories")?)?,
        fee: row.get::<Option<String>>("fee")?.map(|it| from_json(&it)).transpose()?,
        can_crawl: row.get("can_crawl")?,
        terms: from_json(&text("terms")?)?,
        valid_from: row.get("valid_from")?,
        expires_at: row.get("expires_at")?,
        image_count: row.get("image_count")?,
        version: row.get("version")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        watched_since: None,
        watched_until: None,
    })
}

fn read(row: &Row<'_>) -> Result<LicenseRecord> {
    let text = |name| row.get::<String>(name);
    let (watched_since, watched_until) = (row.get("watched_since")?, row.get("watched_until")?);
    Ok(LicenseRecord {
        license: License { watched_since, watched_until, ..read_license(row)? },
        talent_name: text("fullname")?,
        talent_aliases: from_json(&text("aliases")?)?,
        owner_name: text("name")?,
        owner_type: kept(text("type")?.parse())?,
    })
}
