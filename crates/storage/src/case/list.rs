//! The cases of a tenant: those of its talents, and those that it opened for talents of others. Last
//! changed first.

use grantor_domain::Timestamp;
use grantor_domain::case::{CaseFilter, CaseQuery, CaseStatus};
use grantor_domain::id::{MentionId, TalentId, TenantId, UserId};
use grantor_domain::page::Listing;

use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Total};
use crate::value::{Value, padded, params};
use crate::{Error, Result, Row, Tx, only_column};

/// How many cases one statement looks up.
const AT_ONCE: usize = 10;

/// A case in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedCase {
    /// The mention.
    pub mention: MentionId,
    /// The address.
    pub url: String,
    /// The title of the content.
    pub title: String,
    /// The talent.
    pub talent: TalentId,
    /// The talent's name.
    pub talent_name: String,
    /// The status.
    pub status: CaseStatus,
    /// Who works on it, with the name.
    pub assignee: Option<(UserId, String)>,
    /// When the last look was.
    pub last_look_at: Option<Timestamp>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Lists a tenant's matching cases.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId, query: &CaseQuery) -> Result<Listing<ListedCase>> {
    let (size, offset) = (query.page.size() + 1, query.page.offset());
    let reach = offset.saturating_add(i64::from(size));
    let found = match query.filter {
        CaseFilter::All => select(tx, 0, params![tenant, reach, size, offset])?,
        CaseFilter::Live => select(tx, 1, params![tenant, reach, size, offset])?,
        CaseFilter::Status(status) => {
            select(tx, 2, params![tenant, reach, size, offset, status.name()])?
        }
    };
    let listing = total::listing(query.page, found, || match query.filter {
        CaseFilter::All => count(tx, 0, params![tenant, BOUND]),
        CaseFilter::Live => count(tx, 1, params![tenant, BOUND]),
        CaseFilter::Status(status) => count(tx, 2, params![tenant, BOUND, status.name()]),
    })?;
    let loaded = load(tx, &listing.items)?;
    Ok(listing.with_items(|_| loaded))
}

/// Counts a tenant's cases in which somebody has to act, up to `at_most` of each half.
pub fn count_open(tx: &mut Tx<'_>, tenant: TenantId, at_most: u32) -> Result<u64> {
    match count(tx, 2, params![tenant, at_most, CaseStatus::Open.name()])? {
        Total::Exact(found) | Total::About(found) => Ok(found),
    }
}

/// The ids of a page. No case is in both halves: an agent is never the owner.
fn select(tx: &mut Tx<'_>, by: usize, values: &[Value<'_>]) -> Result<Vec<MentionId>> {
    tx.query(
        sql_choice!(
            by,
            "",
            [
                "SELECT mention_id FROM (
                   SELECT mention_id, updated_at FROM (
                     SELECT mention_id, updated_at FROM cases WHERE tenant_id = $1
                     ORDER BY updated_at DESC, mention_id DESC LIMIT $2) own
                   UNION ALL
                   SELECT mention_id, updated_at FROM (
                     SELECT mention_id, updated_at FROM cases WHERE agent_id = $1
                     ORDER BY updated_at DESC, mention_id DESC LIMIT $2) opened) found",
                "SELECT mention_id FROM (
                   SELECT mention_id, updated_at FROM (
                     SELECT mention_id, updated_at FROM cases
                     WHERE tenant_id = $1 AND status <> 'removed' AND status <> 'closed'
                     ORDER BY updated_at DESC, mention_id DESC LIMIT $2) own
                   UNION ALL
                   SELECT mention_id, updated_at FROM (
                     SELECT mention_id, updated_at FROM cases
                     WHERE agent_id = $1 AND status <> 'removed' AND status <> 'closed'
                     ORDER BY updated_at DESC, mention_id DESC LIMIT $2) opened) found",
                "SELECT mention_id FROM (
                   SELECT mention_id, updated_at FROM (
                     SELECT mention_id, updated_at FROM cases WHERE tenant_id = $1 AND status = $5
                     ORDER BY updated_at DESC, mention_id DESC LIMIT $2) own
                   UNION ALL
                   SELECT mention_id, updated_at FROM (
                     SELECT mention_id, updated_at FROM cases WHERE agent_id = $1 AND status = $5
                     ORDER BY updated_at DESC, mention_id DESC LIMIT $2) opened) found",
            ],
            " ORDER BY updated_at DESC, mention_id DESC LIMIT $3 OFFSET $4"
        ),
        values,
        only_column,
    )
}

/// Counts up to [`BOUND`] cases of each half. Live ones are counted in the order of their own index,
/// so that those that are over are not read.
fn count(tx: &mut Tx<'_>, by: usize, values: &[Value<'_>]) -> Result<Total> {
    let found: Option<i64> = tx.find(
        sql_choice!(
            by,
            "SELECT count(*) FROM (SELECT mention_id FROM (SELECT mention_id FROM cases WHERE ",
            [
                "tenant_id = $1 LIMIT $2) own
                 UNION ALL
                 SELECT mention_id FROM (SELECT mention_id FROM cases WHERE agent_id = $1 LIMIT $2",
                "tenant_id = $1 AND status <> 'removed' AND status <> 'closed'
                 ORDER BY updated_at LIMIT $2) own
                 UNION ALL
                 SELECT mention_id FROM (SELECT mention_id FROM cases
                 WHERE agent_id = $1 AND status <> 'removed' AND status <> 'closed'
                 ORDER BY updated_at LIMIT $2",
                "tenant_id = $1 AND status = $3 LIMIT $2) own
                 UNION ALL
                 SELECT mention_id FROM (SELECT mention_id FROM cases
                 WHERE agent_id = $1 AND status = $3 LIMIT $2",
            ],
            ") opened) found"
        ),
        values,
        only_column,
    )?;
    let found = found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(if found >= u64::from(BOUND) { Total::About(found) } else { Total::Exact(found) })
}

/// Loads these cases in this order.
pub(crate) fn load(tx: &mut Tx<'_>, ids: &[MentionId]) -> Result<Vec<ListedCase>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT c.mention_id, m.url, m.title, t.fullname, c.status, c.assignee_id,
                   a.fullname AS assignee_name, c.last_look_at, c.opened_at, c.updated_at,
                   m.talent_id
                 FROM cases c JOIN mentions m ON m.mention_id = c.mention_id
                 JOIN talents t ON t.talent_id = m.talent_id
                 LEFT JOIN users a ON a.user_id = c.assignee_id
                 WHERE c.mention_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    found.sort_by_key(|it| ids.iter().position(|id| *id == it.mention));
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<ListedCase> {
    let name: Option<String> = row.get("assignee_name")?;
    Ok(ListedCase {
        mention: row.get("mention_id")?,
        url: row.get("url")?,
        title: row.get("title")?,
        talent: row.get("talent_id")?,
        talent_name: row.get("fullname")?,
        status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
        assignee: row
            .get::<Option<UserId>>("assignee_id")?
            .map(|id| (id, name.unwrap_or_default())),
        last_look_at: row.get("last_look_at")?,
        opened_at: row.get("opened_at")?,
        updated_at: row.get("updated_at")?,
    })
}
