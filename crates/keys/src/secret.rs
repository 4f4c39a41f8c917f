//! The secret that seals a key ring in the database. Only the environment has it.

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hkdf;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grantor_domain::Entropy;
use zeroize::Zeroizing;

/// The label of the key that seals the key ring, and what the sealed ring is bound to.
const LABEL: &[u8] = b"grantor/1/key-ring";
const NONCE: usize = 12;

/// A secret of 32 bytes. Never printed.
#[derive(Clone)]
pub struct RingSecret(Zeroizing<[u8; 32]>);

impl std::fmt::Debug for RingSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RingSecret")
    }
}

impl RingSecret {
    /// Parses 32 bytes in base64, as `openssl rand -base64 32` prints them.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let bytes = STANDARD.decode(text.trim()).map(Zeroizing::new);
        let mut secret = Zeroizing::new([0; 32]);
        match bytes {
            Ok(bytes) if bytes.len() == 32 => {
                secret.copy_from_slice(&bytes);
                Ok(Self(secret))
            }
            _ => Err("32 bytes in base64: run `openssl rand -base64 32`"),
        }
    }

    /// Seals the text of a key ring.
    pub(super) fn seal(&self, text: &[u8], entropy: &dyn Entropy) -> Result<Vec<u8>, String> {
        let nonce: [u8; NONCE] = entropy.bytes();
        let mut body = text.to_vec();
        let key = self.cipher().ok_or("the key ring cannot be sealed")?;
        let unique = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(unique, Aad::from(LABEL), &mut body)
            .map_err(|_| "the key ring cannot be sealed".to_owned())?;
        Ok([nonce.as_slice(), &body].concat())
    }

    /// Opens a sealed key ring. `None` if it was altered or sealed with another secret.
    pub(super) fn open(&self, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, body) = sealed.split_at_checked(NONCE)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut body = Zeroizing::new(body.to_vec());
        let length = self.cipher()?.open_in_place(nonce, Aad::from(LABEL), &mut body).ok()?.len();
        body.truncate(length);
        Some(body)
    }

    fn cipher(&self) -> Option<LessSafeKey> {
        let mut key = Zeroizing::new([0; 32]);
        let prk = hkdf::Salt::new(hkdf::HKDF_SHA256, b"grantor").extract(&*self.0);
        prk.expand(&[LABEL], hkdf::HKDF_SHA256).ok()?.fill(&mut *key).ok()?;
        UnboundKey::new(&AES_256_GCM_SIV, &*key).ok().map(LessSafeKey::new)
    }
}
