//! Each rendering as a whole, for licenses that say much and little.

use serde_json::json;

use super::*;
use crate::license::{Amount, Currency, FeePer, LicenseStatus, Territories, Uses};

const NOW: Timestamp = Timestamp::from_secs(1_767_225_600);
const DAY: i64 = 86_400;

fn at(days: i64) -> Timestamp {
    Timestamp::from_secs(1_767_225_600 + days * DAY)
}

/// A public license that limits everything.
fn limited() -> Statement {
    let amount = Amount::parse("250").unwrap();
    let fee = LicenseFee { amount, currency: Currency::parse("EUR").unwrap(), per: FeePer::Month };
    let named = |name: &str, url: &str| Named { name: name.to_owned(), url: Some(url.to_owned()) };
    Statement {
        title: "Winter".to_owned(),
        description: "Coats & hats".to_owned(),
        license_type: LicenseType::Advertising,
        covers: LicenseFacts {
            status: LicenseStatus::Public,
            uses: Uses::parse(&["advertising", "ai_training"]).unwrap(),
            territories: Territories::parse(&["DE", "FR"]).unwrap(),
            valid_from: Some(at(-1)),
            expires_at: Some(at(10)),
        },
        fee: Some(fee),
        updated_at: at(-2),
        talent: named("Zoë <Lind>", "https://g.test/app/catalog/talents/zoe"),
        owner: named("Quill & Co", "https://g.test/app/catalog/owners/quill"),
        owner_is_organization: true,
        picture: Some("https://g.test/p.jpg".to_owned()),
        origin: "https://g.test".to_owned(),
        url: "https://g.test/metadata/1".to_owned(),
        page: Some("https://g.test/app/catalog/1".to_owned()),
    }
}

/// A license that limits nothing and is not public.
fn open(status: LicenseStatus) -> Statement {
    let named = |name: &str| Named { name: name.to_owned(), url: None };
    let (uses, territories) = (Uses::default(), Territories::default());
    let covers = LicenseFacts { status, uses, territories, valid_from: None, expires_at: None };
    Statement {
        description: String::new(),
        covers,
        fee: None,
        talent: named("Zoë"),
        owner: named("Zoë"),
        owner_is_organization: false,
        picture: None,
        url: "https://g.test/licenses/1".to_owned(),
        page: None,
        ..limited()
    }
}

#[test]
fn a_policy_permits_what_the_license_covers_once_the_owner_consents() {
    let policy = odrl::policy(&limited());
    let owner = "https://g.test/app/catalog/owners/quill";
    let country =
        |code: &str| json!({ "@id": format!("https://www.iso.org/obp/ui/#iso:code:3166:{code}") });
    let time = |operator: &str, value: &str| {
        let kind = "http://www.w3.org/2001/XMLSchema#dateTime";
        let operand = json!({ "@value": value, "@type": kind });
        json!({ "leftOperand": "dateTime", "operator": operator, "rightOperand": operand })
    };
    let expected = json!([{
        "target": {
            "@type": "Asset", "uid": "https://g.test/metadata/1#likeness",
            "dct:title": "Name, image and likeness of Zoë <Lind>",
        },
        "assigner": {
            "@type": ["Party", "vcard:Organization"], "uid": owner, "vcard:fn": "Quill & Co",
        },
        "action": "use",
        "constraint": [
            { "leftOperand": "purpose", "operator": "isAnyOf", "rightOperand": { "@list": [
                { "@id": "https://g.test/ns/uses#advertising" },
                { "@id": "https://g.test/ns/uses#ai_training" },
            ] } },
            { "leftOperand": "spatial", "operator": "isAnyOf",
                "rightOperand": { "@list": [country("DE"), country("FR")] } },
            time("gteq", "2025-12-31T00:00:00.000000Z"),
            time("lt", "2026-01-11T00:00:00.000000Z"),
        ],
        "duty": [
            { "action": "obtainConsent", "consentingParty": owner },
            {
                "action": [{
                    "rdf:value": { "@id": "odrl:compensate" },
                    "refinement": [{
                        "leftOperand": "payAmount", "operator": "eq",
                        "rightOperand": {
                            "@value": "250.00", "@type": "http://www.w3.org/2001/XMLSchema#decimal",
                        },
                        "unit": "urn:iso:std:iso:4217:EUR",
                    }],
                }],
                "compensatedParty": owner, "dct:description": "Per month",
            },
        ],
    }]);
    assert_eq!(policy["permission"], expected);
    assert_eq!(
        (&policy["@type"], &policy["uid"]),
        (&json!("Offer"), &json!("https://g.test/metadata/1"))
    );
    assert!(policy["rdfs:comment"].as_str().unwrap().starts_with("Not expressed in ODRL:"));
}

