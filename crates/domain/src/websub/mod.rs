//! WebSub (W3C Recommendation of 2018): subscriptions to hubs, which push a feed when it changes.

mod credentials;
mod link;
mod push_state;
mod signature;

use std::time::Duration;

use strum::{VariantArray, VariantNames};
use url::Url;

pub use self::credentials::{HubCredentials, callback_hash};
pub use self::link::{Advertised, find_links};
pub use self::push_state::{KnownHub, PushState, PushStatus};
pub use self::signature::{HubSignature, SignatureMethod};
use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::id::{FeedId, WebSubId};

/// The lease that is asked of hubs. Most grant it; some grant less.
pub const REQUESTED_LEASE: Duration = Duration::from_hours(10 * 24);
/// The lease that is assumed if the hub does not state one, although it must.
const UNSTATED_LEASE: Duration = Duration::from_hours(24);
/// Shorter leases count as this long, so that no hub can make us send requests all the time.
const SHORTEST_LEASE: Duration = Duration::from_mins(5);
/// Longer leases count as this long, so that every subscription is confirmed once in a while.
const LONGEST_LEASE: Duration = Duration::from_hours(30 * 24);
/// The pause after a request that the hub did not confirm; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_mins(5);
/// The longest pause between two requests.
const LONGEST_PAUSE: Duration = Duration::from_hours(24);
/// How long a worker may take for a request before another may repeat it.
pub const REQUEST_LEASE: Duration = Duration::from_mins(2);
/// When a subscription is requested again after the hub denied it.
pub const AFTER_DENIAL: Duration = Duration::from_hours(7 * 24);
/// How often a hub is asked to end a subscription; then the lease ends it.
pub const MAX_END_REQUESTS: u32 = 5;
/// How often it is checked whether a subscription that has ended is wanted again.
pub const CHECK_ENDED_EVERY: Duration = Duration::from_hours(1);
/// The maximum length of a stored reason, in characters.
pub const MAX_NOTE: usize = 300;
/// The maximum size of a push.
pub const MAX_PUSH_BYTES: usize = 1024 * 1024;
/// Pushes of a feed that wait to be read; older ones are dropped.
pub const MAX_WAITING_PUSHES: usize = 100;
/// The total size of the pushes of a feed that wait to be read; older ones are dropped.
pub const MAX_WAITING_BYTES: u64 = 16 * 1024 * 1024;
/// How long a push waits at most to be read.
pub const PUSH_RETENTION: Duration = Duration::from_hours(7 * 24);

enum_names!(HubStatus);

/// The status of a subscription to a hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum HubStatus {
    /// It was requested, or will be; the hub has not confirmed it yet.
    Pending,
    /// The hub confirmed it.
    Active,
    /// The hub denied it.
    Denied,
    /// It is no longer wanted; the hub has not confirmed its end yet.
    Ending,
    /// It has ended. It is requested again if a source of the feed is resumed.
    Ended,
}

/// What a hub is asked to do, or asks us to confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HubMode {
    /// Start or renew a subscription.
    Subscribe,
    /// End a subscription.
    Unsubscribe,
}

impl HubMode {
    /// The value of `hub.mode`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Subscribe => "subscribe",
            Self::Unsubscribe => "unsubscribe",
        }
    }
}

/// A subscription of a feed to its hub. Its token and secret are stored separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubSubscription {
    /// The unique ID.
    pub id: WebSubId,
    /// The feed.
    pub feed: FeedId,
    /// The URL of the hub.
    pub hub: String,
    /// The topic: the URL that the feed gives as its own.
    pub topic: String,
    /// The status.
    pub status: HubStatus,
    /// Requests since the hub last confirmed one.
    pub attempts: u32,
    /// When the next request is due or, if it has ended, when the sources are looked at again.
    pub due_at: Timestamp,
    /// When the lease ends, if the hub confirmed one.
    pub lease_ends_at: Option<Timestamp>,
    /// Why the last request failed, or why the hub denied the subscription.
    pub note: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl HubSubscription {
    /// Whether the hub pushes the feed at this time, as far as we know.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.status == HubStatus::Active && self.lease_ends_at.is_some_and(|it| now < it)
    }

    /// Whether the subscription is wanted, so that pushes are accepted. A hub may push before its
    /// confirmation arrives.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        matches!(self.status, HubStatus::Pending | HubStatus::Active)
    }

    /// Whether the hub may still have the subscription, so that it must be asked to end it.
    #[must_use]
    pub fn is_held_by_hub(&self, now: Timestamp) -> bool {
        self.lease_ends_at.is_some_and(|it| now < it)
    }

    /// Whether we want what the hub asks us to confirm.
    #[must_use]
    pub fn confirms(&self, mode: HubMode, topic: &str) -> bool {
        let wanted = match mode {
            HubMode::Subscribe => self.is_wanted(),
            HubMode::Unsubscribe => !self.is_wanted() && self.status != HubStatus::Denied,
        };
        wanted && self.is_about(topic)
    }

    /// Whether the topic is this subscription's. Hubs may write the same URL differently.
    #[must_use]
    pub fn is_about(&self, topic: &str) -> bool {
        let normalized = || Url::parse(topic).ok();
        topic == self.topic || normalized().is_some_and(|it| it.as_str() == self.topic)
    }
}

