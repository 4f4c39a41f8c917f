//! Updates the search index of the log: entries are indexed shortly after they are written, in
//! batches.

use std::time::Duration;

use grantor_domain::Result;
use grantor_storage::log::index;

use crate::App;

/// Entries per unit of work, kept small so that other writers do not wait long.
const BATCH: u32 = 200;

/// Entries per unit of work at startup, when no requests are served: the first start after an
/// upgrade has to index every entry.
const BATCH_AT_START: u32 = 1_000;

/// How old an entry must be to be indexed. By then all entries of the same time are written, also
/// those written in batches, so that index numbers are in the order of time.
const MIN_AGE: Duration = Duration::from_secs(2);

/// Indexes all entries that are old enough and returns how many there were.
pub async fn index_written(app: &App) -> Result<u64> {
    index(app, BATCH).await
}

/// Indexes the entries that the last process left.
pub async fn index_at_start(app: &App) -> Result<u64> {
    index(app, BATCH_AT_START).await
}

async fn index(app: &App, batch: u32) -> Result<u64> {
    let (before, mut done) = (app.clock.now().minus(MIN_AGE), 0);
    while app.store.lookup(move |tx| index::has_fresh(tx, before)).await? {
        let indexed = app.store.write(move |tx| index::update(tx, before, batch)).await?;
        if indexed == 0 {
            break;
        }
        done += indexed;
    }
    Ok(done)
}
