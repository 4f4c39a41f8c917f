//! The token and the secret of a subscription.

use std::fmt;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::Entropy;
use crate::secret::SecretHash;

const BYTES: usize = 32;
/// The length of 32 bytes in base64url.
const LENGTH: usize = 43;

/// What a hub and we alone know of a subscription: the token in its callback URL, and the secret
/// with which the hub signs. Both are 256 random bits as base64url.
pub struct HubCredentials {
    /// The token and the secret, joined by a dot.
    text: Zeroizing<String>,
}

impl fmt::Debug for HubCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HubCredentials(…)")
    }
}

impl HubCredentials {
    /// Generates a token and a secret.
    #[must_use]
    pub fn generate(entropy: &dyn Entropy) -> Self {
        let mut random = Zeroizing::new([0; 2 * BYTES]);
        entropy.fill(&mut *random);
        // Allocated at full length: growing would leave a copy in freed memory.
        let mut text = Zeroizing::new(String::with_capacity(2 * LENGTH + 1));
        let (token, secret) = random.split_at(BYTES);
        BASE64_URL_SAFE_NO_PAD.encode_string(token, &mut text);
        text.push('.');
        BASE64_URL_SAFE_NO_PAD.encode_string(secret, &mut text);
        Self { text }
    }

    /// Parses what [`Self::expose`] returned.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (token, secret) = text.split_once('.')?;
        let valid = is_valid(token) && is_valid(secret);
        valid.then(|| Self { text: Zeroizing::new(text.to_owned()) })
    }

    /// Both as text, to be sealed.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// The token in the callback URL.
    #[must_use]
    pub fn token(&self) -> &str {
        self.parts().0
    }

    /// The secret, for the hub and for checking its signatures.
    #[must_use]
    pub fn secret(&self) -> &str {
        self.parts().1
    }

    /// The hash of the token, by which the subscription is found.
    #[must_use]
    pub fn token_hash(&self) -> SecretHash {
        hash(self.token())
    }

    fn parts(&self) -> (&str, &str) {
        self.text.split_once('.').unwrap_or_default()
    }
}

/// The hash of a token in a callback URL; `None` if the text cannot be a token.
#[must_use]
pub fn callback_hash(token: &str) -> Option<SecretHash> {
    is_valid(token).then(|| hash(token))
}

fn hash(token: &str) -> SecretHash {
    SecretHash::from_bytes(Sha256::digest(token.as_bytes()).into())
}

fn is_valid(text: &str) -> bool {
    let mut bytes = Zeroizing::new([0; BYTES + 1]);
    text.len() == LENGTH && BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut *bytes) == Ok(BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting;

    impl Entropy for Counting {
        fn fill(&self, buffer: &mut [u8]) {
            for (byte, value) in buffer.iter_mut().zip(0..) {
                *byte = value;
            }
        }
    }

    #[test]
    fn credentials_read_back() {
        let made = HubCredentials::generate(&Counting);
        assert_ne!(made.token(), made.secret());
        assert_eq!((made.token().len(), made.secret().len()), (43, 43), "below 200 bytes");
        let read = HubCredentials::parse(made.expose()).unwrap();
        assert_eq!((read.token(), read.secret()), (made.token(), made.secret()));
        assert_eq!(callback_hash(made.token()), Some(made.token_hash()));
        assert_ne!(callback_hash(made.secret()), Some(made.token_hash()));
        assert_eq!(format!("{made:?}"), "HubCredentials(…)");
    }

    #[test]
    fn other_texts_are_no_credentials() {
        let made = HubCredentials::generate(&Counting);
        let (token, secret) = (made.token(), made.secret());
        let padded = format!("{token}=");
        for bad in ["", "a", &token[1..], &padded, &token.replacen('A', "+", 1)] {
            assert_eq!(callback_hash(bad), None, "{bad}");
            assert!(HubCredentials::parse(&format!("{bad}.{secret}")).is_none(), "{bad}");
        }
        assert!(HubCredentials::parse(token).is_none());
    }
}
