//! Receipts that nobody issued. Each is signed by the true key, so that only the rule under test can
//! refuse it.

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::*;

fn part(text: &str) -> Map<String, Value> {
    serde_json::from_slice(&base64url::decode(text).unwrap()).unwrap()
}

fn sign(keys: &Keys, header: &str, payload: &str) -> String {
    let signed = format!("{}.{}", base64url::encode(header), base64url::encode(payload));
    let signature = base64url::encode(key(keys).sign(signed.as_bytes()));
    format!("{signed}.{signature}")
}

/// The true header and payload, and the true disclosures.
fn original(keys: &Keys) -> (Value, Value, Vec<String>) {
    let receipt = issued(keys);
    let (jwt, disclosures) = receipt.split_once('~').unwrap();
    let mut parts = jwt.split('.');
    let mut next = || Value::Object(part(parts.next().unwrap()));
    let disclosures = disclosures.trim_end_matches('~').split('~').map(str::to_owned).collect();
    (next(), next(), disclosures)
}

fn digest(disclosure: &str) -> Value {
    base64url::encode(Sha256::digest(disclosure)).into()
}

#[test]
fn headers_are_exact() {
    let keys = keys();
    let (header, payload, disclosures) = original(&keys);
    let tail = format!("~{}~", disclosures.join("~"));
    let make = |header: &str| sign(&keys, header, &payload.to_string()) + &tail;
    assert_eq!(check(&keys, &make(&header.to_string())).valid, Validity::Yes, "the control");
    let kid = header["kid"].as_str().unwrap();
    for bad in [
        json!({ "alg": "none", "typ": "dc+sd-jwt", "kid": kid }).to_string(),
        json!({ "alg": "HS256", "typ": "dc+sd-jwt", "kid": kid }).to_string(),
        json!({ "alg": "ES256", "typ": "dc+sd-jwt", "kid": kid }).to_string(),
        json!({ "alg": "eddsa", "typ": "dc+sd-jwt", "kid": kid }).to_string(),
        json!({ "alg": "EdDSA", "typ": "vc+sd-jwt", "kid": kid }).to_string(),
        json!({ "alg": "EdDSA", "typ": "statuslist+jwt", "kid": kid }).to_string(),
        json!({ "alg": "EdDSA", "typ": "at+jwt", "kid": kid }).to_string(),
        json!({ "alg": "EdDSA", "kid": kid }).to_string(),
        json!({ "alg": "EdDSA", "typ": "dc+sd-jwt" }).to_string(),
        json!({ "alg": "EdDSA", "typ": "dc+sd-jwt", "kid": "receipt-other" }).to_string(),
        json!({ "alg": "EdDSA", "typ": "dc+sd-jwt", "kid": null }).to_string(),
        json!({ "alg": "EdDSA", "typ": "dc+sd-jwt", "kid": kid, "crit": ["b64"] }).to_string(),
        json!({ "alg": "EdDSA", "typ": "dc+sd-jwt", "kid": kid, "jwk": {} }).to_string(),
        format!(r#"{{"alg":"EdDSA","alg":"EdDSA","typ":"dc+sd-jwt","kid":"{kid}"}}"#),
        "[]".to_owned(),
        "null".to_owned(),
        String::new(),
    ] {
        assert_eq!(check(&keys, &make(&bad)), refused(Reason::Signature), "{bad}");
    }
}

#[test]
fn payloads_are_exact() {
    let keys = keys();
    let (header, payload, disclosures) = original(&keys);
    let tail = format!("~{}~", disclosures.join("~"));
    let make = |payload: &str| sign(&keys, &header.to_string(), payload) + &tail;
    let changed = |name: &str, value: Value| {
        let mut payload = payload.clone();
        payload[name] = value;
        payload.to_string()
    };
    let whole = payload.to_string();
    assert_eq!(check(&keys, &make(&whole)).valid, Validity::Yes, "the control");
    let twice = whole.replacen('{', r#"{"exclusive":false,"#, 1);
    for (bad, reason) in [
        (twice, Reason::Signature),
        (changed("vct", json!("https://grantor.test/credentials/grant/2")), Reason::Signature),
        (changed("exp", json!("never")), Reason::Signature),
        (changed("surprise", json!(1)), Reason::Signature),
        (changed("_sd_alg", json!("sha-512")), Reason::Disclosure),
        (changed("_sd_alg", Value::Null), Reason::Disclosure),
        (changed("_sd", json!([])), Reason::Disclosure),
        (changed("_sd", json!({})), Reason::Disclosure),
        (changed("...", json!("x")), Reason::Disclosure),
        (changed("licensor", json!({ "_sd": [] })), Reason::Disclosure),
        (changed("uses", json!([{ "...": "x" }])), Reason::Disclosure),
        (changed("status", json!({ "status_list": { "_sd": ["x"] } })), Reason::Disclosure),
        (changed("fee", Value::Null), Reason::Disclosure),
    ] {
        assert_eq!(check(&keys, &make(&bad)), refused(reason), "{bad}");
    }
    let mut digests = payload["_sd"].as_array().unwrap().clone();
    digests.push(digests[0].clone());
    let duplicate = changed("_sd", digests.into());
    assert_eq!(check(&keys, &make(&duplicate)), refused(Reason::Disclosure), "a digest twice");
}

#[test]
fn disclosures_are_exact() {
    let keys = keys();
    let (header, payload, _) = original(&keys);
    let make = |json: &str| {
        let disclosure = base64url::encode(json);
        let mut payload = payload.clone();
        payload["_sd"] = json!([digest(&disclosure)]);
        format!("{}~{disclosure}~", sign(&keys, &header.to_string(), &payload.to_string()))
    };
    assert_eq!(check(&keys, &make(r#"["s","fee",null]"#)).valid, Validity::Yes, "the control");
    for bad in [
        r#"["s","exclusive",false]"#,
        r#"["s","grant_number","GR-2026-000043"]"#,
        r#"["s","_sd",[]]"#,
        r#"["s","...",1]"#,
        r#"["s","sub","x"]"#,
        r#"["s","license",{"_sd":[]}]"#,
        r#"["s","channels",[{"...":"x"}]]"#,
        r#"["s","talent",{"name":"a","name":"b"}]"#,
        r#"["s",null]"#,
        r#"["s","fee",null,1]"#,
        r#"[1,"fee",null]"#,
        r#"{"fee":null}"#,
        "x",
    ] {
        assert_eq!(check(&keys, &make(bad)), refused(Reason::Disclosure), "{bad}");
    }
    let wrong_type = make(r#"["s","conditions",1]"#);
    assert_eq!(check(&keys, &wrong_type), refused(Reason::Signature));
}

#[test]
fn nothing_may_be_added() {
    let keys = keys();
    let receipt = issued(&keys);
    let jwt = receipt.split('~').next().unwrap();
    let first = receipt.split('~').nth(1).unwrap();
    let stranger = base64url::encode(r#"["s","fee",null]"#);
    for (bad, reason) in [
        (format!("{receipt}{jwt}"), Reason::Disclosure),
        (format!("{receipt}x"), Reason::Disclosure),
        (format!("{receipt}~"), Reason::Disclosure),
        (format!("{receipt}{first}~"), Reason::Disclosure),
        (format!("{receipt}{stranger}~"), Reason::Disclosure),
        (format!("{receipt}\n"), Reason::Disclosure),
        (receipt.trim_end_matches('~').to_owned(), Reason::Disclosure),
        (format!(" {receipt}"), Reason::Signature),
        (format!("{jwt}~~"), Reason::Disclosure),
        (jwt.to_owned(), Reason::Signature),
        (format!("{}~", jwt.rsplit_once('.').unwrap().0), Reason::Signature),
        (format!("{}.~", jwt.rsplit_once('.').unwrap().0), Reason::Signature),
        (format!("{jwt}.x~"), Reason::Signature),
        (String::new(), Reason::Signature),
        ("~".to_owned(), Reason::Signature),
        (receipt.replacen('~', &"~x".repeat(MAX_LENGTH), 1), Reason::Signature),
    ] {
        let shown: String = bad.chars().rev().take(40).collect();
        assert_eq!(check(&keys, &bad), refused(reason), "ends with the reverse of {shown}");
    }
    assert_eq!(check(&keys, &format!("{jwt}~")).valid, Validity::Yes, "all withheld");
}

#[test]
fn keys_of_other_purposes_are_not_trusted() {
    let keys = keys();
    let receipt = issued(&keys);
    let mut set = keys.receipt_jwks();
    let whole = set.to_string();
    let trusted = KeySet::parse(&whole).unwrap();
    let valid = |set: &KeySet| verify(&receipt, set, ISSUER, Some(&fresh()), at(NOW)).valid;
    assert_eq!(valid(&trusted), Validity::Yes, "the control");
    assert_eq!(KeySet::parse(&keys.jwks().to_string()), Err(InvalidKeySet::Empty));
    for (member, value) in
        [("use", "enc"), ("kty", "EC"), ("crv", "X25519"), ("alg", "ES256"), ("kid", "other")]
    {
        let mut changed = set.clone();
        changed["keys"][0][member] = value.into();
        assert_eq!(KeySet::parse(&changed.to_string()), Err(InvalidKeySet::Empty), "{member}");
    }
    set["keys"][0]["x"] = keys.jwks()["keys"][0]["x"].clone();
    assert_eq!(valid(&KeySet::parse(&set.to_string()).unwrap()), Validity::No, "another key");
    for bad in ["", "{}", "[]", r#"{"keys":{}}"#, r#"{"keys":[],"keys":[]}"#] {
        assert_eq!(KeySet::parse(bad), Err(InvalidKeySet::Malformed), "{bad}");
    }
}
