//! Mentions over all licenses that somebody sees. What their organization owns is one list, in the
//! order of an index. What others granted them is looked up license by license: nobody keeps a list
//! of it.

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, MentionId};
use grantor_domain::mention::{MentionStatus, Verdict};
use grantor_domain::page::Page;

use crate::license::reader::Reader;
use crate::statement::{sql, sql_choice};
use crate::value::params;
use crate::{Error, Result, Tx};

/// Which mentions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Only this status.
    pub status: Option<MentionStatus>,
    /// Only this verdict.
    pub verdict: Option<Verdict>,
}

impl Wanted {
    /// What still waits has an index of its own.
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

/// A page of them, newest first, each with its license.
pub fn page(
    tx: &mut Tx<'_>,
    reader: Reader,
    wanted: Wanted,
    page: Page,
) -> Result<Vec<(MentionId, LicenseId)>> {
    let [own, other] = reader.ids();
    tx.query(
        sql_choice!(
            wanted.way(),
            "SELECT mention_id, license_id, first_seen_at FROM mentions WHERE tenant_id = $1 AND ",
            [
                "($3 = '' OR status = $3) AND ($4 = '' OR verdict = $4)
                 UNION ALL
                 SELECT m.mention_id, m.license_id, m.first_seen_at FROM mentions m
                 WHERE m.license_id IN (
                     SELECT r.license_id FROM permissions p JOIN license_readers r
                       ON r.reader_id = p.grantee_id AND r.license_id = p.license_id
                     WHERE p.grantee_id IN ($1, $2))
                   AND m.tenant_id <> $1 AND ($3 = '' OR m.status = $3)
                   AND ($4 = '' OR m.verdict = $4)",
                "status = 'new' AND $3 = 'new' AND ($4 = '' OR verdict = $4)
                 UNION ALL
                 SELECT m.mention_id, m.license_id, m.first_seen_at FROM mentions m
                 WHERE m.license_id IN (
                     SELECT r.license_id FROM permissions p JOIN license_readers r
                       ON r.reader_id = p.grantee_id AND r.license_id = p.license_id
                     WHERE p.grantee_id IN ($1, $2))
                   AND m.tenant_id <> $1 AND m.status = 'new' AND ($4 = '' OR m.verdict = $4)",
            ],
            " ORDER BY first_seen_at DESC, mention_id DESC LIMIT $5 OFFSET $6"
        ),
        params![own, other, wanted.status(), wanted.verdict(), page.size(), page.offset()],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// How many there are; counting ends at so many.
pub fn count(tx: &mut Tx<'_>, reader: Reader, wanted: Wanted, at_most: i64) -> Result<u64> {
    let [own, other] = reader.ids();
    let found: Option<i64> = tx.find(
        sql_choice!(
            wanted.way(),
            "SELECT count(*) FROM (SELECT mention_id FROM mentions WHERE tenant_id = $1 AND ",
            [
                "($3 = '' OR status = $3) AND ($4 = '' OR verdict = $4)
                 UNION ALL
                 SELECT m.mention_id FROM mentions m
                 WHERE m.license_id IN (
                     SELECT r.license_id FROM permissions p JOIN license_readers r
                       ON r.reader_id = p.grantee_id AND r.license_id = p.license_id
                     WHERE p.grantee_id IN ($1, $2))
                   AND m.tenant_id <> $1 AND ($3 = '' OR m.status = $3)
                   AND ($4 = '' OR m.verdict = $4)",
                "status = 'new' AND $3 = 'new' AND ($4 = '' OR verdict = $4)
                 UNION ALL
                 SELECT m.mention_id FROM mentions m
                 WHERE m.license_id IN (
                     SELECT r.license_id FROM permissions p JOIN license_readers r
                       ON r.reader_id = p.grantee_id AND r.license_id = p.license_id
                     WHERE p.grantee_id IN ($1, $2))
                   AND m.tenant_id <> $1 AND m.status = 'new' AND ($4 = '' OR m.verdict = $4)",
            ],
            " LIMIT $5) found"
        ),
        params![own, other, wanted.status(), wanted.verdict(), at_most],
        |row| row.get(0),
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// How many of each verdict were first seen on each day since then, as the number of the day since
/// 1970.
pub fn count_days(
    tx: &mut Tx<'_>,
    reader: Reader,
    since: Timestamp,
) -> Result<Vec<(i64, Verdict, u64)>> {
    let [own, other] = reader.ids();
    tx.query(
        sql!(
            "SELECT day, verdict, count(*) FROM (
               SELECT first_seen_at / 86400000000 AS day, verdict FROM mentions
               WHERE tenant_id = $1 AND first_seen_at >= $3
               UNION ALL
               SELECT m.first_seen_at / 86400000000, m.verdict FROM mentions m
               WHERE m.license_id IN (
                   SELECT r.license_id FROM permissions p JOIN license_readers r
                     ON r.reader_id = p.grantee_id AND r.license_id = p.license_id
                   WHERE p.grantee_id IN ($1, $2))
                 AND m.tenant_id <> $1 AND m.first_seen_at >= $3) seen
             GROUP BY day, verdict"
        ),
        params![own, other, since],
        |row| {
            let verdict = row.get::<String>(1)?.parse().map_err(Error::Fault)?;
            Ok((row.get(0)?, verdict, u64::try_from(row.get::<i64>(2)?).unwrap_or(0)))
        },
    )
}
