//! The HTTP clients of `grantor listen`, and what can go wrong with them.

use std::time::Duration;

use reqwest::{Client, redirect, retry};
use url::{Host, Url};

const USER_AGENT: &str = concat!("Grantor-Listen/", env!("CARGO_PKG_VERSION"));

/// Why the server gave nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It may go better later, after the pause that was asked for.
    Passing {
        /// What went wrong.
        what: String,
        /// How long the server asks us to wait.
        asked: Option<Duration>,
    },
    /// It will not.
    Lasting(String),
}

/// A client for one address. It does not screen where that leads: whoever runs this command names
/// both addresses and could reach them by any other means.
#[expect(
    clippy::disallowed_methods,
    reason = "a developer's own machine asks, and the receiver is most often on it"
)]
pub(super) fn build(target: &Url, limit: Duration) -> Result<Client, String> {
    let builder = Client::builder()
        // What is signed for one address, and the secret, are for nobody else.
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
        .timeout(limit)
        .user_agent(USER_AGENT);
    // No proxy leads back to this machine.
    let builder = if is_here(target) { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| format!("the HTTP client cannot start: {error}"))
}

/// Reads the address of a Grantor server: https, or this machine, since a secret is sent there.
pub(super) fn server_url(text: &str) -> Result<Url, String> {
    let url = http_url("--server", text)?;
    if url.scheme() == "http" && !is_here(&url) {
        return Err("--server: the API secret is sent there, so it must be https".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("--server: it must not hold a user name or password".to_owned());
    }
    // Without this the last part of a path would be replaced by what is joined to it.
    let mut url = url;
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

/// Reads an address to talk HTTP with; it may hold a password and is not repeated.
pub(super) fn http_url(flag: &str, text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|it| matches!(it.scheme(), "http" | "https"));
    url.ok_or_else(|| format!("{flag}: it must be a URL such as http://localhost:3000/hook"))
}

/// What went wrong on the way, without the address, which may hold a password.
pub(super) fn describe(error: reqwest::Error) -> String {
    if error.is_timeout() {
        "no answer in time".to_owned()
    } else if error.is_connect() {
        "no connection".to_owned()
    } else {
        error.without_url().to_string()
    }
}

fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_sent_by_https_or_stays_here() {
        let read = |text| server_url(text).map(String::from);
        assert_eq!(read("http://127.0.0.1:8080"), Ok("http://127.0.0.1:8080/".to_owned()));
        assert_eq!(read("https://g.example/in?x#y"), Ok("https://g.example/in/".to_owned()));
        for text in ["http://localhost", "http://[::1]:1/", "http://a.localhost:9"] {
            assert!(read(text).is_ok(), "{text}");
        }
        for text in ["http://g.example", "ftp://localhost", "localhost", "https://u:p@g.example"] {
            assert!(read(text).unwrap_err().starts_with("--server: "), "{text}");
        }
    }
}
