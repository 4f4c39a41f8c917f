//! What is known about the licenses and parties of a batch of questions, read in a few statements.

mod read;

use std::collections::HashMap;

use grantor_domain::decision::{
    Closest, Decision, Facts, GrantFacts, LicenseFacts, Period, Question, closest_given, decide,
    permitted,
};
use grantor_domain::id::{LicenseId, TalentId, TenantId, UserId};
use grantor_domain::license::effective;
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::decision::{CurrentLicense, HeldGrant, HeldPeriod, PastLicense, Subject};
use uuid::Uuid;

use super::held_right::HeldRight;
use super::{Asked, Decided};
use crate::identity::access::TenantCaller;

/// A license and the party that a question is about.
type Pair = (LicenseId, TenantId);

/// What has been read for a batch of questions.
pub(super) struct Known {
    caller: TenantCaller,
    /// The visible licenses of talents, newest first.
    of_talents: HashMap<TalentId, Vec<LicenseId>>,
    /// The licenses that the caller can see now.
    licenses: HashMap<LicenseId, CurrentLicense>,
    /// The versions before the current one at the times of the questions, oldest first.
    versions: HashMap<LicenseId, Vec<PastLicense>>,
    /// The newest versions of licenses under which a permission might have allowed more, oldest
    /// first.
    newest: HashMap<LicenseId, Vec<PastLicense>>,
    /// The pairs that the caller may ask about.
    parties: HashMap<Pair, Party>,
    permissions: HashMap<(LicenseId, Uuid), Vec<HeldPeriod>>,
    /// What the permissions of a pair allow.
    rights: HashMap<Pair, Vec<HeldRight>>,
    /// The users of individuals.
    people: HashMap<TenantId, UserId>,
}

/// What is known of a license and a party.
#[derive(Default)]
struct Party {
    owner: bool,
    /// Its grants, the first accepted first.
    grants: Vec<HeldGrant>,
    /// What counted at the time of the last question. Kept, because most questions of a batch are
    /// about the same time.
    counted: Vec<GrantFacts>,
}

impl Party {
    /// The facts at a moment, apart from the license and the permission: a grant counts from its
    /// acceptance on, so that later ones do not change what was decided before.
    fn facts(&mut self, at: Timestamp) -> Facts {
        let count = self.accepted(at).len();
        let mut grants = std::mem::take(&mut self.counted);
        if grants.len() != count {
            grants = self.grants.iter().take(count).map(|it| it.facts.clone()).collect();
        }
        Facts { visible: true, owner: self.owner, permission: false, license: None, grants }
    }

    /// The grants that had been accepted at a moment.
    fn accepted(&self, at: Timestamp) -> &[HeldGrant] {
        &self.grants[..self.grants.partition_point(|it| it.accepted_at <= at)]
    }
}

impl Known {
    pub(super) fn read(tx: &mut Tx<'_>, caller: TenantCaller, asked: &[Asked]) -> Result<Self> {
        let mut known = Self {
            caller,
            of_talents: HashMap::new(),
            licenses: HashMap::new(),
            versions: HashMap::new(),
            newest: HashMap::new(),
            parties: HashMap::new(),
            permissions: HashMap::new(),
            rights: HashMap::new(),
            people: HashMap::new(),
        };
        known.read_people(tx, asked)?;
        known.read_licenses(tx, asked)?;
        known.read_grants(tx, asked)?;
        known.read_permissions(tx, asked)?;
        known.read_versions(tx, asked)?;
        known.read_newest_versions(tx, asked)?;
        known.rights = known.all_rights();
        Ok(known)
    }

    fn party(&self, asked: &Asked) -> TenantId {
        asked.party.unwrap_or(self.caller.tenant)
    }

    /// The licenses that a question is about.
    fn ids<'a>(&'a self, asked: &'a Asked) -> &'a [LicenseId] {
        match &asked.subject {
            Subject::License(id) => std::slice::from_ref(id),
            Subject::Talent(talent) => self.of_talents.get(talent).map_or(&[], Vec::as_slice),
        }
    }

    /// Whose permissions count for a party: the tenant's own and those of a person, which is the
    /// caller or an individual's only user.
    fn grantees(&self, party: TenantId) -> [Uuid; 2] {
        let person = if party == self.caller.tenant {
            Some(self.caller.user)
        } else {
            self.people.get(&party).copied()
        };
        [party.as_uuid(), person.map_or(party.as_uuid(), UserId::as_uuid)]
    }

    pub(super) fn decide(&mut self, asked: &Asked) -> Decided {
        let mut best: Option<Decided> = None;
        for id in self.ids(asked).to_vec() {
            let one = self.decide_license(asked, id);
            let allowed = one.decision == Decision::Allowed;
            best = Some(match best {
                Some(best) if !allowed => best.or(one, &asked.question),
                _ => one,
            });
            if allowed {
                break;
            }
        }
        best.unwrap_or_else(Decided::invisible)
    }

