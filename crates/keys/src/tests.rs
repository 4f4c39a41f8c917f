use std::sync::Mutex;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::*;

mod home;
mod receipt;

struct Hand(Mutex<i64>);

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        Timestamp::from_secs(*self.0.lock().unwrap())
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

/// Returns different bytes each time.
struct Count(Mutex<u8>);

impl Entropy for Count {
    fn fill(&self, buffer: &mut [u8]) {
        let mut count = self.0.lock().unwrap();
        *count += 1;
        buffer.fill(*count);
    }
}

struct Setup {
    folder: tempfile::TempDir,
    clock: Arc<Hand>,
    keys: Keys,
}

fn setup() -> Setup {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(Hand(Mutex::new(1_000_000)));
    let entropy = Arc::new(Count(Mutex::new(0)));
    let keys = Keys::open(folder.path(), clock.clone(), entropy).unwrap();
    Setup { folder, clock, keys }
}

fn claims(now: i64) -> Claims {
    Claims {
        iss: "https://grantor.test".into(),
        sub: "somebody".into(),
        aud: Audience::External,
        scope: "license:read".into(),
        jti: "1".into(),
        sid: None,
        client_id: None,
        iat: now,
        nbf: now,
        exp: now + 3_600,
    }
}

impl Setup {
    fn verify(&self, token: &str) -> Result<Claims, InvalidToken> {
        self.keys.verify(token, "https://grantor.test", Audience::External)
    }

    fn pass(&self, seconds: i64) {
        *self.clock.0.lock().unwrap() += seconds;
    }
}

#[test]
fn the_ring_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let setup = setup();
    let path = setup.folder.path().join("keys.json");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let refused = ring::Ring::load(&path).err().unwrap();
    assert!(refused.contains("can be read by users other than"), "{refused}");
}

#[test]
fn sealed_values_open_for_their_purpose_and_context_only() {
    let Setup { keys, .. } = setup();
    let sealed = keys.seal(Purpose::Mail, "mail 1", b"the code is 123456");
    let open = |purpose, context| keys.open_sealed(purpose, context, &sealed);
    assert_eq!(open(Purpose::Mail, "mail 1").unwrap(), b"the code is 123456");
    assert_eq!(open(Purpose::Mail, "mail 2"), None);
    assert_eq!(open(Purpose::Answer, "mail 1"), None);
    for index in 0..sealed.len() {
        let mut altered = sealed.clone();
        altered[index] ^= 1;
        assert_eq!(keys.open_sealed(Purpose::Mail, "mail 1", &altered), None, "byte {index}");
    }
    assert_ne!(sealed, keys.seal(Purpose::Mail, "mail 1", b"the code is 123456"));
}

#[test]
fn a_rotated_root_still_opens_what_the_old_one_sealed() {
    let setup = setup();
    let keys = &setup.keys;
    let sealed = keys.seal(Purpose::Field, "x", b"old");
    let tag = keys.mac(Purpose::Otp, b"data");
    assert!(keys.rotate(true).unwrap().root.is_some());
    assert_eq!(keys.open_sealed(Purpose::Field, "x", &sealed).unwrap(), b"old");
    assert!(keys.verify_mac(Purpose::Otp, b"data", &tag));
    assert!(!keys.verify_mac(Purpose::Url, b"data", &tag));
    assert_eq!(keys.root_ids().len(), 2);
}

#[test]
fn rotation_breaks_no_live_token() {
    let setup = setup();
    let before = setup.keys.sign(&claims(1_000_000)).unwrap();
    let rotated = setup.keys.rotate(false).unwrap();
    let kid = |token: &str| jsonwebtoken::decode_header(token).unwrap().kid.unwrap();
    assert_ne!(kid(&setup.keys.sign(&claims(1_000_000)).unwrap()), rotated.kid, "not yet");
    setup.pass(600);
    assert_eq!(kid(&setup.keys.sign(&claims(1_000_600)).unwrap()), rotated.kid);
    setup.pass(2_999);
    assert!(setup.verify(&before).is_ok());
    assert_eq!(setup.keys.jwks()["keys"].as_array().unwrap().len(), 2);
    setup.pass(1_200);
    assert_eq!(setup.keys.jwks()["keys"].as_array().unwrap().len(), 1);
    assert_eq!(setup.verify(&before), Err(InvalidToken::Expired));
}

