//! Makes forged tokens out of a true one.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, crypto};
use serde_json::{Value, json};

use crate::external::text;

/// What comes before the seed in the PKCS#8 form of an Ed25519 key.
const PKCS8: [u8; 16] = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

/// Holds the server's own key, for tokens that the server might sign by mistake, and a stranger's.
pub(super) struct Forger {
    kid: String,
    own: EncodingKey,
    stranger: EncodingKey,
    public: Vec<u8>,
}

impl Forger {
    /// With the key ring as it stands in its file, and the keys as the server publishes them.
    pub(super) fn new(ring: &str, jwks: &Value) -> Self {
        let ring: Value = serde_json::from_str(ring).unwrap();
        let (kid, seed) = (text(&ring["signing"][0]["kid"]), text(&ring["signing"][0]["seed"]));
        let key = |seed: &[u8]| EncodingKey::from_ed_der(&[&PKCS8, seed].concat());
        let own = key(&STANDARD.decode(seed).unwrap());
        let public = URL_SAFE_NO_PAD.decode(text(&jwks["keys"][0]["x"])).unwrap();
        Self { kid, own, stranger: key(&[7; 32]), public }
    }

    /// The header of a true token.
    pub(super) fn header(&self) -> Value {
        json!({ "typ": "at+jwt", "alg": "EdDSA", "kid": self.kid })
    }

    /// A token with the server's own signature.
    pub(super) fn signed(&self, header: &Value, claims: &Value) -> String {
        sign(header, claims, &self.own, Algorithm::EdDSA)
    }

    /// The same with a stranger's.
    fn strange(&self, header: &Value, claims: &Value) -> String {
        sign(header, claims, &self.stranger, Algorithm::EdDSA)
    }
}

fn sign(header: &Value, claims: &Value, key: &EncodingKey, algorithm: Algorithm) -> String {
    let unsigned = unsigned(header, claims);
    let signature = crypto::sign(unsigned.as_bytes(), key, algorithm).unwrap();
    format!("{unsigned}.{signature}")
}

fn unsigned(header: &Value, claims: &Value) -> String {
    [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".")
}

/// The value with one member changed; gone with null.
fn with(value: &Value, name: &str, new: &Value) -> Value {
    let mut changed = value.clone();
    let members = changed.as_object_mut().unwrap();
    members.shift_remove(name);
    if !new.is_null() {
        members.insert(name.to_owned(), new.clone());
    }
    changed
}

type Forged = Vec<(String, Vec<u8>)>;

/// Every forgery of one true token, each with its name.
pub(super) fn forgeries(forger: &Forger, true_one: &str) -> Forged {
    let payload = true_one.split('.').nth(1).unwrap();
    let claims = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap();
    let mut forged = algorithms(forger, true_one, &claims);
    forged.extend(keys(forger, &claims));
    forged.extend(contents(forger, &claims));
    forged.extend(alterations(true_one));
    forged.extend(shapes(true_one));
    forged.retain(|(_, token)| token != true_one.as_bytes());
    forged
}

/// No algorithm, another, or a public key taken for a shared secret.
fn algorithms(forger: &Forger, true_one: &str, claims: &Value) -> Forged {
    let signature = true_one.rsplit('.').next().unwrap();
    let x = URL_SAFE_NO_PAD.encode(&forger.public);
    let pem = format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", {
        let spki = [48, 42, 48, 5, 6, 3, 43, 101, 112, 3, 33, 0];
        STANDARD.encode([&spki[..], &forger.public].concat())
    });
    let mut forged = Forged::new();
    let names = ["none", "None", "NONE", "nOnE", "", "HS256", "HS384", "HS512", "RS256", "RS512"];
    let others = ["PS256", "ES256", "ES384", "ES256K", "Ed25519", "eddsa", "EdDSA "];
    for alg in names.into_iter().chain(others) {
        let header = with(&forger.header(), "alg", &json!(alg));
        let unsigned = unsigned(&header, claims);
        let stranger = forger.strange(&header, claims);
        for token in [format!("{unsigned}."), format!("{unsigned}.{signature}"), stranger] {
            forged.push((format!("alg {alg}"), token.into_bytes()));
        }
        forged.push((format!("alg {alg}, two parts"), unsigned.into_bytes()));
    }
    let hmac = [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512];
    for (algorithm, name) in hmac.into_iter().zip(["HS256", "HS384", "HS512"]) {
        let header = with(&forger.header(), "alg", &json!(name));
        let secrets = [x.as_bytes(), &forger.public, pem.as_bytes(), pem.trim().as_bytes(), b""];
        for secret in secrets {
            let key = EncodingKey::from_secret(secret);
            let token = sign(&header, claims, &key, algorithm);
            forged.push((format!("{name} with the public key"), token.into_bytes()));
        }
    }
    let missing = with(&forger.header(), "alg", &Value::Null);
    forged.push(("no alg".to_owned(), forger.signed(&missing, claims).into_bytes()));
    forged
}

