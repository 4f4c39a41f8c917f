//! The mentions that one license lists, by when they were first seen. Ids and counts come from one
//! index; only the shown mentions are loaded.

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, MentionId, TalentId};
use grantor_domain::mention::{MentionQuery, MentionStatus, Verdict};
use grantor_domain::page::{Listing, Order};

use super::{ListedMention, load};
use crate::license::watch::LicenseName;
use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Counted};
use crate::value::{Value, params};
use crate::{Result, Tx, only_column};

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
    let found = total::listing(query.page, ids, || {
        let counted = count(tx, fits)?;
        counted.total(|| newest(tx, fits))
    })?;
    let mut kept = load(tx, &found.items)?;
    kept.sort_by_key(|it| found.items.iter().position(|id| *id == it.mention.id));
    let shown = |it: super::StoredMention| {
        it.through(LicenseName { id: license, title: watch.title.clone() })
    };
    Ok(found.with_items(|_| kept.into_iter().map(shown).collect()))
}

/// The mentions that a license lists.
struct Watch {
    talent: TalentId,
    title: String,
    since: Timestamp,
    /// The far future if no end is known.
    until: Timestamp,
}

/// `None` if the license was never watched.
fn watch_of(tx: &mut Tx<'_>, license: LicenseId) -> Result<Option<Watch>> {
    tx.find(
        sql!(
            "SELECT talent_id, title, watched_since, watched_until FROM licenses
             WHERE license_id = $1 AND watched_since IS NOT NULL"
        ),
        params![license],
        |row| {
            let (talent, title) = (row.get("talent_id")?, row.get("title")?);
            let until = row.get::<Option<Timestamp>>("watched_until")?;
            let until = until.unwrap_or(Timestamp::from_micros(i64::MAX));
            Ok(Watch { talent, title, since: row.get("watched_since")?, until })
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
