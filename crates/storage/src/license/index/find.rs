//! Selects, counts and pages licenses by filter and search.

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::id::LicenseId;
use grantor_domain::license::{LicenseFilter, LicenseStatus, LicenseType};
use grantor_domain::page::Order;
use grantor_domain::search::SearchQuery;
use grantor_domain::tag::TaggedKind;

use super::super::reader::{self, Entry, Reader, Sortable};
use super::super::{LicenseRecord, find, from_json};
use super::term::{self, Field, Texts};
use crate::bitmap::{BitmapIndex, BitmapQuery, Group, NumberSet};
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Result, Tx, tag};

/// How many numbers one statement looks up.
const AT_ONCE: usize = 20;

/// How many licenses are read at most to match phrases.
const MOST_READ: usize = 10_000;

/// A query on the license index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexQuery<'a> {
    /// The reader; `None` for staff, who see all licenses.
    pub(crate) reader: Option<Reader>,
    /// Filter by type.
    pub(crate) license_type: Option<LicenseType>,
    /// Filter by current status.
    pub(crate) status: Option<LicenseStatus>,
    /// Words in the texts.
    pub(crate) search: Option<&'a SearchQuery>,
    /// Words in the texts or names.
    pub(crate) q: Option<&'a SearchQuery>,
    /// The filters of the console.
    pub(crate) filter: Option<&'a LicenseFilter>,
    /// The current time.
    pub(crate) now: Timestamp,
}

/// The matching licenses.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    numbers: NumberSet,
    /// Licenses too new to have a number, oldest first.
    unnumbered: Vec<Sortable>,
    /// Whether some were left out because too many would have to be read.
    pub(crate) cut: bool,
}

impl Selection {
    /// Runs a query.
    pub(crate) fn of(tx: &mut Tx<'_>, wanted: &IndexQuery<'_>) -> Result<Self> {
        let mute = wanted.filter.is_some_and(LicenseFilter::finds_nothing);
        if mute || wanted.searches().any(|(it, _)| it.finds_nothing()) {
            return Ok(Self::default());
        }
        let uncertain = uncertain(tx, wanted)?;
        let mut numbers = stored(tx, wanted)?;
        for number in uncertain.values().flatten() {
            numbers.remove(*number);
        }
        let has_phrase = wanted.searches().any(|(it, _)| it.has_phrase());
        let cut = has_phrase && read_phrases(tx, wanted, &mut numbers)?;
        let mut unnumbered = Vec::new();
        for (id, number) in uncertain {
            let Some(sortable) = wanted.check(tx, id)? else { continue };
            match number {
                Some(number) => numbers.insert(number),
                None => unnumbered.push(sortable),
            }
        }
        Ok(Self { numbers, unnumbered, cut })
    }

    /// The number of licenses.
    pub(crate) fn len(&self) -> u64 {
        self.numbers.len() + self.unnumbered.len() as u64
    }

    /// How many of the licenses are in a set of numbers, or pass a test while they have no number.
    pub(super) fn count_within(
        &self,
        numbers: Option<&NumberSet>,
        fresh: impl Fn(&Entry) -> bool,
    ) -> u64 {
        let mut indexed = numbers.cloned().unwrap_or_default();
        indexed.intersect(&self.numbers);
        let fresh = self.unnumbered.iter().filter(|it| fresh(&it.entry)).count();
        indexed.len() + fresh as u64
    }

