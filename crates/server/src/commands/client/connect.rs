//! Finds the server and the API client that a command uses.

use grantor_client::{Client, Credentials};

use super::environment::{Environment, text};
use super::profile::{self, Profiles};
use super::token_file::TokenFile;
use super::{credentials, retrying};
use crate::cli::Connect;
use crate::commands::public_url;
use crate::config::Config;
use crate::telemetry::print_error;

const URL: &str = "GRANTOR_URL";

/// A client for a command. The options come before the environment, and the environment before
/// the profile.
pub(crate) fn connect(
    config: &Config,
    environment: &Environment,
    options: &Connect,
) -> Result<Client, String> {
    if options.profile.profile.is_none()
        && let Some(credentials) = credentials::find(environment)?
    {
        return client(environment, &server_url(config, environment, options), &credentials);
    }
    let name = profile::name(environment, &options.profile)?;
    let profiles = Profiles::open(environment)?;
    let login = profile::login_command(&name);
    let Some(profile) = profiles.find(&name) else {
        return Err(format!(
            "not signed in: run {login}, or set GRANTOR_API_KEY and GRANTOR_API_SECRET"
        ));
    };
    let given = given_url(environment, options);
    let given = given.unwrap_or_else(|| Given::stored(&profile.url));
    let client = client(environment, &given, &profile.credentials())?;
    // A stored secret is only sent to the server that it was stored for.
    if client.url() != profile.url {
        return Err(format!(
            "the profile {name} belongs to {}; for {}, sign in with another --profile",
            profile.url,
            client.url()
        ));
    }
    Ok(client)
}

/// A URL, and where it was given.
pub(super) struct Given {
    source: &'static str,
    pub(super) url: String,
}

impl Given {
    /// The URL of a profile.
    pub(super) fn stored(url: &str) -> Self {
        Self { source: "credentials.toml", url: url.to_owned() }
    }
}

/// The URL of the options or the environment, or else the public URL.
pub(super) fn server_url(config: &Config, environment: &Environment, options: &Connect) -> Given {
    let given = given_url(environment, options);
    given.unwrap_or_else(|| Given { source: "public_url", url: public_url(config) })
}

fn given_url(environment: &Environment, options: &Connect) -> Option<Given> {
    let option = options.url.clone().map(|url| Given { source: "--url", url });
    option.or_else(|| Some(Given { source: URL, url: text(environment, URL)?.to_owned() }))
}

/// A client that keeps its tokens between commands and says when it waits.
pub(super) fn client(
    environment: &Environment,
    given: &Given,
    credentials: &Credentials,
) -> Result<Client, String> {
    let client = Client::new(&given.url, credentials.clone());
    let client = client.map_err(|error| format!("{}: {error}", given.source))?;
    let client = client.on_retry(|error, pause| print_error(&retrying(error, pause)));
    let Some(file) = TokenFile::find(environment, client.url(), credentials) else {
        return Ok(client);
    };
    let client = match file.load() {
        Some(tokens) => client.with_tokens(tokens),
        None => client,
    };
    Ok(client.on_tokens(move |tokens| file.save(tokens)))
}
