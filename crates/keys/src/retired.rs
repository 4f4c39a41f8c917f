//! Retired signing keys. Their public keys are kept for a year to report old tokens as expired
//! rather than invalid (contract section 3, "Error codes"). They do not make any token valid.

use std::time::Duration;

use grantor_domain::Timestamp;
use jsonwebtoken::DecodingKey;
use serde::{Deserialize, Serialize};

use super::signing::SigningKey;

/// How long a key is kept after its last token expired.
const RETENTION: Duration = Duration::from_hours(366 * 24);

/// A retired signing key.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct RetiredKey {
    kid: String,
    public: String,
    forgotten_at: Timestamp,
}

impl RetiredKey {
    /// Retires a key whose last token expires at `ended_at`.
    pub(super) fn of(key: &SigningKey, ended_at: Timestamp) -> Result<Self, String> {
        let public = key.public()?.to_owned();
        Ok(Self { kid: key.kid.clone(), public, forgotten_at: ended_at.plus(RETENTION) })
    }

    pub(super) fn is_remembered(&self, now: Timestamp) -> bool {
        now < self.forgotten_at
    }

    pub(super) fn is(&self, kid: &str) -> bool {
        self.kid == kid
    }

    pub(super) fn decoding(&self) -> Result<DecodingKey, String> {
        DecodingKey::from_ed_components(&self.public)
            .map_err(|_| format!("retired key {} is malformed", self.kid))
    }
}
