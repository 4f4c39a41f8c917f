//! Issues receipts.

use grantor_domain::{Entropy, Error, Result};
use grantor_keys::ReceiptKey;
use serde_json::{Value, json};

use super::disclosure::{Disclosure, digest};
use super::{DIGESTS, HASH, HASH_CLAIM, MAX_LENGTH, TYPE, credential_type};
use crate::claims::{Disclosable, NewReceipt};
use crate::jws;

/// Issues a receipt with all its disclosures. `issuer` is the installation's public URL.
pub fn issue(
    receipt: &NewReceipt,
    issuer: &str,
    key: &ReceiptKey,
    entropy: &dyn Entropy,
) -> Result<String> {
    let disclosures: Vec<String> = Disclosable::ALL
        .into_iter()
        .map(|claim| Disclosure::encode(claim, &value(receipt, claim), entropy))
        .collect::<Result<_>>()?;
    let mut digests: Vec<String> = disclosures.iter().map(|it| digest(it)).collect();
    // Sorted, so that the order does not tell which digest belongs to which claim.
    digests.sort_unstable();
    let jwt = jws::sign(TYPE, &payload(receipt, issuer, &digests), key)?;
    let text = format!("{jwt}~{}~", disclosures.join("~"));
    if text.len() > MAX_LENGTH {
        return Err(Error::internal("the receipt is too long"));
    }
    Ok(text)
}

fn payload(receipt: &NewReceipt, issuer: &str, digests: &[String]) -> Value {
    let mut payload = json!({
        "iss": issuer,
        "vct": credential_type(issuer),
        "iat": receipt.issued_at.as_secs(),
        "nbf": receipt.starts_at.as_secs(),
        "status": { "status_list": receipt.status },
        "grant_number": receipt.number,
        "terms_hash": receipt.terms_hash,
        "licensor": receipt.licensor,
        "uses": receipt.uses,
        "territories": receipt.territories,
        "exclusive": receipt.exclusive,
        (DIGESTS): digests,
        (HASH_CLAIM): HASH,
    });
    if let Some(end) = receipt.ends_at {
        payload["exp"] = end.as_secs().into();
    }
    payload
}

/// Every receipt has all six disclosures, so that their number tells nothing.
fn value(receipt: &NewReceipt, claim: Disclosable) -> Value {
    match claim {
        Disclosable::License => json!(receipt.license),
        Disclosable::Talent => json!(receipt.talent),
        Disclosable::Licensee => json!(receipt.licensee),
        Disclosable::Fee => json!(receipt.fee),
        Disclosable::Conditions => json!(receipt.conditions),
        Disclosable::Channels => json!(receipt.channels),
    }
}
