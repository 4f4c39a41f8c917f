//! The grants that decisions are about, which the caller may open as their licensee.

use std::collections::BTreeMap;

use grantor_domain::Result;
use grantor_storage::{Tx, check};

use super::CheckMatch;
use crate::identity::access::TenantCaller;

/// How many grants are looked up, so that the number of statements is bounded.
const MAX_GRANTS: usize = 50;

/// Adds the grants of the first reasons.
pub(super) fn name(
    tx: &mut Tx<'_>,
    caller: Option<TenantCaller>,
    matches: &mut [CheckMatch],
) -> Result<()> {
    let Some(caller) = caller else { return Ok(()) };
    let mut known = BTreeMap::new();
    for found in matches {
        let reason = found.decided.reasons.first();
        let Some(number) = reason.and_then(|(reason, _)| reason.grant) else { continue };
        // Only the owner of a license makes grants under it.
        let key = (found.license.owner, number);
        if !known.contains_key(&key) {
            if known.len() == MAX_GRANTS {
                continue;
            }
            known.insert(key, check::find_grant(tx, key.0, number, caller.tenant)?);
        }
        found.grant = known.get(&key).copied().flatten();
    }
    Ok(())
}
