//! The promise of `closest`: the change it proposes is allowed, and no smaller one is.

use proptest::prelude::*;

use super::*;

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

    /// The rights, each with when it was given.
    fn given(&self) -> Vec<(Timestamp, Right<'_>)> {
        let versions: Vec<_> =
            self.versions.iter().map(|(since, facts)| (*since, facts.as_ref())).collect();
        let permitted = self.permissions.iter().flat_map(|it| {
            let rights = permitted(&versions, &[*it]).into_iter();
            rights.map(|right| (it.from, right))
        });
        let grants = self.grants.iter();
        let granted = grants.filter_map(|(at, grant)| Some((*at, grant.right(*at)?)));
        permitted.chain(granted).collect()
    }

    /// Whether the license had a version at a moment.
    fn is_known(&self, at: Timestamp) -> bool {
        self.versions.iter().any(|(since, _)| *since <= at)
    }

    /// The history without the rights that were given after a moment.
    fn until(&self, at: Timestamp) -> Self {
        let permissions = self.permissions.iter().filter(|it| it.from <= at).copied();
        let grants = self.grants.iter().filter(|(accepted, _)| *accepted <= at).cloned();
        Self {
            versions: self.versions.clone(),
            permissions: permissions.collect(),
            grants: grants.collect(),
        }
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Before the first version of the license, the closest change leads to the first moment at which
    /// the use is allowed, if it ever is. Later, rights count only if they had been given.
    #[test]
    fn before_the_license_the_first_allowed_moment_is_closest(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let (question, history) = (dice.question(), History::new(&mut dice));
        let asked = Question { at: Timestamp::from_secs(-10), ..question };
        let found = closest_given(&asked, history.is_known(asked.at), history.given());
        let mut times = (0..12).map(|it| Timestamp::from_secs(it * 10));
        let first = times.find(|at| history.allows(&Question { at: *at, ..asked }));
        if let Some(at) = first {
            let change = Closest { at: Some(at), ..Closest::default() };
            prop_assert_eq!(found, Some(change), "{:?} {:?}", asked, history);
        } else {
            let members = found.map(|it| it.size(&asked).0);
            let fewest = history.fewest_changes(&asked);
            prop_assert_eq!(members, fewest, "{:?} {:?}", asked, history);
        }
        let known = history.is_known(question.at);
        let found = closest_given(&question, known, history.given());
        let counted = if known { history.until(question.at) } else { history };
        let members = found.map(|it| it.size(&question).0);
        let fewest = counted.fewest_changes(&question).filter(|it| *it > 0);
        prop_assert_eq!(members, fewest, "{:?} {:?}", question, counted);
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
