//! What the caller may know of what a check found, and the decisions about it. The bound on matches
//! applies here, after what the caller cannot see is left out.

use std::collections::HashMap;

use grantor_domain::check::CheckMethod;
use grantor_domain::id::{LicenseId, TalentId, TenantId};
use grantor_domain::mention::{MatchKind, Recognition};
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::check::{self, VisibleLicense};
use grantor_storage::decision::{self, Asker};
use grantor_storage::license::reader::Reader;
use uuid::Uuid;

use super::CheckMatch;
use crate::identity::access::TenantCaller;
use crate::licensing::decision::{Decided, decide_in_favor};
use crate::watching::likeness::Likeness;

/// Matches by name, and matches by picture, that a check returns.
const MAX_MATCHES: usize = 500;
/// The newest licenses that are considered for each talent that a text names.
const LICENSES: usize = 5;

/// Keeps what the caller may know, the surest first, and decides about it.
pub(super) fn visible_matches(
    tx: &mut Tx<'_>,
    caller: Option<TenantCaller>,
    people: &[(TalentId, Recognition)],
    images: &[Likeness],
    now: Timestamp,
) -> Result<Vec<CheckMatch>> {
    let reader = caller.map_or(Reader::Everybody, TenantCaller::reader);
    let visible = Visible { caller, reader, now };
    let seen = visible.images(tx, images)?;
    let named = visible.people(tx, people)?;
    let mut ids: Vec<LicenseId> = seen.iter().map(|(_, it)| it.id).collect();
    ids.extend(named.iter().flat_map(|(_, licenses)| licenses).map(|it| it.id));
    ids.sort_unstable();
    ids.dedup();
    let decided = decide_in_favor(tx, caller, &ids, now)?;
    let decided: HashMap<LicenseId, Decided> = ids.into_iter().zip(decided).collect();
    let seen = seen
        .iter()
        .filter_map(|(near, license)| Some(by_image(near, (license, decided.get(&license.id)?))));
    let named = named.iter();
    let named = named.filter_map(|(it, licenses)| Some(by_name(it, best(licenses, &decided)?)));
    Ok(seen.chain(named).collect())
}

/// Who looks, and when.
#[derive(Clone, Copy)]
struct Visible {
    caller: Option<TenantCaller>,
    reader: Reader,
    now: Timestamp,
}

impl Visible {
    /// The first images whose licenses the caller can see.
    fn images<'a>(
        self,
        tx: &mut Tx<'_>,
        images: &'a [Likeness],
    ) -> Result<Vec<(&'a Likeness, VisibleLicense)>> {
        let mut found = vec![];
        for chunk in images.chunks(MAX_MATCHES) {
            let licenses = self.licenses(tx, chunk.iter().map(|it| it.license).collect())?;
            found.extend(
                chunk.iter().filter_map(|it| Some((it, licenses.get(&it.license)?.clone()))),
            );
            if found.len() >= MAX_MATCHES {
                break;
            }
        }
        found.truncate(MAX_MATCHES);
        Ok(found)
    }

    /// The first talents with licenses that the caller can see, and their newest ones, the newest
    /// first.
    fn people<'a>(
        self,
        tx: &mut Tx<'_>,
        people: &'a [(TalentId, Recognition)],
    ) -> Result<Vec<(&'a Recognition, Vec<VisibleLicense>)>> {
        let mut found = vec![];
        for chunk in people.chunks(MAX_MATCHES) {
            let of_talents = self.newest_licenses(tx, chunk)?;
            let licenses = self.licenses(tx, of_talents.values().flatten().copied().collect())?;
            let visible = |talent: &TalentId| -> Vec<VisibleLicense> {
                let ids = of_talents.get(talent).into_iter().flatten();
                ids.filter_map(|id| licenses.get(id).cloned()).collect()
            };
            let named = chunk.iter().map(|(talent, it)| (it, visible(talent)));
            found.extend(named.filter(|(_, licenses)| !licenses.is_empty()));
            if found.len() >= MAX_MATCHES {
                break;
            }
        }
        found.truncate(MAX_MATCHES);
        Ok(found)
    }

    /// Those of these licenses that the caller can see.
    fn licenses(
        self,
        tx: &mut Tx<'_>,
        mut ids: Vec<LicenseId>,
    ) -> Result<HashMap<LicenseId, VisibleLicense>> {
        ids.sort_unstable();
        ids.dedup();
        let visible = check::visible(tx, self.reader, &ids, self.now)?;
        Ok(visible.into_iter().map(|it| (it.id, it)).collect())
    }

    /// The newest licenses of the talents that the caller can see, newest first.
    fn newest_licenses(
        self,
        tx: &mut Tx<'_>,
        people: &[(TalentId, Recognition)],
    ) -> Result<HashMap<TalentId, Vec<LicenseId>>> {
        let tenant = self.caller.map_or(TenantId::from(Uuid::nil()), |it| it.tenant);
        let asker = Asker { tenant, readers: self.reader.ids() };
        let talents: Vec<TalentId> = people.iter().map(|(talent, _)| *talent).collect();
        let mut of_talents: HashMap<TalentId, Vec<LicenseId>> = HashMap::new();
        for license in decision::newest_licenses(tx, asker, &talents)? {
            of_talents.entry(license.talent).or_default().push(license.id);
        }
        for ids in of_talents.values_mut() {
            ids.sort_unstable_by(|one, other| other.cmp(one));
            ids.truncate(LICENSES);
        }
        Ok(of_talents)
    }
}

/// The license with the best decision, the newest of several.
fn best<'a>(
    newest_first: &'a [VisibleLicense],
    decided: &'a HashMap<LicenseId, Decided>,
) -> Option<(&'a VisibleLicense, &'a Decided)> {
    let known = newest_first.iter().rev().filter_map(|it| Some((it, decided.get(&it.id)?)));
    known.max_by_key(|(_, decided)| decided.decision)
}

fn by_image(near: &Likeness, (license, decided): (&VisibleLicense, &Decided)) -> CheckMatch {
    CheckMatch {
        license: license.clone(),
        kind: MatchKind::Image,
        method: match near.placement {
            Some(_) => CheckMethod::LocalFeatures,
            None => CheckMethod::PerceptualHash,
        },
        term: None,
        image: Some(near.image),
        strong: near.strong,
        confidence: near.confidence,
        distance: near.distance,
        region: near.region,
        placement: near.placement.clone(),
        decided: decided.clone(),
        grant: None,
    }
}

fn by_name(
    Recognition { found, strong, .. }: &Recognition,
    (license, decided): (&VisibleLicense, &Decided),
) -> CheckMatch {
    CheckMatch {
        license: license.clone(),
        kind: MatchKind::Name,
        method: if *strong { CheckMethod::FullName } else { CheckMethod::SingleName },
        term: Some(found.term.clone()),
        image: None,
        strong: *strong,
        confidence: found.confidence,
        distance: None,
        region: None,
        placement: None,
        decided: decided.clone(),
        grant: None,
    }
}
