//! A page of a reader's list, with its exact total.

use grantor_domain::Timestamp;
use grantor_domain::license::{LicenseQuery, LicenseSort, LicenseStatus};
use grantor_domain::page::{Listing, Order};
use uuid::Uuid;

use super::super::index::{IndexQuery, Selection};
use super::count::{counts, lapsed};
use super::{Entry, Reader, Sortable, read};
use crate::statement::sql_choice;
use crate::value::params;
use crate::{Result, Tx};

/// Up to this many matching licenses are loaded and sorted; more are found quickly by walking
/// through the list.
const FEW: u64 = 1_000;

/// How many rows of a list are read at a time.
const WINDOW: u32 = 500;

/// Up to this many rows can be skipped quickly on the way to a page.
const SHORT: i64 = 100;

/// Whether a page is near the start of an unfiltered list.
#[must_use]
pub fn may_be_short(query: &LicenseQuery) -> bool {
    !is_filtered(query) && query.page.offset() <= SHORT
}

fn is_filtered(query: &LicenseQuery) -> bool {
    query.status.is_some() || is_narrowed(query)
}

/// Whether a search or a type narrows the list.
fn is_narrowed(query: &LicenseQuery) -> bool {
    query.search.is_some()
        || query.q.is_some()
        || query.license_type.is_some()
        || query.filter.is_narrow()
}

/// Returns such a page if it comes from a single list: a few rows of one index, however long the
/// list is.
pub fn short_page(
    tx: &mut Tx<'_>,
    reader: Reader,
    query: &LicenseQuery,
) -> Result<Option<Listing<Entry>>> {
    tx.begin_snapshot()?;
    let [one, other] = reader.ids();
    let kept = counts(tx, one, other)?;
    if one != other && kept.of(other, None) > 0 {
        return Ok(None);
    }
    let total = kept.of(one, None);
    let items = ordered(tx, one, query, (query.page.size(), query.page.offset()))?;
    Ok(Some(Listing::new(query.page, items, total)))
}

/// Returns the page and the total.
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
    let wanted = IndexQuery {
        reader: Some(reader),
        license_type: query.license_type,
        status: query.status,
        search: query.search.as_ref(),
        q: query.q.as_ref(),
        filter: Some(&query.filter),
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

/// Whether the filter only excludes expired licenses, and the page is near the start or in an order
/// without numbers.
fn may_be_whole(reader: Reader, query: &LicenseQuery) -> bool {
    let all_are_public = reader == Reader::Everybody && query.status == Some(LicenseStatus::Public);
    let filtered = is_narrowed(query) || (query.status.is_some() && !all_are_public);
    let near = query.page.offset() <= SHORT || query.sort != LicenseSort::CreatedAt;
    !filtered && near
}

/// A page of all that one reader sees: a few rows of one index. `None` if two lists must be merged,
/// or if a license has expired but is not marked as such yet.
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

/// A page of a few licenses, sorted in memory.
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

/// A page of many licenses: walks through the list in its order until the page is full.
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

/// Rows of all that a caller sees. The lists of two readers are merged, each license once with the
/// higher role. Both engines merge sorted inputs, so a window reads no further than itself.
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

/// Rows of one reader in the order of an index, without filtering.
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
