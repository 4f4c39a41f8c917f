//! A page of what somebody sees, with its exact total.

use grantor_domain::Timestamp;
use grantor_domain::license::{LicenseQuery, LicenseSort, LicenseStatus, LicenseType};
use grantor_domain::page::{Listing, Order};
use uuid::Uuid;

use super::{Entry, Reader, from_rank};
use crate::statement::{sql, sql_choice};
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// Statuses with at most so many rows are read by status and sorted; others are met soon enough in
/// the order of the list.
const FEW: u64 = 1_000;

/// The page asked for, and how many there are on all pages.
pub fn page(
    tx: &mut Tx<'_>,
    reader: Reader,
    query: &LicenseQuery,
    now: Timestamp,
) -> Result<Listing<Entry>> {
    let [one, other] = reader.ids();
    let alone = one == other || total(&counts(tx, other)?, None) == 0;
    let ask = Ask { tx, one, other: if alone { one } else { other }, query, now };
    let (items, total) = ask.run()?;
    Ok(Listing { page: query.page, items, total })
}

struct Ask<'a, 'tx> {
    tx: &'a mut Tx<'tx>,
    one: Uuid,
    other: Uuid,
    query: &'a LicenseQuery,
    now: Timestamp,
}

impl Ask<'_, '_> {
    fn run(mut self) -> Result<(Vec<Entry>, u64)> {
        if let Some(search) = &self.query.search {
            if search.finds_nothing() {
                return Ok((vec![], 0));
            }
            let text = self.tx.search_text(search);
            return Ok((self.found(&text)?, self.count_found(&text)?));
        }
        let total = self.total()?;
        let items = if self.one != self.other {
            self.merged()?
        } else if self.query.status.is_some() && total <= FEW {
            self.of_status()?
        } else {
            self.ordered()?
        };
        Ok((items, total))
    }

    /// Kept where it can be, else counted.
    fn total(&mut self) -> Result<u64> {
        if self.query.license_type.is_some() || self.one != self.other {
            return self.count();
        }
        let kept = counts(self.tx, self.one)?;
        let lapsed = self.lapsed()?;
        let of = |status: LicenseStatus| total(&kept, Some(status));
        let ended = |status: LicenseStatus| total(&lapsed, Some(status));
        Ok(match self.query.status {
            None => total(&kept, None),
            Some(LicenseStatus::Expired) => of(LicenseStatus::Expired) + total(&lapsed, None),
            Some(status) => of(status).saturating_sub(ended(status)),
        })
    }

    /// Of what the reader sees, what ended by itself and is not noted as such: for a second, and
    /// mostly nothing. Looked for among what ends (`SQLite` keeps the order of a CROSS JOIN), never
    /// among all that the reader sees.
    fn lapsed(&mut self) -> Result<Counts> {
        self.tx.query(
            sql!(
                "SELECT r.status, count(*) FROM licenses l CROSS JOIN license_readers r
                 WHERE l.status IN ('private', 'public') AND l.deleted_at IS NULL
                   AND l.expires_at <= $2
                   AND r.license_id = l.license_id AND r.reader_id = $1
                 GROUP BY r.status"
            ),
            params![self.one, self.now],
            read_count,
        )
    }

