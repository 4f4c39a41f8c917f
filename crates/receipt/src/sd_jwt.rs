//! Receipts as SD-JWT VC: RFC 9901 and draft-ietf-oauth-sd-jwt-vc-19.
//!
//! Only what receipts need: flat disclosures of six known claims, and no key binding.

mod disclosure;
mod issue;
mod present;
mod verify;

pub use issue::issue;
pub use present::{InvalidReceipt, present};
pub use verify::{Reason, Validity, Verification, named_issuer, verify};

/// The `typ` of a receipt.
const TYPE: &str = "dc+sd-jwt";
/// The claim with the digests of the disclosures.
const DIGESTS: &str = "_sd";
/// The claim with the name of the hash function.
const HASH_CLAIM: &str = "_sd_alg";
/// The only hash function.
const HASH: &str = "sha-256";

/// The longest receipt that is issued or verified, in bytes.
pub const MAX_LENGTH: usize = 64 * 1024;

/// The credential type (`vct`) of the receipts of an issuer.
#[must_use]
pub fn credential_type(issuer: &str) -> String {
    format!("{issuer}/credentials/grant/1")
}
