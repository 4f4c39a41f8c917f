//! Feeds: the addresses that are fetched for sources, once for all tenants that watch them.

use std::time::Duration;

use strum::{VariantArray, VariantNames};

use super::SourceName;
use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::id::{FeedId, RunId};
use crate::scan::{RunCounts, RunOutcome};

enum_names!(FeedKind, HostedService);

/// Items shown of what was found at an address.
pub const MAX_SAMPLE: usize = 5;
/// Skipped items listed per run.
pub const MAX_SKIPPED: usize = 20;
/// The pause after a failed run; it doubles with each further failure.
const FIRST_BACKOFF: Duration = Duration::from_mins(15);
/// The longest pause after failed runs.
const LONGEST_BACKOFF: Duration = Duration::from_hours(24);
/// After this time of failures in a row, the tenants that watch the feed are notified.
const FAILING_NOTICE_AFTER: Duration = Duration::from_hours(24);

/// What is read at the address of a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum FeedKind {
    /// RSS, Atom or JSON Feed.
    Feed,
    /// A sitemap or a sitemap index.
    Sitemap,
    /// A page without a feed: its own content, and the pages it links to on the same host.
    Page,
}

/// A service that hosts the profiles of many people. Content there is published by the owner of
/// the profile, not by the owner of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum HostedService {
    /// A Mastodon server.
    Mastodon,
    /// Bluesky.
    Bluesky,
    /// YouTube.
    YouTube,
    /// Reddit.
    Reddit,
    /// GitHub.
    GitHub,
    /// Tumblr.
    Tumblr,
    /// Medium.
    Medium,
    /// Substack.
    Substack,
    /// WordPress.com.
    WordPress,
}

impl HostedService {
    /// The name for display.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Mastodon => "Mastodon",
            Self::Bluesky => "Bluesky",
            Self::YouTube => "YouTube",
            Self::Reddit => "Reddit",
            Self::GitHub => "GitHub",
            Self::Tumblr => "Tumblr",
            Self::Medium => "Medium",
            Self::Substack => "Substack",
            Self::WordPress => "WordPress.com",
        }
    }
}

/// A feed: an address that is fetched for sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// The unique ID.
    pub id: FeedId,
    /// The address that is fetched.
    pub url: String,
    /// What is read there.
    pub kind: FeedKind,
    /// The hosted service it is on; `None` for a site of its own.
    pub service: Option<HostedService>,
    /// The canonical address of the profile on a hosted service.
    pub profile: Option<String>,
    /// The title found.
    pub title: String,
    /// Whether `robots.txt` forbids fetching the feed itself, so that it is only read when a WebSub
    /// hub pushes it.
    pub push_only: bool,
    /// When the next scan is due; `None` if no source that watches it is running.
    pub due_at: Option<Timestamp>,
    /// When it was last scanned.
    pub last_scan_at: Option<Timestamp>,
    /// Since when all scans have failed; `None` if the last one succeeded.
    pub failing_since: Option<Timestamp>,
    /// Failed scans in a row.
    pub failures: u32,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Feed {
    /// Records the end of a run and returns when the next scan is due, given the shortest period
    /// among the sources that watch it. Failures double the pause, up to a day.
    pub fn ended(&mut self, failed: bool, now: Timestamp, period: Duration) -> Timestamp {
        if !failed {
            (self.last_scan_at, self.failing_since, self.failures) = (Some(now), None, 0);
            return now.plus(period);
        }
        self.failing_since = self.failing_since.or(Some(now));
        self.failures = self.failures.saturating_add(1);
        let doublings = (self.failures - 1).min(16);
        let pause = FIRST_BACKOFF.saturating_mul(1 << doublings).min(LONGEST_BACKOFF);
        // A feed that is scanned weekly is tried again within a day.
        now.plus(if self.failures == 1 { pause.min(period) } else { pause })
    }

    /// Whether the tenants have to be notified of failures: once, after a day without success.
    #[must_use]
    pub fn needs_failing_notice(&self, now: Timestamp) -> bool {
        self.failing_since.is_some_and(|it| now.since(it) >= FAILING_NOTICE_AFTER)
    }
}