#[test]
fn a_policy_without_limits_has_no_constraints_and_one_that_is_over_permits_nothing() {
    let policy = odrl::policy(&open(LicenseStatus::Private));
    let owner = "https://g.test/licenses/1#owner";
    assert_eq!(policy["permission"][0].get("constraint"), None);
    let consent = json!([{ "action": "obtainConsent", "consentingParty": owner }]);
    assert_eq!(policy["permission"][0]["duty"], consent);
    assert_eq!(policy.get("prohibition"), None);
    for status in [LicenseStatus::Draft, LicenseStatus::Expired] {
        let policy = odrl::policy(&open(status));
        assert_eq!(policy.get("permission"), None);
        assert_eq!(policy["prohibition"][0]["action"], "use");
        assert_eq!(policy["prohibition"][0].get("duty"), None);
    }
}

#[test]
fn crawlers_are_told_where_to_ask_and_what_it_costs() {
    let text = rsl::document(&limited(), NOW);
    let (head, body) = text.split_once(" -->\n").unwrap();
    assert!(
        head.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Nothing is licensed")
    );
    assert_eq!(head.matches("--").count(), 1, "a comment contains no two hyphens");
    let expected = "<rsl xmlns=\"https://rslstandard.org/rsl\" \
        xmlns:use=\"https://g.test/ns/uses#\" max-age=\"10\">\
        <content url=\"https://g.test/app/catalog/1\" lastmod=\"2025-12-30T00:00:00.000000Z\">\
        <license><permits type=\"usage\">use:advertising ai-train</permits>\
        <permits type=\"geo\">DE FR</permits><payment type=\"subscription\">\
        <custom>https://g.test/app/catalog/1</custom><amount currency=\"EUR\">250.00</amount>\
        </payment></license><license><permits type=\"usage\">search</permits>\
        <payment type=\"free\"/></license>\
        <schema>https://g.test/metadata/1?format=schema</schema>\
        <copyright type=\"organization\">Quill &amp; Co</copyright>\
        <terms>https://g.test/metadata/1?format=text</terms></content></rsl>\n";
    assert_eq!(body, expected);
}

#[test]
fn what_is_open_or_not_in_force_is_told_to_crawlers_too() {
    let license = |statement: &Statement, now| {
        let text = rsl::document(statement, now);
        let (_, rest) = text.split_once("<license>").unwrap();
        rest.split_once("</license>").unwrap().0.to_owned()
    };
    let ask = "<custom>https://g.test/licenses/1</custom>";
    let open_to_all =
        format!("<permits type=\"usage\">all</permits><payment type=\"purchase\">{ask}</payment>");
    assert_eq!(license(&open(LicenseStatus::Public), NOW), open_to_all);
    let nothing = "<prohibits type=\"usage\">all</prohibits>";
    assert_eq!(license(&open(LicenseStatus::Expired), NOW), nothing);
    let search = "<permits type=\"usage\">search</permits><payment type=\"free\"/>";
    assert_eq!(license(&limited(), at(-2)), search, "before its start");
    assert_eq!(license(&limited(), at(10)), search, "at its end");
    let age = |now| {
        let text = rsl::document(&limited(), now);
        text.split_once("max-age=\"").unwrap().1.split('"').next().unwrap().to_owned()
    };
    let moments = [at(-40), at(-3), at(0), at(9), at(11)];
    assert_eq!(moments.map(age), ["30", "2", "10", "1", "30"]);
}

