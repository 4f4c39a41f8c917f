//! `grantor login` and `grantor logout`.

use grantor_client::Credentials;

use super::connect::{Given, client, server_url};
use super::profile::{self, Profile, Profiles};
use super::token_file::TokenFile;
use super::{Desk, credentials, explain, output, prompt};
use crate::cli::{self, Login};

/// Checks an API key and secret, and keeps them.
pub(super) async fn sign_in(desk: &mut Desk<'_>, options: Login) -> Result<(), String> {
    let name = profile::name(desk.environment, &options.connect.profile)?;
    let mut profiles = Profiles::open(desk.environment)?;
    // Nothing is asked for that could not be kept.
    let path = profiles.path()?.display().to_string();
    let url = server_url(desk.config, desk.environment, &options.connect);
    output::remark(&format!("Signing in to {}", url.url));
    let key = match options.api_key {
        Some(key) => key,
        None => match credentials::key(desk.environment) {
            Some(key) => key.to_owned(),
            None => prompt::ask("API key")?,
        },
    };
    let secret = match credentials::secret(desk.environment)? {
        Some(secret) => secret,
        None => prompt::ask_secret("API secret")?,
    };
    let credentials = Credentials::new(key, secret);
    let client = client(desk.environment, &url, &credentials)?;
    let scopes = client.sign_in().await.map_err(|it| explain(&it))?;
    let new = Profile::new(client.url(), &credentials);
    if let Some(old) = profiles.find(&name).filter(|it| **it != new) {
        forget_tokens(desk, old);
    }
    profiles.insert(&name, new)?;
    let (url, key) = (client.url(), client.api_key());
    desk.terminal.say(&format!("Signed in to {url} as {key} ({}).", scopes.join(", ")))?;
    desk.terminal.say(&format!("The key and the secret are kept in {path}, profile {name}."))
}

/// Forgets an API key and secret, and revokes their tokens.
pub(super) async fn sign_out(desk: &mut Desk<'_>, option: &cli::Profile) -> Result<(), String> {
    let name = profile::name(desk.environment, option)?;
    let mut profiles = Profiles::open(desk.environment)?;
    let Some(profile) = profiles.find(&name).cloned() else {
        return Err(format!("there is no profile {name}"));
    };
    profiles.delete(&name)?;
    let given = Given::stored(&profile.url);
    let client = client(desk.environment, &given, &profile.credentials())?;
    let revoked = client.sign_out().await;
    forget_tokens(desk, &profile);
    if let Err(error) = revoked {
        output::remark(&format!("The tokens were not revoked, and expire by themselves: {error}"));
    }
    desk.terminal.say(&format!("Signed out of {}, profile {name}.", profile.url))
}

fn forget_tokens(desk: &Desk<'_>, profile: &Profile) {
    let credentials = profile.credentials();
    if let Some(file) = TokenFile::find(desk.environment, &profile.url, &credentials) {
        file.remove();
    }
}
