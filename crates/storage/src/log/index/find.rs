//! Selects, counts and pages log entries.

use std::collections::BTreeMap;
use std::ops::Range;

use grantor_domain::Timestamp;
use grantor_domain::id::LogId;
use grantor_domain::log::LogFilter;
use grantor_domain::search::SearchQuery;

use super::super::walk::{self, WalkScope};
use super::super::{LogRecord, LogScope, read};
use super::{term, times};
use crate::bitmap::{BitmapIndex, BitmapQuery, Group, NumberSet};
use crate::statement::sql;
use crate::value::padded;
use crate::{Result, Tx};

/// How many entries one statement looks up.
const AT_ONCE: usize = 20;

/// How many entries that are not indexed yet are read at once.
const FRESH_AT_ONCE: u32 = 1_000;

const FIRST: Timestamp = Timestamp::from_micros(i64::MIN);
const LAST: Timestamp = Timestamp::from_micros(i64::MAX);

/// A query on the log.
#[derive(Debug)]
pub(in crate::log) struct LogQuery<'a> {
    scope: LogScope,
    filter: &'a LogFilter,
    search: Option<SearchQuery>,
}

impl<'a> LogQuery<'a> {
    pub(in crate::log) fn of(scope: LogScope, filter: &'a LogFilter) -> Self {
        Self { scope, filter, search: filter.search_query() }
    }

    /// The time range.
    pub(in crate::log) fn times(&self) -> Range<Timestamp> {
        self.filter.from.unwrap_or(FIRST)..self.filter.to.unwrap_or(LAST)
    }

    /// Whether an entry matches.
    pub(in crate::log) fn fits(&self, record: &LogRecord) -> bool {
        let filter = self.filter;
        let is_theirs = match self.scope {
            LogScope::Own(tenant) => record.tenant == Some(tenant),
            LogScope::Tenant(tenant, scheme) => {
                record.tenant == Some(tenant) && record.scheme == scheme
            }
            LogScope::Scheme(scheme) => record.scheme == scheme,
        };
        is_theirs
            && self.times().contains(&record.at)
            && filter.level.is_none_or(|it| it == record.level)
            && filter.class.is_none_or(|it| it == record.class)
            && filter.action.as_ref().is_none_or(|it| *it == record.action)
            && self.has_words(record)
    }

    fn has_words(&self, record: &LogRecord) -> bool {
        let is_staff = self.scope.is_staff();
        self.search.as_ref().is_none_or(|it| it.matches(&term::words_in(record, is_staff)))
    }

    /// The query on the bitmap index, which contains neither times nor phrases.
    fn bitmap_query(&self) -> BitmapQuery {
        let mut terms = match self.scope {
            LogScope::Own(tenant) => vec![Some(term::tenant(tenant))],
            LogScope::Tenant(tenant, scheme) => {
                vec![Some(term::tenant(tenant)), Some(term::scheme(scheme))]
            }
            LogScope::Scheme(scheme) => vec![Some(term::scheme(scheme))],
        };
        terms.push(self.filter.level.map(term::level));
        terms.push(self.filter.class.map(term::class));
        terms.push(self.filter.action.as_deref().map(term::action));
        let mut query = BitmapQuery::default();
        terms.into_iter().flatten().for_each(|it| query.any_of(vec![it]));
        if let Some(search) = &self.search {
            query.search(search, |word, is_begun| self.spelled(word, is_begun));
        }
        query
    }

    /// The terms of a searched word, or of all words that begin with it.
    fn spelled(&self, word: &str, is_begun: bool) -> Group {
        let of_staff = self.scope.is_staff().then(|| term::name_of_staff(word));
        let terms = [Some(term::word(word)), of_staff].into_iter().flatten();
        let group = Group::spelled(terms, is_begun);
        let means_staff = word == term::STAFF || (is_begun && term::STAFF.starts_with(word));
        // Entries of staff have the terms of a name, also those that an earlier version indexed.
        if means_staff { group.or_beginning_with(&term::name_of_staff("")) } else { group }
    }
}

/// The matching entries.
#[derive(Debug, Default)]
pub(in crate::log) struct Selection {
    /// Entries that are not indexed yet, newest first. They come before all others.
    fresh: Vec<LogId>,
    numbers: NumberSet,
    /// Whether some were left out because too many would have to be read.
    pub(in crate::log) cut: bool,
}

