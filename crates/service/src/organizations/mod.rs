//! Organizations and individuals: profiles, members, teams, suspension and plan limits.

pub mod dashboard;
pub mod help_request;
pub mod membership;
pub mod onboarding;
pub mod organization;
pub mod party;
pub(crate) mod rights;
pub mod saved_view;
pub mod suspension;
pub mod team;
pub mod trend;
pub(crate) mod usage;
