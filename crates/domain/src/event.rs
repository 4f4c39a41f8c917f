//! Events, sent to webhooks and listed in feeds (contract section 6).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::error::Result;
use crate::id::{DeliveryId, EventId, LicenseId, TenantId, WebhookId};

enum_names!(EventType);

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventType {
    /// A license was created.
    LicenseCreated,
    /// A license was changed.
    LicenseUpdated,
    /// A license became public.
    LicensePublished,
    /// A license expired, manually or at its end date.
    LicenseExpired,
    /// A license was deleted.
    LicenseDeleted,
    /// A tenant received a permission.
    PermissionGranted,
    /// A tenant lost a permission.
    PermissionRevoked,
    /// A mention was created.
    MentionCreated,
    /// A mention changed or was reviewed.
    MentionUpdated,
    /// An API client is about to expire.
    ClientExpiring,
    /// A test event requested by the webhook's owner.
    WebhookTest,
    /// A tenant asked for a grant. An owner who is not asked begins with `request.offered`.
    RequestCreated,
    /// The owner of the license made an offer.
    RequestOffered,
    /// The owner declined the request, or the asker the offer.
    RequestDeclined,
    /// The asker withdrew the request, or the owner the offer.
    RequestWithdrawn,
    /// Nobody acted in time, or the license no longer allows the offer.
    RequestLapsed,
    /// One party wrote a message.
    RequestMessage,
    /// An offer was accepted.
    GrantCreated,
    /// A grant ends in 30 days, 7 days or 1 day.
    GrantExpiring,
    /// A grant ended.
    GrantEnded,
    /// The licensor revoked a grant.
    GrantRevoked,
    /// A license expires in 30 days, 7 days or 1 day.
    LicenseExpiring,
    /// A mention that has a case was removed from its page, or the page was.
    MentionRemoved,
}

impl EventType {
    /// All variants, in the contract's order.
    pub const ALL: [Self; 23] = [
        Self::LicenseCreated,
        Self::LicenseUpdated,
        Self::LicensePublished,
        Self::LicenseExpired,
        Self::LicenseDeleted,
        Self::PermissionGranted,
        Self::PermissionRevoked,
        Self::MentionCreated,
        Self::MentionUpdated,
        Self::ClientExpiring,
        Self::WebhookTest,
        Self::RequestCreated,
        Self::RequestOffered,
        Self::RequestDeclined,
        Self::RequestWithdrawn,
        Self::RequestLapsed,
        Self::RequestMessage,
        Self::GrantCreated,
        Self::GrantExpiring,
        Self::GrantEnded,
        Self::GrantRevoked,
        Self::LicenseExpiring,
        Self::MentionRemoved,
    ];

    /// The name used in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LicenseCreated => "license.created",
            Self::LicenseUpdated => "license.updated",
            Self::LicensePublished => "license.published",
            Self::LicenseExpired => "license.expired",
            Self::LicenseDeleted => "license.deleted",
            Self::PermissionGranted => "permission.granted",
            Self::PermissionRevoked => "permission.revoked",
            Self::MentionCreated => "mention.created",
            Self::MentionUpdated => "mention.updated",
            Self::ClientExpiring => "client.expiring",
            Self::WebhookTest => "webhook.test",
            Self::RequestCreated => "request.created",
            Self::RequestOffered => "request.offered",
            Self::RequestDeclined => "request.declined",
            Self::RequestWithdrawn => "request.withdrawn",
            Self::RequestLapsed => "request.lapsed",
            Self::RequestMessage => "request.message",
            Self::GrantCreated => "grant.created",
            Self::GrantExpiring => "grant.expiring",
            Self::GrantEnded => "grant.ended",
            Self::GrantRevoked => "grant.revoked",
            Self::LicenseExpiring => "license.expiring",
            Self::MentionRemoved => "mention.removed",
        }
    }

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
