//! The stored hash of a secret.

use std::fmt;

use subtle::ConstantTimeEq as _;

/// The SHA-256 of a secret. A plain hash is sufficient because 256 random bits cannot be guessed.
/// Never printed, because it identifies a row in the database.
#[derive(Clone, Copy)]
pub struct SecretHash([u8; 32]);

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(…)")
    }
}

impl SecretHash {
    /// Creates a hash from its stored bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, for storage.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl PartialEq for SecretHash {
    /// Constant-time comparison.
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for SecretHash {}
