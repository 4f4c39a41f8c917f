//! A passkey in software: it answers the challenges that pages get, as a browser and its
//! authenticator do.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// The person is present.
const PRESENT: u8 = 0x01;
/// The person was verified, by a PIN or biometrics.
const VERIFIED: u8 = 0x04;
/// The data contains a new credential.
const ATTESTED: u8 = 0x40;

/// A passkey of one person for one site.
pub struct Authenticator {
    origin: String,
    host: String,
    key: EcdsaKeyPair,
    id: Vec<u8>,
    user: Vec<u8>,
    counter: u32,
    verifies: bool,
}

impl Authenticator {
    /// Creates a passkey as the options of a page ask, and returns what the browser sends.
    #[must_use]
    pub fn create(origin: &str, options: &str) -> (Self, String) {
        let options: Value = serde_json::from_str(options).expect("options");
        let options = &options["publicKey"];
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).expect("a key");
        let id = hash(key.public_key().as_ref());
        let made = Self {
            origin: origin.to_owned(),
            host: text(&options["rp"]["id"]),
            key,
            id,
            user: bytes(&options["user"]["id"]),
            counter: 0,
            verifies: true,
        };
        let answer = made.attest(&text(&options["challenge"]));
        (made, answer)
    }

    /// Signs a challenge, and returns what the browser sends.
    #[must_use]
    pub fn sign(&mut self, options: &str) -> String {
        let options: Value = serde_json::from_str(options).expect("options");
        self.counter += 1;
        let client = self.client_data("webauthn.get", &text(&options["publicKey"]["challenge"]));
        let data = self.data(0);
        let signed = [data.clone(), hash(&client)].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).expect("a signature");
        let response = json!({
            "authenticatorData": encode(&data),
            "clientDataJSON": encode(&client),
            "signature": encode(signature.as_ref()),
            "userHandle": encode(&self.user),
        });
        self.credential(&response)
    }

    /// Pretends to be on another site from now on.
    pub fn move_to(&mut self, origin: &str) {
        origin.clone_into(&mut self.origin);
    }

    /// Claims to be another person's from now on.
    pub fn pretend(&mut self, other: &Self) {
        self.user.clone_from(&other.user);
    }

    /// No longer verifies the person.
    pub fn stop_verifying(&mut self) {
        self.verifies = false;
    }

    fn attest(&self, challenge: &str) -> String {
        let client = self.client_data("webauthn.create", challenge);
        let point = self.key.public_key().as_ref();
        let length = u16::try_from(self.id.len()).expect("a short id");
        let mut data = self.data(ATTESTED);
        data.extend([0; 16]);
        data.extend(length.to_be_bytes());
        data.extend(&self.id);
        // The key as COSE: EC2, ES256, P-256, x, y.
        data.extend([0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&point[1..33]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&point[33..65]);
        let mut object = vec![0xA3];
        object.extend(b"\x63fmt\x64none\x67attStmt\xA0\x68authData\x58");
        object.push(u8::try_from(data.len()).expect("short data"));
        object.extend(&data);
        let response = json!({
            "attestationObject": encode(&object),
            "clientDataJSON": encode(&client),
        });
        self.credential(&response)
    }

    fn credential(&self, response: &Value) -> String {
        let id = encode(&self.id);
        let whole = json!({
            "id": id, "rawId": id, "type": "public-key", "response": response, "extensions": {},
        });
        whole.to_string()
    }

    fn client_data(&self, kind: &str, challenge: &str) -> Vec<u8> {
        let (origin, challenge) = (&self.origin, challenge.trim_end_matches('='));
        json!({ "type": kind, "challenge": challenge, "origin": origin, "crossOrigin": false })
            .to_string()
            .into_bytes()
    }

    fn data(&self, more: u8) -> Vec<u8> {
        let flags = PRESENT | more | if self.verifies { VERIFIED } else { 0 };
        [hash(self.host.as_bytes()), vec![flags], self.counter.to_be_bytes().to_vec()].concat()
    }
}

fn hash(data: &[u8]) -> Vec<u8> {
    digest(&SHA256, data).as_ref().to_vec()
}

fn encode(data: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(data)
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn bytes(value: &Value) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text(value).trim_end_matches('=')).expect("base64url")
}
