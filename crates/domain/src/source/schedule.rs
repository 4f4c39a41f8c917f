//! When a source is scanned next, as its tenant sees it.

use std::time::Duration;

use super::{Feed, Source};
use crate::Timestamp;

/// A feed that was read within this time for somebody is not read again for another tenant that
/// starts to watch it. The first scan of its source follows within this time.
pub const FIRST_SCAN_WITHIN: Duration = Duration::from_hours(1);
/// What is due within this time starts as soon as a worker and the host are free.
const AT_ONCE: Duration = Duration::from_mins(1);

impl Source {
    /// When the source is scanned next, by its own frequency; its feed may be scanned more often for
    /// other tenants. `None` if it is not scanned or waits for a push. The feed is without what
    /// happened before the source was created.
    #[must_use]
    pub fn next_scan_at(&self, feed: &Feed, now: Timestamp) -> Option<Timestamp> {
        let due_at = feed.due_at.filter(|_| self.is_active() && !feed.push_only)?;
        if feed.failing_since.is_some() {
            return Some(due_at);
        }
        let Some(last) = feed.last_scan_at else {
            // When others scan the feed is not shown.
            let first = self.created_at.plus(FIRST_SCAN_WITHIN);
            let at_once = due_at <= now.plus(AT_ONCE);
            return Some(if at_once { due_at } else { due_at.max(first) });
        };
        if self.asked_at.is_some_and(|it| it >= last) && due_at <= now {
            return Some(due_at);
        }
        Some(last.plus(self.frequency.period()).max(due_at))
    }

    /// Whether the first scan starts at once: there was none yet, and it is due.
    #[must_use]
    pub fn starts_at_once(&self, feed: &Feed, now: Timestamp) -> bool {
        let due_at = self.next_scan_at(feed, now);
        feed.last_scan_at.is_none() && due_at.is_some_and(|it| it <= now.plus(AT_ONCE))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::source;
    use super::*;
    use crate::platform::DetectionFrequency;
    use crate::source::{FeedKind, SourceStatus};
    use uuid::Uuid;

    const HOUR: Duration = Duration::from_hours(1);
    const DAY: Duration = Duration::from_hours(24);

    fn feed(due_at: Option<Timestamp>, last_scan_at: Option<Timestamp>) -> Feed {
        Feed {
            id: Uuid::nil().into(),
            url: "https://example.com/feed".to_owned(),
            kind: FeedKind::Feed,
            service: None,
            profile: None,
            title: String::new(),
            push_only: false,
            due_at,
            last_scan_at,
            failing_since: None,
            failures: 0,
            created_at: Timestamp::from_secs(0),
        }
    }

    #[test]
    fn the_next_scan_is_by_the_sources_own_frequency() {
        let now = Timestamp::from_secs(1_000_000);
        let mut source = source();
        let next = |source: &Source, feed: &Feed| source.next_scan_at(feed, now);
        // Somebody else has the feed scanned every hour.
        let shared = feed(Some(now.plus(HOUR)), Some(now));
        assert_eq!(next(&source, &shared), Some(now.plus(DAY)));
        // The source's own turn, spread a little.
        let late = now.plus(DAY + HOUR);
        assert_eq!(next(&source, &feed(Some(late), Some(now))), Some(late));
        source.frequency = DetectionFrequency::Hourly;
        assert_eq!(next(&source, &shared), Some(now.plus(HOUR)));
        let failing = Feed { failing_since: Some(now), ..feed(Some(late), Some(now)) };
        assert_eq!(next(&source, &failing), Some(late));
        // Somebody asked for a scan.
        let asked = feed(Some(now), Some(now.minus(HOUR)));
        source.asked_at = Some(now);
        assert_eq!(next(&source, &asked), Some(now));
        assert_eq!(next(&source, &Feed { push_only: true, ..asked.clone() }), None);
        source.status = SourceStatus::Paused;
        assert_eq!(next(&source, &asked), None);
    }

    #[test]
    fn the_first_scan_is_at_once_or_within_the_hour() {
        let now = Timestamp::from_secs(1_000_000);
        let source = Source { created_at: now, ..source() };
        for (due_at, next, at_once) in [
            (now, now, true),
            (now.plus(Duration::from_secs(2)), now.plus(Duration::from_secs(2)), true),
            (now.plus(HOUR / 6), now.plus(HOUR), false),
            (now.plus(DAY), now.plus(DAY), false),
        ] {
            let feed = feed(Some(due_at), None);
            assert_eq!(source.next_scan_at(&feed, now), Some(next));
            assert_eq!(source.starts_at_once(&feed, now), at_once);
        }
        assert!(!source.starts_at_once(&feed(Some(now), Some(now)), now));
    }
}
