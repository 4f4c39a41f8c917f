//! How many licenses a list holds, by the status that holds now.

use grantor_domain::Timestamp;
use grantor_domain::id::TenantId;
use grantor_domain::license::LicenseStatus;

use super::count::{counts, lapsed};
use super::owner;
use crate::{Result, Tx};

/// So many licenses of each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Being written.
    pub draft: u64,
    /// For those who hold a permission on them.
    pub private: u64,
    /// In the catalog too.
    pub public: u64,
    /// No longer in force.
    pub expired: u64,
}

/// Of what a tenant owns. Kept counts, put right by what ended and was not noted yet.
pub fn totals(tx: &mut Tx<'_>, tenant: TenantId, now: Timestamp) -> Result<Totals> {
    let own = owner(tenant);
    let (kept, ended) = (counts(tx, own, own)?, lapsed(tx, own, now)?);
    let noted = |status| kept.of(own, Some(status));
    let holds = |status| noted(status).saturating_sub(ended.of(own, Some(status)));
    Ok(Totals {
        draft: noted(LicenseStatus::Draft),
        private: holds(LicenseStatus::Private),
        public: holds(LicenseStatus::Public),
        expired: noted(LicenseStatus::Expired) + ended.of(own, None),
    })
}
