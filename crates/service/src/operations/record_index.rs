//! Maintaining the index of the records that people list and search. Changes mark records as stale;
//! they are indexed shortly after, in batches.

use grantor_domain::Result;
use grantor_storage::record_index::{self, RecordKind};
pub use grantor_storage::record_index::{RecordOrder, RecordSort};
use uuid::Uuid;

use crate::App;

/// The size of the first batch of a kind. Other changes wait while one runs.
const AT_ONCE: u32 = 100;

/// The size of the others: if so many wait, as after an upgrade, it matters that each batch writes
/// the sets of all common terms.
const BACKLOG: u32 = 500;

/// Marks all records as stale if another version of the server indexed them. Searches check stale
/// records one by one, so answers are right, but take longer until all are indexed.
pub async fn mark_outdated(app: &App) -> Result<()> {
    Ok(app.store.write(record_index::mark_outdated).await?)
}

/// Indexes all stale records and returns the number of batches.
pub async fn index_changed(app: &App) -> Result<u64> {
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
        let (mut after, mut at_once) = (Uuid::nil(), AT_ONCE);
        loop {
            let update = move |tx: &mut grantor_storage::Tx<'_>| {
                record_index::update(tx, kind, after, at_once)
            };
            let Some(last) = app.store.write(update).await? else { break };
            (after, done, at_once) = (last, done + 1, BACKLOG);
        }
    }
    Ok(done)
}
