//! Which entries are selected, counted and paged.

use std::collections::BTreeMap;
use std::ops::Range;

use grantor_domain::Timestamp;
use grantor_domain::id::LogId;
use grantor_domain::log::LogFilter;
use grantor_domain::search::SearchQuery;

use super::super::walk::{self, Way};
use super::super::{LogRecord, Whose, read};
use super::{term, times};
use crate::bits::{Numbers, Question, Shelf};
use crate::statement::sql;
use crate::value::padded;
use crate::{Result, Tx};

/// How many entries one statement looks up.
const AT_ONCE: usize = 20;

/// Entries without a number that are looked at together.
const FRESH_AT_ONCE: u32 = 1_000;

const FIRST: Timestamp = Timestamp::from_micros(i64::MIN);
const LAST: Timestamp = Timestamp::from_micros(i64::MAX);

/// What is looked for.
#[derive(Debug)]
pub(in crate::log) struct Wanted<'a> {
    whose: Whose,
    filter: &'a LogFilter,
    search: Option<SearchQuery>,
}

impl<'a> Wanted<'a> {
    pub(in crate::log) fn of(whose: Whose, filter: &'a LogFilter) -> Self {
        Self { whose, filter, search: filter.search_query() }
    }

    /// From when to when.
    pub(in crate::log) fn times(&self) -> Range<Timestamp> {
        self.filter.from.unwrap_or(FIRST)..self.filter.to.unwrap_or(LAST)
    }

    /// Whether an entry is selected, by what it is itself.
    pub(in crate::log) fn fits(&self, record: &LogRecord) -> bool {
        let filter = self.filter;
        let is_theirs = match self.whose {
            Whose::Own(tenant) => record.tenant == Some(tenant),
            Whose::Tenant(tenant, scheme) => {
                record.tenant == Some(tenant) && record.scheme == scheme
            }
            Whose::Scheme(scheme) => record.scheme == scheme,
        };
        is_theirs
            && self.times().contains(&record.at)
            && filter.level.is_none_or(|it| it == record.level)
            && filter.class.is_none_or(|it| it == record.class)
            && filter.action.as_ref().is_none_or(|it| *it == record.action)
            && self.has_words(record)
    }

    fn has_words(&self, record: &LogRecord) -> bool {
        let is_staff = self.whose.is_staff();
        self.search.as_ref().is_none_or(|it| it.matches(&term::words_in(record, is_staff)))
    }

    /// The same as it is asked of the sets; times and phrases are not in them.
    fn question(&self) -> Question {
        let mut terms = match self.whose {
            Whose::Own(tenant) => vec![Some(term::tenant(tenant))],
            Whose::Tenant(tenant, scheme) => {
                vec![Some(term::tenant(tenant)), Some(term::scheme(scheme))]
            }
            Whose::Scheme(scheme) => vec![Some(term::scheme(scheme))],
        };
        terms.push(self.filter.level.map(term::level));
        terms.push(self.filter.class.map(term::class));
        terms.push(self.filter.action.as_deref().map(term::action));
        let mut question = Question::default();
        terms.into_iter().flatten().for_each(|it| question.any_of(vec![it]));
        if let Some(search) = &self.search {
            let is_staff = self.whose.is_staff();
            question.words_of(search, |word| {
                let of_staff = is_staff.then(|| term::name_of_staff(word));
                [Some(term::word(word)), of_staff].into_iter().flatten().collect()
            });
        }
        question
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(in crate::log) struct Selection {
    /// Those without a number, the newest first. All others come after them.
    fresh: Vec<LogId>,
    numbers: Numbers,
    /// Whether some were left out because too many would have to be read.
    pub(in crate::log) cut: bool,
}

impl Selection {
    /// Finds them; of a phrase among the newest so many that have its words.
    pub(in crate::log) fn of(
        tx: &mut Tx<'_>,
        wanted: &Wanted<'_>,
        most_read: usize,
    ) -> Result<Self> {
        if wanted.search.as_ref().is_some_and(SearchQuery::finds_nothing) {
            return Ok(Self::default());
        }
        let fresh = fresh(tx, wanted)?;
        let mut numbers = wanted.question().ask(tx, Shelf::Log)?;
        if wanted.filter.from.is_some() || wanted.filter.to.is_some() {
            numbers.intersect(&times::within(tx, &wanted.times())?);
        }
        let has_phrase = wanted.search.as_ref().is_some_and(SearchQuery::has_phrase);
        let cut = has_phrase && read_phrases(tx, wanted, &mut numbers, most_read)?;
        Ok(Self { fresh, numbers, cut })
    }

    /// How many they are.
    pub(in crate::log) fn len(&self) -> u64 {
        self.fresh.len() as u64 + self.numbers.len()
    }

    /// A page of them, the newest first.
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

/// Those that have no number yet.
fn fresh(tx: &mut Tx<'_>, wanted: &Wanted<'_>) -> Result<Vec<LogId>> {
    let (way, times) = (Way::to_fresh(wanted.whose), wanted.times());
    let (mut found, mut place) = (Vec::new(), None);
    loop {
        let records = walk::next(tx, way, &times, place, FRESH_AT_ONCE)?;
        found.extend(records.iter().filter(|it| wanted.fits(it)).map(|it| it.id));
        match records.last() {
            Some(last) if records.len() == FRESH_AT_ONCE as usize => {
                place = Some((last.at, last.id));
            }
            _ => return Ok(found),
        }
    }
}

/// Leaves those whose words stand side by side as they must, the newest first. True where some could
/// not be looked at.
fn read_phrases(
    tx: &mut Tx<'_>,
    wanted: &Wanted<'_>,
    numbers: &mut Numbers,
    at_most: usize,
) -> Result<bool> {
    let candidates = numbers.largest_after(0, at_most);
    let cut = numbers.len() > candidates.len() as u64;
    let mut left = Numbers::default();
    for chunk in candidates.chunks(AT_ONCE) {
        let records = of_numbers(tx, chunk)?;
        let fitting = records.iter().filter(|(_, record)| wanted.has_words(record));
        fitting.for_each(|(number, _)| left.insert(*number));
    }
    *numbers = left;
    Ok(cut)
}

/// The entries of these numbers.
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
            |row| Ok((row.get::<i64>(19)?, read(row)?)),
        )?);
    }
    Ok(found)
}

/// The entries of these ids, in their order.
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
