//! The key ring: signs access tokens and receipts, encrypts stored values and computes MACs.
//!
//! Keys are derived from a root secret by purpose (HKDF), so that a key of one purpose opens
//! nothing of another. Signing keys rotate without breaking live tokens; root keys rotate without
//! losing values that older ones encrypted. All nodes of an installation use the same key ring: a
//! file, a mounted secret, or a row of the database that a secret of the environment seals.

mod receipt;
mod retired;
mod ring;
mod root;
mod row;
mod secret;
mod signing;
mod token;
mod upgrade;

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::SystemTime;

use grantor_domain::{Clock, Entropy, Error, Result, Timestamp};

pub use self::receipt::ReceiptKey;
pub use self::ring::Rotated;
pub use self::row::SealedRing;
pub use self::secret::RingSecret;
pub use self::token::{Audience, Claims, InvalidToken};
use ring::Ring;

/// The file name of the key ring in the data directory.
pub const FILE: &str = "keys.json";

/// What a derived key is for. Keys of different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Mails in the queue.
    Mail,
    /// Responses stored for idempotency keys.
    Answer,
    /// Fields that must be read back, such as webhook secrets.
    Field,
    /// Signed URLs.
    Url,
    /// One-time codes.
    Otp,
    /// Links that unsubscribe from emails.
    Unsubscribe,
}

impl Purpose {
    fn label(self) -> &'static [u8] {
        match self {
            Self::Mail => b"grantor/1/mail",
            Self::Answer => b"grantor/1/answer",
            Self::Field => b"grantor/1/field",
            Self::Url => b"grantor/1/url",
            Self::Otp => b"grantor/1/otp",
            Self::Unsubscribe => b"grantor/1/unsubscribe",
        }
    }
}

/// The loaded key ring.
pub struct Keys {
    home: Home,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    current: RwLock<Loaded>,
}

/// Where the key ring is kept.
enum Home {
    /// A file that this process may replace.
    File(PathBuf),
    /// A file that others replace, such as a mounted secret.
    Mounted(PathBuf),
    /// A row of the database, sealed with this secret.
    Row(RingSecret),
}

struct Loaded {
    ring: Arc<Ring>,
    version: Option<Version>,
}

/// What changes with every replacement of the key ring.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// The inode and modification time of the file. Each replacement is a new file, whose inode
    /// differs even if both were written within one tick of the clock.
    File(u64, SystemTime),
    /// The number of the row's version.
    Row(i64),
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keys")
    }
}

impl Keys {
    /// Whether the data directory contains a key ring.
    #[must_use]
    pub fn exist(data_dir: &Path) -> bool {
        data_dir.join(FILE).exists()
    }