    /// A page in the order of creation.
    pub(crate) fn page(
        &self,
        tx: &mut Tx<'_>,
        reader: Reader,
        order: Order,
        (offset, size): (u64, usize),
    ) -> Result<Vec<Entry>> {
        let (numbered, fresh) = (self.numbers.len(), self.unnumbered.len() as u64);
        match order {
            Order::Asc => {
                let numbers = self.numbers.smallest_after(offset, size);
                let mut page = entries(tx, reader, &numbers)?;
                let skipped =
                    usize::try_from(offset.saturating_sub(numbered)).unwrap_or(usize::MAX);
                let rest = self.unnumbered.iter().skip(skipped).take(size - numbers.len());
                page.extend(rest.map(|it| it.entry));
                Ok(page)
            }
            Order::Desc => {
                let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
                let mut page: Vec<_> = self
                    .unnumbered
                    .iter()
                    .rev()
                    .skip(skipped)
                    .take(size)
                    .map(|it| it.entry)
                    .collect();
                let left = size - page.len();
                let numbers = self.numbers.largest_after(offset.saturating_sub(fresh), left);
                page.extend(entries(tx, reader, &numbers)?);
                Ok(page)
            }
        }
    }

    /// The ids of a page, newest first.
    pub(crate) fn newest(
        &self,
        tx: &mut Tx<'_>,
        (offset, size): (u64, usize),
    ) -> Result<Vec<LicenseId>> {
        let fresh = self.unnumbered.len() as u64;
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let unnumbered = self.unnumbered.iter().rev().skip(skipped).take(size);
        let mut page: Vec<_> = unnumbered.map(|it| it.entry.id).collect();
        let numbers = self.numbers.largest_after(offset.saturating_sub(fresh), size - page.len());
        for chunk in numbers.chunks(AT_ONCE) {
            let mut ids: Vec<_> = ids_of(tx, chunk)?.into_iter().collect();
            ids.sort_unstable_by_key(|(_, number)| std::cmp::Reverse(*number));
            page.extend(ids.into_iter().map(|(id, _)| id));
        }
        Ok(page)
    }

    /// All licenses in any order, with their sort keys.
    pub(in crate::license) fn all(&self, tx: &mut Tx<'_>, reader: Reader) -> Result<Vec<Sortable>> {
        let numbers: Vec<_> = self.numbers.iter().collect();
        let mut all: Vec<_> = sortable(tx, reader, &numbers)?.into_values().collect();
        all.extend(self.unnumbered.iter().cloned());
        Ok(all)
    }

    /// Keeps the rows of a list that are selected.
    pub(crate) fn among(&self, tx: &mut Tx<'_>, rows: Vec<Entry>) -> Result<Vec<Entry>> {
        let ids: Vec<_> = rows.iter().map(|it| it.id).collect();
        let numbers = numbers_of(tx, &ids)?;
        let has = |entry: &Entry| match numbers.get(&entry.id) {
            Some(number) => self.numbers.contains(*number),
            None => self.unnumbered.iter().any(|it| it.entry.id == entry.id),
        };
        Ok(rows.into_iter().filter(has).collect())
    }
}

impl IndexQuery<'_> {
    /// Returns the license if it currently matches.
    fn check(&self, tx: &mut Tx<'_>, id: LicenseId) -> Result<Option<Sortable>> {
        let Some(found) = self.find(tx, id)? else { return Ok(None) };
        let status = found.entry.status_at(self.now);
        if self.status.is_some_and(|it| it != status) {
            return Ok(None);
        }
        let filter = self.conditions();
        if self.license_type.is_none() && self.searches().next().is_none() && filter.is_none() {
            return Ok(Some(found));
        }
        let shown = find(tx, id)?;
        let tags = match &filter {
            Some(_) => tag::keys_of(tx, TaggedKind::License, id.as_uuid())?,
            None => vec![],
        };
        let fits = shown.is_some_and(|it| {
            self.license_type.is_none_or(|kind| it.license.license_type == kind)
                && self.has_words(&Texts::of(&it))
                && filter.is_none_or(|filter| has_facets(&filter, &it, &tags))
        });
        Ok(fits.then_some(found))
    }

    /// The conditions of the console's filters, if there are any.
    fn conditions(&self) -> Option<BitmapQuery> {
        self.filter.map(term::conditions).filter(BitmapQuery::is_narrow)
    }

    /// The license as its reader sees it.
    fn find(&self, tx: &mut Tx<'_>, id: LicenseId) -> Result<Option<Sortable>> {
        match self.reader {
            Some(reader) => reader::find_sortable(tx, reader, id),
            None => Ok(find(tx, id)?.map(|it| Sortable::of(&it.license))),
        }
    }

    /// The searches, each with its fields.
    fn searches(&self) -> impl Iterator<Item = (&SearchQuery, &'static [Field])> {
        let texts = self.search.map(|it| (it, &[Field::Text] as &[_]));
        let all = self.q.map(|it| (it, &[Field::Text, Field::Names] as &[_]));
        texts.into_iter().chain(all)
    }

    fn has_words(&self, texts: &Texts<'_>) -> bool {
        self.searches().all(|(search, fields)| search.matches(&texts.words_in(fields)))
    }
}

