//! The ways to sign in.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::enum_names::enum_names;

enum_names!(SignInMethod);

/// How long after signing in a person may change how they sign in. Later they sign in again first,
/// so that a stolen session does not become a lasting way in.
pub const RECENT_SIGN_IN: Duration = Duration::from_mins(15);

/// An account that is older than this has surely been used before, so that a sign-in from an
/// unknown device is worth an email.
pub const SETTLED_ACCOUNT: Duration = Duration::from_hours(24);

/// How a person signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum SignInMethod {
    /// With a password.
    Password,
    /// With an emailed link or code.
    Email,
    /// With a passkey alone.
    Passkey,
    /// At the identity provider of an organization.
    SingleSignOn,
}

impl SignInMethod {
    /// The name on pages.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Password => "Password",
            Self::Email => "Emailed link or code",
            Self::Passkey => "Passkey",
            Self::SingleSignOn => "Single sign-on",
        }
    }

    /// Whether the method is only a first factor. A passkey verifies the person itself, and an
    /// identity provider asks for whatever its organization wants.
    #[must_use]
    pub const fn is_first_factor(self) -> bool {
        matches!(self, Self::Password | Self::Email)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for method in SignInMethod::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            let stored = serde_json::to_value(method).unwrap();
            assert_eq!(stored, method.name());
        }
    }
}
