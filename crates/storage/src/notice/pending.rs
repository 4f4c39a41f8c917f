//! Notices about which an email is to be composed. An email takes its notices in the unit of work
//! that queues it, so that each is mailed once, whatever fails and however many nodes run.

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::id::{NoticeId, TenantId};
use grantor_domain::notice::{Channel, NoticeKind};
use grantor_domain::template::MailKind;
use uuid::Uuid;

use crate::request::from_json;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// Notices that go into one email.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailGroup {
    /// The notices of one kind and template to one person.
    Now(Uuid, NoticeKind, MailKind),
    /// The digest of one person.
    Digest(Uuid),
}

impl MailGroup {
    /// The person.
    #[must_use]
    pub const fn person(self) -> Uuid {
        match self {
            Self::Now(person, ..) | Self::Digest(person) => person,
        }
    }
}

/// A notice that an email takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingNotice {
    /// The notice's id.
    pub id: NoticeId,
    /// The tenant it is about; `None` for staff.
    pub tenant: Option<TenantId>,
    /// What it is about.
    pub kind: NoticeKind,
    /// The template of the email.
    pub mail: MailKind,
    /// The values of the template.
    pub values: BTreeMap<String, String>,
    /// What happened, in one line.
    pub summary: String,
    /// The path of the page about it.
    pub link: String,
}

/// Lists the groups of the notices that are due, oldest first. Looks at `at_most` notices.
pub fn due_groups(tx: &mut Tx<'_>, now: Timestamp, at_most: u32) -> Result<Vec<MailGroup>> {
    let rows = tx.query(
        sql!(
            "SELECT person_id, channel, kind, mail_kind FROM notices WHERE due_at <= $1
             ORDER BY due_at, notice_id LIMIT $2"
        ),
        params![now, at_most],
        |row| {
            let channel = row.get::<String>("channel")?.parse::<Channel>().map_err(Error::Fault)?;
            let kind = row.get::<String>("kind")?.parse().map_err(Error::Fault)?;
            let mail = row.get::<String>("mail_kind")?.parse().map_err(Error::Fault)?;
            Ok(match channel {
                Channel::Digest => MailGroup::Digest(row.get("person_id")?),
                Channel::Now | Channel::Off => MailGroup::Now(row.get("person_id")?, kind, mail),
            })
        },
    )?;
    let mut groups = Vec::new();
    for group in rows {
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    Ok(groups)
}

/// Takes all notices of a group, also those that are not due yet, in the order in which they
/// happened. Of several callers one gets them.
pub fn take(tx: &mut Tx<'_>, group: MailGroup) -> Result<Vec<PendingNotice>> {
    let mut taken = match group {
        MailGroup::Now(person, kind, mail) => tx.query(
            sql!(
                "UPDATE notices SET due_at = NULL
                 WHERE person_id = $1 AND channel = 'now' AND kind = $2 AND mail_kind = $3
                   AND due_at IS NOT NULL
                 RETURNING notice_id, tenant_id, kind, mail_kind, mail_values, summary, link"
            ),
            params![person, kind.name(), mail.name()],
            read,
        )?,
        MailGroup::Digest(person) => tx.query(
            sql!(
                "UPDATE notices SET due_at = NULL
                 WHERE person_id = $1 AND channel = 'digest' AND due_at IS NOT NULL
                 RETURNING notice_id, tenant_id, kind, mail_kind, mail_values, summary, link"
            ),
            params![person],
            read,
        )?,
    };
    taken.sort_by_key(|it| it.id);
    Ok(taken)
}

/// Sets when the digest with a person's pending notices is composed.
pub fn reschedule(tx: &mut Tx<'_>, person: Uuid, at: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE notices SET due_at = $2
             WHERE person_id = $1 AND channel = 'digest' AND due_at IS NOT NULL"
        ),
        params![person, at],
    )?;
    Ok(())
}

/// Leaves a person's pending notices of a kind out of emails.
pub fn drop_kind(tx: &mut Tx<'_>, person: Uuid, kind: NoticeKind) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE notices SET due_at = NULL
             WHERE person_id = $1 AND kind = $2 AND due_at IS NOT NULL"
        ),
        params![person, kind.name()],
    )?;
    Ok(())
}

/// Settles the notices of a kind that lead to a page: they are read, and left out of emails.
pub fn settle(tx: &mut Tx<'_>, kind: NoticeKind, link: &str, now: Timestamp) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE notices SET due_at = NULL, read_at = coalesce(read_at, $3)
             WHERE link = $2 AND kind = $1 AND (read_at IS NULL OR due_at IS NOT NULL)"
        ),
        params![kind.name(), link, now],
    )
}

/// What was told at one time about one page.
#[derive(Clone, Copy, Debug)]
pub struct ToldOnce<'a> {
    /// The templates of the emails about it: one of two.
    pub mails: [MailKind; 2],
    /// The path of the page.
    pub link: &'a str,
    /// When.
    pub at: Timestamp,
}

/// Takes back what was told as far as nobody got it yet: deletes the notices that were neither read
/// nor mailed, and drops the emails about those that were read.
pub fn take_back(tx: &mut Tx<'_>, told: ToldOnce<'_>) -> Result<()> {
    let ToldOnce { mails: [one, other], link, at } = told;
    tx.execute(
        sql!(
            "DELETE FROM notices
             WHERE link = $1 AND mail_kind IN ($2, $3) AND created_at = $4 AND read_at IS NULL
               AND (channel = 'off' OR due_at IS NOT NULL)"
        ),
        params![link, one.name(), other.name(), at],
    )?;
    tx.execute(
        sql!(
            "UPDATE notices SET due_at = NULL
             WHERE link = $1 AND mail_kind IN ($2, $3) AND created_at = $4 AND due_at IS NOT NULL"
        ),
        params![link, one.name(), other.name(), at],
    )?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<PendingNotice> {
    Ok(PendingNotice {
        id: row.get("notice_id")?,
        tenant: row.get("tenant_id")?,
        kind: row.get::<String>("kind")?.parse().map_err(Error::Fault)?,
        mail: row.get::<String>("mail_kind")?.parse().map_err(Error::Fault)?,
        values: from_json(&row.get::<String>("mail_values")?)?,
        summary: row.get("summary")?,
        link: row.get("link")?,
    })
}