/// Whether a license matches conditions now, whatever the index says. The words of its description
/// are among the conditions.
fn has_facets(conditions: &BitmapQuery, shown: &LicenseRecord, tags: &[String]) -> bool {
    conditions.matches(&term::all(shown, [], tags))
}

/// The licenses for which the index may be outdated, with their numbers.
fn uncertain(tx: &mut Tx<'_>, wanted: &IndexQuery<'_>) -> Result<BTreeMap<LicenseId, Option<i64>>> {
    let read = |row: &crate::Row<'_>| Ok((row.get("license_id")?, row.get("number")?));
    let mut found = tx.query(
        sql!(
            "SELECT s.license_id, n.number FROM license_stale s
             LEFT JOIN license_numbers n ON n.license_id = s.license_id"
        ),
        params![],
        read,
    )?;
    if wanted.status.is_some() {
        // Licenses that have expired but are not marked as such yet; the worker does so within a
        // second.
        found.extend(tx.query(
            sql!(
                "SELECT l.license_id, n.number FROM licenses l
                 LEFT JOIN license_numbers n ON n.license_id = l.license_id
                 WHERE l.status IN ('private', 'public') AND l.deleted_at IS NULL
                   AND l.expires_at <= $1"
            ),
            params![wanted.now],
            read,
        )?);
    }
    Ok(found.into_iter().collect())
}

/// The matching licenses according to the index.
fn stored(tx: &mut Tx<'_>, wanted: &IndexQuery<'_>) -> Result<NumberSet> {
    let mut query = BitmapQuery::default();
    match (wanted.reader, wanted.status) {
        (reader, Some(status)) => {
            if let Some(reader) = reader {
                query.any_of(reader.ids().map(term::reader).to_vec());
            }
            query.any_of(vec![term::status(status)]);
        }
        (Some(reader), None) => query.any_of(reader.ids().map(term::reader).to_vec()),
        // Each license has exactly one status.
        (None, None) => query.any_of(LicenseStatus::ALL.map(term::status).to_vec()),
    }
    if let Some(license_type) = wanted.license_type {
        query.any_of(vec![term::license_type(license_type)]);
    }
    for (search, fields) in wanted.searches() {
        query.search(search, |word, is_begun| {
            Group::spelled(fields.iter().map(|it| term::word(*it, word)), is_begun)
        });
    }
    let found = query.run(tx, BitmapIndex::Licenses)?;
    match wanted.conditions() {
        Some(conditions) => conditions.run_within(tx, BitmapIndex::Licenses, found),
        None => Ok(found),
    }
}

/// Keeps the licenses that contain the phrases, newest first. Returns true if some could not be
/// read.
fn read_phrases(tx: &mut Tx<'_>, wanted: &IndexQuery<'_>, numbers: &mut NumberSet) -> Result<bool> {
    let candidates = numbers.largest_after(0, MOST_READ);
    let cut = numbers.len() > candidates.len() as u64;
    let mut left = NumberSet::default();
    for chunk in candidates.chunks(AT_ONCE) {
        for number in having_words(tx, wanted, chunk)?.into_iter().flatten() {
            left.insert(number);
        }
    }
    *numbers = left;
    Ok(cut)
}

