//! Issuing, presenting and verifying.

use serde_json::{Value, json};

use super::*;

#[test]
fn a_receipt_says_what_was_granted() {
    let keys = keys();
    let verified = check(&keys, &issued(&keys));
    assert_eq!((verified.valid, verified.reasons), (Validity::Yes, vec![]));
    let (claims, given) = (verified.claims.unwrap(), new_receipt());
    assert_eq!((claims.number.as_str(), &claims.terms_hash), ("GR-2026-000042", &given.terms_hash));
    assert_eq!((&claims.licensor, &claims.licensee), (&given.licensor, &Some(given.licensee)));
    assert_eq!((&claims.uses, &claims.territories), (&given.uses, &given.territories));
    assert_eq!((claims.starts_at, claims.ends_at), (given.starts_at, given.ends_at));
    assert_eq!((claims.issued_at, claims.exclusive), (given.issued_at, true));
    assert_eq!((&claims.license, &claims.talent), (&Some(given.license), &Some(given.talent)));
    assert_eq!((claims.fee, &claims.conditions), (given.fee, &given.conditions));
    assert_eq!((&claims.channels, &claims.status), (&Some(given.channels), &given.status));
    assert_eq!(claims.disclosed, Disclosable::ALL);
}

#[test]
fn the_wire_form_is_that_of_the_standards() {
    let keys = keys();
    let receipt = issued(&keys);
    let part = |text: &str| -> Value {
        serde_json::from_slice(&base64url::decode(text).unwrap()).unwrap()
    };
    let parts: Vec<&str> = receipt.split(['.', '~']).collect();
    let kid = key(&keys).kid().to_owned();
    assert_eq!(part(parts[0]), json!({ "alg": "EdDSA", "typ": "dc+sd-jwt", "kid": kid }));
    let payload = part(parts[1]);
    let digests = payload["_sd"].as_array().unwrap();
    assert!(digests.len() == 6 && digests.is_sorted_by_key(|it| it.as_str()));
    let mut plain = payload.clone();
    plain.as_object_mut().unwrap().remove("_sd");
    let expected = json!({
        "iss": ISSUER,
        "vct": "https://grantor.test/credentials/grant/1",
        "iat": NOW - DAY, "nbf": NOW, "exp": NOW + 365 * DAY,
        "status": { "status_list": { "idx": 131_071, "uri": LIST } },
        "grant_number": "GR-2026-000042",
        "terms_hash": "sha256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
        "licensor": { "id": Uuid::from_u128(1), "name": "Zoë Müller Management" },
        "uses": ["advertising", "social_media"], "territories": ["AT", "DE"],
        "exclusive": true, "_sd_alg": "sha-256",
    });
    assert_eq!(plain, expected);
    assert_eq!((parts.len(), parts[9]), (10, ""), "six disclosures and a tilde at the end");
    let fee = part(parts[6]);
    let amount = json!({ "amount": "2500.00", "currency": "EUR", "per": "month" });
    assert_eq!((&fee[1], &fee[2]), (&json!("fee"), &amount));
    assert_eq!(base64url::decode(fee[0].as_str().unwrap()).unwrap().len(), 16);
}

/// Changing this text breaks every receipt that was issued before.
#[test]
fn the_golden_receipt_is_issued_and_verifies() {
    let keys = keys();
    let golden = include_str!("golden.sd-jwt").trim_end();
    assert_eq!(issued(&keys), golden);
    assert_eq!(check(&keys, golden).valid, Validity::Yes);
    let set = KeySet::parse(include_str!("golden.jwks.json")).unwrap();
    assert_eq!(set, KeySet::parse(&keys.receipt_jwks().to_string()).unwrap());
    let verified = verify(golden, &set, ISSUER, Some(&fresh()), at(NOW));
    assert_eq!(verified.valid, Validity::Yes, "without the key ring");
}

