//! Exclusive means exclusive: over the same talent, two grants that share a use, a territory and a
//! moment cannot both exist if one of them is exclusive.

use grantor_domain::grant::{GrantNumber, GrantTerms};
use grantor_domain::id::TalentId;
use grantor_domain::{Result, Timestamp};
use grantor_storage::{Tx, grant};

/// Returns the number of a grant that excludes the terms. The talent must be locked, so that two
/// acceptances cannot both find none.
pub(crate) fn conflict(
    tx: &mut Tx<'_>,
    talent: TalentId,
    terms: &GrantTerms,
    now: Timestamp,
) -> Result<Option<GrantNumber>> {
    Ok(grant::find_conflict(tx, talent, terms, now)?)
}