#[test]
fn search_engines_learn_whether_it_is_available() {
    let offer = schema_org::offer(&limited(), NOW);
    let page = "https://g.test/app/catalog/1";
    let image = json!({
        "@type": "ImageObject", "contentUrl": "https://g.test/p.jpg", "license": page,
        "acquireLicensePage": page, "creditText": "Quill & Co",
    });
    assert_eq!((&offer["image"], &offer["eligibleRegion"]), (&image, &json!(["DE", "FR"])));
    let available = |statement: &Statement, now| {
        let offer = schema_org::offer(statement, now);
        offer["availability"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
    };
    assert_eq!(
        [at(-2), NOW, at(10)].map(|now| available(&limited(), now)),
        ["PreOrder", "InStock", "Discontinued"]
    );
    assert_eq!(available(&open(LicenseStatus::Draft), NOW), "Discontinued");
    let open = schema_org::offer(&open(LicenseStatus::Private), NOW);
    assert_eq!(
        (open.get("image"), open.get("price"), open.get("eligibleRegion")),
        (None, None, None)
    );
}

#[test]
fn people_read_all_of_it() {
    let text = text::text(&limited(), NOW);
    let facts = "Person: Zoë <Lind>\nOwner: Quill & Co\nType: Advertising\nStatus: In force\n\
        Uses: Advertising, AI training\nTerritories: Germany (DE), France (FR)\n\
        Valid from: 2025-12-31T00:00:00.000000Z\nValid until: 2026-01-11T00:00:00.000000Z\n\
        Fee: 250.00 EUR per month\nAI training: Only by agreement\n\
        Request: https://g.test/app/catalog/1\nUpdated: 2025-12-30T00:00:00.000000Z";
    let others = "odrl: https://g.test/metadata/1?format=odrl\n\
        rsl: https://g.test/metadata/1?format=rsl\n\
        schema: https://g.test/metadata/1?format=schema\n";
    let parts: Vec<_> = text.split("\n\n").collect();
    assert_eq!([parts[0], parts[1], parts[2]], ["Winter", "Coats & hats", facts]);
    assert!(parts[3].starts_with("Nothing may be used before the owner agrees"));
    assert_eq!((parts[4], parts.len()), (others, 5));
    let little = text::text(&open(LicenseStatus::Expired), NOW);
    for line in [
        "Status: Not in force",
        "Uses: All",
        "Territories: Worldwide",
        "Fee: On request",
        "Valid until: Not limited",
        "AI training: Not offered",
    ] {
        assert!(little.lines().any(|it| it == line), "{line}: {little}");
    }
}

#[test]
fn every_use_that_a_policy_names_is_in_the_vocabulary() {
    let described = vocabulary("https://g.test");
    let concepts = described["skos:hasTopConcept"].as_array().unwrap();
    let ids: Vec<_> = concepts.iter().map(|it| it["@id"].as_str().unwrap()).collect();
    let iris: Vec<_> =
        Uses::known().map(|it| super::vocabulary::iri("https://g.test", it)).collect();
    assert_eq!(ids, iris);
    assert!(concepts.iter().all(|it| it["skos:definition"].is_string()));
}

#[test]
fn a_format_has_one_name_and_one_type() {
    for format in RightsFormat::ALL {
        assert_eq!(RightsFormat::parse(format.name()), Ok(Some(format)));
        assert!(format.content_type().starts_with(format.media_type()), "{format}");
        let profile = format.profile().map(|it| format!("profile=\"{it}\""));
        assert!(profile.is_none_or(|it| format.content_type().ends_with(&it)), "{format}");
    }
    assert_eq!(RightsFormat::parse("json"), Ok(None));
    let error = "must be one of json, odrl, rsl, schema, text";
    assert_eq!(RightsFormat::parse("xml"), Err(error.to_owned()));
}
