//! Counters in this process: sharded maps that are swept of closed counters.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use grantor_domain::Clock;
use grantor_domain::limit::{ClockReading, Count, Outcome, Step, Window};

use super::CounterKey;

const SHARDS: usize = 64;
/// Maximum number of counters: far more callers than one node serves, and about 200 MB.
const CAPACITY: usize = 1 << 20;
/// How often a shard in use is swept, however few its counters are.
const SWEEP_EVERY: Duration = Duration::from_mins(1);
/// A shard with fewer counters is not swept early.
const SWEEP_FROM: usize = 64;

/// The counters of one node.
pub struct Memory {
    clock: Arc<dyn Clock>,
    hasher: RandomState,
    shards: Vec<Mutex<Shard>>,
    shard_capacity: usize,
}

/// A shard of the counters, to reduce lock contention.
struct Shard {
    counters: HashMap<CounterKey, Counter>,
    sweep_at: Duration,
    sweep_from: usize,
}

struct Counter {
    counts: Vec<Count>,
    closes_at: Duration,
}

impl Memory {
    /// Creates empty counters that use this clock.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self::with_capacity(clock, CAPACITY)
    }

    /// Creates counters with another capacity. If it is exceeded, the counters that close soonest
    /// are dropped, so that a flood of strangers cannot exhaust the node's memory.
    #[must_use]
    pub fn with_capacity(clock: Arc<dyn Clock>, capacity: usize) -> Self {
        let shards = std::iter::repeat_with(Mutex::default).take(SHARDS).collect();
        let shard_capacity = capacity.div_ceil(SHARDS).max(2);
        Self { clock, hasher: RandomState::new(), shards, shard_capacity }
    }

    /// The current number of counters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).counters.len()).sum()
    }

    /// Whether there are no counters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn step(&self, step: Step, key: &CounterKey, windows: &[Window]) -> Outcome {
        let wall = self.clock.now();
        let mut shard = lock(self.shard(key));
        // Read under the lock, so that requests are counted in the order of their times.
        let now = ClockReading { monotonic: self.clock.monotonic(), wall };
        shard.sweep(now.monotonic, self.shard_capacity);
        let Some(counter) = shard.counters.get_mut(key) else {
            let mut counter = Counter { counts: Vec::new(), closes_at: Duration::ZERO };
            let outcome = counter.take(step, windows, now);
            if counter.closes_at > now.monotonic {
                shard.counters.insert(*key, counter);
            }
            return outcome;
        };
        counter.take(step, windows, now)
    }

    fn shard(&self, key: &CounterKey) -> &Mutex<Shard> {
        let [byte, ..] = self.hasher.hash_one(key).to_le_bytes();
        &self.shards[usize::from(byte) % SHARDS]
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("counters", &self.len()).finish_non_exhaustive()
    }
}

impl Default for Shard {
    fn default() -> Self {
        let counters = HashMap::new();
        Self { counters, sweep_at: Duration::ZERO, sweep_from: SWEEP_FROM }
    }
}

impl Shard {
    /// Drops closed counters when it is time, or when their number has doubled since the last
    /// sweep, so that the amortized cost of a step is constant.
    fn sweep(&mut self, now: Duration, capacity: usize) {
        let full = self.counters.len() >= capacity;
        if now < self.sweep_at && self.counters.len() < self.sweep_from && !full {
            return;
        }
        self.counters.retain(|_, counter| counter.closes_at > now);
        if self.counters.len() >= capacity {
            self.forget_half();
        }
        self.sweep_at = now + SWEEP_EVERY;
        self.sweep_from = self.counters.len().saturating_mul(2).max(SWEEP_FROM);
        self.counters.shrink_to(self.sweep_from);
    }

    fn forget_half(&mut self) {
        let mut ends: Vec<_> = self.counters.values().map(|counter| counter.closes_at).collect();
        let half = ends.len() / 2;
        let (_, median, _) = ends.select_nth_unstable(half);
        let (median, mut excess) = (*median, self.counters.len() - half);
        // Many may close at the same instant: drop no more than necessary.
        self.counters.retain(|_, counter| {
            let goes = excess > 0 && counter.closes_at <= median;
            excess -= usize::from(goes);
            !goes
        });
    }
}

impl Counter {
    fn take(&mut self, step: Step, windows: &[Window], now: ClockReading) -> Outcome {
        self.counts.resize(windows.len(), Count::default());
        let outcome = step.take(windows, &mut self.counts, now);
        let open = windows.iter().zip(&self.counts).filter(|(_, count)| count.used > 0);
        let ends = open.map(|(window, count)| count.opened_at.saturating_add(window.length));
        self.closes_at = ends.max().unwrap_or(Duration::ZERO);
        outcome
    }
}

/// A panic elsewhere leaves the counts consistent, so a poisoned lock can be used.
fn lock(shard: &Mutex<Shard>) -> std::sync::MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}
