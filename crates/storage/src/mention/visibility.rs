//! Through which license a reader sees a mention: the oldest visible license that lists it. Each
//! query ends at the first matching license in creation order.

use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::mention::Mention;
use grantor_domain::permission::PermissionRole;
use uuid::Uuid;

use super::StoredMention;
use crate::license::reader::Reader;
use crate::license::watch::LicenseName;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx};

/// How a reader sees a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visibility {
    /// The oldest visible license that lists it.
    pub license: LicenseName,
    /// The reader's highest role on any of them.
    pub role: PermissionRole,
}

/// How a reader sees a mention; `None` if no visible license lists it.
pub fn find(tx: &mut Tx<'_>, reader: Reader, kept: &StoredMention) -> Result<Option<Visibility>> {
    let Some(owner) = kept.owner else { return Ok(None) };
    match reader {
        Reader::Owner(tenant) | Reader::Caller { tenant, .. } if tenant == owner => {
            let license = oldest_license(tx, &kept.mention)?;
            Ok(license.map(|license| Visibility { license, role: PermissionRole::Licensor }))
        }
        Reader::Owner(_) | Reader::Everybody => Ok(None),
        Reader::Caller { tenant, user } => {
            granted(tx, &kept.mention, [tenant.as_uuid(), user.as_uuid()])
        }
    }
}

/// The highest role shared with a reader on any license that lists a mention.
pub fn granted_role(
    tx: &mut Tx<'_>,
    reader: Reader,
    mention: &Mention,
) -> Result<Option<PermissionRole>> {
    let Reader::Caller { tenant, user } = reader else { return Ok(None) };
    let through = granted(tx, mention, [tenant.as_uuid(), user.as_uuid()])?;
    Ok(through.map(|it| it.role))
}

/// The oldest license that lists a mention, whoever sees it.
pub fn oldest_license(tx: &mut Tx<'_>, mention: &Mention) -> Result<Option<LicenseName>> {
    tx.find(
        sql!(
            "SELECT license_id, title FROM licenses WHERE license_id = (
               SELECT license_id FROM licenses
               WHERE talent_id = $1 AND watched_since <= $2
                 AND (watched_until IS NULL OR watched_until >= $3)
               ORDER BY license_id LIMIT 1)"
        ),
        params![mention.talent, mention.last_seen_at, mention.first_seen_at],
        |row| Ok(LicenseName { id: row.get("license_id")?, title: row.get("title")? }),
    )
}

/// The oldest license shared with one of these readers, by a permission or an active grant, that
/// lists a mention. A higher role may come from another license and is looked up from the highest
/// down.
fn granted(
    tx: &mut Tx<'_>,
    mention: &Mention,
    [one, other]: [Uuid; 2],
) -> Result<Option<Visibility>> {
    let found: Vec<(LicenseName, PermissionRole)> = tx.query(
        sql!(
            "SELECT license_id, title, role FROM (
               SELECT p.license_id, l.title, p.role
               FROM permissions p JOIN licenses l ON l.license_id = p.license_id
               WHERE p.talent_id = $1 AND p.grantee_id = $4 AND l.watched_since <= $2 AND (l.watched_until IS NULL OR l.watched_until >= $3)
               ORDER BY p.license_id LIMIT 1) one
             UNION ALL
             SELECT license_id, title, role FROM (
               SELECT p.license_id, l.title, p.role
               FROM permissions p JOIN licenses l ON l.license_id = p.license_id
               WHERE p.talent_id = $1 AND p.grantee_id = $5 AND l.watched_since <= $2 AND (l.watched_until IS NULL OR l.watched_until >= $3)
               ORDER BY p.license_id LIMIT 1) other
             UNION ALL
             SELECT license_id, title, role FROM (
               SELECT p.license_id, l.title, p.role
               FROM permissions p JOIN licenses l ON l.license_id = p.license_id
               WHERE p.talent_id = $1 AND p.grantee_id IN ($4, $5) AND p.role = 'licensor'
                 AND l.watched_since <= $2 AND (l.watched_until IS NULL OR l.watched_until >= $3)
               LIMIT 1) licensor
             UNION ALL
             SELECT license_id, title, role FROM (
               SELECT p.license_id, l.title, p.role
               FROM permissions p JOIN licenses l ON l.license_id = p.license_id
               WHERE p.talent_id = $1 AND p.grantee_id IN ($4, $5) AND p.role = 'trustee'
                 AND l.watched_since <= $2 AND (l.watched_until IS NULL OR l.watched_until >= $3)
               LIMIT 1) trustee
             UNION ALL
             SELECT license_id, title, role FROM (
               SELECT g.license_id, l.title, 'viewer' AS role
               FROM grants g JOIN licenses l ON l.license_id = g.license_id
               WHERE g.talent_id = $1 AND g.licensee_id = $4 AND g.status = 'active'
                 AND l.watched_since <= $2 AND (l.watched_until IS NULL OR l.watched_until >= $3)
               ORDER BY g.license_id LIMIT 1) licensee"
        ),
        params![mention.talent, mention.last_seen_at, mention.first_seen_at, one, other],
        |row| {
            let role = row.get::<String>("role")?.parse().map_err(Error::Fault)?;
            Ok((LicenseName { id: row.get("license_id")?, title: row.get("title")? }, role))
        },
    )?;
    let role = found.iter().map(|it| it.1).max();
    let license = found.into_iter().map(|it| it.0).min_by_key(|it| it.id);
    Ok(license.zip(role).map(|(license, role)| Visibility { license, role }))
}

