//! The bell: the notices of a member about one tenant, or those of a member of staff.

use grantor_domain::Timestamp;
use grantor_domain::id::{NoticeId, TenantId};
use grantor_domain::notice::Notice;
use grantor_domain::page::{Listing, Page};
use uuid::Uuid;

use crate::request::from_json;
use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Total};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column};

/// Whose notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inbox {
    /// A user or a member of staff.
    pub person: Uuid,
    /// The tenant that the notices are about; `None` for staff.
    pub tenant: Option<TenantId>,
}

impl Inbox {
    /// Which of two statements is about this inbox: the first has the tenant as its last parameter,
    /// and the second has no tenant.
    fn choice(self) -> usize {
        usize::from(self.tenant.is_none())
    }

    /// The parameters of that statement.
    fn of<'a, 'b>(self, params: &'b [Value<'a>]) -> &'b [Value<'a>] {
        &params[..params.len() - self.choice()]
    }
}

/// Lists notices, newest first, all or only unread ones.
pub fn list(
    tx: &mut Tx<'_>,
    inbox: Inbox,
    unread_only: bool,
    page: Page,
) -> Result<Listing<Notice>> {
    let (most, offset) = (page.size() + 1, page.offset());
    let items = tx.query(
        sql_choice!(
            2 * usize::from(unread_only) + inbox.choice(),
            "SELECT notice_id, kind, mail_kind, mail_values, summary, link, created_at, read_at
             FROM notices WHERE person_id = $1",
            [
                " AND tenant_id = $4",
                " AND tenant_id IS NULL",
                " AND tenant_id = $4 AND read_at IS NULL",
                " AND tenant_id IS NULL AND read_at IS NULL",
            ],
            " ORDER BY notice_id DESC LIMIT $2 OFFSET $3"
        ),
        inbox.of(params![inbox.person, most, offset, inbox.tenant]),
        read,
    )?;
    total::listing(page, items, || {
        let total = if unread_only {
            count_unread(tx, inbox, BOUND)?
        } else {
            count_all(tx, inbox, BOUND)?
        };
        Ok(if total < u64::from(BOUND) { Total::Exact(total) } else { Total::About(total) })
    })
}

fn count_all(tx: &mut Tx<'_>, inbox: Inbox, bound: u32) -> Result<u64> {
    let found: Option<i64> = tx.find(
        sql_choice!(
            inbox.choice(),
            "SELECT count(*) FROM (
               SELECT notice_id FROM notices WHERE person_id = $1 AND ",
            ["tenant_id = $3", "tenant_id IS NULL"],
            " LIMIT $2) found"
        ),
        inbox.of(params![inbox.person, bound, inbox.tenant]),
        only_column,
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Counts unread notices, up to a bound.
pub fn count_unread(tx: &mut Tx<'_>, inbox: Inbox, bound: u32) -> Result<u64> {
    let found: Option<i64> = tx.find(
        sql_choice!(
            inbox.choice(),
            "SELECT count(*) FROM (
               SELECT notice_id FROM notices WHERE person_id = $1 AND ",
            ["tenant_id = $3", "tenant_id IS NULL"],
            " AND read_at IS NULL LIMIT $2) found"
        ),
        inbox.of(params![inbox.person, bound, inbox.tenant]),
        only_column,
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Returns one of the notices.
pub fn find(tx: &mut Tx<'_>, inbox: Inbox, id: NoticeId) -> Result<Option<Notice>> {
    tx.find(
        sql_choice!(
            inbox.choice(),
            "SELECT notice_id, kind, mail_kind, mail_values, summary, link, created_at, read_at
             FROM notices WHERE notice_id = $1 AND person_id = $2 AND ",
            ["tenant_id = $3", "tenant_id IS NULL"],
            ""
        ),
        inbox.of(params![id, inbox.person, inbox.tenant]),
        read,
    )
}

/// Marks one of the notices as read. False if there is no such unread notice.
pub fn mark_read(tx: &mut Tx<'_>, inbox: Inbox, id: NoticeId, now: Timestamp) -> Result<bool> {
    let changed = tx.execute(
        sql_choice!(
            inbox.choice(),
            "UPDATE notices SET read_at = $3
             WHERE notice_id = $1 AND person_id = $2 AND ",
            ["tenant_id = $4", "tenant_id IS NULL"],
            " AND read_at IS NULL"
        ),
        inbox.of(params![id, inbox.person, now, inbox.tenant]),
    )?;
    Ok(changed == 1)
}

/// Marks all of the notices as read and returns their number.
pub fn mark_all_read(tx: &mut Tx<'_>, inbox: Inbox, now: Timestamp) -> Result<u64> {
    tx.execute(
        sql_choice!(
            inbox.choice(),
            "UPDATE notices SET read_at = $2 WHERE person_id = $1 AND ",
            ["tenant_id = $3", "tenant_id IS NULL"],
            " AND read_at IS NULL"
        ),
        inbox.of(params![inbox.person, now, inbox.tenant]),
    )
}

/// Whether a person has an unread notice that leads to one of two pages, about any tenant.
pub fn has_unread_about(tx: &mut Tx<'_>, person: Uuid, [one, other]: [&str; 2]) -> Result<bool> {
    let found = tx.find(
        sql!(
            "SELECT 1 FROM notices
             WHERE person_id = $1 AND link IN ($2, $3) AND read_at IS NULL LIMIT 1"
        ),
        params![person, one, other],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Marks a person's notices that lead to one of two pages as read, about all tenants, and returns
/// their number.
pub fn mark_read_about(
    tx: &mut Tx<'_>,
    person: Uuid,
    [one, other]: [&str; 2],
    now: Timestamp,
) -> Result<u64> {
    tx.execute(
        sql!(
            "UPDATE notices SET read_at = $4
             WHERE person_id = $1 AND link IN ($2, $3) AND read_at IS NULL"
        ),
        params![person, one, other, now],
    )
}

fn read(row: &Row<'_>) -> Result<Notice> {
    Ok(Notice {
        id: row.get("notice_id")?,
        kind: row.get::<String>("kind")?.parse().map_err(Error::Fault)?,
        mail: row.get::<String>("mail_kind")?.parse().map_err(Error::Fault)?,
        values: from_json(&row.get::<String>("mail_values")?)?,
        summary: row.get("summary")?,
        link: row.get("link")?,
        created_at: row.get("created_at")?,
        read_at: row.get("read_at")?,
    })
}