/// Names of keys that are paths, queries or addresses, and keys that the token brings along.
fn keys(forger: &Forger, claims: &Value) -> Forged {
    let mut forged = Forged::new();
    let spoiled =
        [format!("{} ", forger.kid), forger.kid.to_lowercase(), forger.kid[1..].to_owned()];
    let kids = [
        json!("../../../../dev/null"),
        json!("/dev/null"),
        json!("keys.json"),
        json!("file:///dev/null"),
        json!("' OR '1'='1"),
        json!("x' UNION SELECT 'aaaa' --"),
        json!("\"; DROP TABLE users; --"),
        json!("https://evil.test/jwks.json"),
        json!("http://169.254.169.254/latest"),
        json!("| touch /tmp/owned"),
        json!("\u{0}"),
        json!("k".repeat(1_000)),
        json!(""),
        json!(0),
        json!(true),
        json!([forger.kid]),
        json!({ "kid": forger.kid }),
        Value::Null,
    ];
    for kid in kids.into_iter().chain(spoiled.into_iter().map(Value::from)) {
        let header = with(&forger.header(), "kid", &kid);
        for token in [forger.strange(&header, claims), forger.signed(&header, claims)] {
            forged.push((format!("kid {kid}"), token.into_bytes()));
        }
    }
    let x = "6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw";
    let stranger = json!({ "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "x": x });
    let brought = [
        ("jwk", stranger.clone()),
        ("jku", json!("https://evil.test/jwks.json")),
        ("x5u", json!("https://evil.test/chain.pem")),
        ("x5c", json!(["MIIB"])),
        ("x5t", json!("AAAA")),
        ("x5t#S256", json!("AAAA")),
        ("jwks", json!({ "keys": [stranger] })),
        ("crit", json!(["exp"])),
        ("b64", json!(false)),
        ("zip", json!("DEF")),
    ];
    for (name, value) in brought {
        for kid in [json!(forger.kid), json!("stranger"), Value::Null] {
            let header = with(&with(&forger.header(), "kid", &kid), name, &value);
            forged
                .push((format!("{name}, kid {kid}"), forger.strange(&header, claims).into_bytes()));
        }
    }
    forged
}

/// What the server's own signature stands under, and still says too little or the wrong thing.
fn contents(forger: &Forger, claims: &Value) -> Forged {
    let mut forged = Forged::new();
    for typ in
        [Value::Null, json!("JWT"), json!("at+JWT"), json!("refresh"), json!("jwt+at"), json!(1)]
    {
        let header = with(&forger.header(), "typ", &typ);
        forged.push((format!("typ {typ}"), forger.signed(&header, claims).into_bytes()));
    }
    let (now, own) = (claims["iat"].as_i64().unwrap(), &claims["aud"]);
    let all = [json!("external"), json!("console"), json!("admin"), json!("EXTERNAL"), json!("")];
    let audiences =
        all.into_iter().filter(|it| it != own).chain([json!([own]), json!({}), json!(1)]);
    let nil = "00000000-0000-0000-0000-000000000000";
    let mut changes: Vec<(&str, Value)> = audiences.map(|aud| ("aud", aud)).collect();
    for name in ["iss", "sub", "aud", "scope", "jti", "sid", "iat", "nbf", "exp"] {
        changes.push((name, Value::Null));
    }
    for iss in ["", "https://grantor.test/", "http://grantor.test", "https://evil.test"] {
        changes.push(("iss", json!(iss)));
    }
    changes.extend([
        ("iss", json!(["https://grantor.test"])),
        ("sub", json!(1)),
        ("sid", json!(nil)),
        ("sid", json!("' OR 1=1 --")),
        ("jti", json!("")),
        ("jti", json!(1)),
        ("nbf", json!(now + 1)),
        ("nbf", json!(now + 3_600)),
        ("iat", json!(now + 1)),
        ("nbf", json!("0")),
        ("exp", json!(now)),
        ("exp", json!(now - 1)),
        ("exp", json!(0)),
        ("exp", json!(-1)),
        ("exp", json!("9999999999")),
        ("exp", json!(1e300)),
        ("exp", json!(u64::MAX)),
    ]);
    if claims.get("client_id").is_some() {
        changes.extend([
            ("client_id", Value::Null),
            ("client_id", json!(nil)),
            ("jti", json!("x")),
        ]);
        changes.push(("scope", json!("license:read everything")));
    } else {
        changes.extend([("sub", json!(nil)), ("sub", json!("' OR 1=1 --"))]);
    }
    for (name, value) in changes {
        let token = forger.signed(&forger.header(), &with(claims, name, &value));
        forged.push((format!("{name} {value}"), token.into_bytes()));
    }
    forged
}

/// Single characters and bits of the true one changed.
fn alterations(true_one: &str) -> Forged {
    let mut forged = Forged::new();
    let dots: Vec<usize> = true_one.match_indices('.').map(|(at, _)| at).collect();
    let mut change = |at: usize, new: u8| {
        let mut token = true_one.as_bytes().to_vec();
        token[at] = new;
        forged.push((format!("character {at}"), token));
    };
    for at in (0..true_one.len()).step_by(5).filter(|at| !dots.contains(at)) {
        change(at, if true_one.as_bytes()[at] == b'A' { b'B' } else { b'A' });
    }
    // The last character has bits that belong to no byte: they must not be free.
    let alphabet = (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9').chain(*b"-_");
    for new in alphabet {
        change(true_one.len() - 1, new);
    }
    for part in 0..3 {
        let parts: Vec<&str> = true_one.split('.').collect();
        let mut bytes = URL_SAFE_NO_PAD.decode(parts[part]).unwrap();
        for at in (0..bytes.len()).step_by(9) {
            bytes[at] ^= 1;
            let mut changed = parts.clone();
            let encoded = URL_SAFE_NO_PAD.encode(&bytes);
            changed[part] = &encoded;
            forged.push((format!("bit in part {part}, byte {at}"), changed.join(".").into_bytes()));
            bytes[at] ^= 1;
        }
    }
    forged
}

/// Cut short, doubled, padded, or no token at all.
fn shapes(true_one: &str) -> Forged {
    let parts: Vec<&str> = true_one.split('.').collect();
    let (head, body, tail) = (parts[0], parts[1], parts[2]);
    let cut =
        [1, 2, 10, 43, 85, 86, 87, 200].map(|less| true_one[..true_one.len() - less].to_owned());
    let whole = [
        String::new(),
        ".".to_owned(),
        "..".to_owned(),
        "...".to_owned(),
        "a.b.c".to_owned(),
        "null".to_owned(),
        "undefined".to_owned(),
        "{}".to_owned(),
        format!("{head}..{body}.{tail}"),
        format!("{head}.{body}..{tail}"),
        format!(".{true_one}"),
        format!("{true_one}."),
        format!("{true_one}.{tail}"),
        format!("{true_one}{true_one}"),
        format!("{true_one}.{true_one}"),
        format!("{true_one},{true_one}"),
        format!("{true_one}="),
        format!("{head}=.{body}.{tail}"),
        format!("{head}.{body}==.{tail}"),
        format!("{head}. {body}.{tail}"),
        format!("{body}.{head}.{tail}"),
        format!("{head}.{tail}"),
        format!("\"{true_one}\""),
        format!("Bearer {true_one}"),
        format!("{head}%2E{body}.{tail}"),
        format!("{head}\u{ff0e}{body}\u{ff0e}{tail}"),
        format!("{true_one}\u{200b}"),
        format!("\u{feff}{true_one}"),
        true_one.to_uppercase(),
        true_one.to_lowercase(),
        true_one.chars().rev().collect(),
        "🔑".repeat(100),
        "a".repeat(100_000),
        format!("{true_one}{}", "a".repeat(5_000)),
    ];
    let mut forged: Forged = Vec::new();
    forged.extend(cut.into_iter().chain(whole).map(|it| ("shape".to_owned(), it.into_bytes())));
    forged.push(("not text".to_owned(), vec![0xff, 0xfe, 0x80, 0xc0]));
    forged.push(("half text".to_owned(), [true_one.as_bytes(), &[0xff]].concat()));
    forged
}
