//! The hash that both parties accept: SHA-256 over the RFC 8785 form of the terms (contract
//! section 21, "Terms").

use grantor_domain::license::LicenseFee;
use grantor_domain::{Error, Result, Timestamp};
use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::base64url;

/// Everything that the hash covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HashedTerms {
    /// The license.
    pub license_id: Uuid,
    /// The license's version when the terms were offered.
    pub license_version: u64,
    /// The tenant that grants.
    pub licensor: PartyId,
    /// The party that receives the grant.
    pub licensee: PartyId,
    /// The terms.
    pub terms: Terms,
}

/// A party to an offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartyId {
    /// A tenant.
    Tenant(Uuid),
    /// The folded email address of an invitee.
    Email(String),
}

impl Serialize for PartyId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Tenant(id) => id.serialize(serializer),
            Self::Email(address) => serializer.collect_str(&format_args!("mailto:{address}")),
        }
    }
}

/// The terms of an offer or grant. The order of lists and duplicates in them do not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Terms {
    /// The permitted uses.
    #[serde(serialize_with = "sorted")]
    pub uses: Vec<String>,
    /// The permitted territories.
    #[serde(serialize_with = "sorted")]
    pub territories: Vec<String>,
    /// When the grant starts.
    #[serde(serialize_with = "seconds")]
    pub starts_at: Timestamp,
    /// When the grant ends, if it does.
    #[serde(serialize_with = "optional_seconds")]
    pub ends_at: Option<Timestamp>,
    /// The fee, if there is one.
    pub fee: Option<LicenseFee>,
    /// Whether the grant is exclusive.
    pub exclusive: bool,
    /// The channels. Empty means any.
    #[serde(serialize_with = "sorted")]
    pub channels: Vec<String>,
    /// The conditions, if there are any.
    pub conditions: Option<String>,
    /// The credit line, if one is required.
    pub credit_line: Option<String>,
}

/// The canonical text that is hashed.
pub fn canonical_terms(terms: &HashedTerms) -> Result<String> {
    serde_json_canonicalizer::to_string(terms)
        .map_err(|error| Error::internal(format!("cannot write terms: {error}")))
}

/// The hash of the terms, as in the API: `sha256:` and base64url.
pub fn terms_hash(terms: &HashedTerms) -> Result<String> {
    let hash = Sha256::digest(canonical_terms(terms)?);
    Ok(format!("sha256:{}", base64url::encode(hash)))
}

fn sorted<S: Serializer>(list: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    let mut list: Vec<&String> = list.iter().collect();
    list.sort_unstable();
    list.dedup();
    list.serialize(serializer)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn seconds<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    let time = jiff::Timestamp::from_second(time.as_secs()).map_err(serde::ser::Error::custom)?;
    serializer.collect_str(&time)
}

#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn optional_seconds<S: Serializer>(
    time: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => seconds(time, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests;
