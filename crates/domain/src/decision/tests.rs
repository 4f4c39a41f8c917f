//! The rule against a naive second one.

mod closest;

use std::sync::LazyLock;

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
