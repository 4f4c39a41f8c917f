//! A page of what somebody sees, with its exact total.

use grantor_domain::Timestamp;
use grantor_domain::license::{LicenseQuery, LicenseSort, LicenseStatus};
use grantor_domain::page::{Listing, Order};
use uuid::Uuid;

use super::super::index::{Selection, Wanted};
use super::count::{counts, lapsed};
use super::{Entry, Reader, Sortable, read};
use crate::statement::sql_choice;
use crate::value::params;
use crate::{Result, Tx};

/// Up to so many selected licenses are read whole and sorted; more are met soon enough in the order
/// of the list.
const FEW: u64 = 1_000;

/// How many rows of a list are looked through at a time.
const WINDOW: u32 = 500;

/// Up to so many rows on the way to a page are passed over in no time.
const SHORT: i64 = 100;

/// Whether a page is near the beginning of a list as it is kept.
#[must_use]
pub fn may_be_short(query: &LicenseQuery) -> bool {
    !is_filtered(query) && query.page.offset() <= SHORT
}

fn is_filtered(query: &LicenseQuery) -> bool {
    query.status.is_some() || is_narrowed(query)
}

/// Whether a search or a type leaves licenses out.
fn is_narrowed(query: &LicenseQuery) -> bool {
    query.search.is_some() || query.q.is_some() || query.license_type.is_some()
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
    let items = ordered(tx, one, query, (query.page.size(), query.page.offset()))?;
    Ok(Some(Listing::new(query.page, items, total)))
}

/// The page asked for, and how many there are on all pages.
pub fn page(
    tx: &mut Tx<'_>,
    reader: Reader,
    query: &LicenseQuery,
    now: Timestamp,
) -> Result<Listing<Entry>> {
    if may_be_whole(reader, query)
        && let Some(page) = whole(tx, reader, query, now)?
    {
        return Ok(page);
    }
    let wanted = Wanted {
        reader: Some(reader),
        license_type: query.license_type,
        status: query.status,
        search: query.search.as_ref(),
        q: query.q.as_ref(),
        now,
    };
    let selection = Selection::of(tx, &wanted)?;
    let (total, cut) = (selection.len(), selection.cut);
    let items = match query.sort {
        LicenseSort::CreatedAt => {
            let offset = u64::try_from(query.page.offset()).unwrap_or(u64::MAX);
            let place = (offset, query.page.size() as usize);
            selection.page(tx, reader, query.order, place)?
        }
        LicenseSort::UpdatedAt | LicenseSort::Title if total <= FEW => {
            sorted(selection.all(tx, reader)?, query)
        }
        LicenseSort::UpdatedAt | LicenseSort::Title => walk(tx, reader, query, &selection)?,
    };
    Ok(Listing { page: query.page, items, total, total_is_estimate: cut })
}

/// Whether a filter leaves out nothing but what ended by itself, and a page is near enough to be
/// walked to, or in an order that has no numbers.
fn may_be_whole(reader: Reader, query: &LicenseQuery) -> bool {
    let all_are_public = reader == Reader::Everybody && query.status == Some(LicenseStatus::Public);
    let filtered = is_narrowed(query) || (query.status.is_some() && !all_are_public);
    let near = query.page.offset() <= SHORT || query.sort != LicenseSort::CreatedAt;
    !filtered && near
}

/// A page of all that one reader sees: a few rows of one index. Nothing where two lists are one, or
/// where something ended by itself that is not noted yet.
fn whole(
    tx: &mut Tx<'_>,
    reader: Reader,
    query: &LicenseQuery,
    now: Timestamp,
) -> Result<Option<Listing<Entry>>> {
    let [one, other] = reader.ids();
    let kept = counts(tx, one, other)?;
    let two = one != other && kept.of(other, None) > 0;
    if two || (query.status.is_some() && lapsed(tx, one, now)?.of(one, None) > 0) {
        return Ok(None);
    }
    let total = kept.of(one, query.status);
    let items = ordered(tx, one, query, (query.page.size(), query.page.offset()))?;
    Ok(Some(Listing::new(query.page, items, total)))
}

/// A page of a few, sorted here.
fn sorted(mut all: Vec<Sortable>, query: &LicenseQuery) -> Vec<Entry> {
    all.sort_unstable_by(|one, other| {
        let by_id = one.entry.id.cmp(&other.entry.id);
        match query.sort {
            LicenseSort::CreatedAt => by_id,
            LicenseSort::UpdatedAt => one.updated_at.cmp(&other.updated_at).then(by_id),
            LicenseSort::Title => one.title.cmp(&other.title).then(by_id),
        }
    });
    if query.order == Order::Desc {
        all.reverse();
    }
    let skipped = usize::try_from(query.page.offset()).unwrap_or(usize::MAX);
    all.into_iter().skip(skipped).take(query.page.size() as usize).map(|it| it.entry).collect()
}

/// A page of many: their list is walked in its order until the page is full.
fn walk(
    tx: &mut Tx<'_>,
    reader: Reader,
    query: &LicenseQuery,
    selection: &Selection,
) -> Result<Vec<Entry>> {
    let mut skipped = usize::try_from(query.page.offset()).unwrap_or(usize::MAX);
    let size = query.page.size() as usize;
    let (mut page, mut passed) = (Vec::with_capacity(size), 0_i64);
    loop {
        let rows = merged(tx, reader, query, (WINDOW, passed))?;
        let last = rows.len() < WINDOW as usize;
        passed += i64::from(WINDOW);
        let mut found = selection.among(tx, rows)?;
        let passing = skipped.min(found.len());
        skipped -= passing;
        page.extend(found.drain(passing..));
        if last || page.len() >= size {
            page.truncate(size);
            return Ok(page);
        }
    }
}

/// Rows of all that a caller sees. Two readers: their lists side by side, each license once, with the
/// greater role. Engines merge what comes in order, so that a window reads as far as itself.
fn merged(
    tx: &mut Tx<'_>,
    reader: Reader,
    query: &LicenseQuery,
    (size, offset): (u32, i64),
) -> Result<Vec<Entry>> {
    let [one, other] = reader.ids();
    if one == other || counts(tx, one, other)?.of(other, None) == 0 {
        return ordered(tx, one, query, (size, offset));
    }
    tx.query(
        sql_choice!(
            order(query),
            "SELECT r.license_id, r.version,
               (SELECT max(b.role) FROM license_readers b
                WHERE b.reader_id IN ($1, $2) AND b.license_id = r.license_id) AS role,
               r.status, r.expires_at, r.updated_at, r.title
             FROM license_readers r
             WHERE r.reader_id = $1
             UNION ALL
             SELECT r.license_id, r.version, r.role, r.status, r.expires_at, r.updated_at, r.title
             FROM license_readers r
             WHERE r.reader_id = $2
               AND NOT EXISTS (SELECT 1 FROM license_readers b
                 WHERE b.reader_id = $1 AND b.license_id = r.license_id)
             ORDER BY ",
            [
                "license_id",
                "license_id DESC",
                "updated_at, license_id",
                "updated_at DESC, license_id DESC",
                "title, license_id",
                "title DESC, license_id DESC",
            ],
            " LIMIT $3 OFFSET $4"
        ),
        params![one, other, size, offset],
        read,
    )
}

/// Rows of one reader, in the order of an index. Nothing is compared on the way to a later page.
fn ordered(
    tx: &mut Tx<'_>,
    reader: Uuid,
    query: &LicenseQuery,
    (size, offset): (u32, i64),
) -> Result<Vec<Entry>> {
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
        params![reader, size, offset],
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
