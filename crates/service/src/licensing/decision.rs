//! Decisions: may this party use this likeness so, there, then? (contract-2 section 22.) The rule is
//! in the domain; this collects its facts, once for each license and party of a batch.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use grantor_domain::decision::{
    Answer, Closest, Decision, Facts, GrantFacts, LicenseFacts, Question, Reason, ReasonCode,
    closest, decide,
};
use grantor_domain::id::{LicenseId, TalentId, TenantId, UserId};
use grantor_domain::license::effective;
use grantor_domain::{Result, Timestamp};
use grantor_storage::decision::{self, CurrentLicense, HeldGrant, HeldPeriod, PastLicense};
use grantor_storage::{Tx, license};
use uuid::Uuid;

use crate::App;
use crate::identity::access::TenantCaller;

/// The maximum number of a talent's licenses that one question considers, newest first.
const LICENSES: u32 = 200;

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// One license.
    License(LicenseId),
    /// All licenses of a talent that the caller can see.
    Talent(TalentId),
}

/// A question of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What it is about.
    pub subject: Subject,
    /// The use, territory and moment.
    pub question: Question,
    /// Who would use the likeness; the caller's own tenant by default.
    pub party: Option<TenantId>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The decision.
    pub decision: Decision,
    /// The reasons, each with the license it is about.
    pub reasons: Vec<(Reason, Option<LicenseId>)>,
    /// The smallest change that would make it allowed.
    pub closest: Option<Closest>,
}

/// Decides questions from one snapshot.
pub async fn decide_all(
    app: &App,
    caller: TenantCaller,
    asked: Vec<Asked>,
) -> Result<Vec<Decided>> {
    app.store
        .read(move |tx| {
            let mut known = Known::read(tx, caller, &asked)?;
            Ok(asked.iter().map(|it| known.decide(it)).collect())
        })
        .await
}

/// A license and the party that a question is about.
type Pair = (LicenseId, TenantId);

/// What has been read for a batch of questions.
struct Known {
    caller: TenantCaller,
    /// The visible licenses of talents.
    of_talents: HashMap<TalentId, Vec<LicenseId>>,
    /// The licenses that the caller can see now.
    licenses: HashMap<LicenseId, CurrentLicense>,
    /// The versions before the current one, oldest first.
    versions: HashMap<LicenseId, Vec<PastLicense>>,
    /// The pairs that the caller may ask about.
    parties: HashMap<Pair, Party>,
    permissions: HashMap<(LicenseId, Uuid), Vec<HeldPeriod>>,
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
        let count = self.grants.partition_point(|it| it.accepted_at <= at);
        let mut grants = std::mem::take(&mut self.counted);
        if grants.len() != count {
            grants = self.grants.iter().take(count).map(|it| it.facts.clone()).collect();
        }
        Facts { visible: true, owner: self.owner, permission: false, license: None, grants }
    }
}

impl Known {
    fn read(tx: &mut Tx<'_>, caller: TenantCaller, asked: &[Asked]) -> Result<Self> {
        let mut known = Self {
            caller,
            of_talents: HashMap::new(),
            licenses: HashMap::new(),
            versions: HashMap::new(),
            parties: HashMap::new(),
            permissions: HashMap::new(),
            people: HashMap::new(),
        };
        known.read_licenses(tx, asked)?;
        known.read_versions(tx, asked)?;
        known.read_grants(tx, asked)?;
        known.read_permissions(tx, asked)?;
        Ok(known)
    }

    fn read_licenses(&mut self, tx: &mut Tx<'_>, asked: &[Asked]) -> Result<()> {
        let readers = self.caller.reader().ids();
        let mut ids = BTreeSet::new();
        for it in asked {
            match it.subject {
                Subject::License(id) => {
                    ids.insert(id);
                }
                Subject::Talent(talent) if self.of_talents.contains_key(&talent) => {}
                Subject::Talent(talent) => {
                    let found = license::list_visible_of_talent(tx, talent, readers, LICENSES)?;
                    ids.extend(&found);
                    self.of_talents.insert(talent, found);
                }
            }
        }
        let ids: Vec<_> = ids.into_iter().collect();
        let found = decision::licenses(tx, self.caller.tenant, readers, &ids)?;
        self.licenses.extend(found.into_iter().map(|it| (it.id, it)));
        Ok(())
    }

    /// Reads the versions that questions about the past need.
    fn read_versions(&mut self, tx: &mut Tx<'_>, asked: &[Asked]) -> Result<()> {
        let mut past: Option<(Timestamp, Timestamp)> = None;
        let mut ids = BTreeSet::new();
        for (it, license, party) in self.cases(asked) {
            let at = it.question.at;
            if license.owner != party && at < license.since {
                past = Some(past.map_or((at, at), |(first, last)| (first.min(at), last.max(at))));
                ids.insert(license.id);
            }
        }
        let Some(period) = past else { return Ok(()) };
        let ids: Vec<_> = ids.into_iter().collect();
        for version in decision::versions(tx, &ids, period)? {
            self.versions.entry(version.id).or_default().push(version);
        }
        Ok(())
    }