#[test]
fn a_token_that_ended_is_told_so_for_a_year_whatever_was_rotated() {
    let setup = setup();
    let before = setup.keys.sign(&claims(1_000_000)).unwrap();
    for _ in 0..12 {
        setup.keys.rotate(false).unwrap();
        setup.pass(30 * 86_400);
        assert_eq!(setup.verify(&before), Err(InvalidToken::Expired));
    }
    setup.pass(10 * 86_400);
    assert_eq!(setup.verify(&before), Err(InvalidToken::Invalid), "370 days later");
    setup.keys.rotate(false).unwrap();
    let file = std::fs::read_to_string(setup.folder.path().join("keys.json")).unwrap();
    let ring: Value = serde_json::from_str(&file).unwrap();
    let count = |name: &str| ring[name].as_array().unwrap().len();
    assert_eq!((count("signing"), count("retired")), (2, 11), "without their private halves");
}

#[test]
fn a_replaced_key_lets_nobody_in() {
    let setup = setup();
    let old = setup.keys.ring().signing_at(Timestamp::from_secs(1_000_000)).unwrap().clone();
    setup.keys.rotate(false).unwrap();
    setup.pass(86_400);
    let forged = token::sign(&old, &claims(1_086_000)).unwrap();
    assert_eq!(setup.verify(&forged), Err(InvalidToken::Invalid));
    let control = setup.keys.sign(&claims(1_086_000)).unwrap();
    assert!(setup.verify(&control).is_ok(), "the same, signed by the key that replaced it");
}

#[test]
fn a_token_lives_exactly_its_hour() {
    let setup = setup();
    let token = setup.keys.sign(&claims(1_000_000)).unwrap();
    setup.pass(3_599);
    assert_eq!(setup.verify(&token), Ok(claims(1_000_000)));
    setup.pass(1);
    assert_eq!(setup.verify(&token), Err(InvalidToken::Expired));
}

#[test]
fn no_forged_token_passes() {
    let setup = setup();
    let token = setup.keys.sign(&claims(1_000_000)).unwrap();
    assert!(setup.verify(&token).is_ok(), "the control: the true one passes");
    let parts: Vec<&str> = token.split('.').collect();
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let kid = setup.keys.jwks()["keys"][0]["kid"].clone();
    let x = setup.keys.jwks()["keys"][0]["x"].as_str().unwrap().to_owned();
    let mut forged =
        vec![String::new(), ".".into(), "..".into(), "a.b.c".into(), token.clone() + "."];
    for header in [
        json!({"alg": "none", "typ": "at+jwt", "kid": kid}),
        json!({"alg": "HS256", "typ": "at+jwt", "kid": kid}),
        json!({"alg": "EdDSA", "typ": "JWT", "kid": kid}),
        json!({"alg": "EdDSA", "typ": "at+jwt"}),
        json!({"alg": "EdDSA", "typ": "at+jwt", "kid": "../../etc/passwd"}),
        json!({"alg": "EdDSA", "typ": "at+jwt", "kid": "x", "jku": "https://evil.test/jwks"}),
        json!({"alg": "EdDSA", "typ": "at+jwt", "kid": "x", "jwk": {"kty": "OKP", "x": x}}),
    ] {
        forged.push(format!("{}.{}.{}", part(&header), parts[1], parts[2]));
        forged.push(format!("{}.{}.", part(&header), parts[1]));
    }
    let key = jsonwebtoken::EncodingKey::from_secret(x.as_bytes());
    let mut header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256);
    (header.typ, header.kid) = (Some("at+jwt".into()), kid.as_str().map(Into::into));
    forged.push(jsonwebtoken::encode(&header, &claims(1_000_000), &key).unwrap());
    for token in &forged {
        assert_eq!(setup.verify(token), Err(InvalidToken::Invalid), "{token}");
    }
    for (index, _) in token.char_indices() {
        let mut altered = token.clone().into_bytes();
        altered[index] = if altered[index] == b'A' { b'B' } else { b'A' };
        let altered = String::from_utf8(altered).unwrap();
        assert!(altered == token || setup.verify(&altered).is_err(), "character {index}");
    }
}

#[test]
fn a_token_opens_one_audience_of_one_issuer() {
    let setup = setup();
    let all = [Audience::External, Audience::Console, Audience::Admin, Audience::View];
    for made in all {
        let token = setup.keys.sign(&Claims { aud: made, ..claims(1_000_000) }).unwrap();
        for asked in all {
            let verified = setup.keys.verify(&token, "https://grantor.test", asked);
            assert_eq!(verified.is_ok(), made == asked, "{made} at {asked}");
        }
        assert!(setup.keys.verify(&token, "https://other.test", made).is_err());
    }
}
