//! A root key and the keys derived from it.

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::{hkdf, hmac};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grantor_domain::{Entropy, Timestamp};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::Purpose;

const VERSION: u8 = 1;
const ID: usize = 4;
const NONCE: usize = 12;
/// The label of the first receipt key. It differs from the label of every purpose.
const RECEIPT: &[u8] = b"grantor/1/receipt";
/// Version, root id, nonce.
const HEADER: usize = 1 + ID + NONCE;

/// A root key as in the key ring file. Never printed.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Root {
    id: String,
    secret: Zeroizing<String>,
    created_at: Timestamp,
    /// Later than its creation, so that every node can open what it seals. Keys of older versions
    /// have none and seal from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seals_from: Option<Timestamp>,
}

impl Root {
    /// Creates a root key that seals from this time on.
    pub(super) fn create(now: Timestamp, seals_from: Timestamp, entropy: &dyn Entropy) -> Self {
        let id = format!("{:08x}", u32::from_be_bytes(entropy.bytes::<ID>()));
        let secret = Zeroizing::new(entropy.bytes::<32>());
        let seals_from = Some(seals_from).filter(|it| *it != now);
        let secret = Zeroizing::new(STANDARD.encode(*secret));
        Self { id, secret, created_at: now, seals_from }
    }

    pub(super) fn seals_from(&self) -> Timestamp {
        self.seals_from.unwrap_or(self.created_at)
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// The seed of the first receipt key of a key ring that has none. It is derived rather than
    /// drawn, so that nodes with copies of one file arrive at the same key.
    pub(super) fn receipt_seed(&self) -> Zeroizing<[u8; 32]> {
        self.expand(RECEIPT)
    }

    /// Checks that the key is well-formed.
    pub(super) fn check(&self) -> Result<(), String> {
        let secret = STANDARD.decode(self.secret.as_bytes()).map(Zeroizing::new);
        if self.id_bytes().is_some() && secret.is_ok_and(|it| it.len() == 32) {
            Ok(())
        } else {
            Err(format!("root key {} is malformed", self.id))
        }
    }

    /// Whether both are the same key.
    pub(super) fn same(&self, other: &Self) -> bool {
        let tag = other.mac(Purpose::Field, b"same");
        self.id == other.id && self.verify_mac(Purpose::Field, b"same", &tag)
    }

    /// Whether this root key sealed the value.
    pub(super) fn sealed(&self, value: &[u8]) -> bool {
        value.len() > HEADER
            && value[0] == VERSION
            && self.id_bytes().is_some_and(|id| value[1..=ID] == id)
    }

    pub(super) fn seal(
        &self,
        purpose: Purpose,
        context: &str,
        plain: &[u8],
        nonce: [u8; NONCE],
    ) -> Vec<u8> {
        let mut sealed = Vec::with_capacity(HEADER + plain.len() + 16);
        sealed.push(VERSION);
        sealed.extend_from_slice(&self.id_bytes().unwrap_or_default());
        sealed.extend_from_slice(&nonce);
        let mut body = plain.to_vec();
        let nonce = Nonce::assume_unique_for_key(nonce);
        // Sealing fails only for gigabytes of data. Then the result is empty rather than plain
        // text.
        match self.cipher(purpose).map(|key| {
            key.seal_in_place_append_tag(nonce, Aad::from(context.as_bytes()), &mut body)
        }) {
            Some(Ok(())) => sealed.extend_from_slice(&body),
            _ => sealed.clear(),
        }
        sealed
    }

    pub(super) fn open(&self, purpose: Purpose, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let nonce = Nonce::try_assume_unique_for_key(sealed.get(1 + ID..HEADER)?).ok()?;
        let mut body = sealed.get(HEADER..)?.to_vec();
        let aad = Aad::from(context.as_bytes());
        let length = self.cipher(purpose)?.open_in_place(nonce, aad, &mut body).ok()?.len();
        body.truncate(length);
        Some(body)
    }

    pub(super) fn mac(&self, purpose: Purpose, data: &[u8]) -> [u8; 32] {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &*self.derive(purpose));
        let mut tag = [0; 32];
        tag.copy_from_slice(hmac::sign(&key, data).as_ref());
        tag
    }

    pub(super) fn verify_mac(&self, purpose: Purpose, data: &[u8], tag: &[u8]) -> bool {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &*self.derive(purpose));
        hmac::verify(&key, data, tag).is_ok()
    }

    fn cipher(&self, purpose: Purpose) -> Option<LessSafeKey> {
        // Nonces are random, and this mode stays secure even if one repeats.
        UnboundKey::new(&AES_256_GCM_SIV, &*self.derive(purpose)).ok().map(LessSafeKey::new)
    }

    fn derive(&self, purpose: Purpose) -> Zeroizing<[u8; 32]> {
        self.expand(purpose.label())
    }

    fn expand(&self, label: &[u8]) -> Zeroizing<[u8; 32]> {
        let mut key = Zeroizing::new([0; 32]);
        let secret = Zeroizing::new(STANDARD.decode(self.secret.as_bytes()).unwrap_or_default());
        let prk = hkdf::Salt::new(hkdf::HKDF_SHA256, b"grantor").extract(&secret);
        let info = [label];
        if let Ok(okm) = prk.expand(&info, hkdf::HKDF_SHA256) {
            // The length is that of the hash, so this cannot fail.
            let _ = okm.fill(&mut *key);
        }
        key
    }

    fn id_bytes(&self) -> Option<[u8; ID]> {
        u32::from_str_radix(&self.id, 16).ok().map(u32::to_be_bytes)
    }
}
