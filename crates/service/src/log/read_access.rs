//! Logs read accesses: collected in memory and written to the log in batches (contract section 8).
//! A crash loses the last batch; changes are never logged this way.
//!
//! To keep the log cheap under load, each batch is limited, in total and per tenant. Entries over
//! the limit are only counted.

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

/// Entries per batch.
const MAX_PER_BATCH: usize = 500;
/// Entries per batch and tenant.
const MAX_PER_TENANT: u32 = 50;
const MAX_RESOURCE_ID: usize = 128;

/// Read accesses since the last batch.
#[derive(Debug, Default)]
pub struct ReadAccessLog(Mutex<Batch>);

#[derive(Debug, Default)]
struct Batch {
    entries: Vec<Entry>,
    by_tenant: HashMap<Uuid, u32>,
    reserved: usize,
    skipped: u64,
}

impl ReadAccessLog {
    /// Reserves capacity for another entry of this tenant, or of staff. Returns false if there is
    /// none.
    pub fn try_reserve(&self, tenant: Uuid) -> bool {
        let mut batch = self.lock();
        let free = batch.reserved < MAX_PER_BATCH;
        let count = batch.by_tenant.entry(tenant).or_default();
        if free && *count < MAX_PER_TENANT {
            *count += 1;
            batch.reserved += 1;
            return true;
        }
        batch.skipped += 1;
        false
    }

    /// Adds an entry that capacity was reserved for.
    pub fn push(&self, entry: Entry) {
        self.lock().entries.push(entry);
    }

    fn take(&self) -> Batch {
        std::mem::take(&mut *self.lock())
    }

    /// Puts entries that could not be written into the next batch.
    fn restore(&self, entries: Vec<Entry>) {
        let mut batch = self.lock();
        batch.reserved += entries.len();
        batch.entries.extend(entries);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Batch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A read access, as described by the route table.
#[derive(Clone, Copy, Debug)]
pub struct ReadAccess<'a> {
    /// The audit action: `resource.verb`.
    pub action: &'static str,
    /// What the request does, in a sentence.
    pub summary: &'static str,
    /// The path with `{name}` for each parameter.
    pub pattern: &'a str,
    /// The requested path.
    pub path: &'a str,
    /// The tenant whose log gets the entry, if it isn't the actor's tenant.
    pub tenant: Option<TenantId>,
}

/// Starts the entry of a read access. `None` if there is no capacity.
pub fn begin(app: &App, actor: &Actor, origin: Origin, access: &ReadAccess<'_>) -> Option<Entry> {
    let tenant = access.tenant.or_else(|| actor.tenant());
    if !app.read_accesses.try_reserve(tenant.map_or(Uuid::nil(), TenantId::as_uuid)) {
        return None;
    }
    let kind = access.action.split('.').next().unwrap_or(access.action);
    let id = resource_id(access.pattern, access.path);
    Some(Entry {
        id: Class::Access.id(app.ids.next()),
        tenant,
        at: app.clock.now(),
        class: Class::Access,
        level: Level::Info,
        action: access.action.into(),
        message: access.summary.to_owned(),
        actor: actor.clone(),
        resource: Resource { kind, id, name: None },
        license: None,
        origin,
        duration: std::time::Duration::ZERO,
        details: json!({}),
    })
}

/// Completes the entry with the outcome and adds it to the batch.
pub fn end(app: &App, mut entry: Entry, level: Level, details: Value) {
    entry.duration = app.clock.monotonic().saturating_sub(entry.origin.started);
    (entry.level, entry.details) = (level, details);
    app.read_accesses.push(entry);
}

/// The last id in the path. Counted from the end, because the path may have a prefix.
fn resource_id(pattern: &str, path: &str) -> Option<String> {
    let position = pattern.rsplit('/').position(|it| it.starts_with('{'))?;
    let id = path.rsplit('/').nth(position)?;
    Some(id.chars().take(MAX_RESOURCE_ID).collect())
}

/// Writes the entries and returns how many there were.
pub async fn write(app: &App) -> Result<u64> {
    let Batch { entries, skipped, .. } = app.read_accesses.take();
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
        app.read_accesses.restore(entries);
        return Err(error.into());
    }
    Ok(entries.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_id_is_what_was_looked_at() {
        let found = |pattern, path| resource_id(pattern, path);
        assert_eq!(found("/licenses/{id}/mentions", "/licenses/7/mentions"), Some("7".into()));
        assert_eq!(found("/talent/{talentId}", "/v1.0.1/talent/8"), Some("8".into()));
        assert_eq!(found("/licenses", "/licenses"), None);
    }
}
