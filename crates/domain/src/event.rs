//! Events: what webhooks and feeds tell of (contract section 6).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Timestamp;
use crate::error::Result;
use crate::id::{DeliveryId, EventId, LicenseId, TenantId, WebhookId};
use crate::named::named;

named!(EventType);

/// Every kind of event there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventType {
    /// A license was made.
    LicenseCreated,
    /// Fields of a license changed.
    LicenseUpdated,
    /// A license became public.
    LicensePublished,
    /// A license expired, by hand or by time.
    LicenseExpired,
    /// A license was deleted.
    LicenseDeleted,
    /// Somebody may see or do more.
    PermissionGranted,
    /// Somebody may see or do less.
    PermissionRevoked,
    /// A sighting was recorded.
    MentionCreated,
    /// A sighting changed or was decided on.
    MentionUpdated,
    /// An API client expires soon.
    ClientExpiring,
    /// A test asked for by the receiver.
    WebhookTest,
}

impl EventType {
    /// All of them, in the contract's order.
    pub const ALL: [Self; 11] = [
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
    ];

    /// Its name on the wire.
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
        }
    }

    /// Whether a recipient must still see the license when they are told. Not of what ends their
    /// sight of it: that holds nothing but ids.
    #[must_use]
    pub const fn needs_sight(self) -> bool {
        !matches!(
            self,
            Self::LicenseDeleted
                | Self::PermissionRevoked
                | Self::ClientExpiring
                | Self::WebhookTest
        )
    }
}

/// Kinds of events, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u16", into = "u16")]
pub struct EventTypes(u16);

impl From<u16> for EventTypes {
    fn from(bits: u16) -> Self {
        Self::from_bits(bits)
    }
}

impl From<EventTypes> for u16 {
    fn from(types: EventTypes) -> Self {
        types.bits()
    }
}

impl EventTypes {
    /// Every kind.
    pub const ALL: Self = Self((1 << EventType::ALL.len()) - 1);

    /// Reads names; each may come once or more often.
    pub fn parse<T: AsRef<str>>(names: &[T]) -> Result<Self, String> {
        if names.is_empty() {
            return Err("must name at least one event".to_owned());
        }
        let mut bits = 0;
        for name in names {
            bits |= name.as_ref().parse::<EventType>()?.bit();
        }
        Ok(Self(bits))
    }

    /// What is stored: a bit for each kind, in the order of [`EventType::ALL`].
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// From what was stored; bits that mean nothing are left out.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Whether this kind is among them.
    #[must_use]
    pub const fn contains(self, kind: EventType) -> bool {
        self.0 & kind.bit() != 0
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = EventType> {
        EventType::ALL.into_iter().filter(move |kind| self.contains(*kind))
    }
}

impl EventType {
    /// Its place among [`EventTypes`].
    #[must_use]
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// An event as the change that causes it describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// Its kind.
    pub kind: EventType,
    /// The tenant that owns the record.
    pub owner: TenantId,
    /// The license it concerns.
    pub license: Option<LicenseId>,
    /// The record's version after the change, so that a receiver can drop what is stale.
    pub resource_version: u32,
    /// What is told.
    pub data: Value,
    /// The feeds that hear it: whoever could view before or after the change.
    pub recipients: Vec<TenantId>,
    /// The one webhook it is sent to, and under which id; where none is named, all that want its
    /// kind.
    pub receiver: Option<(WebhookId, DeliveryId)>,
}

/// An event as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its id, the same at every delivery.
    pub id: EventId,
    /// When it was written.
    pub at: Timestamp,
    /// The rest.
    pub told: NewEvent,
}

/// What is sent of an event: the body of a webhook, and the record of a feed beside its id.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Payload {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// When it was written.
    pub timestamp: Timestamp,
    /// What is told.
    pub data: Value,
    /// Its number in the recipient's feed, without gaps.
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
        assert_eq!(EventTypes::parse::<&str>(&[]).unwrap_err(), "must name at least one event");
    }
}
