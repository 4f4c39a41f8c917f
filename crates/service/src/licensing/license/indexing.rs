//! Maintaining the search index of licenses. Changes mark licenses as stale; they are indexed
//! shortly after, in batches.

use grantor_domain::Result;
use grantor_domain::id::LicenseId;
use grantor_storage::license::index;
use uuid::Uuid;

use crate::App;

/// The batch size of a unit of work. Other changes wait while one runs.
const AT_ONCE: u32 = 100;

/// The batch size at startup, when no requests are served. The first start after an upgrade may
/// have to index every license.
const AT_START: u32 = 1_000;

/// Indexes all stale licenses and returns the number of batches.
pub async fn index_changed(app: &App) -> Result<u64> {
    index(app, AT_ONCE).await
}

/// Indexes the licenses that were left stale when the last process ended, or all of them if it had
/// another version.
pub async fn index_at_start(app: &App) -> Result<u64> {
    app.store.write(index::mark_outdated).await?;
    index(app, AT_START).await
}

async fn index(app: &App, at_once: u32) -> Result<u64> {
    let (mut after, mut done) = (LicenseId::from(Uuid::nil()), 0);
    while app.store.lookup(index::has_stale).await? {
        let folded = app.store.write(move |tx| index::update(tx, after, at_once)).await?;
        let Some(last) = folded else { break };
        (after, done) = (last, done + 1);
    }
    Ok(done)
}
