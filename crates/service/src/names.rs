//! Everybody's names, kept ready to be found in one pass over a text. Whoever looks brings them up
//! to date first, so that a name is known from the moment it was written.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use grantor_domain::id::TalentId;
use grantor_domain::names::NameIndex;
use grantor_domain::{Result, Timestamp};
use grantor_storage::{Store, talent};
use tokio::sync::Mutex;

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
    pub(crate) async fn refresh(&self, store: &Store) -> Result<()> {
        let mut read = self.0.read.lock().await;
        let mut after = (read.until.minus(OVERLAP), TalentId::from(uuid::Uuid::nil()));
        loop {
            let page = store.read(move |tx| talent::list_names(tx, after, PAGE)).await?;
            let Some(last) = page.last() else { break };
            after = (last.updated_at, last.id);
            read.until = read.until.max(last.updated_at);
            let more = page.len() == PAGE as usize;
            let mut index = self.0.index.write().unwrap_or_else(PoisonError::into_inner);
            for named in page {
                // The overlap comes again and again, and most of it is known.
                if read.recent.insert(named.id, named.updated_at) != Some(named.updated_at) {
                    index.set(named.id, named.names);
                }
            }
            if !more {
                break;
            }
        }
        let old = read.until.minus(OVERLAP);
        read.recent.retain(|_, at| *at >= old);
        Ok(())
    }

    /// Looks at the names as they are now.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&NameIndex<TalentId>) -> T) -> T {
        look(&self.0.index.read().unwrap_or_else(PoisonError::into_inner))
    }
}
