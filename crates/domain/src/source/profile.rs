//! Profiles: accounts on hosted services that a tenant proved to be its own, so that content there
//! counts as published by the tenant.

use super::HostedService;
use crate::Timestamp;
use crate::id::{ProfileId, TenantId};
use crate::platform::ProofToken;

/// The maximum number of profiles per tenant.
pub const MAX_PROFILES: u64 = 100;

/// A profile that a tenant claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The unique ID.
    pub id: ProfileId,
    /// The tenant that claims it.
    pub tenant: TenantId,
    /// The service.
    pub service: HostedService,
    /// The canonical address of the profile.
    pub url: String,
    /// The code that the profile's description must contain.
    pub code: ProofToken,
    /// When the code was found; `None` if the profile is not proved.
    pub proved_at: Option<Timestamp>,
    /// When it was claimed.
    pub created_at: Timestamp,
}
