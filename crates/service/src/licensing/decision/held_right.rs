//! What permissions given by hand allow.

use grantor_domain::Timestamp;
use grantor_domain::decision::{Period, Right};
use grantor_domain::license::{Territories, Uses};

/// What a permission allows under one version of a license.
pub(super) struct HeldRight {
    /// When the permission was given.
    pub(super) given_at: Timestamp,
    period: Period,
    uses: Uses,
    territories: Territories,
}

impl HeldRight {
    pub(super) fn new(given_at: Timestamp, right: Right<'_>) -> Self {
        let Right { period, uses, territories } = right;
        Self { given_at, period, uses: uses.clone(), territories: territories.clone() }
    }

    pub(super) fn right(&self) -> Right<'_> {
        Right { period: self.period, uses: &self.uses, territories: &self.territories }
    }
}
