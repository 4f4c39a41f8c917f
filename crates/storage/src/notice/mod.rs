//! Notices to people. The submodules have the emails to compose, the settings, the chats, and the
//! addresses that mail servers refuse.

pub mod chat;
pub mod pending;
pub mod refusal;
pub mod settings;

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::id::{NoticeId, TenantId};
use grantor_domain::notice::{Channel, Notice, NoticeKind};
use grantor_domain::page::{Listing, Page};
use grantor_domain::template::MailKind;
use uuid::Uuid;

use crate::request::json;
use crate::statement::{sql, sql_choice};
use crate::total::BOUND;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// A notice to insert.
#[derive(Clone, Debug)]
pub struct NewNotice<'a> {
    /// The notice's id.
    pub id: NoticeId,
    /// A user or a member of staff.
    pub person: Uuid,
    /// The tenant it is about; `None` for staff.
    pub tenant: Option<TenantId>,
    /// What it is about.
    pub kind: NoticeKind,
    /// The template of the email.
    pub mail: MailKind,
    /// The values of the template.
    pub values: &'a BTreeMap<&'a str, &'a str>,
    /// What happened, in one line.
    pub summary: &'a str,
    /// The path of the page about it.
    pub link: &'a str,
    /// How the person gets it.
    pub channel: Channel,
    /// When an email is composed, if one is.
    pub due_at: Option<Timestamp>,
    /// When it happened.
    pub created_at: Timestamp,
}

/// Inserts a notice.
pub fn insert(tx: &mut Tx<'_>, notice: &NewNotice<'_>) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO notices (notice_id, person_id, tenant_id, kind, mail_kind, mail_values,
               summary, link, channel, due_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        ),
        params![
            notice.id,
            notice.person,
            notice.tenant,
            notice.kind.name(),
            notice.mail.name(),
            json(notice.values)?,
            notice.summary,
            notice.link,
            notice.channel.name(),
            notice.due_at,
            notice.created_at,
        ],
    )?;
    Ok(())
}

/// Lists a person's notices in a tenant, newest first, all or only unread ones.
pub fn list(
    tx: &mut Tx<'_>,
    person: Uuid,
    tenant: TenantId,
    unread_only: bool,
    page: Page,
) -> Result<Listing<Notice>> {
    let total = count(tx, person, tenant, unread_only)?;
    let items = tx.query(
        sql_choice!(
            usize::from(unread_only),
            "SELECT notice_id, kind, summary, link, created_at, read_at
             FROM notices WHERE person_id = $1 AND tenant_id = $2",
            ["", " AND read_at IS NULL"],
            " ORDER BY notice_id DESC LIMIT $3 OFFSET $4"
        ),
        params![person, tenant, page.size(), page.offset()],
        read,
    )?;
    Ok(if total < u64::from(BOUND) {
        Listing::new(page, items, total)
    } else {
        Listing::estimated(page, items, total)
    })
}

fn count(tx: &mut Tx<'_>, person: Uuid, tenant: TenantId, unread_only: bool) -> Result<u64> {
    let bound = BOUND;
    if unread_only {
        return count_unread(tx, person, tenant, bound);
    }
    let found: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT notice_id FROM notices WHERE person_id = $1 AND tenant_id = $2
               LIMIT $3) found"
        ),
        params![person, tenant, bound],
        |row| row.get(0),
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Counts a person's unread notices in a tenant, up to a bound.
pub fn count_unread(tx: &mut Tx<'_>, person: Uuid, tenant: TenantId, bound: u32) -> Result<u64> {
    let found: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT notice_id FROM notices
               WHERE person_id = $1 AND tenant_id = $2 AND read_at IS NULL LIMIT $3) found"
        ),
        params![person, tenant, bound],
        |row| row.get(0),
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Returns one of a person's notices in a tenant.
pub fn find(
    tx: &mut Tx<'_>,
    person: Uuid,
    tenant: TenantId,
    id: NoticeId,
) -> Result<Option<Notice>> {
    tx.find(
        sql!(
            "SELECT notice_id, kind, summary, link, created_at, read_at
             FROM notices WHERE notice_id = $1 AND person_id = $2 AND tenant_id = $3"
        ),
        params![id, person, tenant],
        read,
    )
}

/// Marks one of a person's notices as read. False if there is no such unread notice.
pub fn mark_read(
    tx: &mut Tx<'_>,
    person: Uuid,
    tenant: TenantId,
    id: NoticeId,
    now: Timestamp,
) -> Result<bool> {
    let changed = tx.execute(
        sql!(
            "UPDATE notices SET read_at = $4
             WHERE notice_id = $1 AND person_id = $2 AND tenant_id = $3 AND read_at IS NULL"
        ),
        params![id, person, tenant, now],
    )?;
    Ok(changed == 1)
}

/// Marks all of a person's notices in a tenant as read and returns their number.
pub fn mark_all_read(
    tx: &mut Tx<'_>,
    person: Uuid,
    tenant: TenantId,
    now: Timestamp,
) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE notices SET read_at = $3
             WHERE person_id = $1 AND tenant_id = $2 AND read_at IS NULL"
        ),
        params![person, tenant, now],
    )
}

/// Deletes old notices, a limited number at a time.
pub fn delete_before(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM notices WHERE notice_id IN (
               SELECT notice_id FROM notices WHERE created_at < $1 ORDER BY created_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}

/// Records that a state which lasts since then was told. False if it was told before.
pub fn tell_once(
    tx: &mut Tx<'_>,
    subject: Uuid,
    kind: NoticeKind,
    since: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let changed = tx.execute(
        sql!(
            "INSERT INTO told_states (subject_id, kind, since, told_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (subject_id, kind)
             DO UPDATE SET since = excluded.since, told_at = excluded.told_at
             WHERE told_states.since <> excluded.since"
        ),
        params![subject, kind.name(), since, now],
    )?;
    Ok(changed == 1)
}

/// Whether a state which lasts since then was told.
pub fn was_told(
    tx: &mut Tx<'_>,
    subject: Uuid,
    kind: NoticeKind,
    since: Timestamp,
) -> Result<bool> {
    let told: Option<Timestamp> = tx.find(
        sql!("SELECT since FROM told_states WHERE subject_id = $1 AND kind = $2"),
        params![subject, kind.name()],
        |row| row.get(0),
    )?;
    Ok(told == Some(since))
}

/// Forgets states that were told long ago, a limited number at a time.
pub fn forget_told(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    tx.execute(
        sql!(
            "DELETE FROM told_states WHERE (subject_id, kind) IN (
               SELECT subject_id, kind FROM told_states WHERE told_at < $1
               ORDER BY told_at LIMIT $2)"
        ),
        params![before, at_most],
    )
}

fn read(row: &Row<'_>) -> Result<Notice> {
    Ok(Notice {
        id: row.get(0)?,
        kind: row.get::<String>(1)?.parse().map_err(Error::Fault)?,
        summary: row.get(2)?,
        link: row.get(3)?,
        created_at: row.get(4)?,
        read_at: row.get(5)?,
    })
}
