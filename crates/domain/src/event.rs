//! Events, sent to webhooks and listed in feeds (contract section 6).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::error::Result;
use crate::id::{DeliveryId, EventId, LicenseId, TenantId, WebhookId};

enum_names!(EventType);

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray, VariantNames)]
pub enum EventType {
    /// A license was created.
    #[strum(serialize = "license.created")]
    LicenseCreated,
    /// A license was changed.
    #[strum(serialize = "license.updated")]
    LicenseUpdated,
    /// A license became public.
    #[strum(serialize = "license.published")]
    LicensePublished,
    /// A license expired, manually or at its end date.
    #[strum(serialize = "license.expired")]
    LicenseExpired,
    /// A license was deleted.
    #[strum(serialize = "license.deleted")]
    LicenseDeleted,
    /// A tenant received a permission.
    #[strum(serialize = "permission.granted")]
    PermissionGranted,
    /// A tenant lost a permission.
    #[strum(serialize = "permission.revoked")]
    PermissionRevoked,
    /// A mention was created.
    #[strum(serialize = "mention.created")]
    MentionCreated,
    /// A mention changed or was reviewed.
    #[strum(serialize = "mention.updated")]
    MentionUpdated,
    /// An API client is about to expire.
    #[strum(serialize = "client.expiring")]
    ClientExpiring,
    /// A test event requested by the webhook's owner.
    #[strum(serialize = "webhook.test")]
    WebhookTest,
    /// A tenant asked for a grant. An owner who is not asked begins with `request.offered`.
    #[strum(serialize = "request.created")]
    RequestCreated,
    /// The owner of the license made an offer.
    #[strum(serialize = "request.offered")]
    RequestOffered,
    /// The owner declined the request, or the asker the offer.
    #[strum(serialize = "request.declined")]
    RequestDeclined,
    /// The asker withdrew the request, or the owner the offer.
    #[strum(serialize = "request.withdrawn")]
    RequestWithdrawn,
    /// Nobody acted in time, or the license no longer allows the offer.
    #[strum(serialize = "request.lapsed")]
    RequestLapsed,
    /// One party wrote a message.
    #[strum(serialize = "request.message")]
    RequestMessage,
    /// An offer was accepted.
    #[strum(serialize = "grant.created")]
    GrantCreated,
    /// A grant ends in 30 days, 7 days or 1 day.
    #[strum(serialize = "grant.expiring")]
    GrantExpiring,
    /// A grant ended.
    #[strum(serialize = "grant.ended")]
    GrantEnded,
    /// The licensor revoked a grant.
    #[strum(serialize = "grant.revoked")]
    GrantRevoked,
    /// A license expires in 30 days, 7 days or 1 day.
    #[strum(serialize = "license.expiring")]
    LicenseExpiring,
    /// A mention that has a case was removed from its page, or the page was.
    #[strum(serialize = "mention.removed")]
    MentionRemoved,
}

impl EventType {
    /// Whether a recipient must still be allowed to view the license when the event is sent. Not
    /// required for events that end the access, which contain only IDs, and for events of requests and
    /// grants, which both parties get.
    #[must_use]
    pub const fn requires_visibility(self) -> bool {
        matches!(
            self,
            Self::LicenseCreated
                | Self::LicenseUpdated
                | Self::LicensePublished
                | Self::LicenseExpired
                | Self::LicenseExpiring
                | Self::PermissionGranted
                | Self::MentionCreated
                | Self::MentionUpdated
                | Self::MentionRemoved
        )
    }
}

/// A non-empty set of event types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub struct EventTypes(u32);

impl From<u32> for EventTypes {
    fn from(bits: u32) -> Self {
        Self::from_bits(bits)
    }
}

impl From<EventTypes> for u32 {
    fn from(types: EventTypes) -> Self {
        types.bits()
    }
}

impl EventTypes {
    /// Every type.
    pub const ALL: Self = Self((1 << EventType::ALL.len()) - 1);

    /// Parses a list of names; duplicates are merged.
    pub fn parse<T: AsRef<str>>(names: &[T]) -> Result<Self, String> {
        if names.is_empty() {
            return Err("must contain at least one event".to_owned());
        }
        let mut bits = 0;
        for name in names {
            bits |= name.as_ref().parse::<EventType>()?.bit();
        }
        Ok(Self(bits))
    }

    /// The stored form: one bit per type, in the order of [`EventType::ALL`].
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Restores a set from its stored form; unknown bits are ignored.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Whether the set contains a type.
    #[must_use]
    pub const fn contains(self, kind: EventType) -> bool {
        self.0 & kind.bit() != 0
    }

    /// Iterates over the types in the set.
    pub fn iter(self) -> impl Iterator<Item = EventType> {
        EventType::ALL.into_iter().filter(move |kind| self.contains(*kind))
    }
}

impl EventType {
    /// The bit of this type in [`EventTypes`].
    #[must_use]
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A new event, as created by a change.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// The event type.
    pub kind: EventType,
    /// The tenant that owns the record.
    pub owner: TenantId,
    /// The license it concerns.
    pub license: Option<LicenseId>,
    /// The record's version after the change, so that receivers can discard outdated events.
    pub resource_version: u32,
    /// The event data.
    pub data: Value,
    /// The tenants that receive the event: all that could view the license before or after the
    /// change.
    pub recipients: Vec<TenantId>,
    /// The only webhook to send it to, with the delivery ID; if not set, all webhooks subscribed to
    /// the type.
    pub receiver: Option<(WebhookId, DeliveryId)>,
}

/// A stored event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The event ID, the same for every delivery.
    pub id: EventId,
    /// When the event was created.
    pub at: Timestamp,
    /// The event's content.
    pub content: NewEvent,
}

/// The body sent to webhooks; feeds list it together with the event ID.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Payload {
    /// The event type.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// When the event was created.
    pub timestamp: Timestamp,
    /// The event data.
    pub data: Value,
    /// The gapless number in the recipient's feed.
    pub sequence: i64,
    /// The record's version after the change.
    pub resource_version: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_kept_as_bits_in_their_order() {
        for (place, kind) in EventType::ALL.into_iter().enumerate() {
            assert_eq!(kind.bit(), 1 << place, "{kind}");
        }
        let some = EventTypes::parse(&["webhook.test", "license.created", "webhook.test"]).unwrap();
        assert_eq!(some, EventTypes::from_bits(some.bits()));
        assert_eq!(
            some.iter().collect::<Vec<_>>(),
            [EventType::LicenseCreated, EventType::WebhookTest]
        );
        assert_eq!(EventTypes::ALL.iter().count(), EventType::ALL.len());
        assert!(EventTypes::parse(&["license.burnt"]).unwrap_err().starts_with("must be one of"));
        assert_eq!(EventTypes::parse::<&str>(&[]).unwrap_err(), "must contain at least one event");
    }
}
