//! Idempotency keys: a repeated request with the same key, query and body gets the first response
//! again (contract section 3).

use std::time::Duration;

use uuid::Uuid;

/// How long a response is kept.
pub const RETENTION: Duration = Duration::from_hours(24);

/// How long a claim is valid unless renewed. After this time another node may take over the key of
/// a node that died.
pub const CLAIM_LEASE: Duration = Duration::from_secs(10);

/// How often a long-running request renews its claim.
pub const RENEW_INTERVAL: Duration = Duration::from_secs(3);

/// A valid idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Parses 1 to 255 visible ASCII characters.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let fits = (1..=255).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_graphic());
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be 1 to 255 visible ASCII characters")
        }
    }

    /// The key's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Identifies a request, and the attempt that is processing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The caller the key belongs to.
    pub caller: String,
    /// The HTTP method.
    pub method: String,
    /// The request path.
    pub path: String,
    /// The idempotency key.
    pub key: IdempotencyKey,
    /// The ID of this attempt; an attempt that takes over has a different one.
    pub run: Uuid,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_visible_ascii() {
        assert!(IdempotencyKey::parse(&"k".repeat(255)).is_ok());
        for bad in ["", "a b", "é", "a\tb", &"k".repeat(256)] {
            assert!(IdempotencyKey::parse(bad).is_err(), "{bad:?}");
        }
    }
}
