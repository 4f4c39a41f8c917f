//! Grants: accepted offers, whose terms never change (contract-2 section 21).

mod coverage;
mod number;
mod terms;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

pub use coverage::{Beyond, Coverage, CoverageInput};
pub use number::GrantNumber;
pub use terms::{GrantTerms, TermsInput, parse_channels};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::id::{GrantId, LicenseId, RequestId, TalentId, TenantId, UserId};
use crate::text::TextRule;

enum_names!(GrantStatus, Party);

/// The status of a grant, which follows from its period and its revocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum GrantStatus {
    /// Its period has not started.
    Scheduled,
    /// In effect.
    Active,
    /// Its period is over.
    Ended,
    /// Ended early by the licensor, for good.
    Revoked,
}

impl GrantStatus {
    /// The status at a moment. A revocation counts from its own moment on.
    #[must_use]
    pub fn at(coverage: &Coverage, revoked_at: Option<Timestamp>, at: Timestamp) -> Self {
        match () {
            () if revoked_at.is_some_and(|revoked| revoked <= at) => Self::Revoked,
            () if at < coverage.starts_at => Self::Scheduled,
            () if coverage.includes(at) => Self::Active,
            () => Self::Ended,
        }
    }
}

/// A stored grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The unique ID.
    pub id: GrantId,
    /// The request it came from.
    pub request: RequestId,
    /// The license.
    pub license: LicenseId,
    /// The version of the license that was accepted.
    pub license_version: u32,
    /// The license's talent.
    pub talent: TalentId,
    /// The tenant that owned the license.
    pub licensor: TenantId,
    /// The tenant that may use the likeness.
    pub licensee: TenantId,
    /// The number, unique per licensor.
    pub number: GrantNumber,
    /// The stored status; see [`Self::status_at`] for the current one.
    pub status: GrantStatus,
    /// The accepted terms.
    pub terms: GrantTerms,
    /// The hash of the terms and the parties.
    pub terms_hash: String,
    /// The user who accepted.
    pub accepted_by: UserId,
    /// The name of that user.
    pub accepted_by_name: String,
    /// The grant's place in the status lists: list and index.
    pub status_entry: (u32, u32),
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// Why it was revoked.
    pub revoke_reason: Option<String>,
    /// The name of the user who revoked it.
    pub revoked_by_name: Option<String>,
}

impl Grant {
    /// The current status.
    #[must_use]
    pub fn status_at(&self, now: Timestamp) -> GrantStatus {
        GrantStatus::at(&self.terms.coverage, self.revoked_at, now)
    }

    /// The grant's side that a tenant is on.
    #[must_use]
    pub fn party(&self, tenant: TenantId) -> Option<Party> {
        match tenant {
            _ if tenant == self.licensor => Some(Party::Owner),
            _ if tenant == self.licensee => Some(Party::Asker),
            _ => None,
        }
    }
}

/// The rule for the reason of a revocation.
pub const REVOKE_REASON: TextRule = TextRule::paragraphs(1, 2_000);

/// A side of a request or grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Party {
    /// The tenant that asks, and becomes the licensee.
    Asker,
    /// The tenant that owns the license, and becomes the licensor.
    Owner,
}

impl Party {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Asker => Self::Owner,
            Self::Owner => Self::Asker,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::license::{Territories, Uses};

    #[test]
    fn the_status_follows_the_period_and_the_revocation() {
        let at = Timestamp::from_secs;
        let coverage = Coverage {
            uses: Uses::parse(&["voice"]).unwrap(),
            territories: Territories::parse(&["US"]).unwrap(),
            starts_at: at(100),
            ends_at: Some(at(200)),
        };
        for (now, revoked, expected) in [
            (99, None, GrantStatus::Scheduled),
            (100, None, GrantStatus::Active),
            (199, None, GrantStatus::Active),
            (200, None, GrantStatus::Ended),
            (149, Some(150), GrantStatus::Active),
            (150, Some(150), GrantStatus::Revoked),
            (999, Some(50), GrantStatus::Revoked),
        ] {
            assert_eq!(GrantStatus::at(&coverage, revoked.map(at), at(now)), expected, "{now}");
        }
    }
}
