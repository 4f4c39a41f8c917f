//! How many of a tenant's grants end in which month.

use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::TenantId;
use grantor_domain::month::Month;

use super::conditions::Conditions;
use super::grant::side;
use super::order::ENDS;
use super::select::Selection;
use super::{RecordKind, STATUS};
use crate::bitmap::{BitmapIndex, sets_within};
use crate::{Result, Tx};

const KIND: RecordKind = RecordKind::Grant;
/// How many rows of the index are read.
const MOST_READ: u32 = 8_192;

/// Counts the grants that a tenant holds or gave, that are in effect or will be, and that end in
/// these months, which follow each other.
pub fn count_grants_ending(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    party: Party,
    months: &[Month],
) -> Result<Vec<u64>> {
    let (Some(first), Some(last)) = (months.first(), months.last()) else { return Ok(vec![]) };
    let live = [GrantStatus::Scheduled, GrantStatus::Active].map(GrantStatus::name);
    let conditions = Conditions::new(KIND).having_any(STATUS, live);
    let readers = [KIND.term(side(party), tenant.as_uuid().simple())];
    let found = Selection::of(tx, &readers, &conditions, None)?;
    let term = |end: String| KIND.term(&format!("{ENDS}2"), end);
    let range = (term(first.to_string()), term(format!("{last}~")));
    let ending = sets_within(tx, BitmapIndex::Records, (&range.0, &range.1), MOST_READ)?;
    let count = |month: &Month| {
        let term = term(month.to_string());
        found.count_having(&term, ending.get(&term))
    };
    Ok(months.iter().map(count).collect())
}
