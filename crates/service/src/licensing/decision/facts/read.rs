//! Reading the facts, one kind after another: what is read first decides what else is needed.

use std::collections::{BTreeMap, BTreeSet};

use grantor_domain::Result;
use grantor_domain::decision::{Decision, Facts, decide};
use grantor_domain::id::TenantId;
use grantor_storage::Tx;
use grantor_storage::decision::{self, Asker, CurrentLicense, Subject};

use super::super::Asked;
use super::{Known, Pair, Party};

impl Known {
    fn asker(&self) -> Asker {
        Asker { tenant: self.caller.tenant, readers: self.caller.reader().ids() }
    }

    /// Reads who the other parties are that are individuals.
    pub(super) fn read_people(&mut self, tx: &mut Tx<'_>, asked: &[Asked]) -> Result<()> {
        let own = self.caller.tenant;
        let others: BTreeSet<_> =
            asked.iter().map(|it| self.party(it)).filter(|it| *it != own).collect();
        let others: Vec<_> = others.into_iter().collect();
        self.people.extend(decision::individuals(tx, &others)?);
        Ok(())
    }

    /// Reads the licenses. A talent may have any number: those under which the party has a right
    /// are read, and the newest others.
    pub(super) fn read_licenses(&mut self, tx: &mut Tx<'_>, asked: &[Asked]) -> Result<()> {
        let (mut ids, mut pairs) = (BTreeSet::new(), BTreeSet::new());
        for it in asked {
            match it.subject {
                Subject::License(id) => {
                    ids.insert(id);
                }
                Subject::Talent(talent) => {
                    self.of_talents.insert(talent, Vec::new());
                    pairs.insert((it.subject, self.grantees(self.party(it))));
                }
            }
        }
        let ids: Vec<_> = ids.into_iter().collect();
        let pairs: Vec<_> = pairs.into_iter().collect();
        let talents: Vec<_> = self.of_talents.keys().copied().collect();
        let asker = self.asker();
        let given = decision::licenses(tx, asker, &ids)?;
        let held = decision::held_licenses(tx, asker, &pairs)?;
        let newest = decision::newest_licenses(tx, asker, &talents)?;
        let found = given.into_iter().chain(held).chain(newest);
        self.licenses.extend(found.map(|it| (it.id, it)));
        for license in self.licenses.values() {
            if let Some(ids) = self.of_talents.get_mut(&license.talent) {
                ids.push(license.id);
            }
        }
        for ids in self.of_talents.values_mut() {
            ids.sort_unstable_by(|one, other| other.cmp(one));
        }
        Ok(())
    }

    pub(super) fn read_grants(&mut self, tx: &mut Tx<'_>, asked: &[Asked]) -> Result<()> {
        let mut pairs = BTreeMap::<Pair, bool>::new();
        let mut others = BTreeSet::new();
        for (it, license, party) in self.cases(asked) {
            let owner = license.owner == party;
            pairs.insert((license.id, party), owner);
            if !owner {
                others.insert((it.subject, party));
            }
        }
        let found = decision::grants(tx, &others.into_iter().collect::<Vec<_>>())?;
        for (pair, owner) in pairs {
            self.parties.insert(pair, Party { owner, ..Party::default() });
        }
        for grant in found {
            // A talent may have licenses that the caller cannot see.
            if let Some(party) = self.parties.get_mut(&(grant.license, grant.licensee)) {
                party.grants.push(grant);
            }
        }
        Ok(())
    }

    /// Reads the permissions of the parties for which a question is not allowed without one.
    pub(super) fn read_permissions(&mut self, tx: &mut Tx<'_>, asked: &[Asked]) -> Result<()> {
        let mut pairs = BTreeSet::new();
        for it in asked {
            let party = self.party(it);
            if pairs.contains(&(it.subject, party)) {
                continue;
            }
            for id in self.ids(it).to_vec() {
                let Some(known) = self.parties.get_mut(&(id, party)) else { continue };
                let facts = known.facts(it.question.at);
                let allowed = decide(&it.question, &facts).decision == Decision::Allowed;
                known.counted = facts.grants;
                if !allowed {
                    pairs.insert((it.subject, party));
                    break;
                }
            }
        }
        let pairs = pairs.into_iter().map(|(subject, party)| (subject, self.grantees(party)));
        for held in decision::permissions(tx, &pairs.collect::<Vec<_>>())? {
            self.permissions.entry((held.license, held.grantee)).or_default().push(held);
        }
        Ok(())
    }

    /// Reads the versions that questions about the past need.
    pub(super) fn read_versions(&mut self, tx: &mut Tx<'_>, asked: &[Asked]) -> Result<()> {
        let (mut ids, mut times) = (BTreeSet::new(), Vec::new());
        for (it, license, party) in self.cases(asked) {
            if license.owner != party && it.question.at < license.since {
                ids.insert(license.id);
                times.push(it.question.at);
            }
        }
        let bounds = times.iter().min().zip(times.iter().max());
        let Some((first, last)) = bounds else { return Ok(()) };
        let ids: Vec<_> = ids.into_iter().collect();
        for version in decision::versions(tx, &ids, (*first, *last))? {
            self.versions.entry(version.id).or_default().push(version);
        }
        Ok(())
    }

    /// Reads the newest versions under which permissions counted if a question is not allowed.
    pub(super) fn read_newest_versions(&mut self, tx: &mut Tx<'_>, asked: &[Asked]) -> Result<()> {
        let mut ids = BTreeSet::new();
        for (it, license, party) in self.cases(asked) {
            if license.owner == party || ids.contains(&license.id) {
                continue;
            }
            let (at, since) = (it.question.at, license.since);
            let is_known = self.is_known(license.id, at);
            let mut held = self.held(license.id, party);
            if held.any(|it| it.from < since && (it.from <= at || !is_known))
                && !self.is_allowed(it, license, party)
            {
                ids.insert(license.id);
            }
        }
        let ids: Vec<_> = ids.into_iter().collect();
        for version in decision::newest_versions(tx, &ids)? {
            self.newest.entry(version.id).or_default().push(version);
        }
        Ok(())
    }

    /// Whether a question about a license is allowed.
    fn is_allowed(&self, asked: &Asked, license: &CurrentLicense, tenant: TenantId) -> bool {
        let question = &asked.question;
        let accepted = self.parties.get(&(license.id, tenant)).map(|it| it.accepted(question.at));
        let grants = accepted.unwrap_or_default().iter().map(|it| it.facts.clone()).collect();
        let facts = Facts {
            visible: true,
            owner: false,
            permission: self.was_held(license.id, tenant, question.at),
            license: self.license_at(license.id, question.at),
            grants,
        };
        decide(question, &facts).decision == Decision::Allowed
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
}
