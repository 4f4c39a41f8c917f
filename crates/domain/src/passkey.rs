//! Passkeys: key pairs on a person's devices that sign them in. We keep the public half.

use crate::Timestamp;
use crate::id::{PasskeyId, UserId};
use crate::text::TextRule;

/// The maximum number of passkeys of a person.
pub const MAX_PASSKEYS: usize = 20;

/// How long a person has to use or create a passkey, after which the challenge is forgotten.
pub const CEREMONY_LIFE: std::time::Duration = std::time::Duration::from_mins(10);

/// The name a person gives to a passkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyName(String);

impl PasskeyName {
    /// The rule for names.
    pub const RULE: TextRule = TextRule::line(1, 60);

    /// Parses a name.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A passkey of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    /// Its id.
    pub id: PasskeyId,
    /// Whose it is.
    pub user: UserId,
    /// Its name.
    pub name: PasskeyName,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// When it was added.
    pub created_at: Timestamp,
}
