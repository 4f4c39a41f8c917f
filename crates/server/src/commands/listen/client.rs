//! The HTTP clients of `grantor listen`, and their failures.

use std::time::Duration;

use reqwest::{Client, redirect, retry};
use url::{Host, Url};

const USER_AGENT: &str = concat!("Grantor-Listen/", env!("CARGO_PKG_VERSION"));

/// Why a request to the server failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// A retry may succeed.
    Temporary {
        /// What went wrong.
        reason: String,
        /// The time that the server asks to wait before the retry.
        retry_after: Option<Duration>,
    },
    /// A retry would fail again.
    Permanent(String),
}

/// Builds a client for one URL. It does not restrict the address: the user of this command chose
/// both URLs and could reach them anyway.
#[expect(
    clippy::disallowed_methods,
    reason = "this runs on a developer's machine, and so does most often the receiver"
)]
pub(super) fn build(target: &Url, limit: Duration) -> Result<Client, String> {
    let builder = Client::builder()
        // The API secret and signed events must not reach another host.
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
        .timeout(limit)
        .user_agent(USER_AGENT);
    // A proxy cannot reach this machine's loopback.
    let builder = if is_local(target) { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| format!("the HTTP client cannot start: {error}"))
}

/// Parses the URL of a Grantor server. It must be https or local: the API secret is sent there.
pub(super) fn server_url(text: &str) -> Result<Url, String> {
    let url = http_url("--server", text)?;
    if url.scheme() == "http" && !is_local(&url) {
        return Err("--server: must be https, because the API secret is sent there".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("--server: must not contain a user name or password".to_owned());
    }
    // Without a trailing slash, `Url::join` would replace the last part of the path.
    let mut url = url;
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

/// Parses an HTTP URL. The error does not repeat it: it may contain a password.
pub(super) fn http_url(flag: &str, text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|it| matches!(it.scheme(), "http" | "https"));
    url.ok_or_else(|| format!("{flag}: must be a URL such as http://localhost:3000/hook"))
}

/// Describes an error without the URL, which may contain a password.
pub(super) fn describe(error: reqwest::Error) -> String {
    if error.is_timeout() {
        "timed out".to_owned()
    } else if error.is_connect() {
        "cannot connect".to_owned()
    } else {
        error.without_url().to_string()
    }
}

fn is_local(url: &Url) -> bool {
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
