//! The signed form of a status list: a JWT that anybody may cache.

use std::time::Duration;

use grantor_domain::{Result, Timestamp};
use grantor_keys::ReceiptKey;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{InvalidStatusList, StatusList};
use crate::jws::{self, Unverified};
use crate::trusted_keys::TrustedKeys;

/// The `typ` of a status list.
const TYPE: &str = "statuslist+jwt";

/// How long a list counts after it was signed.
pub const TTL: Duration = Duration::from_mins(5);

/// A status list that a verifier holds, and when it was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldStatusList {
    /// The URL of the list.
    pub uri: String,
    /// The revocations.
    pub list: StatusList,
    /// When the list was signed.
    pub issued_at: Timestamp,
    /// How long the list counts.
    pub ttl: Duration,
}

impl HeldStatusList {
    /// A list as its issuer knows it now.
    #[must_use]
    pub fn current(uri: impl Into<String>, list: StatusList, now: Timestamp) -> Self {
        Self { uri: uri.into(), list, issued_at: now, ttl: TTL }
    }

    /// Whether the list still counts at this time.
    #[must_use]
    pub fn is_fresh(&self, at: Timestamp) -> bool {
        at < self.issued_at.plus(self.ttl)
    }
}

/// Signs a list. `uri` is where the list is published.
pub fn sign(list: &StatusList, uri: &str, key: &ReceiptKey, now: Timestamp) -> Result<String> {
    let payload = json!({
        "sub": uri,
        "iat": now.as_secs(),
        // A consumer counts `ttl` from when it fetched the list, but must not use it after `exp`.
        "exp": now.plus(TTL).as_secs(),
        "ttl": TTL.as_secs(),
        "status_list": { "bits": 1, "lst": list.encode() },
    });
    jws::sign(TYPE, &payload, key)
}

/// Verifies a signed list. Whether it is recent enough is up to [`HeldStatusList::is_fresh`].
pub fn verify(token: &str, keys: &dyn TrustedKeys) -> Result<HeldStatusList, InvalidStatusList> {
    let token = Unverified::parse(token, TYPE).ok_or(InvalidStatusList::Form)?;
    let payload = token.verify(keys).ok_or(InvalidStatusList::Signature)?;
    let claims: Claims =
        serde_json::from_value(Value::Object(payload)).map_err(|_| InvalidStatusList::Encoding)?;
    if claims.status_list.bits != 1 || claims.ttl == 0 {
        return Err(InvalidStatusList::Encoding);
    }
    let until_exp = u64::try_from(claims.exp.saturating_sub(claims.iat)).unwrap_or(0);
    Ok(HeldStatusList {
        uri: claims.sub,
        list: StatusList::decode(&claims.status_list.lst)?,
        issued_at: Timestamp::from_secs(claims.iat),
        ttl: Duration::from_secs(claims.ttl.min(until_exp)),
    })
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    iat: i64,
    exp: i64,
    ttl: u64,
    status_list: Bits,
}

#[derive(Deserialize)]
struct Bits {
    bits: u8,
    lst: String,
}
