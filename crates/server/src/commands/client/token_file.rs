//! The tokens of an API client between two commands: the server limits how often a key and secret
//! are exchanged.

use std::fs;
use std::path::PathBuf;

use aws_lc_rs::digest::{SHA256, digest};
use grantor_client::{Credentials, Tokens};
use grantor_domain::hex;

use super::environment::{Environment, folder};
use super::private_file;

/// The file of one server, key and secret. Commands also work without it.
pub(super) struct TokenFile(PathBuf);

impl TokenFile {
    /// The file, if the user has a directory for it. Its name depends on the secret, so that tokens
    /// are never used with another one.
    pub(super) fn find(
        environment: &Environment,
        url: &str,
        credentials: &Credentials,
    ) -> Option<Self> {
        let folder = folder(environment, "XDG_STATE_HOME", ".local/state")?;
        let (key, secret) = (credentials.api_key(), credentials.expose_secret());
        let name = digest(&SHA256, format!("{url} {key} {secret}").as_bytes());
        let name = hex::encode(&name.as_ref()[..8]);
        Some(Self(folder.join(format!("token-{name}.json"))))
    }

    /// The stored tokens, if there are any.
    pub(super) fn load(&self) -> Option<Tokens> {
        serde_json::from_slice(&private_file::read(&self.0).ok()??).ok()
    }

    /// Stores the tokens. If that fails, the next command gets new ones.
    pub(super) fn save(&self, tokens: &Tokens) {
        if let Ok(text) = serde_json::to_vec(tokens) {
            let _ = private_file::replace(&self.0, &text);
        }
    }

    /// Removes the tokens.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::client::environment::environment;

    #[test]
    fn tokens_belong_to_one_server_key_and_secret() {
        let home = tempfile::tempdir().unwrap();
        let environment = environment(&[("HOME", home.path().to_str().unwrap())]);
        let of = |url, key, secret| {
            TokenFile::find(&environment, url, &Credentials::new(key, secret)).unwrap()
        };
        let text = r#"{"access_token":"a","refresh_token":"b","renew_at":7}"#;
        let tokens: Tokens = serde_json::from_str(text).unwrap();
        of("u", "k", "s").save(&tokens);
        assert_eq!(of("u", "k", "s").load(), Some(tokens));
        for (url, key, secret) in [("v", "k", "s"), ("u", "l", "s"), ("u", "k", "t")] {
            assert_eq!(of(url, key, secret).load(), None);
        }
        of("u", "k", "s").remove();
        assert_eq!(of("u", "k", "s").load(), None);
        assert!(TokenFile::find(&[], "u", &Credentials::new("k", "s")).is_none());
    }
}
