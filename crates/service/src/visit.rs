//! Visits: what was looked at, noted in memory and written to the log in batches (contract section
//! 8). A crash loses the last moment of them; changes are never written this way.
//!
//! Of very many not all are kept, so that the log costs little when the server is busiest: each
//! tenant has its share of every batch, and what is left out is counted.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use grantor_domain::Result;
use grantor_domain::audit::Entry;
use grantor_storage::audit;
use metrics::counter;
use uuid::Uuid;

use crate::App;

/// Visits of everybody that one batch holds.
const MOST: usize = 500;
/// Visits of one tenant that one batch holds.
const MOST_OF_ONE: u32 = 50;

/// What was looked at since the last batch.
#[derive(Debug, Default)]
pub struct Visits(Mutex<Batch>);

#[derive(Debug, Default)]
struct Batch {
    entries: Vec<Entry>,
    taken: HashMap<Uuid, u32>,
    left: usize,
    skipped: u64,
}

impl Visits {
    /// Whether there is room for another visit of this tenant, or of staff; if so it is taken.
    pub fn has_room(&self, tenant: Uuid) -> bool {
        let mut batch = self.lock();
        let free = batch.left < MOST;
        let taken = batch.taken.entry(tenant).or_default();
        if free && *taken < MOST_OF_ONE {
            *taken += 1;
            batch.left += 1;
            return true;
        }
        batch.skipped += 1;
        false
    }

    /// Notes a visit there was room for.
    pub fn note(&self, visit: Entry) {
        self.lock().entries.push(visit);
    }

    fn take(&self) -> Batch {
        std::mem::take(&mut *self.lock())
    }

    /// What could not be written waits for the next batch, as far as there is room.
    fn give_back(&self, entries: Vec<Entry>) {
        let mut batch = self.lock();
        batch.left += entries.len();
        batch.entries.extend(entries);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Batch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes down what was looked at; gives how many visits.
pub async fn write(app: &App) -> Result<u64> {
    let Batch { entries, skipped, .. } = app.visits.take();
    if skipped > 0 {
        counter!("grantor_access_log_skipped_total").increment(skipped);
    }
    if entries.is_empty() {
        return Ok(0);
    }
    let rows = entries.clone();
    let written: Result<(), grantor_storage::Error> =
        app.store.write(move |tx| rows.iter().try_for_each(|entry| audit::insert(tx, entry))).await;
    if let Err(error) = written {
        app.visits.give_back(entries);
        return Err(error.into());
    }
    Ok(entries.len() as u64)
}
