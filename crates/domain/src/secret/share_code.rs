//! The code in a shared link.

use std::fmt;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use super::SecretHash;
use crate::Entropy;

const CODE_BYTES: usize = 16;

/// The code of a shared link: 128 random bits as base64url. Shorter than a [`super::Secret`],
/// because it is printed as a QR code.
pub struct ShareCode(Zeroizing<String>);

impl fmt::Debug for ShareCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShareCode(…)")
    }
}

impl ShareCode {
    /// Generates a code.
    #[must_use]
    pub fn generate(entropy: &dyn Entropy) -> Self {
        let mut random = Zeroizing::new([0; CODE_BYTES]);
        entropy.fill(&mut *random);
        Self(Zeroizing::new(BASE64_URL_SAFE_NO_PAD.encode(*random)))
    }

    /// Parses a code; returns `None` if the text cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let decoded = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        (decoded.len() == CODE_BYTES).then(|| Self(Zeroizing::new(text.to_owned())))
    }

    /// The text of the code, for those who may share it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The hash to be stored. A plain hash is sufficient because 128 random bits cannot be guessed.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        SecretHash::from_bytes(Sha256::digest(self.0.as_bytes()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Zero;

    impl Entropy for Zero {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(0);
        }
    }

    #[test]
    fn a_code_has_one_form() {
        let code = ShareCode::generate(&Zero);
        assert_eq!(code.expose(), "A".repeat(22));
        assert_eq!(ShareCode::parse(code.expose()).unwrap().hash(), code.hash());
        let long = "A".repeat(23);
        let padded = format!("{}==", code.expose());
        let other_bits = format!("{}B", "A".repeat(21));
        for bad in ["", "AAAA", &long, &padded, &other_bits, "AAAAAAAAAAAAAAAAAAAAA+"] {
            assert!(ShareCode::parse(bad).is_none(), "{bad}");
        }
        assert_eq!(format!("{code:?}"), "ShareCode(…)");
    }
}
