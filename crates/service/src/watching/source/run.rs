//! Scanning feeds for sources.

use std::time::Duration;

use grantor_domain::Result;
use grantor_storage::{Tx, feed};

use crate::App;
use crate::watching::scan::Pace;
pub use crate::watching::scan::{claim_feed as claim, scan_feed as scan};

/// Feeds that are adopted per unit of work.
const ADOPTED_AT_ONCE: u32 = 100;
/// When the next ones are scanned: an API takes one request at a time.
const ADOPTION_PAUSE: Duration = Duration::from_mins(5);

/// Lets feeds be read by the official API of their service that only hubs pushed before the
/// operator set a key. Returns their number.
pub async fn adopt_keys(app: &App) -> Result<u64> {
    let (mut adopted, mut due_at) = (0, app.clock.now());
    let services: Vec<_> = app.hosted_apis.services().collect();
    for service in services {
        loop {
            let clear =
                move |tx: &mut Tx<'_>| feed::clear_push_only(tx, service, due_at, ADOPTED_AT_ONCE);
            let more = app.store.write(clear).await?;
            adopted += more;
            if more < u64::from(ADOPTED_AT_ONCE) {
                break;
            }
            due_at = due_at.plus(ADOPTION_PAUSE);
        }
    }
    Ok(adopted)
}

/// Scans every due feed, one after another, and returns how many were scanned. Feeds that are put
/// back are due later.
pub async fn scan_due(app: &App, pace: Pace) -> Result<u64> {
    let mut scanned = 0;
    while let Some(claimed) = claim(app).await? {
        let outcome = scan(app, pace, claimed, std::future::pending()).await?;
        scanned += u64::from(outcome.is_some());
    }
    Ok(scanned)
}
