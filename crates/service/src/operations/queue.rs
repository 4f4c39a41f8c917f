//! How much background work waits, for metrics.

use std::time::Duration;

use grantor_domain::Result;
use grantor_storage::queue;

use crate::App;

/// The state of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueDepth {
    /// The name of the queue.
    pub name: &'static str,
    /// How much waits, up to [`grantor_storage::queue::MAX_DEPTH`].
    pub depth: u32,
    /// How long the oldest has been due; zero if nothing is.
    pub age: Duration,
}

/// Measures all queues in one read.
pub async fn measure(app: &App) -> Result<Vec<QueueDepth>> {
    let now = app.clock.now();
    let states = app.store.read(move |tx| queue::measure(tx, now)).await?;
    let depth = |it: queue::QueueState| QueueDepth {
        name: it.name,
        depth: it.depth,
        age: it.oldest.map_or(Duration::ZERO, |since| now.since(since)),
    };
    Ok(states.into_iter().map(depth).collect())
}
