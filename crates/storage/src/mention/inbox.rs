//! Mentions of all licenses that a reader sees. The organization's own mentions are one list in
//! index order. Those shared by others are looked up talent by talent, because no list of them is
//! stored. Mentions seen while a shared license is watched follow from the license; only the rest
//! are looked up one by one, in an order that PostgreSQL keeps instead of planning a join.

use grantor_domain::id::MentionId;
use grantor_domain::mention::{MentionStatus, Verdict};
use grantor_domain::page::{Listing, Page};

use super::day;
use crate::license::reader::Reader;
use crate::statement::{sql, sql_choice};
use crate::total::BOUND;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// A filter for mentions.
#[derive(Clone, Copy, Debug, Default)]
pub struct InboxFilter {
    /// Filter by status.
    pub status: Option<MentionStatus>,
    /// Filter by verdict.
    pub verdict: Option<Verdict>,
}

impl InboxFilter {
    /// New mentions have their own index.
    fn way(self) -> usize {
        usize::from(self.status == Some(MentionStatus::New))
    }

    fn status(self) -> &'static str {
        self.status.map_or("", MentionStatus::name)
    }

    fn verdict(self) -> &'static str {
        self.verdict.map_or("", Verdict::name)
    }
}

/// A page of matching mentions, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    reader: Reader,
    wanted: InboxFilter,
    page: Page,
) -> Result<Listing<MentionId>> {
    let granted = has_grants(tx, reader)?;
    let items =
        if granted { merged(tx, reader, wanted, page) } else { own(tx, reader, wanted, page) };
    let items = items?;
    let mut total = day::total(tx, reader.ids()[0], wanted.status(), wanted.verdict())?;
    let others = if granted { count_granted(tx, reader, wanted, BOUND)? } else { 0 };
    total += others;
    let total_is_estimate = others == u64::from(BOUND);
    Ok(Listing { page, items, total, total_is_estimate })
}

/// Counts matching mentions; those shared by others up to `at_most`.
pub fn count(tx: &mut Tx<'_>, reader: Reader, wanted: InboxFilter, at_most: u32) -> Result<u64> {
    let own = day::total(tx, reader.ids()[0], wanted.status(), wanted.verdict())?;
    Ok(own + count_granted(tx, reader, wanted, at_most)?)
}

