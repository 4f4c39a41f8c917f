use grantor_domain::license::{Amount, Currency, FeePer};
use proptest::prelude::*;

use super::*;

fn terms() -> HashedTerms {
    let list = |of: &[&str]| of.iter().map(|it| (*it).to_owned()).collect();
    HashedTerms {
        license_id: Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001),
        license_version: 3,
        licensor: PartyId::Tenant(Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0002)),
        licensee: PartyId::Email("zoë@example.com".into()),
        terms: Terms {
            uses: list(&["social_media", "advertising", "social_media"]),
            territories: list(&["US", "DE"]),
            starts_at: Timestamp::from_micros(1_794_787_200_999_999),
            ends_at: None,
            fee: Some(LicenseFee {
                amount: Amount::parse("1500.5").unwrap(),
                currency: Currency::parse("EUR").unwrap(),
                per: FeePer::Campaign,
            }),
            exclusive: true,
            channels: list(&["TV", "\u{10ffff}", "\u{fb33}", "Print"]),
            conditions: Some("No \"alcohol\".\n\u{8}\u{20ac}\u{2028}/".into()),
            credit_line: None,
        },
    }
}

#[test]
fn the_canonical_text_is_exact() {
    let expected = concat!(
        r#"{"license_id":"01920000-0000-7000-8000-000000000001","license_version":3,"#,
        r#""licensee":"mailto:zoë@example.com","licensor":"01920000-0000-7000-8000-000000000002","#,
        r#""terms":{"channels":["Print","TV",""#,
        "\u{fb33}\",\"\u{10ffff}",
        r#""],"conditions":"No \"alcohol\".\n\b€"#,
        "\u{2028}",
        r#"/","credit_line":null,"ends_at":null,"exclusive":true,"#,
        r#""fee":{"amount":"1500.50","currency":"EUR","per":"campaign"},"#,
        r#""starts_at":"2026-11-16T00:00:00Z","territories":["DE","US"],"#,
        r#""uses":["advertising","social_media"]}}"#,
    );
    assert_eq!(canonical_terms(&terms()).unwrap(), expected);
    assert_eq!(terms_hash(&terms()).unwrap(), "sha256:YkCMZPciEnG8DFMyk8XESZGR9SmfxMsVsGuwEY-rC8Q");
}

#[test]
fn absent_members_are_null_and_lists_are_lists() {
    let mut bare = terms();
    bare.licensee = PartyId::Tenant(Uuid::nil());
    bare.terms.ends_at = Some(Timestamp::from_secs(1_826_323_200));
    (bare.terms.fee, bare.terms.conditions) = (None, None);
    (bare.terms.channels, bare.terms.exclusive) = (vec![], false);
    let expected = concat!(
        r#"{"license_id":"01920000-0000-7000-8000-000000000001","license_version":3,"#,
        r#""licensee":"00000000-0000-0000-0000-000000000000","#,
        r#""licensor":"01920000-0000-7000-8000-000000000002","terms":{"channels":[],"#,
        r#""conditions":null,"credit_line":null,"ends_at":"2027-11-16T00:00:00Z","#,
        r#""exclusive":false,"fee":null,"starts_at":"2026-11-16T00:00:00Z","#,
        r#""territories":["DE","US"],"uses":["advertising","social_media"]}}"#,
    );
    assert_eq!(canonical_terms(&bare).unwrap(), expected);
    assert_eq!(terms_hash(&bare).unwrap(), "sha256:mGhXidJr4_K6JDAi-4ZFCP5zSFGqTBcuzaHQ5GU3FU8");
}

/// The fenced block of a language in the document, and what follows it.
fn block<'a>(document: &'a str, language: &str) -> (&'a str, &'a str) {
    let fence = format!("\n```{language}\n");
    let (_, rest) = document.split_once(&fence).expect("a block");
    rest.split_once("\n```\n").expect("the end of the block")
}

#[test]
fn the_document_shows_how_to_compute_the_hash() {
    let document = include_str!("../../../../docs/verifying.md");
    let (object, _) = block(document, "json");
    let (text, after) = block(document, "text");
    let object: serde_json::Value = serde_json::from_str(object).unwrap();
    assert_eq!(serde_json_canonicalizer::to_string(&object).unwrap(), text);
    let hash = format!("sha256:{}", base64url::encode(Sha256::digest(text)));
    assert!(after.contains(&format!("the hash is `{hash}`")), "{hash}");
    let mut same = terms();
    same.licensee = PartyId::Tenant(Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0003));
    same.terms.territories = vec!["FR".into(), "DE".into()];
    same.terms.ends_at = Some(Timestamp::from_secs(1_826_323_200));
    (same.terms.exclusive, same.terms.conditions) = (false, None);
    same.terms.channels.clear();
    assert_eq!(canonical_terms(&same).unwrap(), text);
    assert_eq!(terms_hash(&same).unwrap(), hash);
}

#[test]
fn every_member_changes_the_hash() {
    let changes: [fn(&mut HashedTerms); 13] = [
        |it| it.license_id = Uuid::nil(),
        |it| it.license_version += 1,
        |it| it.licensor = PartyId::Tenant(Uuid::nil()),
        |it| it.licensee = PartyId::Email("zoe@example.com".into()),
        |it| it.terms.uses.push("film".into()),
        |it| it.terms.territories.push("FR".into()),
        |it| it.terms.starts_at = Timestamp::from_secs(1_794_787_201),
        |it| it.terms.ends_at = Some(Timestamp::from_secs(1_826_323_200)),
        |it| it.terms.fee = None,
        |it| it.terms.exclusive = false,
        |it| it.terms.channels.clear(),
        |it| it.terms.conditions = None,
        |it| it.terms.credit_line = Some("Photo: Z.".into()),
    ];
    let mut hashes = vec![terms_hash(&terms()).unwrap()];
    for change in changes {
        let mut changed = terms();
        change(&mut changed);
        hashes.push(terms_hash(&changed).unwrap());
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 14);
}

#[test]
fn a_time_that_cannot_be_written_is_an_error() {
    let mut far = terms();
    far.terms.starts_at = Timestamp::from_micros(i64::MAX);
    assert!(terms_hash(&far).is_err());
}

proptest! {
    #[test]
    fn order_and_duplicates_do_not_matter(mut uses in prop::collection::vec(".{0,9}", 0..9)) {
        let mut one = terms();
        one.terms.uses.clone_from(&uses);
        uses.reverse();
        uses.extend_from_within(..);
        let mut two = one.clone();
        two.terms.uses = uses;
        prop_assert_eq!(terms_hash(&one).unwrap(), terms_hash(&two).unwrap());
    }

    #[test]
    fn the_canonical_text_is_json_with_sorted_members(text in any::<String>()) {
        let mut given = terms();
        given.terms.conditions = Some(text.clone());
        let canonical = canonical_terms(&given).unwrap();
        let read: serde_json::Value = serde_json::from_str(&canonical).unwrap();
        prop_assert_eq!(read["terms"]["conditions"].as_str(), Some(text.as_str()));
        let names: Vec<_> = read["terms"].as_object().unwrap().keys().collect();
        prop_assert!(names.is_sorted());
    }
}
