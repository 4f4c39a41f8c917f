//! How people want to be told, and whom a notice concerns.

use grantor_domain::Timestamp;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::locale::Locale;
use grantor_domain::notice::{
    Channel, DigestHour, DigestSchedule, NoticeKind, NotificationSettings, Zone,
};
use uuid::Uuid;

use super::pending::ToldOnce;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// A person to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// A user or a member of staff.
    pub person: Uuid,
    /// How the person wants to get the notice; `None` without a choice.
    pub chosen: Option<Channel>,
    /// When the person's digest comes, and when the last one came.
    pub digest: Digest,
    /// The code of the language of emails to the person, if one is known.
    pub language: Option<String>,
}

/// When a person's digest comes, and when the last one came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// When it comes.
    pub schedule: DigestSchedule,
    /// When the last one came.
    pub last: Option<Timestamp>,
}

/// Lists the people of a tenant who are told about something: its owners, and another member.
pub fn recipients(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    also: Option<UserId>,
    kind: NoticeKind,
    at_most: u32,
) -> Result<Vec<Recipient>> {
    tx.query(
        sql!(
            "SELECT m.user_id,
               (SELECT p.channel FROM notice_preferences p
                WHERE p.person_id = m.user_id AND p.kind = $3) AS channel,
               s.digest_hour, s.time_zone, s.last_digest_at,
               COALESCE(s.language, s.browser_language) AS language
             FROM memberships m LEFT JOIN notice_settings s ON s.person_id = m.user_id
             WHERE m.tenant_id = $1 AND m.status = 'active'
               AND (m.role IN ('Organization_Admin', 'Individual') OR m.user_id = $2)
             ORDER BY CASE WHEN m.user_id = $2 THEN 0 ELSE 1 END, m.created_at, m.user_id
             LIMIT $4"
        ),
        params![tenant, also, kind.name(), at_most],
        read_member,
    )
}

/// Lists the people who were told something, each with the tenant that it was about, except those
/// who have left the tenant since.
pub fn told(tx: &mut Tx<'_>, told: ToldOnce<'_>) -> Result<Vec<(TenantId, Recipient)>> {
    let ToldOnce { mails: [one, other], link, at } = told;
    tx.query(
        sql!(
            "SELECT n.tenant_id, n.person_id AS user_id,
               (SELECT p.channel FROM notice_preferences p
                WHERE p.person_id = n.person_id AND p.kind = n.kind) AS channel,
               s.digest_hour, s.time_zone, s.last_digest_at,
               COALESCE(s.language, s.browser_language) AS language
             FROM notices n
             JOIN memberships m ON m.tenant_id = n.tenant_id AND m.user_id = n.person_id
               AND m.status = 'active'
             LEFT JOIN notice_settings s ON s.person_id = n.person_id
             WHERE n.created_at = $1 AND n.link = $2 AND n.mail_kind IN ($3, $4)
             ORDER BY n.notice_id"
        ),
        params![at, link, one.name(), other.name()],
        |row| Ok((row.get("tenant_id")?, read_member(row)?)),
    )
}

/// Lists the members of staff who are told about scanners: those who may create them.
pub fn staff_recipients(tx: &mut Tx<'_>, kind: NoticeKind, at_most: u32) -> Result<Vec<Recipient>> {
    tx.query(
        sql!(
            "SELECT admin_id,
               (SELECT p.channel FROM notice_preferences p
                WHERE p.person_id = admin_id AND p.kind = $1) AS channel,
               s.digest_hour, s.time_zone, s.last_digest_at,
               COALESCE(s.language, s.browser_language) AS language
             FROM admins LEFT JOIN notice_settings s ON s.person_id = admin_id
             WHERE status = 'active' AND role IN ('Super_Admin', 'Admin')
             ORDER BY created_at, admin_id LIMIT $2"
        ),
        params![kind.name(), at_most],
        |row| {
            let (chosen, digest) = (read_channel(row)?, read_digest(row)?);
            Ok(Recipient {
                person: row.get("admin_id")?,
                chosen,
                digest,
                language: row.get("language")?,
            })
        },
    )
}

