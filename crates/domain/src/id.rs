//! Typed record IDs: UUIDv7, as canonical text in APIs and 16 bytes in the database.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Clock, Entropy, Timestamp};

/// Declares distinct ID types.
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

            /// Accepts only the canonical hyphenated form, so that each record has exactly one ID.
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
    /// An organization or an individual's tenant.
    TenantId;
    /// A user account.
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
    /// The picture of a license in the catalog.
    CatalogPictureId;
    /// A template of licenses.
    LicenseTemplateId;
    /// A permission on a license.
    PermissionId;
    /// A website or app of an organization.
    PlatformId;
    /// A mention of a talent at a URL.
    MentionId;
    /// The evidence of one revision of a mention.
    EvidenceId;
    /// A bookmark of a license or mention.
    BookmarkId;
    /// An invitation to join an organization or the staff.
    InvitationId;
    /// A log entry.
    LogId;
    /// An event in feeds and webhooks.
    EventId;
    /// A webhook.
    WebhookId;
    /// A delivery of an event to a webhook.
    DeliveryId;
    /// A mail in the queue.
    MailId;
    /// A sign-in session, including its renewals.
    SessionId;
    /// A passkey of a person.
    PasskeyId;
    /// A token exchange of an API client, including its renewals.
    ExchangeId;
    /// A team of an organization.
    TeamId;
    /// A PAX: an ingest key for one platform.
    PaxId;
    /// A pod: the scanner of one platform.
    PodId;
    /// A source: an address that a tenant watches.
    SourceId;
    /// A feed: an address fetched for the sources that watch it.
    FeedId;
    /// A subscription of a feed to its WebSub hub.
    WebSubId;
    /// A push of a feed by its WebSub hub.
    PushId;
    /// A profile on a hosted service that a tenant claims as its own.
    ProfileId;
    /// A chore.
    ChoreId;
    /// One run of a pod or a feed.
    RunId;
    /// A plan.
    PlanId;
    /// A payment card.
    CardId;
    /// A subscription of a tenant to a plan.
    SubscriptionId;
    /// A bill.
    BillId;
    /// An export of log entries.
    ExportId;
    /// A mail template.
    TemplateId;
    /// A request for a grant.
    RequestId;
    /// An offer of terms.
    OfferId;
    /// A message about a request.
    MessageId;
    /// A grant.
    GrantId;
    /// A shared link to the receipt of a grant.
    SharedReceiptId;
    /// A notice to one person.
    NoticeId;
    /// A tenant's address in a chat.
    ChatAddressId;
    /// A message on its way to a chat.
    ChatMessageId;
    /// A comment on a case.
    CaseCommentId;
    /// A letter about a case.
    CaseLetterId;
    /// A view of a list that a person saved.
    SavedViewId;
    /// A view of staff: an organization as one of its people sees it.
    StaffViewId;
    /// A request for help, to staff.
    HelpRequestId;
    /// A tag on licenses and talents.
    TagId;
    /// A batch: what a person does to many records at once.
    BatchId;
    /// A running process that uses the database.
    NodeId;
}

/// The text is not a UUID in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a UUID")]
pub struct InvalidId;

/// Generates IDs from a clock and a source of randomness.
#[derive(Clone)]
pub struct IdGenerator {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

impl IdGenerator {
    /// Creates a generator.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        Self { clock, entropy }
    }

    /// Generates an ID for the current time.
    #[must_use]
    pub fn next<T: From<Uuid>>(&self) -> T {
        self.at(self.clock.now())
    }

    /// Generates an ID for the given time. IDs sort by time, so records ordered by ID are ordered
    /// by creation time if both come from the same timestamp.
    #[must_use]
    pub fn at<T: From<Uuid>>(&self, now: Timestamp) -> T {
        let micros = u64::try_from(now.as_micros()).unwrap_or(0);
        let mut random = [0; 10];
        self.entropy.fill(&mut random);
        // RFC 9562 method 3: the microseconds fill the twelve bits after the millisecond timestamp,
        // so that IDs generated in sequence mostly sort in that order.
        let fraction = (micros % 1_000) * 4_096 / 1_000;
        let [_, _, _, _, _, _, high, low] = fraction.to_be_bytes();
        random[0] = high;
        random[1] = low;
        T::from(uuid::Builder::from_unix_timestamp_millis(micros / 1_000, &random).into_uuid())
    }
}

impl fmt::Debug for IdGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdGenerator")
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
