//! One disclosure: base64url of a JSON array of salt, claim name and value.

use grantor_domain::{Entropy, Error, Result};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::claims::Disclosable;
use crate::{base64url, strict_json};

/// The length of a salt in bytes (RFC 9901 section 9.3 recommends 128 bits).
const SALT: usize = 16;

/// A disclosed claim.
pub(super) struct Disclosure {
    pub(super) claim: Disclosable,
    pub(super) value: Value,
}

impl Disclosure {
    /// Encodes a claim with a new salt.
    pub(super) fn encode(
        claim: Disclosable,
        value: &Value,
        entropy: &dyn Entropy,
    ) -> Result<String> {
        let salt = base64url::encode(entropy.bytes::<SALT>());
        serde_json::to_vec(&(salt, claim.name(), value))
            .map(base64url::encode)
            .map_err(|error| Error::internal(format!("cannot write a disclosure: {error}")))
    }

    /// Reads a disclosure of a known claim. Its value must not contain digests.
    pub(super) fn decode(text: &str) -> Option<Self> {
        let Value::Array(parts) = strict_json::parse(&base64url::decode(text)?)? else {
            return None;
        };
        let [Value::String(_), Value::String(name), value] = <[Value; 3]>::try_from(parts).ok()?
        else {
            return None;
        };
        let claim = Disclosable::named(&name)?;
        (!has_digests(&value)).then_some(Self { claim, value })
    }
}

/// The digest of an encoded disclosure.
pub(super) fn digest(encoded: &str) -> String {
    base64url::encode(Sha256::digest(encoded))
}

/// Whether a value contains digests of nested disclosures, which receipts never have.
pub(super) fn has_digests(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_digests),
        Value::Object(members) => members.iter().any(|(name, value)| {
            matches!(name.as_str(), "_sd" | "_sd_alg" | "...") || has_digests(value)
        }),
        _ => false,
    }
}
