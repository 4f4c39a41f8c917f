//! Decisions about a picture or a text, which has no use and no territory: each question is asked in
//! the caller's favor.

use std::collections::HashMap;

use grantor_domain::decision::{Facts, LicenseFacts, Question, decide};
use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::license::{LicenseType, Territory, effective};
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::decision::{self, Asker};
use grantor_storage::license::reader::Reader;
use uuid::Uuid;

use super::facts::Known;
use super::{Asked, Decided, Subject};
use crate::identity::access::TenantCaller;

/// Decides whether the caller may use licenses in any way now. Without a caller, the question is
/// asked for somebody who has no grants.
pub(crate) fn decide_in_favor(
    tx: &mut Tx<'_>,
    caller: Option<TenantCaller>,
    licenses: &[LicenseId],
    now: Timestamp,
) -> Result<Vec<Decided>> {
    let Some(caller) = caller else { return decide_for_guest(tx, licenses, now) };
    let (usage, territory) = (LicenseType::SocialMedia, Territory::WORLD);
    let question = Question { usage, territory, at: now };
    let asked =
        licenses.iter().map(|id| Asked { subject: Subject::License(*id), question, party: None });
    let mut known = Known::read(tx, caller, &asked.collect::<Vec<_>>())?;
    Ok(licenses.iter().map(|id| known.decide_in_favor(*id, now)).collect())
}

fn decide_for_guest(
    tx: &mut Tx<'_>,
    licenses: &[LicenseId],
    now: Timestamp,
) -> Result<Vec<Decided>> {
    let asker = Asker { tenant: TenantId::from(Uuid::nil()), readers: Reader::Everybody.ids() };
    let found = decision::licenses(tx, asker, licenses)?;
    let found: HashMap<_, _> = found.into_iter().map(|it| (it.id, it.facts)).collect();
    let decide_one = |id: &LicenseId| {
        let Some(license) = found.get(id).cloned().flatten() else { return Decided::invisible() };
        let status = effective(license.status, license.expires_at, now);
        let license = Some(LicenseFacts { status, ..license });
        let (visible, grants) = (true, vec![]);
        let facts = Facts { visible, owner: false, permission: false, license, grants };
        Decided::without_closest(*id, decide(&Question::in_favor(now, &facts), &facts))
    };
    Ok(licenses.iter().map(decide_one).collect())
}
