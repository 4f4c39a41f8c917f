//! Recovery codes: a way in for those who lost their phone or passkey.

use zeroize::Zeroizing;

use crate::Entropy;

/// The number of codes in a set.
pub const RECOVERY_CODES: usize = 10;

const LENGTH: usize = 10;
/// 32 letters and digits without those that look alike, so that each byte gives five bits.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A recovery code: 50 random bits in ten letters and digits. It cannot be printed; only a MAC of it
/// is stored.
pub struct RecoveryCode(Zeroizing<String>);

impl RecoveryCode {
    /// Generates a code.
    #[must_use]
    pub fn generate(entropy: &dyn Entropy) -> Self {
        let mut random = Zeroizing::new([0; LENGTH]);
        entropy.fill(&mut *random);
        let mut text = Zeroizing::new(String::with_capacity(LENGTH));
        text.extend(random.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)])));
        Self(text)
    }

    /// Parses a code as typed: in either case, with or without the hyphen.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let kept = text.chars().filter(|it| !it.is_whitespace() && *it != '-');
        let text = Zeroizing::new(kept.collect::<String>().to_ascii_lowercase());
        let fits = text.len() == LENGTH && text.bytes().all(|it| ALPHABET.contains(&it));
        fits.then(|| Self(text))
    }

    /// The ten letters and digits, for the MAC.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The code as its owner sees it, in two halves.
    #[must_use]
    pub fn shown(&self) -> String {
        let (first, second) = self.0.split_at(LENGTH / 2);
        format!("{first}-{second}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::otp::tests::{Seeded, assert_silent};

    assert_silent!(RecoveryCode);

    #[test]
    fn codes_differ_and_read_back() {
        let entropy = Seeded::new();
        let codes: Vec<_> = (0..1_000).map(|_| RecoveryCode::generate(&entropy)).collect();
        let texts: BTreeSet<_> = codes.iter().map(RecoveryCode::shown).collect();
        assert_eq!(texts.len(), 1_000);
        for code in codes {
            let typed = format!(" {} ", code.shown().to_ascii_uppercase());
            assert_eq!(RecoveryCode::parse(&typed).unwrap().expose(), code.expose());
        }
    }
}