#[test]
fn open_grants_have_no_end_and_absent_terms_are_null() {
    let keys = keys();
    let given = NewReceipt { ends_at: None, fee: None, conditions: None, ..new_receipt() };
    let receipt = issue(&given, ISSUER, &key(&keys), &*entropy()).unwrap();
    let far = at(NOW + 10_000 * DAY);
    let held = HeldStatusList::current(LIST, StatusList::default(), far);
    let verified = verify(&receipt, &keys, ISSUER, Some(&held), far);
    let claims = verified.claims.unwrap();
    assert_eq!((verified.valid, claims.ends_at, claims.fee), (Validity::Yes, None, None));
    assert!(!claims.as_json().contains_key("exp") && claims.as_json()["fee"].is_null());
    assert_eq!(claims.disclosed.len(), 6, "the number of disclosures tells nothing");
}

#[test]
fn the_holder_chooses_what_to_disclose() {
    let keys = keys();
    let receipt = issued(&keys);
    for chosen in 0..64_u32 {
        let which: Vec<Disclosable> =
            (0..6).filter(|it| chosen >> it & 1 == 1).map(|it| Disclosable::ALL[it]).collect();
        let shown = present(&receipt, &which).unwrap();
        let verified = check(&keys, &shown);
        assert_eq!(verified.valid, Validity::Yes);
        let claims = verified.claims.unwrap();
        assert_eq!(claims.disclosed, which);
        for claim in Disclosable::ALL {
            let known = claims.as_json().contains_key(claim.name());
            assert_eq!(known, which.contains(&claim), "{claim:?}");
        }
    }
    let none = present(&receipt, &[]).unwrap();
    assert_eq!(
        present(&none, &[Disclosable::Fee]),
        Err(InvalidReceipt::Withheld(Disclosable::Fee))
    );
    for bad in ["", "x", "a.b.c", "a.b.c~x", "a.b.c~x~"] {
        assert_eq!(present(bad, &[]), Err(InvalidReceipt::Malformed), "{bad}");
    }
}

#[test]
fn dates_bound_a_receipt_to_the_second() {
    let keys = keys();
    let receipt = issued(&keys);
    let end = NOW + 365 * DAY;
    for (time, valid, reasons) in [
        (NOW - 1, Validity::No, vec![Reason::NotStarted]),
        (NOW, Validity::Yes, vec![]),
        (end - 1, Validity::Yes, vec![]),
        (end, Validity::No, vec![Reason::Ended]),
    ] {
        let held = HeldStatusList::current(LIST, StatusList::default(), at(time));
        let verified = verify(&receipt, &keys, ISSUER, Some(&held), at(time));
        assert_eq!((verified.valid, verified.reasons), (valid, reasons), "{time}");
        assert!(verified.claims.is_some(), "authentic, so shown");
    }
}

#[test]
fn receipts_of_other_issuers_are_named() {
    let keys = keys();
    let foreign = issue(&new_receipt(), "https://other.test", &key(&keys), &*entropy()).unwrap();
    assert_eq!(check(&keys, &foreign), refused(Reason::Issuer));
    let near = issue(&new_receipt(), "https://grantor.test/", &key(&keys), &*entropy()).unwrap();
    assert_eq!(check(&keys, &near), refused(Reason::Issuer));
}

#[test]
fn a_receipt_that_is_too_long_is_not_issued() {
    let keys = keys();
    let conditions = Some("x".repeat(MAX_LENGTH));
    let given = NewReceipt { conditions, ..new_receipt() };
    assert!(issue(&given, ISSUER, &key(&keys), &*entropy()).is_err());
    let widest = Some("\u{10ffff}".repeat(5_000));
    let given = NewReceipt { conditions: widest, ..new_receipt() };
    let receipt = issue(&given, ISSUER, &key(&keys), &*entropy()).unwrap();
    assert_eq!(check(&keys, &receipt).valid, Validity::Yes, "the longest that the contract allows");
}

#[test]
fn names_of_reasons_are_those_of_the_contract() {
    let all = [
        Reason::Signature,
        Reason::Issuer,
        Reason::Disclosure,
        Reason::NotStarted,
        Reason::Ended,
        Reason::Revoked,
        Reason::StatusStale,
    ];
    let names =
        ["SIGNATURE", "ISSUER", "DISCLOSURE", "NOT_STARTED", "ENDED", "REVOKED", "STATUS_STALE"];
    assert_eq!(all.map(Reason::name), names);
}
