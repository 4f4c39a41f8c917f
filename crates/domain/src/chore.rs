//! Work that a change leaves behind because it is too much for one unit: it is kept in the store with
//! how far it has come, and goes on a part at a time.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Timestamp;
use crate::delivery::DeliveryStatus;
use crate::event::EventTypes;
use crate::id::{LicenseId, TalentId, TenantId, WebhookId};

/// Licenses that one unit of work shows anew.
pub const LICENSES_AT_ONCE: u32 = 200;
/// Events of a feed that one unit of work looks at to send them again.
pub const EVENTS_AT_ONCE: u32 = 500;

/// What is left to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Chore {
    /// The licenses of a tenant with another name are other versions.
    TenantRenamed {
        /// The tenant.
        tenant: TenantId,
        /// The last license that was done.
        after: LicenseId,
    },
    /// The licenses of a talent with other names are other versions, and told of.
    TalentRenamed {
        /// The talent.
        talent: TalentId,
        /// The last license that was done.
        after: LicenseId,
    },
    /// Events are sent to a webhook again.
    Replay(Replay),
}

impl Chore {
    /// The record it is about.
    #[must_use]
    pub fn subject(&self) -> Uuid {
        match self {
            Self::TenantRenamed { tenant, .. } => tenant.as_uuid(),
            Self::TalentRenamed { talent, .. } => talent.as_uuid(),
            Self::Replay(replay) => replay.webhook.as_uuid(),
        }
    }
}

/// Which events shall be sent to a receiver again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// Whose feed they are in.
    pub tenant: TenantId,
    /// Where they go.
    pub webhook: WebhookId,
    /// Not before.
    pub since: Timestamp,
    /// Before.
    pub until: Timestamp,
    /// Of these kinds.
    pub kinds: EventTypes,
    /// Those whose newest delivery to it ended so; any, where nothing is said.
    pub status: Option<DeliveryStatus>,
    /// Those of a greater number in the feed: how far it has come.
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
        for chore in [Chore::TenantRenamed { tenant, after }, Chore::Replay(replay)] {
            let written = serde_json::to_string(&chore).unwrap();
            assert_eq!(serde_json::from_str::<Chore>(&written).unwrap(), chore, "{written}");
        }
    }
}