/// A feed, whether it is told through a member, and the license through which it is told.
type Told = (TenantId, bool, LicenseId);

/// The feeds other than the owner's that receive a mention's events, each with the oldest license
/// that lists it. A license that an organization sees by a permission or a grant takes precedence
/// over those shared with its members.
pub fn feeds(tx: &mut Tx<'_>, mention: &Mention) -> Result<Vec<(TenantId, LicenseId)>> {
    let mut feeds = holders(tx, mention)?;
    feeds.extend(licensees(tx, mention)?);
    feeds.sort_unstable();
    feeds.dedup_by_key(|it| it.0);
    Ok(feeds.into_iter().map(|(feed, _, license)| (feed, license)).collect())
}

/// The feeds of those who have a permission.
fn holders(tx: &mut Tx<'_>, mention: &Mention) -> Result<Vec<Told>> {
    // Skips from holder to holder in the index, however many licenses each has. A permission that
    // waits for an account is a feed that nobody reads; see `permission::Holders::tenants`.
    let found: Vec<(Uuid, LicenseId, bool, bool, Option<Uuid>)> = tx.query(
        sql!(
            "WITH RECURSIVE holders (grantee_id) AS (
               SELECT (SELECT p.grantee_id FROM permissions p WHERE p.talent_id = $1
                       ORDER BY p.grantee_id LIMIT 1)
               UNION ALL
               SELECT (SELECT p.grantee_id FROM permissions p
                       WHERE p.talent_id = $1 AND p.grantee_id > h.grantee_id
                       ORDER BY p.grantee_id LIMIT 1)
               FROM holders h WHERE h.grantee_id IS NOT NULL)
             SELECT q.grantee_id, q.license_id, q.grantee_kind, q.permission_id, m.tenant_id
             FROM (
               SELECT held.grantee_id, held.license_id,
                 (SELECT p.grantee_kind FROM permissions p
                  WHERE p.license_id = held.license_id AND p.grantee_id = held.grantee_id)
                   AS grantee_kind,
                 (SELECT p.permission_id FROM permissions p
                  WHERE p.license_id = held.license_id AND p.grantee_id = held.grantee_id)
                   AS permission_id
               FROM (
                 SELECT h.grantee_id,
                   (SELECT p.license_id FROM permissions p
                    JOIN licenses l ON l.license_id = p.license_id
                    WHERE p.talent_id = $1 AND p.grantee_id = h.grantee_id
                      AND l.watched_since <= $2
                      AND (l.watched_until IS NULL OR l.watched_until >= $3)
                    ORDER BY p.license_id LIMIT 1) AS license_id
                 FROM holders h WHERE h.grantee_id IS NOT NULL) held
               WHERE held.license_id IS NOT NULL) q
             LEFT JOIN memberships m ON q.grantee_kind = 'user' AND m.user_id = q.grantee_id
               AND m.status = 'active'"
        ),
        params![mention.talent, mention.last_seen_at, mention.first_seen_at],
        |row| {
            let grantee: Uuid = row.get("grantee_id")?;
            let is_person = row.get::<String>("grantee_kind")? == "user";
            let waits = row.get::<Uuid>("permission_id")? == grantee;
            Ok((grantee, row.get("license_id")?, is_person, waits, row.get("tenant_id")?))
        },
    )?;
    let feed = |(grantee, license, is_person, waits, acts_in): (_, _, bool, bool, Option<Uuid>)| {
        let feed = if is_person && !waits { acts_in } else { Some(grantee) };
        feed.map(|feed| (TenantId::from(feed), is_person, license))
    };
    Ok(found.into_iter().filter_map(feed).collect())
}

/// The feeds of those who have an active grant. Skips from licensee to licensee in the index,
/// however many grants each has.
fn licensees(tx: &mut Tx<'_>, mention: &Mention) -> Result<Vec<Told>> {
    tx.query(
        sql!(
            "WITH RECURSIVE licensees (licensee_id) AS (
               SELECT (SELECT g.licensee_id FROM grants g
                       WHERE g.talent_id = $1 AND g.status = 'active'
                       ORDER BY g.licensee_id LIMIT 1)
               UNION ALL
               SELECT (SELECT g.licensee_id FROM grants g
                       WHERE g.talent_id = $1 AND g.status = 'active'
                         AND g.licensee_id > e.licensee_id
                       ORDER BY g.licensee_id LIMIT 1)
               FROM licensees e WHERE e.licensee_id IS NOT NULL)
             SELECT held.licensee_id, held.license_id
             FROM (
               SELECT e.licensee_id,
                 (SELECT g.license_id FROM grants g
                  JOIN licenses l ON l.license_id = g.license_id
                  WHERE g.talent_id = $1 AND g.licensee_id = e.licensee_id
                    AND g.status = 'active' AND l.watched_since <= $2
                    AND (l.watched_until IS NULL OR l.watched_until >= $3)
                  ORDER BY g.license_id LIMIT 1) AS license_id
               FROM licensees e WHERE e.licensee_id IS NOT NULL) held
             WHERE held.license_id IS NOT NULL"
        ),
        params![mention.talent, mention.last_seen_at, mention.first_seen_at],
        |row| Ok((row.get("licensee_id")?, false, row.get("license_id")?)),
    )
}
