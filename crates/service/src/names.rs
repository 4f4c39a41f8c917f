//! Everybody's names, kept ready to be found in one pass over a text. Whoever looks brings them up
//! to date first, so that a name is known from the moment it was written.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use grantor_domain::id::TalentId;
use grantor_domain::names::NameIndex;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::{Store, talent};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

/// How far a change may lie back when it becomes visible: clocks of nodes differ, and a unit of
/// work takes its time. What changed within it is read again each time.
const OVERLAP: Duration = Duration::from_mins(5);
/// Talents one read brings.
const PAGE: u32 = 2_000;

/// The names of all talents. Cheap to clone; clones are the same.
#[derive(Clone, Default)]
pub struct Names(Arc<Parts>);

#[derive(Default)]
struct Parts {
    index: RwLock<NameIndex<TalentId>>,
    /// Up to when changes were read, and what was read of the overlap before it. One reads at a
    /// time.
    read: Mutex<Read>,
}

struct Read {
    until: Timestamp,
    recent: HashMap<TalentId, Timestamp>,
}

impl Default for Read {
    fn default() -> Self {
        Self { until: Timestamp::from_secs(0), recent: HashMap::new() }
    }
}

impl Names {
    /// Reads every name that was written since the last time.
    pub async fn refresh(&self, store: &Store) -> Result<()> {
        let mut read = self.0.read.lock().await;
        let mut after = (read.until.minus(OVERLAP), TalentId::from(uuid::Uuid::nil()));
        loop {
            let page = store.read(move |tx| talent::list_names(tx, after, PAGE)).await?;
            let Some(last) = page.last() else { break };
            after = (last.updated_at, last.id);
            read.until = read.until.max(last.updated_at);
            let more = page.len() == PAGE as usize;
            let recent = &mut read.recent;
            // The overlap comes again and again, and most of it is known.
            let new = page
                .into_iter()
                .filter(|it| recent.insert(it.id, it.updated_at) != Some(it.updated_at));
            let new = new.map(|it| (it.id, it.names)).collect();
            if let Err(error) = self.set(new).await {
                // What is written is not known: everything is read again.
                *read = Read::default();
                return Err(error);
            }
            if !more {
                break;
            }
        }
        let old = read.until.minus(OVERLAP);
        read.recent.retain(|_, at| *at >= old);
        Ok(())
    }

    /// Writes names into the index, on a thread that may wait until nobody looks at it.
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

    /// Looks at the names as they are now. It may take its time, and so may those who write them wait:
    /// only for threads that may.
    pub fn look<T>(&self, look: impl FnOnce(&NameIndex<TalentId>) -> T) -> T {
        look(&self.0.index.read().unwrap_or_else(PoisonError::into_inner))
    }
}
