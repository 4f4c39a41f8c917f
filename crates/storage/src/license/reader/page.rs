//! A page of what somebody sees, with its exact total.

mod found;

use grantor_domain::Timestamp;
use grantor_domain::id::LicenseId;
use grantor_domain::license::{LicenseQuery, LicenseSort, LicenseStatus, LicenseType};
use grantor_domain::page::{Listing, Order};
use uuid::Uuid;

use super::count::{Counts, counts, lapsed};
use super::place::{Place, Places};
use super::{Entry, Reader, read};
use crate::statement::{sql, sql_choice};
use crate::value::params;
use crate::{Result, Tx};

/// Statuses with at most so many rows are read by status and sorted; others are met soon enough in
/// the order of the list.
const FEW: u64 = 1_000;

/// Up to so many rows on the way to a page are passed over in no time.
const SHORT: i64 = 100;

/// Whether a page is near the beginning of a list as it is kept.
#[must_use]
pub fn may_be_short(query: &LicenseQuery) -> bool {
    let filtered = query.status.is_some() || query.search.is_some() || query.license_type.is_some();
    !filtered && query.page.offset() <= SHORT
}

/// Such a page, if it is one list's: a few rows of one index, whatever the list holds.
pub fn short_page(
    tx: &mut Tx<'_>,
    reader: Reader,
    query: &LicenseQuery,
) -> Result<Option<Listing<Entry>>> {
    tx.hold_still()?;
    let [one, other] = reader.ids();
    let kept = counts(tx, one, other)?;
    if one != other && kept.of(other, None) > 0 {
        return Ok(None);
    }
    let total = kept.of(one, None);
    let items = ordered(tx, one, query)?;
    Ok(Some(Listing { page: query.page, items, total }))
}

/// The page asked for, and how many there are on all pages.
pub fn page(
    tx: &mut Tx<'_>,
    reader: Reader,
    query: &LicenseQuery,
    now: Timestamp,
    places: &Places,
) -> Result<Listing<Entry>> {
    let [one, other] = reader.ids();
    let kept = counts(tx, one, other)?;
    let alone = one == other || kept.of(other, None) == 0;
    let other = if alone { one } else { other };
    let ask = Ask { tx, one, other, kept, query, now, places };
    let (items, total) = ask.run()?;
    Ok(Listing { page: query.page, items, total })
}

