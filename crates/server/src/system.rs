//! The system's clock and randomness. Only this module reads them.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use grantor_domain::{Clock, Entropy, Timestamp};

/// The system's clock.
#[derive(Debug)]
pub(crate) struct SystemClock {
    started: Instant,
}

impl SystemClock {
    #[expect(clippy::disallowed_methods, reason = "only this module reads the clock")]
    pub(crate) fn new() -> Self {
        Self { started: Instant::now() }
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "only this module reads the clock")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

/// The system's randomness.
#[derive(Debug)]
pub(crate) struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(clippy::disallowed_methods, reason = "only this module reads the randomness")]
    fn fill(&self, buffer: &mut [u8]) {
        // Without randomness no key, id or nonce is safe, so the process must not continue.
        if aws_lc_rs::rand::fill(buffer).is_err() {
            std::process::abort();
        }
    }
}
