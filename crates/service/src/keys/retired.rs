//! Keys that sign no longer. Of such a key the public half is kept for a year, so that a token that ended
//! is told so (contract section 3, "Error codes"); it lets nobody in.

use std::time::Duration;

use grantor_domain::Timestamp;
use jsonwebtoken::DecodingKey;
use serde::{Deserialize, Serialize};

use super::signing::SigningKey;

/// How long, from when the last token of the key has ended.
const REMEMBERED: Duration = Duration::from_hours(366 * 24);

/// What is left of a signing key.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct RetiredKey {
    kid: String,
    public: String,
    forgotten_at: Timestamp,
}

impl RetiredKey {
    /// What is left of a key whose last token ended then.
    pub(super) fn of(key: &SigningKey, ended_at: Timestamp) -> Result<Self, String> {
        let public = key.public()?.to_owned();
        Ok(Self { kid: key.kid.clone(), public, forgotten_at: ended_at.plus(REMEMBERED) })
    }

    pub(super) fn is_remembered(&self, now: Timestamp) -> bool {
        now < self.forgotten_at
    }

    pub(super) fn is(&self, kid: &str) -> bool {
        self.kid == kid
    }

    pub(super) fn decoding(&self) -> Result<DecodingKey, String> {
        DecodingKey::from_ed_components(&self.public)
            .map_err(|_| format!("retired key {} does not read", self.kid))
    }
}
