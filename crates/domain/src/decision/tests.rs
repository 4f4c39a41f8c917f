//! The rule against a naive second one, and the promise of `closest`.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

const PLACES: [&str; 4] = ["DE", "FR", "US", "WORLD"];
const USES: [LicenseType; 3] =
    [LicenseType::Advertising, LicenseType::Merchandise, LicenseType::Voice];

/// Every set of the places and of the uses, made once: parsing would take most of the time.
static TERRITORIES: LazyLock<Vec<Territories>> = LazyLock::new(|| {
    let codes = |mask| subset(mask, &PLACES).collect::<Vec<_>>();
    (0..16).map(|mask| Territories::parse(&codes(mask)).unwrap()).collect()
});
static ALL_USES: LazyLock<Vec<Uses>> = LazyLock::new(|| {
    let keys = |mask| subset(mask, &USES).map(LicenseType::key).collect::<Vec<_>>();
    (0..8).map(|mask| Uses::parse(&keys(mask)).unwrap()).collect()
});

fn subset<T: Copy>(mask: usize, of: &[T]) -> impl Iterator<Item = T> {
    of.iter().enumerate().filter(move |(at, _)| mask & (1 << at) != 0).map(|(_, it)| *it)
}

fn place(index: usize) -> Territory {
    TERRITORIES[1 << index].as_slice()[0]
}

fn uses(mask: usize) -> Uses {
    ALL_USES[mask].clone()
}

fn territories(mask: usize) -> Territories {
    TERRITORIES[mask].clone()
}

/// A splitmix generator: a million cases in a second, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn index(&mut self, bound: u64) -> usize {
        usize::try_from(self.below(bound)).unwrap()
    }

    fn time(&mut self) -> Timestamp {
        Timestamp::from_secs(i64::try_from(self.below(12)).unwrap() * 10)
    }

    fn maybe_time(&mut self) -> Option<Timestamp> {
        (self.below(3) > 0).then(|| self.time())
    }

    fn question(&mut self) -> Question {
        Question { usage: USES[self.index(3)], territory: place(self.index(4)), at: self.time() }
    }

    fn license(&mut self) -> LicenseFacts {
        let (valid_from, expires_at) = (self.maybe_time(), self.maybe_time());
        LicenseFacts {
            status: LicenseStatus::ALL[self.index(4)],
            uses: uses(self.index(8)),
            territories: territories(self.index(16)),
            valid_from,
            expires_at,
        }
    }

    fn grant(&mut self, serial: u32) -> GrantFacts {
        let starts_at = self.time();
        let length = std::time::Duration::from_secs(self.below(8) * 10 + 10);
        let ends_at = (self.below(3) > 0).then(|| starts_at.plus(length));
        let coverage = Coverage {
            uses: uses(self.index(7) + 1),
            territories: territories(self.index(15) + 1),
            starts_at,
            ends_at,
        };
        let revoked_at = (self.below(4) == 0).then(|| self.time());
        GrantFacts { number: GrantNumber { year: 2026, serial }, coverage, revoked_at }
    }

    fn facts(&mut self) -> Facts {
        let count = u32::try_from(self.below(4)).unwrap();
        Facts {
            visible: self.below(10) > 0,
            owner: self.below(10) == 0,
            permission: self.below(3) == 0,
            license: (self.below(8) > 0).then(|| self.license()),
            grants: (1..=count).map(|serial| self.grant(serial)).collect(),
        }
    }
}

fn allows<T: PartialEq>(list: &[T], item: &T, world: Option<&T>) -> bool {
    list.is_empty() || list.contains(item) || world.is_some_and(|it| list.contains(it))
}

