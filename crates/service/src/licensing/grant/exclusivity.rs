//! Exclusive means exclusive: over the same talent, two grants that share a use, a territory and a
//! moment cannot both exist if one of them is exclusive.

use grantor_domain::grant::GrantTerms;
use grantor_domain::id::TalentId;
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::grant::{self, BlockingGrant};

/// Returns a grant that excludes the terms. The talent must be locked, so that two acceptances cannot
/// both find none.
pub(crate) fn conflict(
    tx: &mut Tx<'_>,
    talent: TalentId,
    terms: &GrantTerms,
    now: Timestamp,
) -> Result<Option<BlockingGrant>> {
    Ok(grant::find_conflict(tx, talent, terms, now)?)
}
