//! Ways in that were refused before anything changed: unknown tokens, wrong headers, requests beyond
//! a limit. They are noted in memory and written in batches, as visits are; of very many from one
//! address not all are kept, and how many were left out is written instead (contract section 8).

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
use crate::limit::Subject;

/// Refusals of one address that are kept each second.
const MOST_A_SECOND: u32 = 10;
/// Refusals that one batch holds.
const MOST: usize = 100;
/// Addresses that are told apart at once.
const MOST_ADDRESSES: usize = 100;
/// In seconds.
const MINUTE: u64 = 60;

/// A way in that was refused.
#[derive(Clone, Copy, Debug)]
pub struct Refused<'a> {
    /// The log's name of what was tried.
    pub action: &'static str,
    /// What it would have done, in a sentence.
    pub summary: &'a str,
    /// The address it was tried at, with `{name}` for each part that varies.
    pub route: &'a str,
    /// What the caller heard.
    pub code: &'a str,
    /// Whether a limit refused it, which may go on for as long as somebody tries.
    pub limited: bool,
}

/// What was refused since the last batch.
#[derive(Debug, Default)]
pub struct Refusals(Mutex<Batch>);

#[derive(Debug, Default)]
struct Batch {
    entries: Vec<Entry>,
    callers: HashMap<Option<Subject>, Recent>,
    limited: Limited,
    /// Refusals of addresses there was no room for.
    dropped: u64,
}

/// What one address was refused lately.
#[derive(Debug)]
struct Recent {
    second: u64,
    kept: u32,
    left_out: u64,
    origin: Origin,
}

impl Refusals {
    /// Whether there is room for another refusal of this caller; if not, it is counted.
    fn has_room(&self, origin: &Origin, second: u64) -> bool {
        let mut batch = self.lock();
        let caller = origin.address.map(Subject::address);
        let full = batch.entries.len() >= MOST;
        if batch.callers.len() >= MOST_ADDRESSES && !batch.callers.contains_key(&caller) {
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
        let room = !full && recent.kept < MOST_A_SECOND;
        if room {
            recent.kept += 1;
        } else {
            recent.left_out += 1;
        }
        room
    }

    /// All there is. Whoever was refused in this second is remembered for the rest of it.
    fn take(&self, second: u64) -> (Vec<Entry>, Vec<(Origin, u64)>, u64) {
        let mut batch = self.lock();
        let (mut omitted, unknown) = batch.limited.take(second / MINUTE);
        let recent = batch.callers.values_mut().filter(|it| it.left_out > 0);
        omitted.extend(recent.map(|it| (it.origin.clone(), std::mem::take(&mut it.left_out))));
        batch.callers.retain(|_, it| it.second >= second);
        let dropped = std::mem::take(&mut batch.dropped) + unknown;
        (std::mem::take(&mut batch.entries), omitted, dropped)
    }

    /// Whether what a limit refused is written one by one.
    fn is_first_limited(&self, origin: &Origin, route: &str, second: u64) -> bool {
        self.lock().limited.is_first(origin, route, second / MINUTE)
    }

    fn push(&self, entry: Entry) {
        self.lock().entries.push(entry);
    }

    /// What could not be written waits for the next batch, as far as there is room.
    fn give_back(&self, entries: Vec<Entry>) {
        let mut batch = self.lock();
        let room = MOST.saturating_sub(batch.entries.len());
        batch.entries.extend(entries.into_iter().take(room));
    }

    fn lock(&self) -> MutexGuard<'_, Batch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes a refusal, as far as there is room.
pub fn note(app: &App, origin: Origin, refused: &Refused<'_>) {
    let second = app.clock.monotonic().as_secs();
    if refused.limited && !app.refusals.is_first_limited(&origin, refused.route, second) {
        return;
    }
    if app.refusals.has_room(&origin, second) {
        let message = format!("Refused: {}", refused.summary);
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
        id: app.ids.next(),
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

/// Writes down what was refused; gives how many entries.
pub async fn write(app: &App) -> Result<u64> {
    let (mut entries, omitted, dropped) = app.refusals.take(app.clock.monotonic().as_secs());
    let skipped = dropped + omitted.iter().map(|(_, count)| count).sum::<u64>();
    if skipped > 0 {
        counter!("grantor_refusals_skipped_total").increment(skipped);
    }
    entries.extend(omitted.into_iter().map(|(origin, count)| {
        let message = format!("{count} more refusals of this address were left out");
        entry(app, origin, "refusal.omit", message, json!({ "omitted": count }))
    }));
    if entries.is_empty() {
        return Ok(0);
    }
    let rows = entries.clone();
    let written: Result<(), grantor_storage::Error> =
        app.store.write(move |tx| rows.iter().try_for_each(|entry| audit::insert(tx, entry))).await;
    if let Err(error) = written {
        app.refusals.give_back(entries);
        return Err(Error::from(error));
    }
    Ok(entries.len() as u64)
}
