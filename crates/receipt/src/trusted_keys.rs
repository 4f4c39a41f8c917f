//! The keys that a verifier trusts. A key inside a receipt never counts.

use std::collections::HashMap;

use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use grantor_keys::Keys;
use serde_json::Value;

use crate::{base64url, strict_json};

/// Looks up a key by its id and verifies a signature with it.
pub trait TrustedKeys {
    /// Whether the receipt key with this id signed the message.
    fn verify(&self, kid: &str, message: &[u8], signature: &[u8]) -> bool;
}

impl TrustedKeys for Keys {
    fn verify(&self, kid: &str, message: &[u8], signature: &[u8]) -> bool {
        self.verify_receipt(kid, message, signature)
    }
}

/// The receipt keys of a JSON Web Key Set, for verification without the key ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySet(HashMap<String, [u8; 32]>);

/// Why a text is not a key set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidKeySet {
    /// It is not a JSON Web Key Set.
    #[error("not a JSON Web Key Set (RFC 7517)")]
    Malformed,
    /// It has no receipt key.
    #[error("the key set has no receipt keys")]
    Empty,
}

impl KeySet {
    /// The start of a receipt key's id. Keys of other purposes are not trusted for receipts.
    const PREFIX: &'static str = "receipt-";

    /// Reads the receipt keys of a key set as served at `/.well-known/jwks.json`.
    pub fn parse(text: &str) -> Result<Self, InvalidKeySet> {
        let set = strict_json::parse_object(text.as_bytes()).ok_or(InvalidKeySet::Malformed)?;
        let keys = set.get("keys").and_then(Value::as_array).ok_or(InvalidKeySet::Malformed)?;
        let known: HashMap<_, _> = keys.iter().filter_map(Self::receipt_key).collect();
        if known.is_empty() { Err(InvalidKeySet::Empty) } else { Ok(Self(known)) }
    }

    fn receipt_key(key: &Value) -> Option<(String, [u8; 32])> {
        let member = |name: &str| key.get(name).and_then(Value::as_str);
        let kid = member("kid").filter(|it| it.starts_with(Self::PREFIX))?;
        let fits = [("kty", "OKP"), ("crv", "Ed25519"), ("use", "sig"), ("alg", "EdDSA")]
            .iter()
            .all(|(name, value)| member(name) == Some(value));
        let public = base64url::decode(member("x")?)?.try_into().ok()?;
        fits.then(|| (kid.to_owned(), public))
    }
}

impl TrustedKeys for KeySet {
    fn verify(&self, kid: &str, message: &[u8], signature: &[u8]) -> bool {
        let key = self.0.get(kid).map(|public| UnparsedPublicKey::new(&ED25519, public));
        key.is_some_and(|key| key.verify(message, signature).is_ok())
    }
}
