//! Events: what webhooks and feeds tell of (contract section 6).

use serde_json::Value;

use crate::Timestamp;
use crate::id::{EventId, LicenseId, TenantId};

/// Every kind of event there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
