//! Logs requests that were refused before they reached a handler: unknown tokens, wrong headers,
//! exceeded rate limits. They are collected in memory and written in batches. If one address causes
//! too many, the rest are counted and only their number is written (contract section 8).

mod limited;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use grantor_domain::access::Actor;
use grantor_domain::audit::{Class, Entry, Level, Origin, Resource};
use grantor_domain::{Error, Result};
use grantor_storage::audit;
use metrics::counter;
use serde_json::{Value, json};

use self::limited::Limited;
use crate::App;
use crate::operations::limit::Subject;

/// Refusals kept per address and second.
const MAX_PER_SECOND: u32 = 10;
/// Refusals kept per batch.
const MAX_PER_BATCH: usize = 100;
/// Addresses tracked at a time.
const MAX_ADDRESSES: usize = 100;
const MINUTE_SECONDS: u64 = 60;

/// A refused request.
#[derive(Clone, Copy, Debug)]
pub struct Refused<'a> {
    /// The audit action.
    pub action: &'static str,
    /// What the request would have done, in a sentence.
    pub summary: &'a str,
    /// The route, with `{name}` for each parameter.
    pub route: &'a str,
    /// The error code of the response.
    pub code: &'a str,
    /// Whether a rate limit refused it, which may happen very often.
    pub limited: bool,
}

/// Refusals since the last batch.
#[derive(Debug, Default)]
pub struct Refusals(Mutex<Batch>);

#[derive(Debug, Default)]
struct Batch {
    entries: Vec<Entry>,
    callers: HashMap<Option<Subject>, Recent>,
    limited: Limited,
    /// Refusals of addresses that were not tracked.
    dropped: u64,
}

/// Recent refusals of one address.
#[derive(Debug)]
struct Recent {
    second: u64,
    kept: u32,
    left_out: u64,
    origin: Origin,
}

impl Refusals {
    /// Reserves capacity for another refusal of this caller. If there is none, only counts it.
    fn try_reserve(&self, origin: &Origin, second: u64) -> bool {
        let mut batch = self.lock();
        let caller = origin.address.map(Subject::address);
        let full = batch.entries.len() >= MAX_PER_BATCH;
        if batch.callers.len() >= MAX_ADDRESSES && !batch.callers.contains_key(&caller) {
            batch.dropped += 1;
            return false;
        }
        let recent = batch.callers.entry(caller).or_insert_with(|| Recent {
            second,
            kept: 0,
            left_out: 0,
            origin: Origin { user_agent: None, request_id: None, ..origin.clone() },
        });
        if recent.second != second {
            (recent.second, recent.kept) = (second, 0);
        }
        let free = !full && recent.kept < MAX_PER_SECOND;
        if free {
            recent.kept += 1;
        } else {
            recent.left_out += 1;
        }
        free
    }

    /// Takes the batch. Callers refused in the current second stay tracked.
    fn take(&self, second: u64) -> (Vec<Entry>, Vec<(Origin, u64)>, u64) {
        let mut batch = self.lock();
        let (mut omitted, unknown) = batch.limited.take(second / MINUTE_SECONDS);
        let recent = batch.callers.values_mut().filter(|it| it.left_out > 0);
        omitted.extend(recent.map(|it| (it.origin.clone(), std::mem::take(&mut it.left_out))));
        batch.callers.retain(|_, it| it.second >= second);
        let dropped = std::mem::take(&mut batch.dropped) + unknown;
        (std::mem::take(&mut batch.entries), omitted, dropped)
    }

    /// Whether a rate-limited request is the first of its minute, which is logged individually.
    fn is_first_limited(&self, origin: &Origin, route: &str, second: u64) -> bool {
        self.lock().limited.is_first(origin, route, second / MINUTE_SECONDS)
    }

    fn push(&self, entry: Entry) {
        self.lock().entries.push(entry);
    }

    /// Puts entries that could not be written into the next batch, as far as there is capacity.
    fn restore(&self, entries: Vec<Entry>) {
        let mut batch = self.lock();
        let free = MAX_PER_BATCH.saturating_sub(batch.entries.len());
        batch.entries.extend(entries.into_iter().take(free));
    }

    fn lock(&self) -> MutexGuard<'_, Batch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Records a refusal, if there is capacity.
pub fn note(app: &App, origin: Origin, refused: &Refused<'_>) {
    let second = app.clock.monotonic().as_secs();
    if refused.limited && !app.refusals.is_first_limited(&origin, refused.route, second) {
        return;
    }
    if app.refusals.try_reserve(&origin, second) {
        let message = format!("Rejected request: {}", refused.summary);
        let details = json!({ "code": refused.code, "route": refused.route });
        app.refusals.push(entry(app, origin, refused.action, message, details));
    }
}

fn entry(
    app: &App,
    origin: Origin,
    action: &'static str,
    message: String,
    details: Value,
) -> Entry {
    let kind = action.split('.').next().unwrap_or(action);
    Entry {
        id: Class::Access.id(app.ids.next()),
        tenant: None,
        at: app.clock.now(),
        class: Class::Access,
        level: Level::Warn,
        action: action.into(),
        message,
        actor: Actor::Anonymous,
        resource: Resource { kind, id: None, name: None },
        license: None,
        duration: app.clock.monotonic().saturating_sub(origin.started),
        origin,
        details,
    }
}

/// Writes the refusals and returns the number of entries.
pub async fn write(app: &App) -> Result<u64> {
    let (mut entries, omitted, dropped) = app.refusals.take(app.clock.monotonic().as_secs());
    let skipped = dropped + omitted.iter().map(|(_, count)| count).sum::<u64>();
    if skipped > 0 {
        counter!("grantor_refusals_skipped_total").increment(skipped);
    }
    entries.extend(omitted.into_iter().map(|(origin, count)| {
        let message = format!("{count} more rejected requests from this address were not logged");
        entry(app, origin, "refusal.omit", message, json!({ "omitted": count }))
    }));
    if entries.is_empty() {
        return Ok(0);
    }
    let rows = entries.clone();
    let written: Result<(), grantor_storage::Error> =
        app.store.write(move |tx| rows.iter().try_for_each(|entry| audit::insert(tx, entry))).await;
    if let Err(error) = written {
        app.refusals.restore(entries);
        return Err(Error::from(error));
    }
    Ok(entries.len() as u64)
}
