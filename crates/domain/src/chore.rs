//! Chores: follow-up work that is too large for the unit of work that caused it. A chore is stored
//! with its progress and processed in batches.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Timestamp;
use crate::delivery::DeliveryStatus;
use crate::event::EventTypes;
use crate::id::{BatchId, GrantId, LicenseId, RequestId, TalentId, TenantId, WebhookId};

/// Licenses updated per unit of work.
pub const LICENSES_AT_ONCE: u32 = 200;
/// Events of a feed examined for replay per unit of work.
pub const EVENTS_AT_ONCE: u32 = 500;

/// Open offers compared with a new grant per unit of work.
pub const OFFERS_AT_ONCE: u32 = 25;

/// A stored piece of follow-up work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Chore {
    /// A tenant was renamed: its licenses get a new version.
    TenantRenamed {
        /// The tenant.
        tenant: TenantId,
        /// The last license processed.
        after: LicenseId,
    },
    /// A talent was renamed: its licenses get a new version and an event.
    TalentRenamed {
        /// The talent.
        talent: TalentId,
        /// The last license processed.
        after: LicenseId,
    },
    /// A grant was made: the licensor is told which open offers it blocks.
    OffersBlocked {
        /// The grant.
        grant: GrantId,
        /// The last request processed.
        after: RequestId,
    },
    /// Events are sent to a webhook again.
    Replay(Replay),
    /// The items of a batch are worked on. The batch itself stores its progress.
    Batch {
        /// The batch.
        batch: BatchId,
    },
}

impl Chore {
    /// The record the chore is about.
    #[must_use]
    pub fn subject(&self) -> Uuid {
        match self {
            Self::TenantRenamed { tenant, .. } => tenant.as_uuid(),
            Self::TalentRenamed { talent, .. } => talent.as_uuid(),
            Self::OffersBlocked { grant, .. } => grant.as_uuid(),
            Self::Replay(replay) => replay.webhook.as_uuid(),
            Self::Batch { batch } => batch.as_uuid(),
        }
    }
}

/// Which events to send to a webhook again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The tenant whose feed contains the events.
    pub tenant: TenantId,
    /// The receiving webhook.
    pub webhook: WebhookId,
    /// The start of the time range, inclusive.
    pub since: Timestamp,
    /// The end of the time range, exclusive.
    pub until: Timestamp,
    /// The event types to send.
    pub kinds: EventTypes,
    /// The status of the event's latest delivery to this webhook; any if not set.
    pub status: Option<DeliveryStatus>,
    /// The last feed number processed.
    pub after: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chore_is_read_as_it_was_written() {
        let (tenant, webhook) = (Uuid::from_u128(1).into(), Uuid::from_u128(2).into());
        let (since, until) = (Timestamp::from_micros(1), Timestamp::from_micros(2));
        let (kinds, status) = (EventTypes::from_bits(5), Some(DeliveryStatus::Failed));
        let replay = Replay { tenant, webhook, since, until, kinds, status, after: 3 };
        let after = Uuid::nil().into();
        let batch = Chore::Batch { batch: Uuid::from_u128(3).into() };
        let offers =
            Chore::OffersBlocked { grant: Uuid::from_u128(4).into(), after: Uuid::nil().into() };
        for chore in [Chore::TenantRenamed { tenant, after }, Chore::Replay(replay), batch, offers]
        {
            let written = serde_json::to_string(&chore).unwrap();
            assert_eq!(serde_json::from_str::<Chore>(&written).unwrap(), chore, "{written}");
        }
    }
}
