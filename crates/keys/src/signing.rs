//! A signing key: an Ed25519 seed, and when it starts to sign.

use std::sync::{Arc, OnceLock};

use aws_lc_rs::digest;
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use grantor_domain::{Entropy, Timestamp};
use jsonwebtoken::DecodingKey;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use zeroize::Zeroizing;

/// The start of every receipt key's id. Ids of access-token keys never start with it.
pub(super) const RECEIPT_PREFIX: &str = "receipt-";

/// A signing key as in the key ring file. Never printed.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct SigningKey {
    pub(super) kid: String,
    seed: Zeroizing<String>,
    created_at: Timestamp,
    /// Later than its creation, so that every node knows the key before it signs.
    pub(super) signs_from: Timestamp,
    /// Computed once, because every token verification needs it.
    #[serde(skip)]
    public: OnceLock<String>,
    /// Computed once, because it takes as long as a signature.
    #[serde(skip)]
    pair: OnceLock<Arc<Ed25519KeyPair>>,
}

impl SigningKey {
    /// Creates a key for access tokens.
    pub(super) fn create(
        now: Timestamp,
        signs_from: Timestamp,
        entropy: &dyn Entropy,
    ) -> Result<Self, String> {
        Self::from_seed("", &Zeroizing::new(entropy.bytes::<32>()), now, signs_from)
    }

    /// Creates a key for receipts, told apart by the prefix of its id.
    pub(super) fn receipt(
        seed: &Zeroizing<[u8; 32]>,
        now: Timestamp,
        signs_from: Timestamp,
    ) -> Result<Self, String> {
        Self::from_seed(RECEIPT_PREFIX, seed, now, signs_from)
    }

    fn from_seed(
        prefix: &str,
        seed: &Zeroizing<[u8; 32]>,
        now: Timestamp,
        signs_from: Timestamp,
    ) -> Result<Self, String> {
        let seed = Zeroizing::new(STANDARD.encode(**seed));
        let (public, pair) = (OnceLock::new(), OnceLock::new());
        let mut key = Self { kid: String::new(), seed, created_at: now, signs_from, public, pair };
        let name = digest::digest(&digest::SHA256, key.pair()?.public_key().as_ref());
        key.kid = format!("{prefix}{}", URL_SAFE_NO_PAD.encode(&name.as_ref()[..12]));
        Ok(key)
    }

    /// Whether the key signs receipts rather than access tokens.
    pub(super) fn is_for_receipts(&self) -> bool {
        self.kid.starts_with(RECEIPT_PREFIX)
    }

    /// The public key as a JSON Web Key.
    pub(super) fn jwk(&self) -> Option<Value> {
        let x = self.public().ok()?;
        Some(json!({
            "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": self.kid, "x": x,
        }))
    }

    /// The public key, encoded as in a JSON Web Key.
    pub(super) fn public(&self) -> Result<&str, String> {
        if let Some(known) = self.public.get() {
            return Ok(known);
        }
        let public = URL_SAFE_NO_PAD.encode(self.pair()?.public_key().as_ref());
        Ok(self.public.get_or_init(|| public))
    }

    pub(super) fn decoding(&self) -> Result<DecodingKey, String> {
        DecodingKey::from_ed_components(self.public()?).map_err(|_| self.unreadable())
    }

    pub(super) fn pair(&self) -> Result<&Arc<Ed25519KeyPair>, String> {
        if let Some(known) = self.pair.get() {
            return Ok(known);
        }
        let seed = STANDARD.decode(self.seed.as_bytes()).map(Zeroizing::new);
        let seed = seed.map_err(|_| self.unreadable())?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| self.unreadable())?;
        Ok(self.pair.get_or_init(|| Arc::new(pair)))
    }

    fn unreadable(&self) -> String {
        format!("signing key {} is malformed", self.kid)
    }
}
