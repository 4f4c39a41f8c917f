//! Finds whose names a text may contain.
//!
//! The keys of all names are in the database; this node only has a filter that rules out most words
//! of a text, so that few are looked up. Until the filter is complete, every word is. Names that
//! changed a moment ago have no keys yet and are read themselves.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use grantor_domain::id::TalentId;
use grantor_domain::name_index::{KeyFilter, TextKeys};
use grantor_domain::{Error, Result};
use grantor_storage::name_key::{self, KeyPosition, TalentNames as Names};
use grantor_storage::{Store, Tx};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::App;

/// Talents and keys per read.
const PAGE: u32 = 2_000;
/// Pages of keys that a search reads into the filter. The rest is left to the job and to later
/// searches, which look up every word until then.
const PAGES_AT_SEARCH: usize = 5;
/// The most talents that are considered for the texts of one search. More have names in common.
const MAX_CANDIDATES: u32 = 20_000;
/// Talents whose keys are written in one unit of work. Other changes wait while one runs.
const SETTLED_AT_ONCE: u32 = 100;
/// How long a node of an earlier version, which wrote no keys, may have run beside this one.
const MIXED_VERSIONS: Duration = Duration::from_hours(30 * 24);
/// How long ago such a node may have changed names that have keys.
const MIXED_RENAMES: Duration = Duration::from_hours(1);

/// The memory of the filter in a test, and in a program without a setting.
const DEFAULT_MEMORY: usize = 32 << 20;

/// This node's filter of the names of all talents. Cheap to clone; clones share it.
#[derive(Clone, Debug)]
pub struct TalentNames(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    filter: RwLock<Filter>,
    /// Locked while keys are read, so that one search at a time does it.
    reading: Mutex<KeyPosition>,
}

#[derive(Debug)]
struct Filter {
    keys: KeyFilter,
    /// The last batch of which all keys are in the filter.
    batch: i64,
}

/// Names that may be in the texts of a search.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct NamePage {
    /// Talents with all their names.
    pub(crate) talents: Vec<Names>,
    /// Where more names follow that have no keys yet.
    pub(crate) next: Option<TalentId>,
}

impl Default for TalentNames {
    fn default() -> Self {
        Self::new(DEFAULT_MEMORY)
    }
}

impl TalentNames {
    /// With a filter of at most this many bytes.
    #[must_use]
    pub fn new(memory: usize) -> Self {
        let filter = RwLock::new(Filter { keys: KeyFilter::new(memory), batch: 0 });
        Self(Arc::new(Inner { filter, reading: Mutex::new(KeyPosition::start()) }))
    }