/// The rule again, written as a list of independent statements.
fn naive(question: &Question, facts: &Facts) -> (Decision, Vec<ReasonCode>) {
    let world = place(3);
    let at = question.at;
    let fits = |uses: &Uses| allows(uses.as_slice(), &question.usage, None);
    let inside = |it: &Territories| allows(it.as_slice(), &question.territory, Some(&world));
    let within = |it: &GrantFacts| {
        at >= it.coverage.starts_at && it.coverage.ends_at.is_none_or(|end| at < end)
    };
    let was_revoked = |it: &GrantFacts| it.revoked_at.is_some_and(|revoked| revoked <= at);
    let covers = |it: &GrantFacts| fits(&it.coverage.uses) && inside(&it.coverage.territories);
    let in_force = facts.license.as_ref().is_some_and(|it| {
        matches!(it.status, LicenseStatus::Public | LicenseStatus::Private)
            && it.valid_from.is_none_or(|from| at >= from)
            && it.expires_at.is_none_or(|end| at < end)
    });
    let license_fits = facts.license.as_ref().is_none_or(|it| fits(&it.uses));
    let license_inside = facts.license.as_ref().is_none_or(|it| inside(&it.territories));
    let active: Vec<_> = facts.grants.iter().filter(|it| within(it) && !was_revoked(it)).collect();

    if !facts.visible {
        return (Decision::Denied, vec![ReasonCode::NotVisible]);
    }
    if facts.owner {
        return (Decision::Allowed, vec![ReasonCode::Owner]);
    }
    if active.iter().any(|it| covers(it)) {
        return (Decision::Allowed, vec![ReasonCode::GrantCovers]);
    }
    if facts.permission && in_force && license_fits && license_inside {
        return (Decision::Allowed, vec![ReasonCode::Permission]);
    }
    let mut denied = vec![];
    let known = facts.license.is_some() && (in_force || !active.is_empty());
    if !in_force && active.is_empty() {
        denied.push(ReasonCode::LicenseNotInForce);
    }
    if known && !license_fits {
        denied.push(ReasonCode::UseNotCovered);
    }
    if known && !license_inside {
        denied.push(ReasonCode::TerritoryNotCovered);
    }
    if facts.grants.iter().any(|it| was_revoked(it) && within(it) && covers(it)) {
        denied.push(ReasonCode::GrantRevoked);
    }
    if !denied.is_empty() {
        return (Decision::Denied, denied);
    }
    let mut ask = vec![];
    for Coverage { uses, territories, .. } in active.iter().map(|it| &it.coverage) {
        ask.extend((!fits(uses)).then_some(ReasonCode::UseNotCovered));
        ask.extend((!inside(territories)).then_some(ReasonCode::TerritoryNotCovered));
    }
    for grant in facts.grants.iter().filter(|it| covers(it) && !was_revoked(it) && !within(it)) {
        let early = at < grant.coverage.starts_at;
        ask.push(if early { ReasonCode::GrantNotStarted } else { ReasonCode::GrantEnded });
    }
    if ask.is_empty() {
        ask.push(ReasonCode::NoGrant);
    }
    (Decision::Ask, ask)
}

#[test]
fn a_million_decisions_equal_the_naive_rule() {
    let mut dice = Dice(42);
    let mut seen = std::collections::HashSet::new();
    for case in 0..1_000_000 {
        let (question, facts) = (dice.question(), dice.facts());
        let answer = decide(&question, &facts);
        let codes: Vec<_> = answer.reasons.iter().map(|it| it.code).collect();
        for code in &codes {
            seen.insert((answer.decision, *code));
        }
        let expected = naive(&question, &facts);
        assert_eq!((answer.decision, codes), expected, "case {case}: {question:?} {facts:?}");
    }
    assert_eq!(seen.len(), 13, "every pair of decision and reason occurs: {seen:?}");
}

