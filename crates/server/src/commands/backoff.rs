//! Waiting times between retries.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(500);
/// Short, so that a developer who fixed the receiver sees the result soon.
const LONGEST: Duration = Duration::from_secs(10);

/// Waiting times that double from half a second to ten seconds.
#[derive(Default)]
pub(crate) struct Backoff(u32);

impl Backoff {
    /// Returns the next waiting time, at least `retry_after`.
    pub(crate) fn next(&mut self, retry_after: Option<Duration>) -> Duration {
        let grown = FIRST.saturating_mul(2_u32.saturating_pow(self.0)).min(LONGEST);
        self.0 = self.0.saturating_add(1);
        grown.max(retry_after.unwrap_or_default())
    }
}

#[expect(clippy::disallowed_methods, reason = "a command may wait between retries")]
pub(crate) async fn wait(pause: Duration) {
    tokio::time::sleep(pause).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_ten_seconds_and_heed_what_is_asked() {
        let mut backoff = Backoff::default();
        let millis: Vec<_> = (0..7).map(|_| backoff.next(None).as_millis()).collect();
        assert_eq!(millis, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
        let retry_after = Some(Duration::from_mins(1));
        assert_eq!(Backoff(u32::MAX).next(retry_after), Duration::from_mins(1));
        assert_eq!(Backoff(9).next(Some(Duration::ZERO)), LONGEST);
    }
}
