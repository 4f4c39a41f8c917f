//! Drops the parts of the log that are past their retention, and makes the next ones. What is in no
//! part is deleted in batches.

use std::ops::Range;
use std::time::Duration;

use grantor_domain::audit::Class;
use grantor_domain::{Result, Timestamp};
use grantor_storage::log::partition::{self, Partition};
use grantor_storage::{Error as StorageError, Tx, audit};
use uuid::Uuid;

use super::retention::{BATCH, in_batches};
use crate::App;

/// Entries removed from the index per unit of work.
const FORGOTTEN_AT_ONCE: u32 = 500;

/// Removes the entries of a class that are older than its retention and returns their number. This
/// is no background work: the webhook sender would wait for the locks, too.
pub(super) async fn sweep(app: &App, class: Class, kept: Duration) -> Result<u64> {
    let now = app.clock.now();
    let before = now.minus(kept);
    let mut removed = 0;
    while let Some(expired) = find_expired(app, class, before).await? {
        removed += forget(app, expired.ids.clone()).await?;
        let drop_it = move |tx: &mut Tx<'_>| partition::drop_expired(tx, &expired);
        if !is_done(app.store.write(drop_it).await)? {
            break;
        }
    }
    let prepare = move |tx: &mut Tx<'_>| partition::prepare(tx, class, now, kept);
    is_done(app.store.write(prepare).await)?;
    let delete = move |tx: &mut Tx<'_>| audit::delete_before(tx, class.name(), before, BATCH);
    removed += in_batches(app, delete).await?;
    let overdue = partition::overdue(before, kept);
    let delete = move |tx: &mut Tx<'_>| audit::delete_overdue(tx, class.name(), overdue, BATCH);
    Ok(removed + in_batches(app, delete).await?)
}

async fn find_expired(app: &App, class: Class, before: Timestamp) -> Result<Option<Partition>> {
    let find = move |tx: &mut Tx<'_>| partition::find_expired(tx, class, before);
    Ok(app.store.read(find).await?)
}

/// Removes the entries of a part from the index. Doing so twice changes nothing, so a worker that
/// dies in between leaves nothing to repair.
async fn forget(app: &App, ids: Range<Uuid>) -> Result<u64> {
    let (mut forgotten, mut left) = (0, Some(ids));
    while let Some(ids) = left {
        let forget = move |tx: &mut Tx<'_>| partition::forget(tx, &ids, FORGOTTEN_AT_ONCE);
        let (count, rest) = app.store.write(forget).await?;
        forgotten += count;
        left = rest;
    }
    Ok(forgotten)
}

/// False if a statement that reads the log is in the way: the next run tries again.
fn is_done<T>(outcome: Result<T, StorageError>) -> Result<bool> {
    match outcome {
        Ok(_) => Ok(true),
        Err(error) if error.is_outage() => {
            tracing::info!(%error, "the parts of the log are changed in the next run");
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}