/// A pause that spreads scans, so that feeds created together are not due together: up to a
/// twentieth of the period. The seed has to be random.
#[must_use]
pub fn jitter(period: Duration, seed: u128) -> Duration {
    const STEPS: u32 = 1_000;
    let step = u32::try_from(seed % u128::from(STEPS)).unwrap_or(0);
    period / 20 / STEPS * step
}

/// Something that a run skipped, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The address.
    pub what: String,
    /// The reason.
    pub why: String,
}

/// A run of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedRun {
    /// The unique ID.
    pub id: RunId,
    /// The feed.
    pub feed: FeedId,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended, if it has.
    pub ended_at: Option<Timestamp>,
    /// The outcome; `None` while in progress.
    pub outcome: Option<RunOutcome>,
    /// The reason for the outcome, if any.
    pub reason: Option<String>,
    /// The counters.
    pub counts: RunCounts,
    /// What was skipped, up to [`MAX_SKIPPED`].
    pub skipped: Vec<Skipped>,
}

impl FeedRun {
    /// Whether the run ended and read something.
    #[must_use]
    pub fn has_read(&self) -> bool {
        matches!(self.outcome, Some(RunOutcome::Ok | RunOutcome::Partial))
    }
}

/// What was last read at the address of a feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundItems {
    /// The number of items.
    pub items: usize,
    /// The newest items, up to [`MAX_SAMPLE`].
    pub sample: Vec<LookedItem>,
}

/// What was found at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// The title; may be empty.
    pub title: String,
    /// What is read there.
    pub kind: FeedKind,
    /// The hosted service it is on.
    pub service: Option<HostedService>,
    /// The canonical address of the profile on a hosted service.
    pub profile: Option<String>,
    /// The address that is fetched.
    pub feed_url: String,
    /// The number of items found.
    pub items: usize,
    /// The newest items, up to [`MAX_SAMPLE`].
    pub sample: Vec<LookedItem>,
    /// Whether it is only read when a WebSub hub pushes it.
    pub push_only: bool,
    /// A remark for the person who entered the address.
    pub note: Option<String>,
}

impl Looked {
    /// The default name of a source.
    #[must_use]
    pub fn suggested_name(&self) -> SourceName {
        SourceName::suggest(&self.title, &self.feed_url)
    }
}

/// An item found at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookedItem {
    /// Its title; may be empty.
    pub title: String,
    /// Its address.
    pub url: String,
    /// When it was published, if given.
    pub published_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn feed() -> Feed {
        Feed {
            id: Uuid::nil().into(),
            url: "https://example.com/feed".to_owned(),
            kind: FeedKind::Feed,
            service: None,
            profile: None,
            title: String::new(),
            push_only: false,
            due_at: None,
            last_scan_at: None,
            failing_since: None,
            failures: 0,
            created_at: Timestamp::from_secs(0),
        }
    }

    #[test]
    fn names_are_the_same_everywhere() {
        for kind in FeedKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        for service in HostedService::ALL {
            assert_eq!(service.name().parse(), Ok(service));
        }
    }

    #[test]
    fn scans_are_spread_over_a_twentieth_of_the_period() {
        let hour = Duration::from_hours(1);
        assert_eq!(jitter(hour, 0), Duration::ZERO);
        assert_eq!(jitter(hour, 1_500), Duration::from_secs(90));
        assert!(jitter(hour, u128::MAX) < Duration::from_mins(3));
    }

    #[test]
    fn failures_double_the_pause_up_to_a_day() {
        let (mut feed, now) = (feed(), Timestamp::from_secs(1_000));
        let hour = Duration::from_hours(1);
        let mut minutes = vec![];
        for _ in 0..10 {
            minutes.push(feed.ended(true, now, hour).since(now).as_secs() / 60);
        }
        assert_eq!(minutes, [15, 30, 60, 120, 240, 480, 960, 1_440, 1_440, 1_440]);
        assert_eq!((feed.failures, feed.failing_since), (10, Some(now)));
        assert!(!feed.needs_failing_notice(now.plus(Duration::from_hours(23))));
        assert!(feed.needs_failing_notice(now.plus(Duration::from_hours(24))));
        assert_eq!(feed.ended(false, now, hour), now.plus(hour));
        assert_eq!((feed.failures, feed.failing_since, feed.last_scan_at), (0, None, Some(now)));
        assert!(!feed.needs_failing_notice(now.plus(Duration::from_hours(48))));
    }
}
