//! A key ring in the database: a row that the secret of the environment seals. Whoever has the
//! database stores and loads the row; what it says is only known here.

use std::fmt;
use std::sync::{Arc, RwLock};

use grantor_domain::{Clock, Entropy};

use super::ring::{Ring, Rotated};
use super::secret::RingSecret;
use super::{Home, Keys, Loaded, Version};

/// A sealed key ring, as a row of the database.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedRing {
    /// Counts the replacements of the row.
    pub version: i64,
    /// The sealed key ring.
    pub sealed: Vec<u8>,
}

impl fmt::Debug for SealedRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealedRing").field("version", &self.version).finish_non_exhaustive()
    }
}

impl SealedRing {
    /// Creates the first key ring of an installation.
    pub fn create(
        secret: &RingSecret,
        clock: &dyn Clock,
        entropy: &dyn Entropy,
    ) -> Result<Self, String> {
        let text = Ring::create(clock.now(), entropy)?.text()?;
        Ok(Self { version: 1, sealed: secret.seal(&text, entropy)? })
    }
}

impl Keys {
    /// Opens a key ring of the database.
    pub fn open_row(
        secret: RingSecret,
        row: &SealedRing,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, String> {
        let current = RwLock::new(open(&secret, row)?);
        Ok(Self { home: Home::Row(secret), clock, entropy, current })
    }

    /// The version of the loaded row; `None` if the key ring is in a file.
    #[must_use]
    pub fn row_version(&self) -> Option<i64> {
        match self.current().version {
            Some(Version::Row(version)) => Some(version),
            _ => None,
        }
    }

    /// Loads another version of the row.
    pub fn load_row(&self, row: &SealedRing) -> Result<(), String> {
        let Home::Row(secret) = &self.home else {
            return Err("the key ring is in a file".to_owned());
        };
        self.set(open(secret, row)?);
        Ok(())
    }

    /// Returns the row with new keys, for whoever stores it in the place of the loaded one.
    pub fn rotate_row(&self, root: bool) -> Result<(Rotated, SealedRing), String> {
        let (Home::Row(secret), Some(version)) = (&self.home, self.row_version()) else {
            return Err("the key ring is in a file".to_owned());
        };
        let mut ring = self.ring().as_ref().clone();
        let rotated = ring.rotate(root, self.clock.now(), &*self.entropy)?;
        let sealed = secret.seal(&ring.text()?, &*self.entropy)?;
        Ok((rotated, SealedRing { version: version + 1, sealed }))
    }

    /// The same key ring as the first row of a database.
    pub fn to_row(&self, secret: &RingSecret) -> Result<SealedRing, String> {
        let sealed = secret.seal(&self.ring().text()?, &*self.entropy)?;
        Ok(SealedRing { version: 1, sealed })
    }
}

fn open(secret: &RingSecret, row: &SealedRing) -> Result<Loaded, String> {
    let text = secret.open(&row.sealed).ok_or(
        "the key ring in the database was sealed with another secret: set the one with which it \
         was made",
    )?;
    let (ring, _) = Ring::parse(&text).map_err(|error| format!("the sealed text{error}"))?;
    Ok(Loaded { ring: Arc::new(ring), version: Some(Version::Row(row.version)) })
}
