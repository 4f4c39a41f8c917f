//! Keeping the index of licenses: what changed is noted with each change, and put in a moment later for
//! many licenses at a time.

use grantor_domain::Result;
use grantor_domain::id::LicenseId;
use grantor_storage::license::index;
use uuid::Uuid;

use crate::App;

/// How many licenses one unit of work takes: other changes wait no longer than that.
const AT_ONCE: u32 = 100;

/// Puts in all that changed; gives how many units of work that took.
pub async fn index_changed(app: &App) -> Result<u64> {
    let (mut after, mut done) = (LicenseId::from(Uuid::nil()), 0);
    while app.store.glance(index::is_any_stale).await? {
        let folded = app.store.write(move |tx| index::fold(tx, after, AT_ONCE)).await?;
        let Some(last) = folded else { break };
        (after, done) = (last, done + 1);
    }
    Ok(done)
}
