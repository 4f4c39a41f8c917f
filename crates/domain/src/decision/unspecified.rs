//! Questions about a use whose kind and place are not known, such as a published page.

use super::{Facts, Question, status};
use crate::Timestamp;
use crate::grant::GrantStatus;
use crate::license::{LicenseType, Territory};

impl Question {
    /// Asks for the use and the territory that favor the party. The answer is `allowed` if and only
    /// if it is for some use in some territory.
    #[must_use]
    pub fn in_favor(at: Timestamp, facts: &Facts) -> Self {
        let grant = facts.grants.iter().find(|it| status(it, at) == GrantStatus::Active);
        let grant = grant.map(|it| (&it.coverage.uses, &it.coverage.territories));
        let license = facts.license.as_ref().map(|it| (&it.uses, &it.territories));
        let covered = grant.or(license);
        // An empty list covers everything, so that any use and territory will do.
        let usage = covered.and_then(|(uses, _)| uses.as_slice().first().copied());
        let territory = covered.and_then(|(_, places)| places.as_slice().first().copied());
        Self {
            usage: usage.unwrap_or(LicenseType::SocialMedia),
            territory: territory.unwrap_or(Territory::WORLD),
            at,
        }
    }
}