/// Whether others have shared anything with the reader, by a permission or an active grant.
pub(crate) fn has_grants(tx: &mut Tx<'_>, reader: Reader) -> Result<bool> {
    let [own, other] = reader.ids();
    let found = tx.find(
        sql!(
            "SELECT 1 FROM permissions WHERE grantee_id IN ($1, $2)
             UNION ALL
             SELECT 1 FROM grants WHERE licensee_id = $1 AND status = 'active' LIMIT 1"
        ),
        params![own, other],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// A page of the organization's own mentions, in index order.
fn own(tx: &mut Tx<'_>, reader: Reader, wanted: InboxFilter, page: Page) -> Result<Vec<MentionId>> {
    let [own, _] = reader.ids();
    tx.query(
        sql_choice!(
            wanted.way(),
            "SELECT mention_id FROM mentions WHERE tenant_id = $1 AND ",
            ["($2 = '' OR status = $2)", "status = 'new' AND $2 = 'new'"],
            " AND ($3 = '' OR verdict = $3)
             ORDER BY first_seen_at DESC, mention_id DESC LIMIT $4 OFFSET $5"
        ),
        params![own, wanted.status(), wanted.verdict(), page.size(), page.offset()],
        only_column,
    )
}

/// A page of the organization's own mentions and of those shared with the reader.
fn merged(
    tx: &mut Tx<'_>,
    reader: Reader,
    wanted: InboxFilter,
    page: Page,
) -> Result<Vec<MentionId>> {
    let [own, other] = reader.ids();
    tx.query(
        sql_choice!(
            wanted.way(),
            "SELECT m.mention_id AS mention_id, m.first_seen_at AS first_seen_at FROM (
                 SELECT shared.talent_id,
                   min(CASE WHEN shared.watched_until IS NULL THEN shared.watched_since END)
                     AS open_since
                 FROM (
                   SELECT p.talent_id, l.watched_since, l.watched_until
                   FROM permissions p JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.grantee_id IN ($1, $2) AND l.tenant_id <> $1
                     AND l.watched_since IS NOT NULL
                   UNION ALL
                   SELECT g.talent_id, l.watched_since, l.watched_until
                   FROM grants g JOIN licenses l ON l.license_id = g.license_id
                   WHERE g.licensee_id = $1 AND g.status = 'active'
                     AND l.watched_since IS NOT NULL) shared
                 GROUP BY shared.talent_id) held
               CROSS JOIN mentions m
               WHERE m.talent_id = held.talent_id AND m.tenant_id <> $1
                 AND ($4 = '' OR m.verdict = $4)
                 AND (m.last_seen_at >= held.open_since OR coalesce((
                   SELECT p.license_id FROM permissions p
                   JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.talent_id = m.talent_id AND p.grantee_id = $1
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY p.license_id LIMIT 1), (
                   SELECT p.license_id FROM permissions p
                   JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.talent_id = m.talent_id AND p.grantee_id = $2
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY p.license_id LIMIT 1), (
                   SELECT g.license_id FROM grants g
                   JOIN licenses l ON l.license_id = g.license_id
                   WHERE g.talent_id = m.talent_id AND g.licensee_id = $1 AND g.status = 'active'
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY g.license_id LIMIT 1)) IS NOT NULL)
                 AND ",
            [
                "($3 = '' OR m.status = $3)
                 UNION ALL
                 SELECT mention_id, first_seen_at FROM mentions
                 WHERE tenant_id = $1 AND ($3 = '' OR status = $3)",
                "m.status = 'new' AND $3 = 'new'
                 UNION ALL
                 SELECT mention_id, first_seen_at FROM mentions
                 WHERE tenant_id = $1 AND status = 'new' AND $3 = 'new'",
            ],
            " AND ($4 = '' OR verdict = $4)
             ORDER BY first_seen_at DESC, mention_id DESC LIMIT $5 OFFSET $6"
        ),
        params![own, other, wanted.status(), wanted.verdict(), page.size(), page.offset()],
        |row| row.get("mention_id"),
    )
}

fn count_granted(
    tx: &mut Tx<'_>,
    reader: Reader,
    wanted: InboxFilter,
    at_most: u32,
) -> Result<u64> {
    let [own, other] = reader.ids();
    let found: Option<i64> = tx.find(
        sql_choice!(
            wanted.way(),
            "SELECT count(*) FROM (
               SELECT m.mention_id FROM (
                 SELECT shared.talent_id,
                   min(CASE WHEN shared.watched_until IS NULL THEN shared.watched_since END)
                     AS open_since
                 FROM (
                   SELECT p.talent_id, l.watched_since, l.watched_until
                   FROM permissions p JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.grantee_id IN ($1, $2) AND l.tenant_id <> $1
                     AND l.watched_since IS NOT NULL
                   UNION ALL
                   SELECT g.talent_id, l.watched_since, l.watched_until
                   FROM grants g JOIN licenses l ON l.license_id = g.license_id
                   WHERE g.licensee_id = $1 AND g.status = 'active'
                     AND l.watched_since IS NOT NULL) shared
                 GROUP BY shared.talent_id) held
               CROSS JOIN mentions m
               WHERE m.talent_id = held.talent_id AND m.tenant_id <> $1 AND ($4 = '' OR m.verdict = $4)
                 AND (m.last_seen_at >= held.open_since OR coalesce((
                   SELECT p.license_id FROM permissions p
                   JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.talent_id = m.talent_id AND p.grantee_id = $1
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY p.license_id LIMIT 1), (
                   SELECT p.license_id FROM permissions p
                   JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.talent_id = m.talent_id AND p.grantee_id = $2
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY p.license_id LIMIT 1), (
                   SELECT g.license_id FROM grants g
                   JOIN licenses l ON l.license_id = g.license_id
                   WHERE g.talent_id = m.talent_id AND g.licensee_id = $1 AND g.status = 'active'
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY g.license_id LIMIT 1)) IS NOT NULL)
                 AND ",
            ["($3 = '' OR m.status = $3)", "m.status = 'new' AND $3 = 'new'"],
            " LIMIT $5) found"
        ),
        params![own, other, wanted.status(), wanted.verdict(), at_most],
        only_column,
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// The numbers in the index of up to `at_most` mentions that others have shared with the reader.
pub(crate) fn shared_numbers(tx: &mut Tx<'_>, reader: Reader, at_most: u32) -> Result<Vec<i64>> {
    let [own, other] = reader.ids();
    let found: Vec<Option<i64>> = tx.query(
        sql!(
            "SELECT (SELECT n.number FROM record_numbers n
               WHERE n.kind = 'mention' AND n.record_id = found.mention_id)
             FROM (
               SELECT m.mention_id FROM (
                 SELECT shared.talent_id,
                   min(CASE WHEN shared.watched_until IS NULL THEN shared.watched_since END)
                     AS open_since
                 FROM (
                   SELECT p.talent_id, l.watched_since, l.watched_until
                   FROM permissions p JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.grantee_id IN ($1, $2) AND l.tenant_id <> $1
                     AND l.watched_since IS NOT NULL
                   UNION ALL
                   SELECT g.talent_id, l.watched_since, l.watched_until
                   FROM grants g JOIN licenses l ON l.license_id = g.license_id
                   WHERE g.licensee_id = $1 AND g.status = 'active'
                     AND l.watched_since IS NOT NULL) shared
                 GROUP BY shared.talent_id) held
               CROSS JOIN mentions m
               WHERE m.talent_id = held.talent_id AND m.tenant_id <> $1
                 AND (m.last_seen_at >= held.open_since OR coalesce((
                   SELECT p.license_id FROM permissions p
                   JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.talent_id = m.talent_id AND p.grantee_id = $1
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY p.license_id LIMIT 1), (
                   SELECT p.license_id FROM permissions p
                   JOIN licenses l ON l.license_id = p.license_id
                   WHERE p.talent_id = m.talent_id AND p.grantee_id = $2
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY p.license_id LIMIT 1), (
                   SELECT g.license_id FROM grants g
                   JOIN licenses l ON l.license_id = g.license_id
                   WHERE g.talent_id = m.talent_id AND g.licensee_id = $1 AND g.status = 'active'
                     AND l.watched_since <= m.last_seen_at AND l.watched_until >= m.first_seen_at
                   ORDER BY g.license_id LIMIT 1)) IS NOT NULL)
               LIMIT $3) found"
        ),
        params![own, other, at_most],
        only_column,
    )?;
    Ok(found.into_iter().flatten().collect())
}

/// Whether others have shared a mention with the reader.
pub(crate) fn is_shared(tx: &mut Tx<'_>, reader: Reader, id: MentionId) -> Result<bool> {
    let [own, other] = reader.ids();
    let found = tx.find(
        sql!(
            "SELECT 1 FROM mentions m
             JOIN permissions p ON p.talent_id = m.talent_id AND p.grantee_id IN ($1, $2)
             JOIN licenses l ON l.license_id = p.license_id
             WHERE m.mention_id = $3 AND m.tenant_id <> $1 AND l.tenant_id <> $1
               AND l.watched_since <= m.last_seen_at
               AND (l.watched_until IS NULL OR l.watched_until >= m.first_seen_at)
             UNION ALL
             SELECT 1 FROM mentions m
             JOIN grants g ON g.talent_id = m.talent_id AND g.licensee_id = $1
               AND g.status = 'active'
             JOIN licenses l ON l.license_id = g.license_id
             WHERE m.mention_id = $3 AND m.tenant_id <> $1
               AND l.watched_since <= m.last_seen_at
               AND (l.watched_until IS NULL OR l.watched_until >= m.first_seen_at)
             LIMIT 1"
        ),
        params![own, other, id],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}
