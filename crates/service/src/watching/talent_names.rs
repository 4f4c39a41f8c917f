//! The names of all talents, kept in memory so that one pass over a text finds them. Refreshed
//! before each search, so a new name is found as soon as it is stored.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use grantor_domain::id::TalentId;
use grantor_domain::name_index::NameIndex;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::{Store, talent};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

/// A refresh reads what changed since this long before the previous one: node clocks differ, and a
/// unit of work commits some time after the timestamp it writes.
const OVERLAP: Duration = Duration::from_mins(5);
/// Talents per read.
const PAGE: u32 = 2_000;

/// The names of all talents. Cheap to clone; clones share one index.
#[derive(Clone, Default)]
pub struct TalentNames(Arc<Inner>);

#[derive(Default)]
struct Inner {
    index: RwLock<NameIndex<TalentId>>,
    /// Locked during a refresh, so only one runs at a time.
    progress: Mutex<Progress>,
}

struct Progress {
    /// When the names were last read.
    read_at: Timestamp,
    /// Talents already read that changed within the overlap before that.
    recent: HashMap<TalentId, Timestamp>,
}

impl Default for Progress {
    fn default() -> Self {
        Self { read_at: Timestamp::from_secs(0), recent: HashMap::new() }
    }
}

impl TalentNames {
    /// Reads the names that changed since the last refresh.
    pub async fn refresh(&self, store: &Store, now: Timestamp) -> Result<()> {
        let mut progress = self.0.progress.lock().await;
        // Also if the clock was set back.
        let start = progress.read_at.min(now).minus(OVERLAP);
        let mut after = (start, TalentId::from(uuid::Uuid::nil()));
        loop {
            let page = store.read(move |tx| talent::list_names(tx, after, PAGE)).await?;
            let Some(last) = page.last() else { break };
            after = (last.updated_at, last.id);
            let more = page.len() == PAGE as usize;
            let recent = &mut progress.recent;
            // Skip the part of the overlap that is already indexed.
            let new = page
                .into_iter()
                .filter(|it| recent.insert(it.id, it.updated_at) != Some(it.updated_at));
            let new = new.map(|it| (it.id, it.names)).collect();
            if let Err(error) = self.set(new).await {
                // The index may be partly updated: start over.
                *progress = Progress::default();
                return Err(error);
            }
            if !more {
                break;
            }
        }
        progress.read_at = now;
        progress.recent.retain(|_, at| *at >= now.minus(OVERLAP));
        Ok(())
    }

    /// Writes names into the index, on a thread that may block until all searches are done.
    async fn set(&self, new: Vec<(TalentId, Vec<String>)>) -> Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        let parts = Arc::clone(&self.0);
        let work = spawn_blocking(move || {
            let mut index = parts.index.write().unwrap_or_else(PoisonError::into_inner);
            for (id, names) in new {
                index.set(id, names);
            }
        });
        work.await.map_err(|error| Error::internal(error.to_string()))
    }

    /// Runs `f` on the current index. Blocks, and blocks refreshes meanwhile: call it only from a
    /// blocking thread.
    pub fn with_index<T>(&self, f: impl FnOnce(&NameIndex<TalentId>) -> T) -> T {
        f(&self.0.index.read().unwrap_or_else(PoisonError::into_inner))
    }
}
