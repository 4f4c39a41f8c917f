//! Withholds disclosures of a receipt.

use super::disclosure::Disclosure;
use crate::claims::Disclosable;

/// Why a receipt cannot be presented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReceipt {
    /// The text is not a receipt.
    #[error("the text is not a receipt")]
    Malformed,
    /// The receipt lacks a disclosure that was requested.
    #[error("the receipt does not disclose the {}", .0.name())]
    Withheld(Disclosable),
}

/// Returns the receipt with only these disclosures. It verifies like the whole receipt.
pub fn present(receipt: &str, disclose: &[Disclosable]) -> Result<String, InvalidReceipt> {
    let mut parts = receipt.split('~');
    let jwt = parts.next().unwrap_or_default();
    let mut disclosures: Vec<&str> = parts.collect();
    if disclosures.pop() != Some("") {
        return Err(InvalidReceipt::Malformed);
    }
    let mut shown = format!("{jwt}~");
    let mut kept = Vec::new();
    for text in disclosures {
        let claim = Disclosure::decode(text).ok_or(InvalidReceipt::Malformed)?.claim;
        if disclose.contains(&claim) {
            shown.push_str(text);
            shown.push('~');
            kept.push(claim);
        }
    }
    match disclose.iter().find(|it| !kept.contains(it)) {
        Some(claim) => Err(InvalidReceipt::Withheld(*claim)),
        None => Ok(shown),
    }
}
