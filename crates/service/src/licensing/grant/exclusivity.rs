//! Exclusive means exclusive: over the same talent, two grants that share a use, a territory and a
//! moment cannot both exist if one of them is exclusive.

use grantor_domain::chore::{Chore, OFFERS_AT_ONCE};
use grantor_domain::grant::{Grant, GrantStatus, GrantTerms};
use grantor_domain::id::{GrantId, OfferId, RequestId, TalentId};
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::grant::{self, BlockingGrant, GrantRecord};
use grantor_storage::request::{self, RequestRecord};
use uuid::Uuid;

use crate::act::UnitOfWork;
use crate::licensing::notice;
use crate::operations::chore::{self, StepResult};

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

/// Makes sure that the licensor learns which open offers for the talent a new grant keeps from being
/// accepted. There may be many, so a worker looks.
pub(crate) fn tell_later(unit: &mut UnitOfWork<'_, '_>, grant: &Grant) -> Result<()> {
    let after = RequestId::from(Uuid::nil());
    if request::open_offers_of_talent(unit.tx, grant.talent, after, (unit.now, 1))?.is_empty() {
        return Ok(());
    }
    chore::enqueue(unit, Some(Chore::OffersBlocked { grant: grant.id, after }))
}

/// Tells the licensor of the next open offers that a grant blocks, unless it is over.
pub(crate) fn tell_of_blocked(
    unit: &mut UnitOfWork<'_, '_>,
    id: GrantId,
    after: RequestId,
) -> Result<StepResult> {
    let done = StepResult { rest: None, events: vec![] };
    let Some(GrantRecord { grant, .. }) = grant::find(unit.tx, id)? else { return Ok(done) };
    let status = GrantStatus::at(&grant.terms.coverage, grant.revoked_at, unit.now);
    if !matches!(status, GrantStatus::Scheduled | GrantStatus::Active) {
        return Ok(done);
    }
    let page = (unit.now, OFFERS_AT_ONCE);
    let offers = request::open_offers_of_talent(unit.tx, grant.talent, after, page)?;
    for offer in offers.iter().filter(|it| grant.terms.exclude(&it.terms)) {
        if let Some(record) = request::find(unit.tx, offer.request)? {
            tell_of_blocked_offer(unit, &record, offer.id, &grant.number.to_string())?;
        }
    }
    let last = offers.last().filter(|_| offers.len() == OFFERS_AT_ONCE as usize);
    let rest = last.map(|it| Chore::OffersBlocked { grant: id, after: it.request });
    Ok(StepResult { rest, ..done })
}

/// Tells the licensor once which grant keeps an offer from being accepted.
pub(crate) fn tell_of_blocked_offer(
    unit: &mut UnitOfWork<'_, '_>,
    record: &RequestRecord,
    offer: OfferId,
    number: &str,
) -> Result<()> {
    if request::mark_blocked(unit.tx, offer, unit.now)? {
        notice::offer_blocked(unit, record, number)?;
    }
    Ok(())
}
