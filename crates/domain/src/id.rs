//! Typed record ids: UUIDv7 in canonical text form on every surface, 16 bytes in every store.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Clock, Entropy, Timestamp};

/// Declares id types that cannot be mixed up.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// The raw value, for storage.
            #[must_use]
            pub const fn as_uuid(self) -> Uuid {
                self.0
            }
        }

        impl From<Uuid> for $name {
            fn from(value: Uuid) -> Self {
                Self(value)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            /// Takes the canonical hyphenated form only, so that one record has one name.
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                if text.len() != 36 {
                    return Err(InvalidId);
                }
                Uuid::try_parse(text).map(Self).map_err(|_| InvalidId)
            }
        }
    )*};
}

ids! {
    /// An organization, or the personal tenant of one person.
    TenantId;
    /// A person with an account.
    UserId;
    /// A member of the operator's staff.
    AdminId;
    /// An API client.
    ClientId;
    /// A license.
    LicenseId;
    /// A talent.
    TalentId;
    /// A reference image of a license.
    ImageId;
    /// A right of somebody on one license.
    PermissionId;
    /// A site or app of an organization.
    PlatformId;
    /// A recorded sighting of a licensed person.
    MentionId;
    /// A license or mention that somebody keeps at hand.
    BookmarkId;
    /// A word to somebody that they may join.
    InvitationId;
    /// A log entry.
    LogId;
    /// An event told to webhooks and feeds.
    EventId;
    /// A receiver of events.
    WebhookId;
    /// An event on its way to one receiver.
    DeliveryId;
    /// A mail in the queue.
    MailId;
    /// A sign-in and everything renewed from it.
    SessionId;
    /// One exchange of an API client's pair and everything renewed from it.
    ExchangeId;
    /// A team of an organization.
    TeamId;
    /// A grant of access to one platform.
    PaxId;
    /// The worker that scans one platform.
    PodId;
    /// Work that a change left behind.
    ChoreId;
    /// One run of a pod.
    RunId;
    /// A plan one can subscribe to.
    PlanId;
    /// A payment card, as its processor knows it.
    CardId;
    /// What a tenant pays for, and until when.
    SubscriptionId;
    /// A bill.
    BillId;
    /// Log entries gathered to be taken away.
    ExportId;
    /// The text of a mail.
    TemplateId;
}

/// The least id of a moment: what was made before has a lesser one. For reading a span of time from
/// an index of ids.
#[must_use]
pub fn least<T: From<Uuid>>(at: Timestamp) -> T {
    let millis = u64::try_from(at.as_micros()).unwrap_or(0) / 1_000;
    T::from(uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid())
}

/// The text is not a UUID in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a UUID")]
pub struct InvalidId;

/// Makes ids from the clock and randomness it was given.
#[derive(Clone)]
pub struct IdSource {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

impl IdSource {
    /// A source that reads this clock and draws from this randomness.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        Self { clock, entropy }
    }

    /// A fresh id of the kind asked for.
    #[must_use]
    pub fn next<T: From<Uuid>>(&self) -> T {
        self.at(self.clock.now())
    }

    /// A fresh id of this moment. Ids of two moments sort as those do, so that the order of ids is
    /// the order of creation where a record takes both from one moment.
    #[must_use]
    pub fn at<T: From<Uuid>>(&self, now: Timestamp) -> T {
        let micros = u64::try_from(now.as_micros()).unwrap_or(0);
        let mut random = [0; 10];
        self.entropy.fill(&mut random);
        // RFC 9562 method 3: the microseconds within the millisecond fill the twelve bits after
        // the time, so that ids made one after the other mostly sort that way.
        let fraction = (micros % 1_000) * 4_096 / 1_000;
        let [_, _, _, _, _, _, high, low] = fraction.to_be_bytes();
        random[0] = high;
        random[1] = low;
        T::from(uuid::Builder::from_unix_timestamp_millis(micros / 1_000, &random).into_uuid())
    }
}

impl fmt::Debug for IdSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdSource")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_form_is_an_id() {
        let text = "0190a5e4-7b3c-7def-8123-456789abcdef";
        assert_eq!(text.parse::<UserId>().unwrap().to_string(), text);
        for other in [
            "",
            "0190a5e47b3c7def8123456789abcdef",
            "{0190a5e4-7b3c-7def-8123-456789abcdef}",
            "urn:uuid:0190a5e4-7b3c-7def-8123-456789abcdef",
            "0190a5e4-7b3c-7def-8123-456789abcdeg",
        ] {
            assert_eq!(other.parse::<UserId>(), Err(InvalidId), "{other}");
        }
    }
}