impl Selection {
    /// Runs a query. Phrases are matched only in the newest `most_read` entries that have their
    /// words.
    pub(in crate::log) fn of(
        tx: &mut Tx<'_>,
        wanted: &LogQuery<'_>,
        most_read: usize,
    ) -> Result<Self> {
        if wanted.search.as_ref().is_some_and(SearchQuery::finds_nothing) {
            return Ok(Self::default());
        }
        let fresh = fresh(tx, wanted)?;
        let mut numbers = wanted.bitmap_query().run(tx, BitmapIndex::Log)?;
        if wanted.filter.from.is_some() || wanted.filter.to.is_some() {
            numbers.intersect(&times::within(tx, &wanted.times())?);
        }
        let has_phrase = wanted.search.as_ref().is_some_and(SearchQuery::has_phrase);
        let cut = has_phrase && read_phrases(tx, wanted, &mut numbers, most_read)?;
        Ok(Self { fresh, numbers, cut })
    }

    /// The number of entries.
    pub(in crate::log) fn len(&self) -> u64 {
        self.fresh.len() as u64 + self.numbers.len()
    }

    /// A page of the entries, newest first.
    pub(in crate::log) fn page(
        &self,
        tx: &mut Tx<'_>,
        offset: u64,
        size: usize,
    ) -> Result<Vec<LogRecord>> {
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let ids: Vec<_> = self.fresh.iter().copied().skip(skipped).take(size).collect();
        let mut page = of_ids(tx, &ids)?;
        let passed = offset.saturating_sub(self.fresh.len() as u64);
        let numbers = self.numbers.largest_after(passed, size - ids.len());
        let mut numbered = of_numbers(tx, &numbers)?;
        page.extend(numbers.iter().filter_map(|it| numbered.remove(it)));
        Ok(page)
    }
}

/// The matching entries that are not indexed yet.
fn fresh(tx: &mut Tx<'_>, wanted: &LogQuery<'_>) -> Result<Vec<LogId>> {
    let (scope, times) = (WalkScope::unindexed(wanted.scope), wanted.times());
    let (mut found, mut position) = (Vec::new(), None);
    loop {
        let records = walk::next(tx, scope, (wanted.filter, &times), position, FRESH_AT_ONCE)?;
        found.extend(records.iter().filter(|it| wanted.fits(it)).map(|it| it.id));
        match records.last() {
            Some(last) if records.len() == FRESH_AT_ONCE as usize => {
                position = Some((last.at, last.id));
            }
            _ => return Ok(found),
        }
    }
}

/// Keeps the entries that contain the phrases, newest first. Returns true if some could not be
/// read.
fn read_phrases(
    tx: &mut Tx<'_>,
    wanted: &LogQuery<'_>,
    numbers: &mut NumberSet,
    at_most: usize,
) -> Result<bool> {
    let candidates = numbers.largest_after(0, at_most);
    let cut = numbers.len() > candidates.len() as u64;
    let mut left = NumberSet::default();
    for chunk in candidates.chunks(AT_ONCE) {
        let records = of_numbers(tx, chunk)?;
        let fitting = records.iter().filter(|(_, record)| wanted.has_words(record));
        fitting.for_each(|(number, _)| left.insert(*number));
    }
    *numbers = left;
    Ok(cut)
}

/// Loads the entries with these numbers.
fn of_numbers(tx: &mut Tx<'_>, numbers: &[i64]) -> Result<BTreeMap<i64, LogRecord>> {
    let mut found = BTreeMap::new();
    for chunk in numbers.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT log_id, tenant_id, created_at, class, scheme, level, action, message,
                   actor_kind, actor_id, actor_name, resource_type, resource_id, resource_name,
                   address, user_agent, duration_micros, request_id, details, number
                 FROM log_entries WHERE number IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
                   $12, $13, $14, $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get::<i64>("number")?, read(row)?)),
        )?);
    }
    Ok(found)
}

/// Loads the entries with these ids, in their order.
fn of_ids(tx: &mut Tx<'_>, ids: &[LogId]) -> Result<Vec<LogRecord>> {
    let mut found = BTreeMap::new();
    for chunk in ids.chunks(AT_ONCE) {
        let records = tx.query(
            sql!(
                "SELECT log_id, tenant_id, created_at, class, scheme, level, action, message,
                   actor_kind, actor_id, actor_name, resource_type, resource_id, resource_name,
                   address, user_agent, duration_micros, request_id, details
                 FROM log_entries WHERE log_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
                   $12, $13, $14, $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?;
        found.extend(records.into_iter().map(|it| (it.id, it)));
    }
    Ok(ids.iter().filter_map(|it| found.remove(it)).collect())
}
