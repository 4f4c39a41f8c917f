//! The mentions that one license lists, by when they were first seen. Ids and counts come from one
//! index; only the shown mentions are loaded.

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, MentionId, TalentId, TenantId};
use grantor_domain::mention::{MentionQuery, MentionStatus, Verdict};
use grantor_domain::page::{Listing, Order};

use super::{ListedMention, load};
use crate::license::watch::LicenseName;
use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Counted, Total};
use crate::value::{Value, params};
use crate::{Result, Tx, only_column, record_index};

/// Lists the matching mentions.
pub fn list(
    tx: &mut Tx<'_>,
    license: LicenseId,
    query: &MentionQuery,
) -> Result<Listing<ListedMention>> {
    let Some(watch) = watch_of(tx, license)? else {
        return Ok(Listing::new(query.page, vec![], 0));
    };
    let (status, verdict) =
        (query.status.map(MentionStatus::name), query.verdict.map(Verdict::name));
    let fits: &[Value<'_>] = params![
        watch.talent,
        status,
        verdict,
        query.platform,
        query.from,
        query.to,
        watch.since,
        watch.until,
    ];
    let ids = ids(tx, fits, query)?;
    let found = total::listing(query.page, ids, || total_of(tx, &watch, query, fits))?;
    let mut kept = load(tx, &found.items)?;
    kept.sort_by_key(|it| found.items.iter().position(|id| *id == it.mention.id));
    let shown = |it: super::StoredMention| {
        it.through(LicenseName { id: license, title: watch.title.clone() })
    };
    Ok(found.with_items(|_| kept.into_iter().map(shown).collect()))
}

/// The mentions that a license lists.
struct Watch {
    owner: TenantId,
    talent: TalentId,
    title: String,
    since: Timestamp,
    /// The far future if no end is known.
    until: Timestamp,
    /// When the oldest and the newest mention of the talent were first seen.
    range: Option<(Timestamp, Timestamp)>,
}

impl Watch {
    /// Whether the license lists all mentions of its talent.
    fn lists_all(&self) -> bool {
        self.range.is_none_or(|(oldest, newest)| oldest >= self.since && newest <= self.until)
    }
}

/// `None` if the license was never watched.
fn watch_of(tx: &mut Tx<'_>, license: LicenseId) -> Result<Option<Watch>> {
    tx.find(
        sql!(
            "SELECT l.tenant_id, l.talent_id, l.title, l.watched_since, l.watched_until,
               (SELECT m.first_seen_at FROM mentions m WHERE m.talent_id = l.talent_id
                ORDER BY m.first_seen_at LIMIT 1) AS oldest,
               (SELECT m.first_seen_at FROM mentions m WHERE m.talent_id = l.talent_id
                ORDER BY m.first_seen_at DESC LIMIT 1) AS newest
             FROM licenses l WHERE l.license_id = $1 AND l.watched_since IS NOT NULL"
        ),
        params![license],
        |row| {
            let until: Option<Timestamp> = row.get("watched_until")?;
            let until = until.unwrap_or(Timestamp::from_micros(i64::MAX));
            let (oldest, newest): (Option<_>, Option<_>) = (row.get("oldest")?, row.get("newest")?);
            Ok(Watch {
                owner: row.get("tenant_id")?,
                talent: row.get("talent_id")?,
                title: row.get("title")?,
                since: row.get("watched_since")?,
                until,
                range: oldest.zip(newest),
            })
        },
    )
}

/// A page of ids, and one more if there is one.
fn ids(tx: &mut Tx<'_>, fits: &[Value<'_>], query: &MentionQuery) -> Result<Vec<MentionId>> {
    let by = match query.order {
        Order::Asc => 0,
        Order::Desc => 1,
    };
    let (size, offset) = (query.page.size() + 1, query.page.offset());
    tx.query(
        sql_choice!(
            by,
            "SELECT mention_id FROM mentions
             WHERE talent_id = $1 AND tenant_id IS NOT NULL AND last_seen_at >= $7
               AND first_seen_at <= $8
               AND (CAST($2 AS text) IS NULL OR status = $2)
               AND (CAST($3 AS text) IS NULL OR verdict = $3)
               AND (CAST($4 AS uuid) IS NULL OR platform_id = $4)
               AND (CAST($5 AS bigint) IS NULL OR first_seen_at >= $5)
               AND (CAST($6 AS bigint) IS NULL OR first_seen_at < $6)
             ORDER BY ",
            ["first_seen_at, mention_id", "first_seen_at DESC, mention_id DESC"],
            " LIMIT $9 OFFSET $10"
        ),
        &[fits, params![size, offset]].concat(),
        only_column,
    )
}

/// The total: from the index of records where it knows all conditions, else counted.
fn total_of(
    tx: &mut Tx<'_>,
    watch: &Watch,
    query: &MentionQuery,
    fits: &[Value<'_>],
) -> Result<Total> {
    let is_indexed = query.platform.is_none() && query.from.is_none() && query.to.is_none();
    if is_indexed && watch.lists_all() {
        let of = (watch.owner, watch.talent);
        let total = record_index::count_mentions(tx, of, query.status, query.verdict)?;
        return Ok(Total::Exact(total));
    }
    let counted = count(tx, fits)?;
    counted.total(|| newest(tx, fits))
}

/// Counts the first ones.
fn count(tx: &mut Tx<'_>, fits: &[Value<'_>]) -> Result<Counted> {
    let counted = tx.find(
        sql!(
            "SELECT count(*) AS count, min(first_seen_at) AS first,
               max(first_seen_at) AS last FROM (
               SELECT first_seen_at FROM mentions
               WHERE talent_id = $1 AND tenant_id IS NOT NULL AND last_seen_at >= $7
                 AND first_seen_at <= $8
                 AND (CAST($2 AS text) IS NULL OR status = $2)
                 AND (CAST($3 AS text) IS NULL OR verdict = $3)
                 AND (CAST($4 AS uuid) IS NULL OR platform_id = $4)
                 AND (CAST($5 AS bigint) IS NULL OR first_seen_at >= $5)
                 AND (CAST($6 AS bigint) IS NULL OR first_seen_at < $6)
               ORDER BY first_seen_at LIMIT $9) oldest"
        ),
        &[fits, params![BOUND] as &[_]].concat(),
        Counted::read,
    )?;
    Ok(counted.unwrap_or_default())
}

fn newest(tx: &mut Tx<'_>, fits: &[Value<'_>]) -> Result<Option<Timestamp>> {
    tx.find(
        sql!(
            "SELECT first_seen_at FROM mentions
             WHERE talent_id = $1 AND tenant_id IS NOT NULL AND last_seen_at >= $7
               AND first_seen_at <= $8
               AND (CAST($2 AS text) IS NULL OR status = $2)
               AND (CAST($3 AS text) IS NULL OR verdict = $3)
               AND (CAST($4 AS uuid) IS NULL OR platform_id = $4)
               AND (CAST($5 AS bigint) IS NULL OR first_seen_at >= $5)
               AND (CAST($6 AS bigint) IS NULL OR first_seen_at < $6)
             ORDER BY first_seen_at DESC LIMIT 1"
        ),
        fits,
        only_column,
    )
}
