//! Receipts: signed proofs of grants that anyone can verify, and what goes with them.
//!
//! This crate does no I/O and has no clock: times are arguments, and randomness comes from
//! [`grantor_domain::Entropy`]. `docs/decisions/0033-receipts.md` explains the choices.

mod base64url;
mod capsule;
mod certificate;
mod claims;
mod jws;
mod sd_jwt;
mod status_list;
mod strict_json;
mod terms_hash;
mod trusted_keys;

pub use capsule::{
    Capsule, CapsuleFile, CapsuleWriter, InvalidCapsule, MAX_CAPSULE, NewCapsule, is_capsule,
    revision_hash, verify as verify_capsule,
};
pub use certificate::{
    Certificate, CertificateFonts, InvalidFont, VerifyAt, render as render_certificate,
};
pub use claims::{
    Claims, Disclosable, LicenseName, NewReceipt, Party, StatusReference, TalentName,
};
pub use sd_jwt::{
    InvalidReceipt, MAX_LENGTH, Reason, Validity, Verification, credential_type, issue,
    named_issuer, present, verify,
};
pub use status_list::{
    HeldStatusList, InvalidStatusList, OutOfRange, StatusList, TTL as STATUS_LIST_TTL,
    sign as sign_status_list, verify as verify_status_list,
};
pub use terms_hash::{HashedTerms, PartyId, Terms, canonical_terms, terms_hash};
pub use trusted_keys::{InvalidKeySet, KeySet, TrustedKeys};

#[cfg(test)]
mod tests;