    fn kind(&self) -> Option<&'static str> {
        self.query.license_type.map(LicenseType::key)
    }

    fn status(&self) -> Option<&'static str> {
        self.query.status.map(LicenseStatus::name)
    }

    /// One reader, in the order of an index.
    fn ordered(&mut self) -> Result<Vec<Entry>> {
        let (page, kind, status) = (self.query.page, self.kind(), self.status());
        self.tx.query(
            sql_choice!(
                order(self.query),
                "SELECT license_id, version, role, status, expires_at FROM license_readers
                 WHERE reader_id = $1
                   AND (CAST($2 AS text) IS NULL OR license_type = $2)
                   AND (CAST($3 AS text) IS NULL OR $3 = CASE
                     WHEN status IN ('private', 'public') AND expires_at <= $4 THEN 'expired'
                     ELSE status END)
                 ORDER BY ",
                [
                    "license_id",
                    "license_id DESC",
                    "updated_at, license_id",
                    "updated_at DESC, license_id DESC",
                    "title, license_id",
                    "title DESC, license_id DESC",
                ],
                " LIMIT $5 OFFSET $6"
            ),
            params![self.one, kind, status, self.now, page.size(), page.offset()],
            read,
        )
    }

    /// One reader and a status that few licenses have: all of them are looked at.
    fn of_status(&mut self) -> Result<Vec<Entry>> {
        let (page, kind, status) = (self.query.page, self.kind(), self.status());
        self.tx.query(
            sql_choice!(
                order(self.query),
                "SELECT license_id, version, role, status, expires_at FROM (
                   SELECT license_id, version, role, status, expires_at, updated_at, title,
                     license_type
                   FROM license_readers
                   WHERE reader_id = $1 AND status = $3
                     AND (status NOT IN ('private', 'public') OR expires_at IS NULL
                       OR expires_at > $4)
                   UNION ALL
                   SELECT r.license_id, r.version, r.role, r.status, r.expires_at, r.updated_at,
                     r.title, r.license_type
                   FROM licenses l CROSS JOIN license_readers r
                   WHERE $3 = 'expired' AND l.status IN ('private', 'public')
                     AND l.deleted_at IS NULL AND l.expires_at <= $4
                     AND r.license_id = l.license_id AND r.reader_id = $1) seen
                 WHERE (CAST($2 AS text) IS NULL OR license_type = $2)
                 ORDER BY ",
                [
                    "license_id",
                    "license_id DESC",
                    "updated_at, license_id",
                    "updated_at DESC, license_id DESC",
                    "title, license_id",
                    "title DESC, license_id DESC",
                ],
                " LIMIT $5 OFFSET $6"
            ),
            params![self.one, kind, status, self.now, page.size(), page.offset()],
            read,
        )
    }

    /// Two readers: each license once, with the greater role.
    fn merged(&mut self) -> Result<Vec<Entry>> {
        let (page, kind, status) = (self.query.page, self.kind(), self.status());
        self.tx.query(
            sql_choice!(
                order(self.query),
                "SELECT license_id, max(version), max(role), max(status), max(expires_at)
                 FROM license_readers
                 WHERE reader_id IN ($1, $7)
                   AND (CAST($2 AS text) IS NULL OR license_type = $2)
                   AND (CAST($3 AS text) IS NULL OR $3 = CASE
                     WHEN status IN ('private', 'public') AND expires_at <= $4 THEN 'expired'
                     ELSE status END)
                 GROUP BY license_id ORDER BY ",
                [
                    "license_id",
                    "license_id DESC",
                    "max(updated_at), license_id",
                    "max(updated_at) DESC, license_id DESC",
                    "max(title), license_id",
                    "max(title) DESC, license_id DESC",
                ],
                " LIMIT $5 OFFSET $6"
            ),
            params![self.one, kind, status, self.now, page.size(), page.offset(), self.other],
            read,
        )
    }

    fn count(&mut self) -> Result<u64> {
        let (kind, status) = (self.kind(), self.status());
        let found = self.tx.find(
            sql!(
                "SELECT count(DISTINCT license_id) FROM license_readers
                 WHERE reader_id IN ($1, $5)
                   AND (CAST($2 AS text) IS NULL OR license_type = $2)
                   AND (CAST($3 AS text) IS NULL OR $3 = CASE
                     WHEN status IN ('private', 'public') AND expires_at <= $4 THEN 'expired'
                     ELSE status END)"
            ),
            params![self.one, kind, status, self.now, self.other],
            |row| row.get::<i64>(0),
        )?;
        Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
    }

    /// What holds these words: few licenses do, so those are looked up.
    fn found(&mut self, words: &str) -> Result<Vec<Entry>> {
        let (page, kind, status) = (self.query.page, self.kind(), self.status());
        self.tx.query(
            sql_choice!(
                order(self.query),
                "SELECT r.license_id, max(r.version), max(r.role), max(r.status), max(r.expires_at)
                 FROM SEARCHED($8) f
                 JOIN license_readers r ON r.license_id = f.license_id
                   AND r.reader_id IN ($1, $7)
                 WHERE (CAST($2 AS text) IS NULL OR r.license_type = $2)
                   AND (CAST($3 AS text) IS NULL OR $3 = CASE
                     WHEN r.status IN ('private', 'public') AND r.expires_at <= $4 THEN 'expired'
                     ELSE r.status END)
                 GROUP BY r.license_id ORDER BY ",
                [
                    "r.license_id",
                    "r.license_id DESC",
                    "max(r.updated_at), r.license_id",
                    "max(r.updated_at) DESC, r.license_id DESC",
                    "max(r.title), r.license_id",
                    "max(r.title) DESC, r.license_id DESC",
                ],
                " LIMIT $5 OFFSET $6"
            ),
            params![
                self.one,
                kind,
                status,
                self.now,
                page.size(),
                page.offset(),
                self.other,
                words,
            ],
            read,
        )
    }

    fn count_found(&mut self, words: &str) -> Result<u64> {
        let (kind, status) = (self.kind(), self.status());
        let found = self.tx.find(
            sql!(
                "SELECT count(DISTINCT r.license_id) FROM SEARCHED($6) f
                 JOIN license_readers r ON r.license_id = f.license_id
                   AND r.reader_id IN ($1, $5)
                 WHERE (CAST($2 AS text) IS NULL OR r.license_type = $2)
                   AND (CAST($3 AS text) IS NULL OR $3 = CASE
                     WHEN r.status IN ('private', 'public') AND r.expires_at <= $4 THEN 'expired'
                     ELSE r.status END)"
            ),
            params![self.one, kind, status, self.now, self.other, words],
            |row| row.get::<i64>(0),
        )?;
        Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
    }
}

type Counts = Vec<(LicenseStatus, u64)>;

fn counts(tx: &mut Tx<'_>, reader: Uuid) -> Result<Counts> {
    tx.query(
        sql!("SELECT status, total FROM reader_counts WHERE reader_id = $1"),
        params![reader],
        read_count,
    )
}

/// Of one status, or of all.
fn total(counts: &Counts, status: Option<LicenseStatus>) -> u64 {
    counts.iter().filter(|(it, _)| status.is_none_or(|status| *it == status)).map(|it| it.1).sum()
}

fn read_count(row: &Row<'_>) -> Result<(LicenseStatus, u64)> {
    let status = row.get::<String>(0)?.parse().map_err(Error::Fault)?;
    Ok((status, u64::try_from(row.get::<i64>(1)?).unwrap_or(0)))
}

fn order(query: &LicenseQuery) -> usize {
    let sort = match query.sort {
        LicenseSort::CreatedAt => 0,
        LicenseSort::UpdatedAt => 2,
        LicenseSort::Title => 4,
    };
    sort + usize::from(query.order == Order::Desc)
}

fn read(row: &Row<'_>) -> Result<Entry> {
    Ok(Entry {
        id: row.get(0)?,
        version: row.get(1)?,
        role: from_rank(row.get(2)?)?,
        status: row.get::<String>(3)?.parse().map_err(Error::Fault)?,
        expires_at: row.get(4)?,
    })
}
