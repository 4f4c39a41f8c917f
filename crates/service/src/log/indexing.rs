//! Keeping the index of the log: entries are put in a moment after they were written, many at a time.

use std::time::Duration;

use grantor_domain::Result;
use grantor_storage::log::index;

use crate::App;

/// How many entries one unit of work takes: other changes wait no longer than that.
const AT_ONCE: u32 = 200;

/// The same before anybody is served: the first start after an upgrade has every entry to put in.
const AT_START: u32 = 1_000;

/// How old an entry is when it gets its number. By then those of the same time are there too, also what
/// is written in batches, so that the order of numbers is that of time.
const SETTLED: Duration = Duration::from_secs(2);

/// Puts in all that is old enough; gives how many entries.
pub async fn index_written(app: &App) -> Result<u64> {
    index(app, AT_ONCE).await
}

/// Puts in all that was left when the last process ended.
pub async fn index_at_start(app: &App) -> Result<u64> {
    index(app, AT_START).await
}

async fn index(app: &App, at_once: u32) -> Result<u64> {
    let (before, mut done) = (app.clock.now().minus(SETTLED), 0);
    while app.store.glance(move |tx| index::is_any_fresh(tx, before)).await? {
        let folded = app.store.write(move |tx| index::fold(tx, before, at_once)).await?;
        if folded == 0 {
            break;
        }
        done += folded;
    }
    Ok(done)
}