/// Whether an owner of a tenant is an active member of other tenants, too.
pub fn has_owner_elsewhere(tx: &mut Tx<'_>, tenant: TenantId) -> Result<bool> {
    let found = tx.find(
        sql!(
            "SELECT 1 FROM memberships m
             WHERE m.tenant_id = $1 AND m.status = 'active'
               AND m.role IN ('Organization_Admin', 'Individual')
               AND EXISTS (SELECT 1 FROM memberships o
                 WHERE o.user_id = m.user_id AND o.tenant_id <> m.tenant_id
                   AND o.status = 'active')
             LIMIT 1"
        ),
        params![tenant],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Returns a person's settings.
pub fn find(tx: &mut Tx<'_>, person: Uuid) -> Result<NotificationSettings> {
    let chosen: Vec<(NoticeKind, Channel)> = tx.query(
        sql!("SELECT kind, channel FROM notice_preferences WHERE person_id = $1"),
        params![person],
        |row| {
            let kind = row.get::<String>("kind")?.parse().map_err(Error::Fault)?;
            Ok((kind, row.get::<String>("channel")?.parse().map_err(Error::Fault)?))
        },
    )?;
    let found = tx.find(
        sql!(
            "SELECT digest_hour, time_zone, last_digest_at, language
             FROM notice_settings WHERE person_id = $1"
        ),
        params![person],
        |row| Ok((read_digest(row)?.schedule, row.get("language")?)),
    )?;
    let (schedule, language) = found.unwrap_or_default();
    Ok(NotificationSettings { channels: chosen.into_iter().collect(), schedule, language })
}

/// Returns the language and the time zone of emails to a person. Without a choice, the language is
/// that of the browser in which the person last signed in.
pub fn find_mail_locale(tx: &mut Tx<'_>, person: Uuid) -> Result<Locale> {
    let found = tx.find(
        sql!(
            "SELECT COALESCE(language, browser_language) AS language, time_zone FROM notice_settings
             WHERE person_id = $1"
        ),
        params![person],
        read_locale,
    )?;
    Ok(found.unwrap_or_default())
}

/// Returns when a person's digest comes.
pub fn find_digest(tx: &mut Tx<'_>, person: Uuid) -> Result<Digest> {
    let found = tx.find(
        sql!(
            "SELECT digest_hour, time_zone, last_digest_at
             FROM notice_settings WHERE person_id = $1"
        ),
        params![person],
        read_digest,
    )?;
    Ok(found.unwrap_or_default())
}

/// Like [`find_digest`], and locks the person's digest until the unit of work ends.
pub fn claim_digest(tx: &mut Tx<'_>, person: Uuid) -> Result<Digest> {
    tx.execute(
        sql!(
            "INSERT INTO notice_settings (person_id) VALUES ($1)
             ON CONFLICT (person_id) DO UPDATE SET person_id = excluded.person_id /*unwatched*/"
        ),
        params![person],
    )?;
    find_digest(tx, person)
}

/// Records that a person's digest came.
pub fn record_digest(tx: &mut Tx<'_>, person: Uuid, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!("UPDATE notice_settings SET last_digest_at = $2 WHERE person_id = $1 /*unwatched*/"),
        params![person, now],
    )?;
    Ok(())
}

/// Sets how a person gets notices of a kind.
pub fn set_channel(
    tx: &mut Tx<'_>,
    person: Uuid,
    kind: NoticeKind,
    channel: Channel,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO notice_preferences (person_id, kind, channel) VALUES ($1, $2, $3)
             ON CONFLICT (person_id, kind) DO UPDATE SET channel = excluded.channel"
        ),
        params![person, kind.name(), channel.name()],
    )?;
    Ok(())
}

/// Sets the hour of a person's digest.
pub fn set_hour(tx: &mut Tx<'_>, person: Uuid, hour: DigestHour) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO notice_settings (person_id, digest_hour) VALUES ($1, $2)
             ON CONFLICT (person_id)
             DO UPDATE SET digest_hour = excluded.digest_hour /*unwatched*/"
        ),
        params![person, u32::from(hour.get())],
    )?;
    Ok(())
}

/// Sets the time zone of a person.
pub fn set_zone(tx: &mut Tx<'_>, person: Uuid, zone: &Zone) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO notice_settings (person_id, time_zone) VALUES ($1, $2)
             ON CONFLICT (person_id) DO UPDATE SET time_zone = excluded.time_zone"
        ),
        params![person, zone.as_str()],
    )?;
    Ok(())
}

/// Sets the language of a person by its code.
pub fn set_language(tx: &mut Tx<'_>, person: Uuid, language: Option<&str>) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO notice_settings (person_id, language) VALUES ($1, $2)
             ON CONFLICT (person_id) DO UPDATE SET language = excluded.language"
        ),
        params![person, language],
    )?;
    Ok(())
}

/// Records the language of the browser in which a person signed in.
pub fn set_browser_language(tx: &mut Tx<'_>, person: Uuid, language: &str) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO notice_settings (person_id, browser_language) VALUES ($1, $2)
             ON CONFLICT (person_id)
             DO UPDATE SET browser_language = excluded.browser_language /*unwatched*/"
        ),
        params![person, language],
    )?;
    Ok(())
}

fn read_member(row: &Row<'_>) -> Result<Recipient> {
    let (chosen, digest) = (read_channel(row)?, read_digest(row)?);
    Ok(Recipient { person: row.get("user_id")?, chosen, digest, language: row.get("language")? })
}

fn read_channel(row: &Row<'_>) -> Result<Option<Channel>> {
    let chosen = row.get::<Option<String>>("channel")?;
    chosen.map(|it| it.parse().map_err(Error::Fault)).transpose()
}

/// Reads the columns `language` and `time_zone`. A time zone that no longer exists is UTC.
pub(crate) fn read_locale(row: &Row<'_>) -> Result<Locale> {
    let zone = row.get::<Option<String>>("time_zone")?.and_then(|it| Zone::parse(&it).ok());
    Ok(Locale { language: row.get("language")?, zone: zone.unwrap_or_default() })
}

/// What was not chosen has its default, also a time zone that no longer exists.
fn read_digest(row: &Row<'_>) -> Result<Digest> {
    let hour = row.get::<Option<u32>>("digest_hour")?.and_then(|it| DigestHour::new(it).ok());
    let zone = row.get::<Option<String>>("time_zone")?.and_then(|it| Zone::parse(&it).ok());
    let schedule =
        DigestSchedule { hour: hour.unwrap_or_default(), zone: zone.unwrap_or_default() };
    Ok(Digest { schedule, last: row.get("last_digest_at")? })
}
