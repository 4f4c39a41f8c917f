//! Scanning feeds for sources.

use grantor_domain::Result;

use crate::App;
use crate::watching::scan::Pace;
pub use crate::watching::scan::{claim_feed as claim, scan_feed as scan};

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
