//! base64url without padding. Each value has exactly one encoding: padding, whitespace and unused
//! trailing bits that are not zero are refused.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

pub(crate) fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_one_encoding() {
        assert_eq!(decode("AA").unwrap(), [0]);
        for other in ["AB", "AP", "AA=", "AA==", "A", " AA", "AA\n", "A A", "+A", "/A"] {
            assert_eq!(decode(other), None, "{other:?}");
        }
    }
}
