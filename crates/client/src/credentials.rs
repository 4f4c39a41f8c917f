//! The key and secret of an API client, and the tokens that it gets for them.

use std::fmt;

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

/// How many seconds before its end an access token is renewed.
const MARGIN: u64 = 300;

/// The key and secret of an API client.
#[derive(Clone, Debug)]
pub struct Credentials {
    api_key: String,
    api_secret: SecretString,
}

impl Credentials {
    /// The API key, such as `gk_live_…`, and its secret, such as `gs_live_…`.
    #[must_use]
    pub fn new(api_key: impl Into<String>, api_secret: impl Into<SecretString>) -> Self {
        Self { api_key: api_key.into(), api_secret: api_secret.into() }
    }

    /// The API key.
    #[must_use]
    pub fn api_key(&self) -> &str {
        &self.api_key
    }

    /// The secret in plain text.
    #[must_use]
    pub fn expose_secret(&self) -> &str {
        self.api_secret.expose_secret()
    }
}

/// The tokens of an API client. A program that runs often stores them between its runs, because the
/// server limits how often a key and secret are exchanged. They are as secret as a password.
#[derive(Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Tokens {
    pub(crate) access_token: String,
    pub(crate) refresh_token: String,
    /// When to renew the access token, in Unix seconds.
    pub(crate) renew_at: u64,
}

impl fmt::Debug for Tokens {
    /// Omits the tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").field("renew_at", &self.renew_at).finish_non_exhaustive()
    }
}

impl Tokens {
    /// Tokens that were issued now, for so many seconds.
    pub(crate) fn new(
        access_token: String,
        refresh_token: String,
        expires_in: u64,
        now: u64,
    ) -> Self {
        // A token that lives only for minutes is renewed after half of its life.
        let life = expires_in.saturating_sub(MARGIN).max(expires_in / 2);
        Self { access_token, refresh_token, renew_at: now.saturating_add(life) }
    }

    /// Whether the access token is to be renewed.
    pub(crate) fn is_due(&self, now: u64) -> bool {
        now >= self.renew_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_renewed_five_minutes_before_its_end() {
        let tokens = |life| Tokens::new("access".to_owned(), "refresh".to_owned(), life, 1_000);
        assert!(!tokens(3_600).is_due(1_000 + 3_299) && tokens(3_600).is_due(1_000 + 3_300));
        assert!(!tokens(60).is_due(1_029) && tokens(60).is_due(1_030));
        assert!(tokens(0).is_due(1_000));
    }

    #[test]
    fn no_secret_is_formatted() {
        let tokens = Tokens::new("access".to_owned(), "refresh".to_owned(), 0, 7);
        let shown = format!("{tokens:?} {:?}", Credentials::new("gk", "hidden"));
        assert!(shown.contains("renew_at: 7") && shown.contains("gk"), "{shown}");
        for secret in ["access", "refresh", "hidden"] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}
