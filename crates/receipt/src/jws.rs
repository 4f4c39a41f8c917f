//! Compact JWS with one algorithm, EdDSA, and exactly three header members.

use grantor_domain::{Error, Result};
use grantor_keys::ReceiptKey;
use serde_json::{Map, Value, json};

use crate::trusted_keys::TrustedKeys;
use crate::{base64url, strict_json};

/// Signs a payload.
pub(crate) fn sign(typ: &str, payload: &Value, key: &ReceiptKey) -> Result<String> {
    let header = json!({ "alg": "EdDSA", "typ": typ, "kid": key.kid() });
    let encode = |value: &Value| {
        serde_json::to_vec(value)
            .map(base64url::encode)
            .map_err(|error| Error::internal(format!("cannot write a token: {error}")))
    };
    let signed = format!("{}.{}", encode(&header)?, encode(payload)?);
    let signature = base64url::encode(key.sign(signed.as_bytes()));
    Ok(format!("{signed}.{signature}"))
}

/// A token whose signature was not verified yet.
pub(crate) struct Unverified<'a> {
    kid: String,
    signed: &'a str,
    signature: Vec<u8>,
    payload: Map<String, Value>,
}

impl<'a> Unverified<'a> {
    /// Reads a token of this type. Headers with other members, such as `crit` or `jwk`, are
    /// refused.
    pub(crate) fn parse(token: &'a str, typ: &str) -> Option<Self> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, payload) = signed.split_once('.')?;
        let header = strict_json::parse_object(&base64url::decode(header)?)?;
        let member = |name: &str| header.get(name).and_then(Value::as_str);
        if header.len() != 3 || member("alg") != Some("EdDSA") || member("typ") != Some(typ) {
            return None;
        }
        Some(Self {
            kid: member("kid")?.to_owned(),
            signed,
            signature: base64url::decode(signature)?,
            payload: strict_json::parse_object(&base64url::decode(payload)?)?,
        })
    }

    /// A text claim that anybody could have written.
    pub(crate) fn claim(&self, name: &str) -> Option<&str> {
        self.payload.get(name).and_then(Value::as_str)
    }

    /// The payload, if a trusted key signed it.
    pub(crate) fn verify(self, keys: &dyn TrustedKeys) -> Option<Map<String, Value>> {
        keys.verify(&self.kid, self.signed.as_bytes(), &self.signature).then_some(self.payload)
    }
}
