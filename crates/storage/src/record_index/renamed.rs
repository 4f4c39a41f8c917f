//! Names that other records show: a talent on grants, an organization on requests. A new name marks
//! its record; a worker then marks the records that show it, which may be many.

use grantor_domain::id::{LicenseId, PlatformId, SourceId, TalentId, TenantId};
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx};

/// A renamed record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Renamed {
    Talent,
    License,
    Tenant,
    Platform,
    Source,
}

impl Renamed {
    const ALL: [Self; 5] =
        [Self::Talent, Self::License, Self::Tenant, Self::Platform, Self::Source];

    const fn name(self) -> &'static str {
        match self {
            Self::Talent => "talent",
            Self::License => "license",
            Self::Tenant => "tenant",
            Self::Platform => "platform",
            Self::Source => "source",
        }
    }
}

/// Marks a talent that is about to get other names.
pub(crate) fn talent_renamed(
    tx: &mut Tx<'_>,
    id: TalentId,
    fullname: &str,
    aliases: &str,
) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO record_renames (kind, subject_id, mark)
             SELECT 'talent', talent_id, 1 FROM talents
             WHERE talent_id = $1 AND (fullname <> $2 OR aliases <> $3)
             ON CONFLICT (kind, subject_id) DO UPDATE SET mark = record_renames.mark + 1"
        ),
        params![id, fullname, aliases],
    )
}

/// Marks a license that is about to get another title.
pub(crate) fn license_renamed(tx: &mut Tx<'_>, id: LicenseId, title: &str) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO record_renames (kind, subject_id, mark)
             SELECT 'license', license_id, 1 FROM licenses WHERE license_id = $1 AND title <> $2
             ON CONFLICT (kind, subject_id) DO UPDATE SET mark = record_renames.mark + 1"
        ),
        params![id, title],
    )
}

/// Marks a tenant that got another name.
pub(crate) fn tenant_renamed(tx: &mut Tx<'_>, id: TenantId) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO record_renames (kind, subject_id, mark) VALUES ('tenant', $1, 1)
             ON CONFLICT (kind, subject_id) DO UPDATE SET mark = record_renames.mark + 1"
        ),
        params![id],
    )
}

/// Marks a platform that is about to get another name.
pub(crate) fn platform_renamed(tx: &mut Tx<'_>, id: PlatformId, name: &str) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO record_renames (kind, subject_id, mark)
             SELECT 'platform', platform_id, 1 FROM platforms
             WHERE platform_id = $1 AND name <> $2
             ON CONFLICT (kind, subject_id) DO UPDATE SET mark = record_renames.mark + 1"
        ),
        params![id, name],
    )
}

/// Marks a source that is about to get another name.
pub(crate) fn source_renamed(tx: &mut Tx<'_>, id: SourceId, name: &str) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO record_renames (kind, subject_id, mark)
             SELECT 'source', source_id, 1 FROM sources WHERE source_id = $1 AND name <> $2
             ON CONFLICT (kind, subject_id) DO UPDATE SET mark = record_renames.mark + 1"
        ),
        params![id, name],
    )
}

/// Whether any name is marked.
pub fn has_renames(tx: &mut Tx<'_>) -> Result<bool> {
    let found = tx.find(sql!("SELECT 1 FROM record_renames LIMIT 1"), params![], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Marks the records that show one of the new names. False if no name is marked.
pub fn mark_dependents(tx: &mut Tx<'_>) -> Result<bool> {
    let next: Option<(String, Uuid, i64)> = tx.find(
        sql!("SELECT kind, subject_id, mark FROM record_renames ORDER BY kind, subject_id LIMIT 1"),
        params![],
        |row| Ok((row.get("kind")?, row.get("subject_id")?, row.get("mark")?)),
    )?;
    let Some((kind, subject, mark)) = next else { return Ok(false) };
    match Renamed::ALL.into_iter().find(|it| it.name() == kind) {
        Some(Renamed::Talent) => of_talent(tx, subject)?,
        Some(Renamed::License) => of_license(tx, subject)?,
        Some(Renamed::Tenant) => of_tenant(tx, subject)?,
        Some(Renamed::Platform) => of_platform(tx, subject)?,
        Some(Renamed::Source) => of_source(tx, subject)?,
        None => return Err(Error::Fault(format!("unknown kind of renamed record: {kind}"))),
    }
    tx.send(
        sql!("DELETE FROM record_renames WHERE kind = $1 AND subject_id = $2 AND mark = $3"),
        params![kind, subject, mark],
    )?;
    Ok(true)
}

fn of_talent(tx: &mut Tx<'_>, id: Uuid) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'mention', mention_id, 1 FROM mentions WHERE talent_id = $1
             UNION ALL
             SELECT 'case', c.mention_id, 1 FROM mentions m
             JOIN cases c ON c.mention_id = m.mention_id WHERE m.talent_id = $1
             UNION ALL
             SELECT 'grant', grant_id, 1 FROM grants WHERE talent_id = $1
             UNION ALL
             SELECT 'request', r.request_id, 1 FROM licenses l
             JOIN requests r ON r.license_id = l.license_id WHERE l.talent_id = $1
             ON CONFLICT (kind, record_id) DO UPDATE SET mark = record_stale.mark + 1"
        ),
        params![id],
    )
}

fn of_license(tx: &mut Tx<'_>, id: Uuid) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'grant', grant_id, 1 FROM grants WHERE license_id = $1
             UNION ALL
             SELECT 'request', request_id, 1 FROM requests WHERE license_id = $1
             ON CONFLICT (kind, record_id) DO UPDATE SET mark = record_stale.mark + 1"
        ),
        params![id],
    )
}

fn of_tenant(tx: &mut Tx<'_>, id: Uuid) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'grant', grant_id, 1 FROM grants WHERE licensor_id = $1
             UNION ALL
             SELECT 'grant', grant_id, 1 FROM grants
             WHERE licensee_id = $1 AND licensor_id <> $1
             UNION ALL
             SELECT 'request', request_id, 1 FROM requests WHERE owner_id = $1
             UNION ALL
             SELECT 'request', request_id, 1 FROM requests
             WHERE asker_id = $1 AND owner_id <> $1
             ON CONFLICT (kind, record_id) DO UPDATE SET mark = record_stale.mark + 1"
        ),
        params![id],
    )
}

fn of_platform(tx: &mut Tx<'_>, id: Uuid) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'mention', mention_id, 1 FROM mentions WHERE platform_id = $1
             ON CONFLICT (kind, record_id) DO UPDATE SET mark = record_stale.mark + 1"
        ),
        params![id],
    )
}

fn of_source(tx: &mut Tx<'_>, id: Uuid) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'mention', mention_id, 1 FROM mentions
             WHERE source_id = $1 AND source_id IS NOT NULL
             ON CONFLICT (kind, record_id) DO UPDATE SET mark = record_stale.mark + 1"
        ),
        params![id],
    )
}
