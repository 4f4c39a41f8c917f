//! Verifies receipts (RFC 9901 section 7.1), and refuses everything that is not exactly as issued.

use grantor_domain::Timestamp;
use serde_json::{Map, Value};

use super::disclosure::{Disclosure, digest, has_digests};
use super::{DIGESTS, HASH, HASH_CLAIM, MAX_LENGTH, TYPE, credential_type};
use crate::claims::{Claims, Disclosable};
use crate::jws::Unverified;
use crate::status_list::HeldStatusList;
use crate::trusted_keys::TrustedKeys;

/// Whether a receipt is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    /// It is authentic, in force and not revoked.
    Yes,
    /// It is not.
    No,
    /// It is authentic and in force, but may have been revoked.
    Unknown,
}

/// Why a receipt is not valid, or not known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No trusted key signed it, or it is malformed.
    Signature,
    /// Another installation issued it.
    Issuer,
    /// A disclosure was altered or does not belong to it.
    Disclosure,
    /// The grant has not started.
    NotStarted,
    /// The grant has ended.
    Ended,
    /// The grant was revoked.
    Revoked,
    /// There is no recent enough status list.
    StatusStale,
}

impl Reason {
    /// The name used in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Signature => "SIGNATURE",
            Self::Issuer => "ISSUER",
            Self::Disclosure => "DISCLOSURE",
            Self::NotStarted => "NOT_STARTED",
            Self::Ended => "ENDED",
            Self::Revoked => "REVOKED",
            Self::StatusStale => "STATUS_STALE",
        }
    }

    /// The reason in a sentence.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Signature => {
                "It is not signed by this issuer. It may be incomplete, altered or not a receipt at \
                 all."
            }
            Self::Issuer => "Another server issued it. Verify it on that server.",
            Self::Disclosure => "A disclosed part was altered, or does not belong to this receipt.",
            Self::NotStarted => "The grant has not started yet.",
            Self::Ended => "The grant has ended.",
            Self::Revoked => "The licensor revoked the grant.",
            Self::StatusStale => {
                "Without a recent status list, it is not known whether the grant was revoked."
            }
        }
    }
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Whether the receipt is valid.
    pub valid: Validity,
    /// Why not. Empty if it is valid.
    pub reasons: Vec<Reason>,
    /// The claims, if the receipt is authentic.
    pub claims: Option<Claims>,
}

/// Verifies a receipt of this issuer at a time, with the status list that the verifier holds.
#[must_use]
pub fn verify(
    receipt: &str,
    keys: &dyn TrustedKeys,
    issuer: &str,
    status: Option<&HeldStatusList>,
    at: Timestamp,
) -> Verification {
    match authenticate(receipt, keys, issuer) {
        Err(reason) => Verification { valid: Validity::No, reasons: vec![reason], claims: None },
        Ok(claims) => assess(claims, status, at),
    }
}

/// The issuer that a receipt names. Anybody could have written it: it counts only if a key that is
/// trusted for this issuer signed the receipt.
#[must_use]
pub fn named_issuer(receipt: &str) -> Option<String> {
    let (jwt, _) = receipt.split_once('~').filter(|_| receipt.len() <= MAX_LENGTH)?;
    Unverified::parse(jwt, TYPE)?.claim("iss").map(str::to_owned)
}

/// Checks that the receipt is exactly as issued, or withholds disclosures.
fn authenticate(receipt: &str, keys: &dyn TrustedKeys, issuer: &str) -> Result<Claims, Reason> {
    if receipt.len() > MAX_LENGTH {
        return Err(Reason::Signature);
    }
    let (jwt, disclosures) = receipt.split_once('~').ok_or(Reason::Signature)?;
    let token = Unverified::parse(jwt, TYPE).ok_or(Reason::Signature)?;
    if token.claim("iss") != Some(issuer) {
        return Err(Reason::Issuer);
    }
    let payload = token.verify(keys).ok_or(Reason::Signature)?;
    if payload.get("vct").and_then(Value::as_str) != Some(&*credential_type(issuer)) {
        return Err(Reason::Signature);
    }
    let (payload, disclosed) = disclose(payload, disclosures).ok_or(Reason::Disclosure)?;
    Claims::read(payload, disclosed).ok_or(Reason::Signature)
}

/// Replaces the digests with the disclosed claims.
fn disclose(
    mut payload: Map<String, Value>,
    disclosures: &str,
) -> Option<(Map<String, Value>, Vec<Disclosable>)> {
    let mut digests = digests(&mut payload)?;
    let mut disclosed = Vec::new();
    let mut encoded: Vec<&str> = disclosures.split('~').collect();
    // A key-binding JWT would come after the last tilde. Receipts have none.
    if encoded.pop() != Some("") {
        return None;
    }
    for text in encoded {
        let known = digest(text);
        let index = digests.iter().position(|it| *it == known)?;
        digests.swap_remove(index);
        let Disclosure { claim, value } = Disclosure::decode(text)?;
        if payload.contains_key(claim.name()) {
            return None;
        }
        payload.insert(claim.name().to_owned(), value);
        disclosed.push(claim);
    }
    Some((payload, disclosed))
}

/// Takes the digests from the payload. Digests at other places and duplicates are refused.
fn digests(payload: &mut Map<String, Value>) -> Option<Vec<String>> {
    if payload.remove(HASH_CLAIM)? != HASH {
        return None;
    }
    let mut digests: Vec<String> = serde_json::from_value(payload.remove(DIGESTS)?).ok()?;
    let count = digests.len();
    digests.sort_unstable();
    digests.dedup();
    let plain = payload.iter().all(|(name, value)| name != "..." && !has_digests(value));
    (digests.len() == count && plain).then_some(digests)
}

/// Checks dates and revocation of an authentic receipt.
fn assess(claims: Claims, status: Option<&HeldStatusList>, at: Timestamp) -> Verification {
    let mut reasons = Vec::new();
    if at < claims.starts_at {
        reasons.push(Reason::NotStarted);
    }
    if claims.ends_at.is_some_and(|end| at >= end) {
        reasons.push(Reason::Ended);
    }
    let mut valid = if reasons.is_empty() { Validity::Yes } else { Validity::No };
    let status = status.filter(|it| it.uri == claims.status.uri);
    match status.map(|it| (it.list.is_revoked(claims.status.idx), it.is_fresh(at))) {
        // A revocation is final, so an old list proves it too. An entry that the list does not have
        // is refused (Token Status List section 8.3, step 6).
        Some((Ok(true) | Err(_), _)) => {
            reasons.push(Reason::Revoked);
            valid = Validity::No;
        }
        Some((Ok(false), true)) => {}
        Some((Ok(false), false)) | None => {
            reasons.push(Reason::StatusStale);
            if valid == Validity::Yes {
                valid = Validity::Unknown;
            }
        }
    }
    Verification { valid, reasons, claims: Some(claims) }
}