    /// The memory of the filter, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.0.filter.read().unwrap_or_else(PoisonError::into_inner).keys.memory()
    }

    /// Reads the keys into the filter that were written since the last time, at most so many pages,
    /// unless somebody else is reading them. Returns whether the filter is complete.
    pub async fn catch_up(&self, store: &Store, pages: usize) -> Result<bool> {
        let Ok(mut after) = self.0.reading.try_lock() else { return Ok(false) };
        for _ in 0..pages {
            let start = *after;
            let read = move |tx: &mut Tx<'_>| {
                let batch = name_key::last_batch(tx)?;
                Ok::<_, Error>((batch, name_key::list_since(tx, start, PAGE)?))
            };
            let (batch, page) = store.read(read).await?;
            let last = page.last().map(|(position, _)| *position);
            let complete = page.len() < PAGE as usize;
            self.add(page, Some(batch).filter(|_| complete)).await?;
            *after = last.unwrap_or(start);
            if complete {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds keys to the filter, on a thread that may block until all searches are done. If it is
    /// complete now, `batch` says up to where.
    async fn add(&self, page: Vec<(KeyPosition, i64)>, batch: Option<i64>) -> Result<()> {
        let inner = Arc::clone(&self.0);
        let work = spawn_blocking(move || {
            let mut filter = inner.filter.write().unwrap_or_else(PoisonError::into_inner);
            for (position, first) in page {
                filter.keys.add(position.whole);
                filter.keys.add(first);
            }
            filter.batch = batch.unwrap_or(filter.batch);
        });
        work.await.map_err(|error| Error::internal(error.to_string()))
    }

    /// The names that may be in these texts, and the first page of those without keys.
    pub(crate) async fn find(&self, store: &Store, texts: Vec<TextKeys>) -> Result<NamePage> {
        self.catch_up(store, PAGES_AT_SEARCH).await?;
        let names = self.clone();
        store.read(move |tx| names.look_up(tx, &texts)).await
    }

    /// One snapshot: every name is either found by its key or has none yet and is read itself.
    fn look_up(&self, tx: &mut Tx<'_>, texts: &[TextKeys]) -> Result<NamePage> {
        let last = name_key::last_batch(tx)?;
        let (mut words, mut wholes) = (HashSet::new(), HashSet::new());
        self.with_filter(last, |may_hold| {
            for it in texts {
                it.collect_words(&mut words, may_hold);
            }
        });
        let words: Vec<i64> = words.into_iter().collect();
        let lengths: HashMap<i64, u64> = name_key::lengths(tx, &words)?;
        let lengths = |word: i64| lengths.get(&word).copied().unwrap_or(0);
        self.with_filter(last, |may_hold| {
            for it in texts {
                it.collect_wholes(&mut wholes, lengths, may_hold);
            }
        });
        let wholes: Vec<i64> = wholes.into_iter().collect();
        let ids = name_key::talents_with(tx, &wholes, MAX_CANDIDATES)?;
        if ids.len() >= MAX_CANDIDATES as usize {
            tracing::warn!("texts may name more than {MAX_CANDIDATES} talents: some are not found");
        }
        let mut page = stale_after(tx, Uuid::nil().into())?;
        page.talents.extend(name_key::names_of(tx, &ids)?);
        Ok(page)
    }

    /// Runs `work` with the filter, which lets everything pass if it lacks keys up to this batch.
    fn with_filter(&self, last: i64, work: impl FnOnce(&dyn Fn(i64) -> bool)) {
        let filter = self.0.filter.read().unwrap_or_else(PoisonError::into_inner);
        let complete = filter.batch >= last;
        work(&|key| !complete || filter.keys.may_hold(key));
    }
}

/// The next page of names that have no keys yet.
pub(crate) async fn next_page(store: &Store, after: TalentId) -> Result<NamePage> {
    store.read(move |tx| stale_after(tx, after)).await
}

fn stale_after(tx: &mut Tx<'_>, after: TalentId) -> Result<NamePage> {
    let talents = name_key::list_stale(tx, after, PAGE)?;
    let next = talents.last().map(|it| it.id).filter(|_| talents.len() == PAGE as usize);
    Ok(NamePage { talents, next })
}

/// Writes the keys of names that changed, and completes this node's filter. Returns the number of
/// batches written.
pub async fn settle(app: &App) -> Result<u64> {
    let mut done = 0;
    while app.store.lookup(name_key::has_stale).await? {
        let now = app.clock.now();
        let write = move |tx: &mut Tx<'_>| name_key::settle(tx, SETTLED_AT_ONCE, now);
        if !app.store.write(write).await? {
            break;
        }
        done += 1;
    }
    app.names.catch_up(&app.store, usize::MAX).await?;
    Ok(done)
}

/// Marks the names whose keys are missing or of another version of the server. The job writes them;
/// until then a search reads the names themselves.
pub async fn mark_outdated(app: &App) -> Result<()> {
    let now = app.clock.now();
    let (recently, long_ago) = (now.minus(MIXED_RENAMES), now.minus(MIXED_VERSIONS));
    app.store.write(move |tx| name_key::mark_outdated(tx, recently, long_ago)).await?;
    Ok(())
}
