//! Keeping the index of licenses: what changed is noted with each change, and put in a moment later for
//! many licenses at a time.

use grantor_domain::Result;
use grantor_domain::id::LicenseId;
use grantor_storage::license::index;
use uuid::Uuid;

use crate::App;

/// How many licenses one unit of work takes: other changes wait no longer than that.
const AT_ONCE: u32 = 100;

/// The same before anybody is served: the first start after an upgrade has every license to put in.
const AT_START: u32 = 1_000;

/// Puts in all that changed; gives how many units of work that took.
pub async fn index_changed(app: &App) -> Result<u64> {
    index(app, AT_ONCE).await
}

/// Puts in all that was left when the last process ended.
pub async fn index_at_start(app: &App) -> Result<u64> {
    index(app, AT_START).await
}

async fn index(app: &App, at_once: u32) -> Result<u64> {
    let (mut after, mut done) = (LicenseId::from(Uuid::nil()), 0);
    while app.store.glance(index::is_any_stale).await? {
        let folded = app.store.write(move |tx| index::fold(tx, after, at_once)).await?;
        let Some(last) = folded else { break };
        (after, done) = (last, done + 1);
    }
    Ok(done)
}
