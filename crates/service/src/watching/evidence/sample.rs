//! Evidence of sample data, which no scan captured.

use grantor_domain::Result;
use grantor_domain::evidence::Evidence;
use grantor_domain::id::TenantId;
use grantor_storage::evidence as rows;

use super::keep::hash;
use crate::act::UnitOfWork;

/// Writes evidence in the unit of work that writes its mention, with its hash. No plan limits it.
pub fn insert_sample(
    unit: &mut UnitOfWork<'_, '_>,
    owner: TenantId,
    evidence: &Evidence,
) -> Result<()> {
    let evidence = Evidence { sha256: hash(evidence)?, ..evidence.clone() };
    let bytes = evidence.bytes();
    if rows::insert(unit.tx, owner, &evidence)? && bytes > 0 {
        rows::count_bytes(unit.tx, owner, bytes)?;
    }
    Ok(())
}
