//! Policies of random licenses: each follows the rules of ODRL, and decides every question that it
//! can express as we do.

use grantor_domain::Timestamp;
use grantor_domain::decision::{Decision, Facts, LicenseFacts, Question, decide};
use grantor_domain::license::{
    Amount, Currency, FeePer, LicenseFee, LicenseStatus, LicenseType, Territories, Territory, Uses,
};
use grantor_domain::rights::{Named, RightsFormat, Statement};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::Value;

use super::odrl::{Policy, violations};

const PLACES: [&str; 5] = ["DE", "FR", "JP", "US", "WORLD"];

/// Moments a microsecond apart, so that questions often meet the beginning and the end.
fn moment() -> impl Strategy<Value = Timestamp> {
    (0_i64..8).prop_map(|it| Timestamp::from_micros(1_767_225_600_000_000 + it))
}

fn usage() -> impl Strategy<Value = LicenseType> {
    select(Uses::known().collect::<Vec<_>>())
}

fn covered() -> impl Strategy<Value = LicenseFacts> {
    let keys: Vec<_> = Uses::known().map(LicenseType::key).collect();
    let uses = subsequence(keys, 0..=7).prop_map(|it| Uses::parse(&it).unwrap());
    let places = subsequence(PLACES.to_vec(), 0..=5);
    let territories = places.prop_map(|it| Territories::parse(&it).unwrap());
    let status = select(LicenseStatus::ALL.to_vec());
    (status, uses, territories, option::of(moment()), option::of(moment())).prop_map(
        |(status, uses, territories, valid_from, expires_at)| LicenseFacts {
            status,
            uses,
            territories,
            valid_from,
            expires_at,
        },
    )
}

fn statement(covers: LicenseFacts, title: &str, hundredths: Option<i64>) -> Statement {
    let named = |name: &str, url: Option<&str>| Named {
        name: name.to_owned(),
        url: url.map(ToOwned::to_owned),
    };
    let fee = hundredths.and_then(Amount::from_hundredths).map(|amount| LicenseFee {
        amount,
        currency: Currency::parse("EUR").unwrap(),
        per: FeePer::Use,
    });
    Statement {
        title: title.to_owned(),
        description: title.to_owned(),
        license_type: LicenseType::Custom,
        covers,
        fee,
        updated_at: Timestamp::from_secs(0),
        talent: named(title, None),
        owner: named(title, hundredths.map(|_| "https://grantor.test/app/catalog/owners/ada")),
        owner_is_organization: hundredths.is_some(),
        picture: None,
        origin: "https://grantor.test".to_owned(),
        url: "https://grantor.test/metadata/1".to_owned(),
        page: None,
    }
}

fn policy(statement: &Statement) -> Value {
    let text = RightsFormat::Odrl.render(statement, Timestamp::from_secs(0));
    serde_json::from_str(&text).unwrap()
}

/// Our own decision about somebody with or without a permission, which is the consent of the owner.
fn ours(question: &Question, covers: &LicenseFacts, permission: bool) -> Decision {
    let license = Some(covers.clone());
    let facts = Facts { visible: true, owner: false, permission, license, grants: vec![] };
    decide(question, &facts).decision
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn a_policy_that_is_read_back_decides_as_we_do(
        covers in covered(),
        title in "\\PC{0,20}",
        fee in option::of(0_i64..3),
        usage in usage(),
        place in select(PLACES.to_vec()),
        at in moment(),
        consent in any::<bool>(),
    ) {
        let policy = policy(&statement(covers.clone(), &title, fee));
        prop_assert_eq!(violations(&policy), Vec::<String>::new(), "{}", policy);
        let question = Question { usage, territory: Territory::parse(place).unwrap(), at };
        let found = Policy::read(&policy).decide(&question, consent);
        prop_assert_eq!(found, ours(&question, &covers, consent), "{:?} {}", question, policy);
    }
}

/// The control: a policy that is off by a microsecond, a country or a use decides differently, and
/// all three decisions occur.
#[test]
fn a_policy_that_says_something_else_is_noticed() {
    let at = |micros: i64| Timestamp::from_micros(1_767_225_600_000_000 + micros);
    let covers = LicenseFacts {
        status: LicenseStatus::Public,
        uses: Uses::parse(&["voice"]).unwrap(),
        territories: Territories::parse(&["DE"]).unwrap(),
        valid_from: Some(at(2)),
        expires_at: Some(at(4)),
    };
    let sound = policy(&statement(covers.clone(), "Winter", None));
    let ask = |usage, place, micros| Question {
        usage,
        territory: Territory::parse(place).unwrap(),
        at: at(micros),
    };
    let inside = ask(LicenseType::Voice, "DE", 2);
    let decisions = [true, false].map(|it| Policy::read(&sound).decide(&inside, it));
    assert_eq!(decisions, [Decision::Allowed, Decision::Ask]);
    let constraint = |at: usize, rest: &str| format!("/permission/0/constraint/{at}/{rest}");
    for (pointer, value, question) in [
        (constraint(0, "rightOperand/@list/0/@id"), "x/ns/uses#merchandise", inside),
        (
            constraint(1, "rightOperand/@list/0/@id"),
            "https://www.iso.org/obp/ui/#iso:code:3166:FR",
            inside,
        ),
        (constraint(2, "rightOperand/@value"), "2026-01-01T00:00:00.000003Z", inside),
        (
            constraint(3, "rightOperand/@value"),
            "2026-01-01T00:00:00.000005Z",
            ask(LicenseType::Voice, "DE", 4),
        ),
    ] {
        assert_eq!(Policy::read(&sound).decide(&question, true), ours(&question, &covers, true));
        let mut other = sound.clone();
        *other.pointer_mut(&pointer).unwrap() = value.into();
        let found = Policy::read(&other).decide(&question, true);
        assert_ne!(found, ours(&question, &covers, true), "{pointer}");
    }
}
