//! The key ring: what signs access tokens, seals what must be read back, and keys the MACs.
//!
//! One root secret gives a key per purpose (HKDF), so that a key used for one thing opens nothing
//! else. Signing keys rotate without breaking live tokens; roots rotate without losing what older
//! ones sealed. Every node of one installation holds the same ring file.

mod retired;
mod ring;
mod root;
mod signing;
mod token;

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use grantor_domain::{Clock, Entropy, Error, Result};

pub use self::ring::Rotated;
pub use self::token::{Audience, Claims, InvalidToken};
use ring::Ring;

/// The ring's name in the data directory.
pub const FILE: &str = "keys.json";

/// What a derived key is for. Keys of two purposes have nothing in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Mails in the queue.
    Mail,
    /// Answers kept for idempotency keys.
    Answer,
    /// Fields that must be read back, such as webhook secrets.
    Field,
    /// Signed URLs.
    Url,
    /// One-time codes.
    Otp,
}

impl Purpose {
    fn label(self) -> &'static [u8] {
        match self {
            Self::Mail => b"grantor/1/mail",
            Self::Answer => b"grantor/1/answer",
            Self::Field => b"grantor/1/field",
            Self::Url => b"grantor/1/url",
            Self::Otp => b"grantor/1/otp",
        }
    }
}

/// The ring in use. Shared by everything that signs, seals or checks.
pub struct Keys {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    current: RwLock<Loaded>,
}

struct Loaded {
    ring: Arc<Ring>,
    version: Option<Version>,
}

/// Tells one state of the file from the next. Each replacement is a new file, whose number differs
/// even when both were written within one tick of the clock.
type Version = (u64, SystemTime);

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keys")
    }
}

impl Keys {
    /// Whether the data directory holds a ring.
    #[must_use]
    pub fn exist(data_dir: &Path) -> bool {
        data_dir.join(FILE).exists()
    }

    /// Opens the ring in the data directory, or makes one, readable by its owner alone.
    pub fn open(
        data_dir: &Path,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, String> {
        let path = data_dir.join(FILE);
        if !path.exists() {
            Ring::create(clock.now(), &*entropy)?.store_new(&path)?;
        }
        let current = RwLock::new(load(&path)?);
        Ok(Self { path, clock, entropy, current })
    }

    /// Adds keys that take over, and writes the ring; running nodes notice by themselves.
    pub fn rotate(&self, root: bool) -> Result<Rotated, String> {
        let mut ring = load(&self.path)?.ring.as_ref().clone();
        let rotated = ring.rotate(root, self.clock.now(), &*self.entropy)?;
        ring.replace(&self.path)?;
        self.reload()?;
        Ok(rotated)
    }

    /// Reads the file again if it changed. True when it did.
    pub fn reload(&self) -> Result<bool, String> {
        let version = version(&self.path);
        if self.current.read().unwrap_or_else(PoisonError::into_inner).version == version {
            return Ok(false);
        }
        let loaded = load(&self.path)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = loaded;
        Ok(true)
    }

    /// Encrypts so that only the same purpose and context open it.
    #[must_use]
    pub fn seal(&self, purpose: Purpose, context: &str, plain: &[u8]) -> Vec<u8> {
        self.ring().newest_root().seal(purpose, context, plain, self.entropy.bytes())
    }

    /// Opens what [`Self::seal`] made; nothing when it was altered or made for something else.
    #[must_use]
    pub fn open_sealed(&self, purpose: Purpose, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        self.ring().root_of(sealed)?.open(purpose, context, sealed)
    }

    /// A MAC over the data.
    #[must_use]
    pub fn mac(&self, purpose: Purpose, data: &[u8]) -> [u8; 32] {
        self.ring().newest_root().mac(purpose, data)
    }

    /// Whether the tag is a MAC over the data, by any root of the ring; in constant time for each.
    #[must_use]
    pub fn verify_mac(&self, purpose: Purpose, data: &[u8], tag: &[u8]) -> bool {
        self.ring().roots().any(|root| root.verify_mac(purpose, data, tag))
    }

    /// Signs an access token.
    pub fn sign(&self, claims: &Claims) -> Result<String> {
        let ring = self.ring();
        let key = ring
            .signing_at(self.clock.now())
            .ok_or_else(|| Error::internal("the key ring holds no signing key"))?;
        token::sign(key, claims)
    }

    /// Checks an access token of one audience.
    pub fn verify(
        &self,
        token: &str,
        issuer: &str,
        audience: Audience,
    ) -> Result<Claims, InvalidToken> {
        token::verify(&self.ring(), token, issuer, audience, self.clock.now())
    }

    /// The same for who asks about a token, which may have expired.
    pub fn inspect(
        &self,
        token: &str,
        issuer: &str,
        audience: Audience,
    ) -> Result<Claims, InvalidToken> {
        token::read(&self.ring(), token, issuer, audience, self.clock.now())
    }

    /// The public keys, as `/.well-known/jwks.json` shows them.
    #[must_use]
    pub fn jwks(&self) -> serde_json::Value {
        self.ring().jwks(self.clock.now())
    }

    /// The ids of all roots, newest first: what the database's sealed values belong to.
    #[must_use]
    pub fn root_ids(&self) -> Vec<String> {
        self.ring().roots().map(|root| root.id().to_owned()).collect()
    }

    fn ring(&self) -> Arc<Ring> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner).ring)
    }
}

fn load(path: &Path) -> Result<Loaded, String> {
    // The version first: a change in between is then noticed at the next look.
    let version = version(path);
    Ok(Loaded { ring: Arc::new(Ring::load(path)?), version })
}

fn version(path: &Path) -> Option<Version> {
    let known = std::fs::metadata(path).ok()?;
    Some((known.ino(), known.modified().ok()?))
}

#[cfg(test)]
mod tests;
