//! License totals by current status.

use grantor_domain::Timestamp;
use grantor_domain::id::TenantId;
use grantor_domain::license::LicenseStatus;

use super::count::{counts, lapsed};
use super::owner;
use crate::{Result, Tx};

/// Number of licenses by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Drafts.
    pub draft: u64,
    /// Visible to those with a permission.
    pub private: u64,
    /// Visible to everybody, in the catalog.
    pub public: u64,
    /// Expired.
    pub expired: u64,
}

/// Totals of the licenses that a tenant owns: stored counts, corrected by licenses that have
/// expired but are not marked as such yet.
pub fn totals(tx: &mut Tx<'_>, tenant: TenantId, now: Timestamp) -> Result<Totals> {
    let own = owner(tenant);
    let (kept, ended) = (counts(tx, own, own)?, lapsed(tx, own, now)?);
    let noted = |status| kept.of(own, Some(status));
    let current = |status| noted(status).saturating_sub(ended.of(own, Some(status)));
    Ok(Totals {
        draft: noted(LicenseStatus::Draft),
        private: current(LicenseStatus::Private),
        public: current(LicenseStatus::Public),
        expired: noted(LicenseStatus::Expired) + ended.of(own, None),
    })
}