    fn read_grants(&mut self, tx: &mut Tx<'_>, asked: &[Asked]) -> Result<()> {
        let pairs: BTreeMap<Pair, bool> = self
            .cases(asked)
            .map(|(_, license, party)| ((license.id, party), license.owner == party))
            .collect();
        let others = pairs.iter().filter(|(_, owner)| !**owner).map(|(pair, _)| *pair);
        let found = decision::grants(tx, &others.collect::<Vec<_>>())?;
        for (pair, owner) in pairs {
            self.parties.insert(pair, Party { owner, ..Party::default() });
        }
        for grant in found {
            let party = self.parties.entry((grant.license, grant.licensee)).or_default();
            party.grants.push(grant);
        }
        Ok(())
    }

    /// Reads the permissions of the pairs for which a question is not allowed without one.
    fn read_permissions(&mut self, tx: &mut Tx<'_>, asked: &[Asked]) -> Result<()> {
        let cases = self.cases(asked);
        let cases: Vec<_> =
            cases.map(|(it, license, party)| (it.question, (license.id, party))).collect();
        let mut pairs = BTreeSet::new();
        for (question, pair) in cases {
            let Some(party) = self.parties.get_mut(&pair) else { continue };
            let facts = party.facts(question.at);
            if decide(&question, &facts).decision != Decision::Allowed {
                pairs.insert(pair);
            }
            party.counted = facts.grants;
        }
        let others: BTreeSet<_> = pairs.iter().map(|(_, party)| *party).collect();
        let others: Vec<_> = others.into_iter().filter(|it| *it != self.caller.tenant).collect();
        self.people.extend(decision::individuals(tx, &others)?);
        let pairs = pairs.into_iter().map(|(license, party)| (license, self.grantees(party)));
        for period in decision::permissions(tx, &pairs.collect::<Vec<_>>())? {
            self.permissions.entry((period.license, period.grantee)).or_default().push(period);
        }
        Ok(())
    }

    /// The questions about licenses that the caller can see and parties it may ask about: its own
    /// tenant, and anyone for licenses that it owns.
    fn cases<'a>(
        &'a self,
        asked: &'a [Asked],
    ) -> impl Iterator<Item = (&'a Asked, &'a CurrentLicense, TenantId)> {
        asked.iter().flat_map(move |it| {
            let party = self.party(it);
            let licenses = self.ids(it).iter().filter_map(move |id| self.licenses.get(id));
            let own = self.caller.tenant;
            licenses
                .filter(move |license| party == own || license.owner == own)
                .map(move |license| (it, license, party))
        })
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

    fn decide(&mut self, asked: &Asked) -> Decided {
        let mut best: Option<Decided> = None;
        for id in self.ids(asked).to_vec() {
            let one = self.decide_license(asked, id);
            let allowed = one.decision == Decision::Allowed;
            best = Some(match best {
                Some(best) if !allowed => best.or(one),
                _ => one,
            });
            if allowed {
                break;
            }
        }
        best.unwrap_or_else(Decided::invisible)
    }

    fn decide_license(&mut self, asked: &Asked, id: LicenseId) -> Decided {
        let (tenant, question) = (self.party(asked), &asked.question);
        let license = self.license_at(id, question.at);
        let permission = self.was_held(id, tenant, question.at);
        let Some(party) = self.parties.get_mut(&(id, tenant)) else { return Decided::invisible() };
        let facts = Facts { license, permission, ..party.facts(question.at) };
        let Answer { decision, reasons } = decide(question, &facts);
        let reasons = reasons.into_iter().map(|it| (it, Some(id))).collect();
        let closest = closest(question, &facts);
        party.counted = facts.grants;
        Decided { decision, reasons, closest }
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

    /// Whether a party had a permission at a moment.
    fn was_held(&self, license: LicenseId, party: TenantId, at: Timestamp) -> bool {
        // A share that nobody has claimed must not tell its owner whose address it is.
        let own = party == self.caller.tenant;
        let counts = |it: &HeldPeriod| {
            (own || it.claimed) && it.from <= at && it.until.is_none_or(|revoked| at < revoked)
        };
        let mut grantees = self.grantees(party).into_iter();
        grantees.any(|grantee| {
            let periods = self.permissions.get(&(license, grantee));
            periods.is_some_and(|it| it.iter().any(counts))
        })
    }
}

impl Decided {
    fn invisible() -> Self {
        let reason = Reason { code: ReasonCode::NotVisible, grant: None };
        Self { decision: Decision::Denied, reasons: vec![(reason, None)], closest: None }
    }

    /// The better of two answers about licenses of one talent: what can be asked for is better than
    /// what is denied, and reasons of equal answers add up.
    fn or(mut self, other: Self) -> Self {
        match self.decision.cmp(&other.decision) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Equal => {
                self.reasons.extend(other.reasons);
                self.closest = self.closest.or(other.closest);
                self
            }
        }
    }
}