    /// Opens the key ring in the data directory, or creates one, readable only by its owner. A key
    /// ring of an older version gets its first receipt key.
    pub fn open(
        data_dir: &Path,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, String> {
        let path = data_dir.join(FILE);
        if !path.exists() {
            Ring::create(clock.now(), &*entropy)?.store_new(&path)?;
        }
        upgrade::add_receipt_key(&path)?;
        Self::read(data_dir, clock, entropy)
    }

    /// Opens the key ring in a directory without changing anything there, for checks and backups.
    pub fn read(
        data_dir: &Path,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, String> {
        Self::load(Home::File(data_dir.join(FILE)), clock, entropy)
    }

    /// Opens a key ring that others put there, such as a mounted secret. It is never written.
    pub fn mounted(
        path: &Path,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, String> {
        Self::load(Home::Mounted(path.to_owned()), clock, entropy)
    }

    fn load(home: Home, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Result<Self, String> {
        let loaded = home.load()?.ok_or("the key ring is in the database")?;
        Ok(Self { home, clock, entropy, current: RwLock::new(loaded) })
    }

    /// Adds new keys and writes the key ring. Running nodes reload it by themselves.
    pub fn rotate(&self, root: bool) -> Result<Rotated, String> {
        let path = match &self.home {
            Home::File(path) => path,
            Home::Mounted(path) => {
                return Err(format!(
                    "{} is a mounted secret, which Grantor does not replace: write the new one \
                     with `grantor keys rotate --to FILE`, and mount that",
                    path.display()
                ));
            }
            Home::Row(_) => return Err("the key ring is in the database".to_owned()),
        };
        let _lock = upgrade::lock(path)?;
        let mut ring = Ring::load(path)?.0;
        let rotated = ring.rotate(root, self.clock.now(), &*self.entropy)?;
        ring.replace(path)?;
        self.reload()?;
        Ok(rotated)
    }

    /// Writes a key ring with new keys to a new file. This key ring stays as it is.
    pub fn rotate_to(&self, path: &Path, root: bool) -> Result<Rotated, String> {
        let mut ring = self.ring().as_ref().clone();
        let rotated = ring.rotate(root, self.clock.now(), &*self.entropy)?;
        write_new(&ring, path)?;
        Ok(rotated)
    }

    /// Writes a copy of the key ring to a new file, readable only by its owner.
    pub fn copy_to(&self, path: &Path) -> Result<(), String> {
        write_new(&self.ring(), path)
    }

    /// Reads the file again if it changed. Returns whether it did.
    pub fn reload(&self) -> Result<bool, String> {
        if self.current().version == self.home.version() {
            return Ok(false);
        }
        match self.home.load()? {
            Some(loaded) => {
                self.set(loaded);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Names the version of the key ring that is loaded.
    #[must_use]
    pub fn version(&self) -> String {
        self.ring().version_name()
    }

    /// Whether the loaded key ring has the keys of this version.
    #[must_use]
    pub fn has_version(&self, version: &str) -> bool {
        self.ring().has_version(version)
    }

    /// Encrypts a value for a purpose and context.
    #[must_use]
    pub fn seal(&self, purpose: Purpose, context: &str, plain: &[u8]) -> Vec<u8> {
        let ring = self.ring();
        ring.sealing_root(self.clock.now()).seal(purpose, context, plain, self.entropy.bytes())
    }

    /// Decrypts a value from [`Self::seal`]. `None` if it was altered, or sealed for another
    /// purpose or context.
    #[must_use]
    pub fn open_sealed(&self, purpose: Purpose, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        self.ring().root_of(sealed)?.open(purpose, context, sealed)
    }

    /// Computes a MAC of the data.
    #[must_use]
    pub fn mac(&self, purpose: Purpose, data: &[u8]) -> [u8; 32] {
        self.ring().sealing_root(self.clock.now()).mac(purpose, data)
    }

    /// Whether the tag is a MAC of the data by any root key. Each comparison takes constant time.
    #[must_use]
    pub fn verify_mac(&self, purpose: Purpose, data: &[u8], tag: &[u8]) -> bool {
        self.ring().roots().any(|root| root.verify_mac(purpose, data, tag))
    }

    /// Signs an access token.
    pub fn sign(&self, claims: &Claims) -> Result<String> {
        let ring = self.ring();
        let key = ring
            .signing_at(self.clock.now())
            .ok_or_else(|| Error::internal("the key ring has no signing key"))?;
        token::sign(key, claims)
    }

    /// Verifies an access token for an audience.
    pub fn verify(
        &self,
        token: &str,
        issuer: &str,
        audience: Audience,
    ) -> Result<Claims, InvalidToken> {
        token::verify(&self.ring(), token, issuer, audience, self.clock.now())
    }

    /// Verifies an access token except for its expiry.
    pub fn inspect(
        &self,
        token: &str,
        issuer: &str,
        audience: Audience,
    ) -> Result<Claims, InvalidToken> {
        token::read(&self.ring(), token, issuer, audience, self.clock.now())
    }

    /// The key that signs receipts and status lists at this time.
    pub fn receipt_key(&self, now: Timestamp) -> Result<ReceiptKey> {
        let ring = self.ring();
        let key = ring
            .receipt_at(now)
            .ok_or_else(|| Error::internal("the key ring has no receipt key"))?;
        ReceiptKey::of(key).map_err(Error::internal)
    }

    /// Whether the receipt key with this id signed the message. Old receipt keys verify for good.
    #[must_use]
    pub fn verify_receipt(&self, kid: &str, message: &[u8], signature: &[u8]) -> bool {
        self.ring().receipt(kid).is_some_and(|key| receipt::verify(key, message, signature))
    }

    /// The public keys of receipts, which are published for good.
    #[must_use]
    pub fn receipt_jwks(&self) -> serde_json::Value {
        self.ring().receipt_jwks()
    }

    /// The public keys of access tokens.
    #[must_use]
    pub fn jwks(&self) -> serde_json::Value {
        self.ring().jwks(self.clock.now())
    }

    /// The ids of all root keys, newest first.
    #[must_use]
    pub fn root_ids(&self) -> Vec<String> {
        self.ring().roots().map(|root| root.id().to_owned()).collect()
    }

    /// Whether this key ring has every root and receipt key of the other, so that it can be used
    /// in its place.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        self.ring().includes(&other.ring())
    }

    fn ring(&self) -> Arc<Ring> {
        Arc::clone(&self.current().ring)
    }

    fn current(&self) -> RwLockReadGuard<'_, Loaded> {
        self.current.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, loaded: Loaded) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = loaded;
    }
}

impl Home {
    /// Reads the file; `None` if the key ring is not in one.
    fn load(&self) -> Result<Option<Loaded>, String> {
        // The version is read first, so that a change in between is noticed at the next reload.
        let version = self.version();
        let ring = match self {
            Self::File(path) => Ring::load(path)?.0,
            Self::Mounted(path) => Ring::load_mounted(path)?,
            Self::Row(_) => return Ok(None),
        };
        Ok(Some(Loaded { ring: Arc::new(ring), version }))
    }

    /// The version of the file.
    fn version(&self) -> Option<Version> {
        let (Self::File(path) | Self::Mounted(path)) = self else { return None };
        let known = std::fs::metadata(path).ok()?;
        Some(Version::File(known.ino(), known.modified().ok()?))
    }
}

fn write_new(ring: &Ring, path: &Path) -> Result<(), String> {
    if path.exists() {
        return Err(format!("{} exists already: name a new file", path.display()));
    }
    ring.store_new(path)
}

#[cfg(test)]
mod tests;
