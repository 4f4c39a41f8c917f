//! Idempotency keys: the same key, query and body get the first answer again (contract section 3).

use std::time::Duration;

use uuid::Uuid;

/// How long an answer is kept.
pub const KEPT: Duration = Duration::from_hours(24);

/// How long a claim holds unless it is renewed: so long after the end of a node that answered a
/// request, another may take over its key.
pub const CLAIMED: Duration = Duration::from_secs(10);

/// How often a request that takes long renews its claim.
pub const RENEWED: Duration = Duration::from_secs(3);

/// A key as a caller may write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Takes 1 to 255 visible ASCII characters.
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

/// What makes two requests the same request, and which run of it this is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose key it is.
    pub caller: String,
    /// The method.
    pub method: String,
    /// The path.
    pub path: String,
    /// The key.
    pub key: IdempotencyKey,
    /// This run; a later one that takes over has another.
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
