//! Maintaining the search index of licenses. Changes mark licenses as stale; they are indexed
//! shortly after, in batches.

use grantor_domain::Result;
use grantor_domain::id::LicenseId;
use grantor_storage::license::index;
use uuid::Uuid;

use crate::App;

/// The size of the first batch. Other changes wait while one runs.
const AT_ONCE: u32 = 100;

/// The size of the others: if so many wait, as after an upgrade, it matters that each batch writes
/// the sets of all common terms.
const BACKLOG: u32 = 500;

/// Marks all licenses as stale if another version of the server indexed them. Searches check stale
/// licenses one by one, so answers are right, but take longer until all are indexed.
pub async fn mark_outdated(app: &App) -> Result<()> {
    Ok(app.store.write(index::mark_outdated).await?)
}

/// Indexes all stale licenses and returns the number of batches.
pub async fn index_changed(app: &App) -> Result<u64> {
    let (mut after, mut done, mut at_once) = (LicenseId::from(Uuid::nil()), 0, AT_ONCE);
    while app.store.lookup(index::has_stale).await? {
        let folded = app.store.write(move |tx| index::update(tx, after, at_once)).await?;
        let Some(last) = folded else { break };
        (after, done, at_once) = (last, done + 1, BACKLOG);
    }
    Ok(done)
}
