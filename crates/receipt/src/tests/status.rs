//! Status lists, and what they mean for a receipt.

use serde_json::{Value, json};

use super::*;

/// The example of the specification, section 4.1.
const EXAMPLE: [u8; 16] = [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1];

#[test]
fn the_example_of_the_specification_is_encoded_exactly() {
    let mut list = StatusList::from_bytes(vec![0; 2]).unwrap();
    for index in (0_u32..).zip(EXAMPLE).filter(|(_, bit)| *bit == 1).map(|it| it.0) {
        list.revoke(index).unwrap();
    }
    assert_eq!(list.as_bytes(), [0xb9, 0xa3]);
    assert_eq!(list.encode(), "eNrbuRgAAhcBXQ");
    assert_eq!(StatusList::decode("eNrbuRgAAhcBXQ"), Ok(list.clone()));
    let read: Vec<u8> = (0..16).map(|it| u8::from(list.is_revoked(it).unwrap())).collect();
    assert_eq!(read, EXAMPLE);
    assert_eq!(list.is_revoked(16), Err(OutOfRange(16)));
    assert_eq!(list.revoke(16), Err(OutOfRange(16)));
}

#[test]
fn revoking_flips_exactly_one_bit() {
    for index in [0, 1, 7, 8, 4_242, StatusList::ENTRIES - 1] {
        let (before, mut after) = (StatusList::default(), StatusList::default());
        after.revoke(index).unwrap();
        after.revoke(index).unwrap();
        let pairs = before.as_bytes().iter().zip(after.as_bytes());
        assert_eq!(pairs.map(|(one, two)| (one ^ two).count_ones()).sum::<u32>(), 1);
        assert_eq!(StatusList::decode(&after.encode()), Ok(after.clone()));
        assert!(after.is_revoked(index).unwrap() && !before.is_revoked(index).unwrap());
    }
    let list = StatusList::default();
    assert_eq!(list.as_bytes().len(), 16_384);
    for index in [StatusList::ENTRIES, u32::MAX] {
        assert_eq!(list.is_revoked(index), Err(OutOfRange(index)));
    }
}

#[test]
fn nothing_larger_than_a_list_is_decompressed() {
    use std::io::Write as _;
    let bomb = |length: usize| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&vec![0; length]).unwrap();
        encoder.finish().unwrap()
    };
    let most = StatusList::ENTRIES as usize / 8;
    assert!(StatusList::decode(&base64url::encode(bomb(most))).is_ok(), "the control");
    let mut trailing = bomb(most);
    trailing.push(0);
    let mut cut = bomb(most);
    cut.pop();
    for bad in [bomb(most + 1), bomb(100_000_000), trailing, cut, vec![], vec![0; 9]] {
        assert_eq!(StatusList::decode(&base64url::encode(bad)), Err(InvalidStatusList::Encoding));
    }
    assert_eq!(StatusList::decode("eNrbuRgAAhcBXQ=="), Err(InvalidStatusList::Encoding));
}

#[test]
fn a_signed_list_is_that_of_the_specification() {
    let keys = keys();
    let token = sign_status_list(&StatusList::default(), LIST, &key(&keys), at(NOW)).unwrap();
    let part = |index| -> Value {
        let text = token.split('.').nth(index).unwrap();
        serde_json::from_slice(&base64url::decode(text).unwrap()).unwrap()
    };
    let kid = key(&keys).kid().to_owned();
    assert_eq!(part(0), json!({ "alg": "EdDSA", "typ": "statuslist+jwt", "kid": kid }));
    let lst = StatusList::default().encode();
    let list = json!({ "bits": 1, "lst": lst });
    let expected =
        json!({ "sub": LIST, "iat": NOW, "exp": NOW + 300, "ttl": 300, "status_list": list });
    assert_eq!(part(1), expected);
    assert!(token.len() < 1_000, "{} bytes", token.len());
    let held = verify_status_list(&token, &keys).unwrap();
    assert_eq!(held, fresh());
    assert!(held.is_fresh(at(NOW + 299)) && !held.is_fresh(at(NOW + 300)));
    for bad in [issued(&keys), "%PDF-1.7".to_owned()] {
        assert_eq!(verify_status_list(&bad, &keys), Err(InvalidStatusList::Form), "{bad}");
    }
    assert_eq!(check(&keys, &format!("{token}~")), refused(Reason::Signature));
}

#[test]
fn a_list_is_not_used_after_it_expires_whatever_its_ttl_says() {
    let keys = keys();
    let list = json!({ "bits": 1, "lst": StatusList::default().encode() });
    let sign = |claims: &Value| jws::sign("statuslist+jwt", claims, &key(&keys)).unwrap();
    let claims =
        json!({ "sub": LIST, "iat": NOW, "exp": NOW + 10, "ttl": 300, "status_list": list });
    let held = verify_status_list(&sign(&claims), &keys).unwrap();
    assert!(held.is_fresh(at(NOW + 9)) && !held.is_fresh(at(NOW + 10)));
    for (name, bad) in [
        ("sub", Value::Null),
        ("iat", Value::Null),
        ("ttl", json!(0)),
        ("ttl", json!(-1)),
        ("status_list", json!({ "bits": 2, "lst": "eNo76fITAAPfAgc" })),
        ("status_list", json!({ "bits": 1, "lst": "x" })),
    ] {
        let mut changed = claims.clone();
        changed[name] = bad;
        let verified = verify_status_list(&sign(&changed), &keys);
        assert_eq!(verified, Err(InvalidStatusList::Encoding), "{changed}");
    }
}

#[test]
fn a_receipt_is_valid_only_with_a_recent_list() {
    let keys = keys();
    let receipt = issued(&keys);
    let mut revoked = fresh();
    revoked.list.revoke(131_071).unwrap();
    let mut neighbor = fresh();
    neighbor.list.revoke(131_070).unwrap();
    let short = HeldStatusList { list: StatusList::from_bytes(vec![0]).unwrap(), ..fresh() };
    let other = HeldStatusList { uri: format!("{LIST}0"), ..fresh() };
    for (name, held, time, valid, reasons) in [
        ("fresh", Some(fresh()), NOW + 299, Validity::Yes, vec![]),
        ("a neighbor", Some(neighbor), NOW, Validity::Yes, vec![]),
        ("stale", Some(fresh()), NOW + 300, Validity::Unknown, vec![Reason::StatusStale]),
        ("none", None, NOW, Validity::Unknown, vec![Reason::StatusStale]),
        ("another list", Some(other), NOW, Validity::Unknown, vec![Reason::StatusStale]),
        ("revoked", Some(revoked.clone()), NOW, Validity::No, vec![Reason::Revoked]),
        ("revoked long ago", Some(revoked), NOW + 300, Validity::No, vec![Reason::Revoked]),
        ("too short", Some(short), NOW, Validity::No, vec![Reason::Revoked]),
    ] {
        let verified = verify(&receipt, &keys, ISSUER, held.as_ref(), at(time));
        assert_eq!((verified.valid, verified.reasons), (valid, reasons), "{name}");
        assert!(verified.claims.is_some(), "{name}");
    }
    let ended = verify(&receipt, &keys, ISSUER, None, at(NOW + 365 * DAY));
    let reasons = vec![Reason::Ended, Reason::StatusStale];
    assert_eq!((ended.valid, ended.reasons), (Validity::No, reasons), "the end is certain");
}