/// The lease that a hub states in seconds, within our bounds.
#[must_use]
pub fn read_lease(seconds: Option<&str>) -> Duration {
    let stated = seconds.and_then(|it| it.parse::<u64>().ok()).filter(|it| *it > 0);
    let lease = stated.map_or(UNSTATED_LEASE, Duration::from_secs);
    lease.clamp(SHORTEST_LEASE, LONGEST_LEASE)
}

/// When a lease is renewed: at random between half and three quarters of it, so that leases that
/// started together are not renewed together, and time is left to try again.
#[must_use]
pub fn renew_after(lease: Duration, chance: u8) -> Duration {
    lease / 2 + lease / 1_024 * u32::from(chance)
}

/// The pause after a request that the hub did not confirm, with up to a quarter added at random.
#[must_use]
pub fn pause_after(attempts: u32, chance: u8) -> Duration {
    let doublings = attempts.saturating_sub(1).min(16);
    let pause = FIRST_PAUSE.saturating_mul(1 << doublings).min(LONGEST_PAUSE);
    pause + pause / 1_024 * u32::from(chance)
}

/// How many of these pushes may wait, given their sizes from the newest to the oldest.
#[must_use]
pub fn count_kept(sizes: impl IntoIterator<Item = u64>) -> usize {
    let mut total = 0_u64;
    let fits = |size: &u64| {
        total = total.saturating_add(*size);
        total <= MAX_WAITING_BYTES
    };
    sizes.into_iter().take(MAX_WAITING_PUSHES).take_while(fits).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const HOUR: u64 = 3_600;

    fn subscription(status: HubStatus) -> HubSubscription {
        HubSubscription {
            id: Uuid::nil().into(),
            feed: Uuid::nil().into(),
            hub: "https://hub.example/".to_owned(),
            topic: "https://site.example/feed".to_owned(),
            status,
            attempts: 1,
            due_at: Timestamp::from_secs(0),
            lease_ends_at: Some(Timestamp::from_secs(100)),
            note: None,
            created_at: Timestamp::from_secs(0),
        }
    }

    #[test]
    fn names_are_the_same_everywhere() {
        for status in HubStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
        }
    }

    #[test]
    fn only_what_is_wanted_is_confirmed() {
        let topic = "https://site.example/feed";
        for (status, modes) in [
            (HubStatus::Pending, [true, false]),
            (HubStatus::Active, [true, false]),
            (HubStatus::Denied, [false, false]),
            (HubStatus::Ending, [false, true]),
            (HubStatus::Ended, [false, true]),
        ] {
            let it = subscription(status);
            let confirmed =
                [HubMode::Subscribe, HubMode::Unsubscribe].map(|mode| it.confirms(mode, topic));
            assert_eq!(confirmed, modes, "{status}");
        }
        let it = subscription(HubStatus::Pending);
        assert!(it.confirms(HubMode::Subscribe, "HTTPS://Site.Example:443/feed"), "the same URL");
        for other in ["", "https://site.example/other", "https://site.example/feed?a=1"] {
            assert!(!it.confirms(HubMode::Subscribe, other), "{other}");
        }
    }

    #[test]
    fn a_subscription_is_live_until_its_lease_ends() {
        let (before, end) = (Timestamp::from_secs(99), Timestamp::from_secs(100));
        let active = subscription(HubStatus::Active);
        assert_eq!((active.is_live(before), active.is_live(end)), (true, false));
        assert!(!subscription(HubStatus::Denied).is_live(before));
        let unconfirmed =
            HubSubscription { lease_ends_at: None, ..subscription(HubStatus::Active) };
        assert!(!unconfirmed.is_live(before) && !unconfirmed.is_held_by_hub(before));
    }

    #[test]
    fn leases_have_bounds() {
        let (minute, day) = (60, 24 * HOUR);
        for (stated, seconds) in [
            (Some("864000"), 10 * day),
            (Some("3600"), HOUR),
            (Some("1"), 5 * minute),
            (Some("99999999"), 30 * day),
            (Some("0"), day),
            (Some("-5"), day),
            (Some("soon"), day),
            (Some("99999999999999999999999"), day),
            (None, day),
        ] {
            assert_eq!(read_lease(stated).as_secs(), seconds, "{stated:?}");
        }
    }

    #[test]
    fn leases_are_renewed_long_before_they_end() {
        let lease = Duration::from_secs(1_024 * HOUR);
        assert_eq!(renew_after(lease, 0), lease / 2);
        assert!(renew_after(lease, u8::MAX) < lease / 4 * 3);
        assert!(renew_after(lease, 200) > renew_after(lease, 100), "by chance");
    }

    #[test]
    fn pauses_double_up_to_a_day() {
        let minutes = |attempts| pause_after(attempts, 0).as_secs() / 60;
        let all: Vec<_> = (1..=10).map(minutes).collect();
        assert_eq!(all, [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 1_440]);
        assert_eq!((minutes(0), minutes(u32::MAX)), (5, 1_440));
        let longest = pause_after(u32::MAX, u8::MAX);
        assert!(longest > LONGEST_PAUSE && longest < LONGEST_PAUSE * 5 / 4);
    }

    #[test]
    fn a_bounded_number_of_pushes_waits() {
        assert_eq!(count_kept([]), 0);
        assert_eq!(count_kept([1; 100]), 100);
        assert_eq!(count_kept([1; 101]), 100);
        let mebibyte = 1024 * 1024;
        assert_eq!(count_kept([mebibyte; 16]), 16);
        assert_eq!(count_kept([mebibyte; 17]), 16);
        assert_eq!(count_kept([mebibyte, MAX_WAITING_BYTES, 1]), 1, "no older one is kept instead");
    }
}