/// A use that is not specified is allowed if and only if some use somewhere is.
#[test]
fn an_unspecified_use_is_decided_in_favor_of_the_party() {
    let mut dice = Dice(7);
    let mut allowed = 0;
    for case in 0..100_000 {
        let (facts, at) = (dice.facts(), dice.time());
        let is_allowed = |it: &Question| decide(it, &facts).decision == Decision::Allowed;
        let some = USES.into_iter().any(|usage| {
            (0..4).any(|it| is_allowed(&Question { usage, territory: place(it), at }))
        });
        let found = is_allowed(&Question::in_favor(at, &facts));
        assert_eq!(found, some, "case {case}: {at} {facts:?}");
        allowed += u32::from(found);
    }
    assert!((1_000..99_000).contains(&allowed), "both answers occur: {allowed}");
}

/// What is known of a license and a party over time.
#[derive(Debug)]
struct History {
    /// The versions of the license, oldest first, with when each began.
    versions: Vec<(Timestamp, Option<LicenseFacts>)>,
    permissions: Vec<Period>,
    /// Grants with when each was accepted.
    grants: Vec<(Timestamp, GrantFacts)>,
}

impl History {
    /// Permissions that are held or were revoked, and grants of which every other one was revoked.
    fn new(dice: &mut Dice) -> Self {
        let mut begun: Vec<_> = (0..dice.below(4)).map(|_| dice.time()).collect();
        begun.sort();
        let versions = begun.into_iter().map(|since| {
            let facts = dice.license();
            (since, (dice.below(6) > 0).then_some(facts))
        });
        let versions = versions.collect();
        let permissions = (0..dice.below(3)).map(|_| {
            let from = dice.time();
            let length = std::time::Duration::from_secs(dice.below(5) * 10);
            Period { from, until: (dice.below(2) == 0).then(|| from.plus(length)) }
        });
        let permissions = permissions.collect();
        let count = u32::try_from(dice.below(3)).unwrap();
        let grants = (1..=count).map(|serial| {
            let revoked_at = (dice.below(2) == 0).then(|| dice.time());
            (dice.time(), GrantFacts { revoked_at, ..dice.grant(serial) })
        });
        Self { versions, permissions, grants: grants.collect() }
    }

    /// The facts at a moment.
    fn at(&self, at: Timestamp) -> Facts {
        let version = self.versions.iter().rev().find(|(since, _)| *since <= at);
        let accepted = self.grants.iter().filter(|(accepted, _)| *accepted <= at);
        Facts {
            visible: true,
            owner: false,
            permission: self.permissions.iter().any(|it| it.includes(at)),
            license: version.and_then(|(_, facts)| facts.clone()),
            grants: accepted.map(|(_, grant)| grant.clone()).collect(),
        }
    }

    fn rights(&self) -> Vec<Right<'_>> {
        let versions: Vec<_> =
            self.versions.iter().map(|(since, facts)| (*since, facts.as_ref())).collect();
        let mut rights = permitted(&versions, &self.permissions);
        rights.extend(self.grants.iter().filter_map(|(accepted, grant)| grant.right(*accepted)));
        rights
    }

    fn allows(&self, question: &Question) -> bool {
        decide(question, &self.at(question.at)).decision == Decision::Allowed
    }

    /// The smallest number of members that make a question allowed if they are changed. Every right
    /// begins at a multiple of 10 seconds.
    fn fewest_changes(&self, asked: &Question) -> Option<usize> {
        let mut fewest: Option<usize> = None;
        let times = (0..12).map(|it| Timestamp::from_secs(it * 10));
        for at in times.chain([asked.at]) {
            for (usage, place_at) in USES.into_iter().flat_map(|it| (0..4).map(move |at| (it, at)))
            {
                let other = Question { usage, territory: place(place_at), at };
                let changed = usize::from(usage != asked.usage)
                    + usize::from(other.territory != asked.territory)
                    + usize::from(at != asked.at);
                if fewest.is_none_or(|it| changed < it) && self.allows(&other) {
                    fewest = Some(changed);
                }
            }
        }
        fewest
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Applied, the closest change makes the question allowed, no smaller set of members does, and
    /// there is one if any question is allowed: also in the periods of former permissions and of
    /// revoked grants.
    #[test]
    fn the_closest_change_is_allowed(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let (question, history) = (dice.question(), History::new(&mut dice));
        let found = closest(&question, history.rights());
        if let Some(change) = found {
            let changed = change.apply(&question);
            prop_assert!(history.allows(&changed), "{changed:?} {history:?}");
        }
        let members = found.map(|it| it.size(&question).0);
        let fewest = history.fewest_changes(&question).filter(|it| *it > 0);
        prop_assert_eq!(members, fewest, "{:?} {:?}", question, history);
    }
}