/// Those of the licenses that contain the phrases.
fn having_words(
    tx: &mut Tx<'_>,
    wanted: &IndexQuery<'_>,
    numbers: &[i64],
) -> Result<Vec<Option<i64>>> {
    tx.query(
        sql!(
            "SELECT n.number, l.title, l.description, t.fullname, t.aliases, o.name, l.external_id
             FROM license_numbers n
             JOIN licenses l ON l.license_id = n.license_id
             JOIN talents t ON t.talent_id = l.talent_id
             JOIN tenants o ON o.tenant_id = l.tenant_id
             WHERE l.deleted_at IS NULL AND n.number IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
               $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)"
        ),
        &padded::<_, AT_ONCE>(numbers),
        |row| {
            let text = |name| row.get::<String>(name);
            let external_id: Option<String> = row.get("external_id")?;
            let texts = Texts {
                title: &text("title")?,
                description: &text("description")?,
                talent_name: &text("fullname")?,
                talent_aliases: &from_json::<Vec<String>>(&text("aliases")?)?,
                owner_name: &text("name")?,
                external_id: external_id.as_deref(),
            };
            Ok(if wanted.has_words(&texts) { Some(row.get("number")?) } else { None })
        },
    )
}

/// The rows of a list with these numbers, in the order of the numbers.
fn entries(tx: &mut Tx<'_>, reader: Reader, numbers: &[i64]) -> Result<Vec<Entry>> {
    let mut rows = sortable(tx, reader, numbers)?;
    Ok(numbers.iter().filter_map(|it| rows.remove(it)).map(|it| it.entry).collect())
}

fn sortable(tx: &mut Tx<'_>, reader: Reader, numbers: &[i64]) -> Result<BTreeMap<i64, Sortable>> {
    let [one, other] = reader.ids();
    let mut found = BTreeMap::new();
    for chunk in numbers.chunks(AT_ONCE) {
        let rows = tx.query(
            sql!(
                "SELECT r.license_id, r.version, r.role, r.status, r.expires_at, r.updated_at,
                   r.title, n.number
                 FROM license_numbers n CROSS JOIN license_readers r
                 WHERE n.number IN ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
                     $17, $18, $19, $20, $21, $22)
                   AND r.license_id = n.license_id AND r.reader_id IN ($1, $2)"
            ),
            &[params![one, other] as &[_], &padded::<_, AT_ONCE>(chunk)].concat(),
            |row| Ok((row.get("number")?, reader::read_sortable(row)?)),
        )?;
        for (number, row) in rows {
            let known = found.entry(number).or_insert_with(|| row.clone());
            if row.entry.role > known.entry.role {
                *known = row;
            }
        }
    }
    Ok(found)
}

/// Returns the ids of the licenses with these numbers.
fn ids_of(tx: &mut Tx<'_>, numbers: &[i64]) -> Result<BTreeMap<LicenseId, i64>> {
    let rows = tx.query(
        sql!(
            "SELECT license_id, number FROM license_numbers
             WHERE number IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
               $16, $17, $18, $19, $20)"
        ),
        &padded::<_, AT_ONCE>(numbers),
        |row| Ok((row.get("license_id")?, row.get("number")?)),
    )?;
    Ok(rows.into_iter().collect())
}

/// Returns the numbers of these licenses, if they have any.
fn numbers_of(tx: &mut Tx<'_>, ids: &[LicenseId]) -> Result<BTreeMap<LicenseId, i64>> {
    let mut found = BTreeMap::new();
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT license_id, number FROM license_numbers
                 WHERE license_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get::<LicenseId>("license_id")?, row.get::<i64>("number")?)),
        )?);
    }
    Ok(found)
}