struct Ask<'a, 'tx> {
    tx: &'a mut Tx<'tx>,
    one: Uuid,
    other: Uuid,
    kept: Counts,
    query: &'a LicenseQuery,
    now: Timestamp,
    places: &'a Places,
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
        } else if self.query.status.is_some() || self.query.license_type.is_some() {
            self.filtered()?
        } else if self.query.sort == LicenseSort::CreatedAt && !may_be_short(self.query) {
            self.late()?
        } else {
            ordered(self.tx, self.one, self.query)?
        };
        Ok((items, total))
    }

    /// Kept where it can be, else counted.
    fn total(&mut self) -> Result<u64> {
        let Self { one, other, .. } = *self;
        match (self.query.license_type, self.query.status) {
            (None, None) if one != other => {
                let both = self.kept.of(one, None) + self.kept.of(other, None);
                Ok(both.saturating_sub(self.shared()?))
            }
            (None, None) => Ok(self.kept.of(one, None)),
            (None, Some(status)) if one == other => {
                let (noted, lapsed) =
                    (self.kept.of(one, Some(status)), lapsed(self.tx, one, self.now)?);
                Ok(match status {
                    LicenseStatus::Expired => noted + lapsed.of(one, None),
                    _ => noted.saturating_sub(lapsed.of(one, Some(status))),
                })
            }
            _ => self.count(),
        }
    }

    /// How many of the person's own the organization sees as well.
    fn shared(&mut self) -> Result<u64> {
        let found = self.tx.find(
            sql!(
                "SELECT count(*) FROM license_readers o CROSS JOIN license_readers r
                 WHERE o.reader_id = $2 AND r.reader_id = $1 AND r.license_id = o.license_id"
            ),
            params![self.one, self.other],
            |row| row.get::<i64>(0),
        )?;
        Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
    }

    fn kind(&self) -> Option<&'static str> {
        self.query.license_type.map(LicenseType::key)
    }

    fn status(&self) -> Option<&'static str> {
        self.query.status.map(LicenseStatus::name)
    }

    /// A page far from the beginning, in the order of creation: from where it is known to begin,
    /// or by walking there. One license more tells where the page after it begins.
    fn late(&mut self) -> Result<Vec<Entry>> {
        let (page, order, reader) = (self.query.page, self.query.order, self.one);
        let changes = self.kept.changes(reader);
        let place = |offset| Place::new(reader, changes, order, offset);
        let size = i64::from(page.size());
        let known = self.places.get(&place(page.offset()));
        let from = match known {
            Some(first) => Some(first),
            None => self.walk()?,
        };
        let Some(first) = from else { return Ok(vec![]) };
        let mut items = self.from(first, size + 1)?;
        self.places.keep(place(page.offset()), first);
        if let Some(next) = items.get(page.size() as usize) {
            self.places.keep(place(page.offset() + size), next.id);
        }
        items.truncate(page.size() as usize);
        Ok(items)
    }

    /// The license that a late page begins with.
    fn walk(&mut self) -> Result<Option<LicenseId>> {
        self.tx.find(
            sql_choice!(
                usize::from(self.query.order == Order::Desc),
                "SELECT license_id FROM license_readers WHERE reader_id = $1 ORDER BY ",
                ["license_id", "license_id DESC"],
                " LIMIT 1 OFFSET $2"
            ),
            params![self.one, self.query.page.offset()],
            |row| row.get(0),
        )
    }

    fn from(&mut self, first: LicenseId, at_most: i64) -> Result<Vec<Entry>> {
        self.tx.query(
            sql_choice!(
                usize::from(self.query.order == Order::Desc),
                "SELECT license_id, version, role, status, expires_at FROM license_readers
                 WHERE reader_id = $1 AND license_id ",
                [">= $2 ORDER BY license_id", "<= $2 ORDER BY license_id DESC"],
                " LIMIT $3"
            ),
            params![self.one, first, at_most],
            read,
        )
    }

    /// One reader, in the order of an index, leaving out what was not asked for.
    fn filtered(&mut self) -> Result<Vec<Entry>> {
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

    /// Two readers: their lists side by side, each license once, with the greater role. Engines
    /// merge what comes in order, so that a page reads as far as itself.
    fn merged(&mut self) -> Result<Vec<Entry>> {
        let (page, kind, status) = (self.query.page, self.kind(), self.status());
        self.tx.query(
            sql_choice!(
                order(self.query),
                "SELECT r.license_id, r.version,
                   (SELECT max(b.role) FROM license_readers b
                    WHERE b.reader_id IN ($1, $7) AND b.license_id = r.license_id) AS role,
                   r.status, r.expires_at, r.updated_at, r.title
                 FROM license_readers r
                 WHERE r.reader_id = $1
                   AND (CAST($2 AS text) IS NULL OR r.license_type = $2)
                   AND (CAST($3 AS text) IS NULL OR $3 = CASE
                     WHEN r.status IN ('private', 'public') AND r.expires_at <= $4 THEN 'expired'
                     ELSE r.status END)
                 UNION ALL
                 SELECT r.license_id, r.version, r.role, r.status, r.expires_at, r.updated_at,
                   r.title
                 FROM license_readers r
                 WHERE r.reader_id = $7
                   AND NOT EXISTS (SELECT 1 FROM license_readers b
                     WHERE b.reader_id = $1 AND b.license_id = r.license_id)
                   AND (CAST($2 AS text) IS NULL OR r.license_type = $2)
                   AND (CAST($3 AS text) IS NULL OR $3 = CASE
                     WHEN r.status IN ('private', 'public') AND r.expires_at <= $4 THEN 'expired'
                     ELSE r.status END)
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
}

/// All of one reader, in the order of an index. Nothing is compared on the way to a later page.
fn ordered(tx: &mut Tx<'_>, reader: Uuid, query: &LicenseQuery) -> Result<Vec<Entry>> {
    tx.query(
        sql_choice!(
            order(query),
            "SELECT license_id, version, role, status, expires_at FROM license_readers
             WHERE reader_id = $1 ORDER BY ",
            [
                "license_id",
                "license_id DESC",
                "updated_at, license_id",
                "updated_at DESC, license_id DESC",
                "title, license_id",
                "title DESC, license_id DESC",
            ],
            " LIMIT $2 OFFSET $3"
        ),
        params![reader, query.page.size(), query.page.offset()],
        read,
    )
}

fn order(query: &LicenseQuery) -> usize {
    let sort = match query.sort {
        LicenseSort::CreatedAt => 0,
        LicenseSort::UpdatedAt => 2,
        LicenseSort::Title => 4,
    };
    sort + usize::from(query.order == Order::Desc)
}
