//! Receipt keys: they sign the proofs of grants and status lists, never access tokens.

use std::sync::Arc;

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::signing::SigningKey;

/// The key that signs receipts now. Never printed.
pub struct ReceiptKey {
    kid: String,
    pair: Arc<Ed25519KeyPair>,
}

impl std::fmt::Debug for ReceiptKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ReceiptKey({})", self.kid)
    }
}

impl ReceiptKey {
    pub(super) fn of(key: &SigningKey) -> Result<Self, String> {
        Ok(Self { kid: key.kid.clone(), pair: Arc::clone(key.pair()?) })
    }

    /// The key's id, as published.
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// Signs a message with Ed25519.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        let mut signature = [0; 64];
        signature.copy_from_slice(self.pair.sign(message).as_ref());
        signature
    }
}

pub(super) fn verify(key: &SigningKey, message: &[u8], signature: &[u8]) -> bool {
    let public = key.public().ok().and_then(|it| URL_SAFE_NO_PAD.decode(it).ok());
    public.is_some_and(|it| UnparsedPublicKey::new(&ED25519, it).verify(message, signature).is_ok())
}
