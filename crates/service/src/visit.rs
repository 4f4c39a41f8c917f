//! Visits: what was looked at, noted in memory and written to the log in batches (contract section
//! 8). A crash loses the last moment of them; changes are never written this way.
//!
//! Of very many not all are kept, so that the log costs little when the server is busiest: each
//! tenant has its share of every batch, and what is left out is counted.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use grantor_domain::Result;
use grantor_domain::access::Actor;
use grantor_domain::audit::{Class, Entry, Level, Origin, Resource};
use grantor_domain::id::TenantId;
use grantor_storage::audit;
use metrics::counter;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::App;

/// Visits of everybody that one batch holds.
const MOST: usize = 500;
/// Visits of one tenant that one batch holds.
const MOST_OF_ONE: u32 = 50;
const MAX_RESOURCE_ID: usize = 128;

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

/// What is looked at, as a surface's table knows it.
#[derive(Clone, Copy, Debug)]
pub struct Looked<'a> {
    /// The log's name of it: `resource.verb`.
    pub action: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// The path with `{name}` for each part that varies.
    pub pattern: &'a str,
    /// The path that was asked for.
    pub path: &'a str,
}

/// The entry of a visit, as far as it is known before it is answered. None where there is no room.
pub fn begin(app: &App, actor: &Actor, origin: Origin, looked: &Looked<'_>) -> Option<Entry> {
    if !app.visits.has_room(actor.tenant().map_or(Uuid::nil(), TenantId::as_uuid)) {
        return None;
    }
    let kind = looked.action.split('.').next().unwrap_or(looked.action);
    let id = looked_at(looked.pattern, looked.path);
    Some(Entry {
        id: app.ids.next(),
        tenant: actor.tenant(),
        at: app.clock.now(),
        class: Class::Access,
        level: Level::Info,
        action: looked.action.into(),
        message: looked.summary.to_owned(),
        actor: actor.clone(),
        resource: Resource { kind, id, name: None },
        license: None,
        origin,
        duration: std::time::Duration::ZERO,
        details: json!({}),
    })
}

/// Notes what became of it.
pub fn end(app: &App, mut visit: Entry, level: Level, details: Value) {
    visit.duration = app.clock.monotonic().saturating_sub(visit.origin.started);
    (visit.level, visit.details) = (level, details);
    app.visits.note(visit);
}

/// The id in the path that stands last. Counted from the end: the path may have a prefix.
fn looked_at(pattern: &str, path: &str) -> Option<String> {
    let place = pattern.rsplit('/').position(|it| it.starts_with('{'))?;
    let id = path.rsplit('/').nth(place)?;
    Some(id.chars().take(MAX_RESOURCE_ID).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_id_is_what_was_looked_at() {
        let found = |pattern, path| looked_at(pattern, path);
        assert_eq!(found("/licenses/{id}/mentions", "/licenses/7/mentions"), Some("7".into()));
        assert_eq!(found("/talent/{talentId}", "/v1.0.1/talent/8"), Some("8".into()));
        assert_eq!(found("/licenses", "/licenses"), None);
    }
}