    fn decide_license(&mut self, asked: &Asked, id: LicenseId) -> Decided {
        let (question, pair) = (&asked.question, (id, self.party(asked)));
        let Some(facts) = self.facts(pair, question.at) else { return Decided::invisible() };
        let decided = Decided::without_closest(id, decide(question, &facts));
        if let Some(party) = self.parties.get_mut(&pair) {
            party.counted = facts.grants;
        }
        let closest = match decided.decision {
            Decision::Allowed => None,
            Decision::Ask | Decision::Denied => self.closest(question, pair),
        };
        Decided { closest, ..decided }
    }

    /// Decides about a license as if for a use and territory that it allows.
    pub(super) fn decide_in_favor(&mut self, id: LicenseId, at: Timestamp) -> Decided {
        let pair = (id, self.caller.tenant);
        let Some(facts) = self.facts(pair, at) else { return Decided::invisible() };
        Decided::without_closest(id, decide(&Question::in_favor(at, &facts), &facts))
    }

    /// What counts for a license and a party at a moment, if the caller may ask about them.
    fn facts(&mut self, (id, tenant): Pair, at: Timestamp) -> Option<Facts> {
        let license = self.license_at(id, at);
        let permission = self.was_held(id, tenant, at);
        let party = self.parties.get_mut(&(id, tenant))?;
        Some(Facts { license, permission, ..party.facts(at) })
    }

    /// The smallest change that brings a question within a right that the party had been given at
    /// its time, or has at all if the license was not known then.
    fn closest(&self, question: &Question, pair: Pair) -> Option<Closest> {
        let grants = self.parties.get(&pair)?.grants.iter();
        let by_grant = grants.filter_map(|it| {
            let right = it.facts.right(it.accepted_at)?;
            Some((it.accepted_at, right))
        });
        let held = self.rights.get(&pair).into_iter().flatten();
        let by_hand = held.map(|it| (it.given_at, it.right()));
        let is_known = self.is_known(pair.0, question.at);
        closest_given(question, is_known, by_grant.chain(by_hand))
    }

    /// What the permissions of each pair allow.
    fn all_rights(&self) -> HashMap<Pair, Vec<HeldRight>> {
        let pairs = self.parties.iter().filter(|(_, it)| !it.owner).map(|(pair, _)| *pair);
        pairs.map(|pair| (pair, self.rights_of(pair))).filter(|(_, it)| !it.is_empty()).collect()
    }

    fn rights_of(&self, (license, tenant): Pair) -> Vec<HeldRight> {
        let periods: Vec<Period> = self.held(license, tenant).collect();
        if periods.is_empty() {
            return vec![];
        }
        let versions = self.versions_of(license);
        let mut rights = Vec::new();
        for held in periods {
            let allowed = permitted(&versions, &[held]).into_iter();
            rights.extend(allowed.map(|it| HeldRight::new(held.from, it)));
        }
        rights
    }

    /// The newest versions of a license, oldest first, and the current one.
    fn versions_of(&self, id: LicenseId) -> Vec<(Timestamp, Option<&LicenseFacts>)> {
        let Some(current) = self.licenses.get(&id) else { return vec![] };
        let past = self.newest.get(&id).into_iter().flatten();
        let past = past.filter(|it| it.since < current.since);
        let past = past.map(|it| (it.since, it.facts.as_ref()));
        past.chain([(current.since, current.facts.as_ref())]).collect()
    }

    /// Whether a moment is not before the first known version of a license. The versions at the times
    /// of the questions must have been read.
    fn is_known(&self, id: LicenseId, at: Timestamp) -> bool {
        let Some(current) = self.licenses.get(&id) else { return false };
        let mut past = self.versions.get(&id).into_iter().flatten();
        at >= current.since || past.any(|it| it.since <= at)
    }

    /// What a license allowed at a moment; `None` before its first known version.
    fn license_at(&self, id: LicenseId, at: Timestamp) -> Option<LicenseFacts> {
        let current = self.licenses.get(&id)?;
        let facts = if at >= current.since {
            current.facts.as_ref()?
        } else {
            let versions = self.versions.get(&id)?;
            versions.iter().rev().find(|it| it.since <= at)?.facts.as_ref()?
        };
        let status = effective(facts.status, facts.expires_at, at);
        Some(LicenseFacts { status, ..facts.clone() })
    }

    /// When a party had a permission.
    fn held(&self, license: LicenseId, party: TenantId) -> impl Iterator<Item = Period> {
        // A share that nobody has claimed must not tell its owner whose address it is.
        let own = party == self.caller.tenant;
        let [tenant, person] = self.grantees(party);
        let person = (person != tenant).then_some(person);
        let grantees = std::iter::once(tenant).chain(person);
        let held = grantees.filter_map(move |it| self.permissions.get(&(license, it)));
        held.flatten().filter(move |it| own || it.claimed).map(|it| it.period)
    }

    /// Whether a party had a permission at a moment.
    fn was_held(&self, license: LicenseId, party: TenantId, at: Timestamp) -> bool {
        self.held(license, party).any(|it| it.includes(at))
    }
}
