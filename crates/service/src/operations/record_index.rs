//! Maintaining the index of the records that people list and search. Changes mark records as stale;
//! they are indexed shortly after, in batches.

use grantor_domain::Result;
use grantor_storage::record_index::{self, RecordKind};
pub use grantor_storage::record_index::{RecordOrder, RecordSort};
use uuid::Uuid;

use crate::App;

/// The batch size of a unit of work. Other changes wait while one runs.
const AT_ONCE: u32 = 100;

/// The batch size at startup, when no requests are served. The first start after an upgrade may
/// have to index every record.
const AT_START: u32 = 1_000;

/// Indexes all stale records and returns the number of batches.
pub async fn index_changed(app: &App) -> Result<u64> {
    index(app, AT_ONCE).await
}

/// Indexes the records that were left stale when the last process ended, or all of them if it had
/// another version.
pub async fn index_at_start(app: &App) -> Result<u64> {
    app.store.write(record_index::mark_outdated).await?;
    index(app, AT_START).await
}

async fn index(app: &App, at_once: u32) -> Result<u64> {
    let mut done = 0;
    while app.store.lookup(record_index::has_renames).await?
        && app.store.write(record_index::mark_dependents).await?
    {
        done += 1;
    }
    if !app.store.lookup(record_index::has_stale).await? {
        return Ok(done);
    }
    for kind in RecordKind::ALL {
        let mut after = Uuid::nil();
        loop {
            let update = move |tx: &mut grantor_storage::Tx<'_>| {
                record_index::update(tx, kind, after, at_once)
            };
            let Some(last) = app.store.write(update).await? else { break };
            (after, done) = (last, done + 1);
        }
    }
    Ok(done)
}
