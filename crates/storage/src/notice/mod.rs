//! Notices to people. The submodules have the bell, the emails to compose, the settings, the chats,
//! and the addresses that mail servers refuse.

pub mod bell;
pub mod chat;
pub mod pending;
pub mod refusal;
pub mod settings;

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::id::{NoticeId, TenantId};
use grantor_domain::notice::{Channel, NoticeKind};
use grantor_domain::template::MailKind;
use uuid::Uuid;

use crate::request::json;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

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
        only_column,
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