#[test]
fn a_former_right_is_closest_in_its_own_period() {
    let at = Timestamp::from_secs;
    let question = Question { usage: USES[0], territory: place(0), at: at(500) };
    let license = LicenseFacts {
        status: LicenseStatus::Private,
        uses: uses(1),
        territories: territories(1),
        valid_from: None,
        expires_at: None,
    };
    let narrow = LicenseFacts { uses: uses(2), ..license.clone() };
    let versions = [(at(0), Some(&license)), (at(200), Some(&narrow))];
    let moment = |seconds| Some(Closest { at: Some(at(seconds)), ..Closest::default() });
    let revoked = [Period { from: at(100), until: Some(at(150)) }];
    let found = closest(&question, permitted(&versions, &revoked));
    assert_eq!(found, moment(149), "while it was held");
    let long = [Period { from: at(100), until: Some(at(300)) }];
    let found = closest(&question, permitted(&versions, &long));
    assert_eq!(found, moment(199), "while the license allowed it");
    let early = Question { at: at(50), ..question };
    let found = closest(&early, permitted(&versions, &revoked));
    assert_eq!(found, moment(100), "when it was given");
    let grant = GrantFacts {
        number: GrantNumber { year: 2026, serial: 1 },
        coverage: Coverage {
            uses: uses(1),
            territories: territories(1),
            starts_at: at(100),
            ends_at: Some(at(600)),
        },
        revoked_at: Some(at(400)),
    };
    assert_eq!(closest(&question, grant.right(at(50))), moment(399), "before it was revoked");
    assert_eq!(closest(&early, grant.right(at(120))), moment(120), "once it was accepted");
    let never = GrantFacts { revoked_at: Some(at(90)), ..grant };
    assert_eq!(closest(&question, never.right(at(50))), None, "it never began");
}

#[test]
fn the_closest_change_is_the_smallest() {
    let at = Timestamp::from_secs;
    let grant = |serial, mask, from: i64, until: i64| GrantFacts {
        number: GrantNumber { year: 2026, serial },
        coverage: Coverage {
            uses: uses(mask),
            territories: territories(4),
            starts_at: at(from),
            ends_at: Some(at(until)),
        },
        revoked_at: None,
    };
    let grants = [grant(1, 1, 100, 200), grant(2, 4, 500, 600)];
    let ask = |usage, territory, seconds| {
        let rights = grants.iter().filter_map(|it| it.right(at(0)));
        closest(&Question { usage, territory, at: at(seconds) }, rights)
    };
    let none = Closest::default();
    let voice = LicenseType::Voice;
    let advertising = LicenseType::Advertising;
    assert_eq!(ask(advertising, place(2), 150), None, "already allowed");
    let usage = Some(advertising);
    assert_eq!(ask(voice, place(2), 150), Some(Closest { usage, ..none }), "not another time");
    let last = Some(Closest { at: Some(at(199)), ..none });
    assert_eq!(ask(advertising, place(2), 300), last, "the last second");
    let first = Some(Closest { at: Some(at(500)), ..none });
    assert_eq!(ask(voice, place(2), 300), first, "the first second");
    let both = Closest { territory: Some(place(2)), at: Some(at(100)), ..none };
    assert_eq!(ask(advertising, place(0), 90), Some(both));
}
