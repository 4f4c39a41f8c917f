//! The clock and the randomness of the machine. Only this module reads them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::{Error, Result};

/// The time in Unix seconds.
#[expect(clippy::disallowed_methods, reason = "other programs use this crate without our clock")]
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Waits before a retry.
#[expect(clippy::disallowed_methods, reason = "a client may wait between retries")]
pub(crate) async fn wait(pause: Duration) {
    if !pause.is_zero() {
        tokio::time::sleep(pause).await;
    }
}

/// A new idempotency key.
#[expect(clippy::disallowed_methods, reason = "other programs use this crate without our source")]
pub(crate) fn idempotency_key() -> Result<String> {
    let mut bytes = [0; 16];
    aws_lc_rs::rand::fill(&mut bytes)
        .map_err(|_| Error::Invalid("The system provides no random numbers".to_owned()))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
