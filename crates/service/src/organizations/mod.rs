//! Organizations and individuals: profiles, members, teams, suspension and plan limits.

pub mod dashboard;
pub mod membership;
pub mod organization;
pub mod party;
pub(crate) mod rights;
pub mod suspension;
pub mod team;
pub(crate) mod usage;
