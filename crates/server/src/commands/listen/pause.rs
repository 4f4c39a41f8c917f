//! How long to wait before something is tried again.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(500);
/// Short enough that a developer who mended the receiver sees it at once.
const LONGEST: Duration = Duration::from_secs(10);

/// Pauses that grow: half a second, doubling to ten.
#[derive(Default)]
pub(super) struct Pauses(u32);

impl Pauses {
    /// The next pause; longer where the other side asks for more time.
    pub(super) fn next(&mut self, asked: Option<Duration>) -> Duration {
        let grown = FIRST.saturating_mul(2_u32.saturating_pow(self.0)).min(LONGEST);
        self.0 = self.0.saturating_add(1);
        grown.max(asked.unwrap_or_default())
    }
}

/// Waits.
#[expect(clippy::disallowed_methods, reason = "this is the server's room: it may wait")]
pub(super) async fn rest(pause: Duration) {
    tokio::time::sleep(pause).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_ten_seconds_and_heed_what_is_asked() {
        let mut pauses = Pauses::default();
        let millis: Vec<_> = (0..7).map(|_| pauses.next(None).as_millis()).collect();
        assert_eq!(millis, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
        let asked = Some(Duration::from_mins(1));
        assert_eq!(Pauses(u32::MAX).next(asked), Duration::from_mins(1));
        assert_eq!(Pauses(9).next(Some(Duration::ZERO)), LONGEST);
    }
}
