//! Whether a hub pushes what a source watches, as those who watch it see it.

use strum::{VariantArray, VariantNames};
use url::Url;

use super::HubStatus;
use crate::Timestamp;
use crate::enum_names::enum_names;

enum_names!(PushStatus);

const UNREACHABLE: &str = "hubs cannot reach this server";
const NO_HUB: &str = "the address names no hub that can be subscribed to";
const NOT_RUNNING: &str = "the source is not running";
const UNCONFIRMED: &str = "the hub has not confirmed the subscription yet";
const LAPSED: &str = "the hub has not renewed the subscription yet";

/// Whether a hub pushes what a source watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum PushStatus {
    /// The hub pushes new content.
    Active,
    /// The hub was asked, or will be, and has not confirmed it.
    Pending,
    /// The hub denied it.
    Denied,
    /// There is nothing to push: no hub, or nobody who wants it.
    Off,
}

/// What is known of the subscription of a feed to its hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownHub {
    /// The URL of the hub.
    pub hub: String,
    /// The status of the subscription.
    pub status: HubStatus,
    /// When the lease ends, if the hub confirmed one.
    pub lease_ends_at: Option<Timestamp>,
    /// Why the last request failed, or why the hub denied the subscription.
    pub note: Option<String>,
}

/// Whether and until when a hub pushes what a source watches, or why it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushState {
    /// Whether it does.
    pub status: PushStatus,
    /// The host of the hub, if there is one.
    pub hub: Option<String>,
    /// Until when the hub pushes; it is asked to go on before that.
    pub active_until: Option<Timestamp>,
    /// Why the hub does not push, or why it may stop.
    pub reason: Option<String>,
}

impl PushState {
    /// The state of a source, which is running or not, on a server that hubs can reach or not.
    #[must_use]
    pub fn of(known: Option<&KnownHub>, running: bool, reachable: bool, now: Timestamp) -> Self {
        let hub = known.and_then(|it| host(&it.hub));
        let because = |status, reason: &str| {
            let (hub, reason) = (hub.clone(), Some(reason.to_owned()));
            Self { status, hub, active_until: None, reason }
        };
        let known = match known {
            _ if !running => return because(PushStatus::Off, NOT_RUNNING),
            _ if !reachable => return because(PushStatus::Off, UNREACHABLE),
            None => return because(PushStatus::Off, NO_HUB),
            Some(known) => known,
        };
        let until = known.lease_ends_at.filter(|it| now < *it);
        let note = |otherwise| known.note.as_deref().unwrap_or(otherwise);
        match (known.status, until) {
            (HubStatus::Active, Some(_)) => Self {
                status: PushStatus::Active,
                active_until: until,
                reason: known.note.clone(),
                hub,
            },
            (HubStatus::Active, None) => because(PushStatus::Pending, note(LAPSED)),
            (HubStatus::Denied, _) => because(PushStatus::Denied, note(NO_HUB)),
            // One that ends is requested again, because the source runs.
            (HubStatus::Pending | HubStatus::Ending | HubStatus::Ended, _) => {
                because(PushStatus::Pending, note(UNCONFIRMED))
            }
        }
    }
}

/// The host of a URL, with its port if that is not the usual one.
fn host(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(100);
    const FAILED: &str = "the hub returned status 500";

    fn known(status: HubStatus, lease: Option<i64>, note: Option<&str>) -> KnownHub {
        KnownHub {
            hub: "https://hub.example/subscribe?a=1".to_owned(),
            status,
            lease_ends_at: lease.map(Timestamp::from_secs),
            note: note.map(str::to_owned),
        }
    }

    fn state(known: Option<&KnownHub>) -> (&'static str, Option<String>, Option<i64>, String) {
        let PushState { status, hub, active_until, reason } = PushState::of(known, true, true, NOW);
        (status.name(), hub, active_until.map(Timestamp::as_secs), reason.unwrap_or_default())
    }

    #[test]
    fn names_are_the_same_everywhere() {
        for status in PushStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
        }
    }

    #[test]
    fn a_state_says_until_when_or_why_not() {
        use HubStatus::{Active, Denied, Ended, Ending, Pending};
        let failed = Some(FAILED);
        for (it, expected) in [
            (known(Active, Some(101), None), ("active", Some(101), "")),
            (known(Active, Some(101), failed), ("active", Some(101), FAILED)),
            (known(Active, Some(100), None), ("pending", None, LAPSED)),
            (known(Active, Some(100), failed), ("pending", None, FAILED)),
            (known(Pending, None, None), ("pending", None, UNCONFIRMED)),
            (known(Pending, None, failed), ("pending", None, FAILED)),
            (known(Denied, None, Some("no")), ("denied", None, "no")),
            (known(Ending, Some(101), None), ("pending", None, UNCONFIRMED)),
            (known(Ended, None, None), ("pending", None, UNCONFIRMED)),
        ] {
            let (status, until, reason) = expected;
            let hub = Some("hub.example".to_owned());
            assert_eq!(state(Some(&it)), (status, hub, until, reason.to_owned()), "{it:?}");
        }
        assert_eq!(state(None), ("off", None, None, NO_HUB.to_owned()));
    }

    #[test]
    fn a_source_that_does_not_run_is_not_pushed() {
        let active = known(HubStatus::Active, Some(200), None);
        let off = |reason: &str| PushState {
            status: PushStatus::Off,
            hub: Some("hub.example".to_owned()),
            active_until: None,
            reason: Some(reason.to_owned()),
        };
        assert_eq!(PushState::of(Some(&active), false, true, NOW), off(NOT_RUNNING));
        assert_eq!(PushState::of(Some(&active), true, false, NOW), off(UNREACHABLE));
    }

    #[test]
    fn a_hub_is_shown_by_its_host() {
        for (url, shown) in [
            ("https://hub.example/x", Some("hub.example")),
            ("https://hub.example:8443/x", Some("hub.example:8443")),
            ("hub", None),
        ] {
            assert_eq!(host(url).as_deref(), shown, "{url}");
        }
    }
}
