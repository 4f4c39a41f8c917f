//! Updates the search index of the log: entries are indexed shortly after they are written, in
//! batches.

use std::time::Duration;

use grantor_domain::Result;
use grantor_storage::log::index;

use crate::App;

/// The entries of the first unit of work. Other changes wait while one runs.
const AT_ONCE: u32 = 200;

/// The entries of the others: if so many wait, as after an upgrade, it matters that each unit writes
/// the sets of all common terms.
const BACKLOG: u32 = 500;

/// How old an entry must be to be indexed. By then all entries of the same time are written, also
/// those written in batches, so that index numbers are in the order of time.
const MIN_AGE: Duration = Duration::from_secs(2);

/// Indexes all entries that are old enough and returns how many there were.
pub async fn index_written(app: &App) -> Result<u64> {
    let (before, mut done, mut at_once) = (app.clock.now().minus(MIN_AGE), 0, AT_ONCE);
    while app.store.lookup(move |tx| index::has_fresh(tx, before)).await? {
        let indexed = app.store.write(move |tx| index::update(tx, before, at_once)).await?;
        if indexed == 0 {
            break;
        }
        (done, at_once) = (done + indexed, BACKLOG);
    }
    Ok(done)
}
