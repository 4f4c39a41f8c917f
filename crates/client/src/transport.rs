//! The HTTP client of this crate, also for programs that call a receiver of webhooks themselves.

use std::time::Duration;

use reqwest::{redirect, retry};
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use url::{Host, Url};

use crate::error::{Error, Result};

const USER_AGENT: &str = concat!("grantor-client/", env!("CARGO_PKG_VERSION"));
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Builds an HTTP client for one URL, which follows no redirects and retries nothing. It does not
/// restrict the address: whoever runs the program chose it.
#[expect(
    clippy::disallowed_methods,
    reason = "this runs on its user's machine, where the server or the receiver may be, too"
)]
pub fn http_client(target: &Url, timeout: Duration) -> Result<reqwest::Client> {
    // Without a provider, building the client panics. One that the program installed stays.
    if CryptoProvider::get_default().is_none() {
        let _ = aws_lc_rs::default_provider().install_default();
    }
    let builder = reqwest::Client::builder()
        // The API secret and signed events must not reach another host.
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(timeout)
        .user_agent(USER_AGENT);
    // A proxy cannot reach this machine's loopback.
    let builder = if is_local(target) { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| Error::Invalid(format!("The HTTP client: {error}")))
}

/// Describes why a request failed, without its URL, which may contain a password.
#[must_use]
pub fn describe(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "timed out".to_owned();
    }
    let is_connect = error.is_connect();
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    if is_connect { format!("cannot connect: {cause}") } else { cause.to_string() }
}

/// Whether a URL names this machine.
pub(crate) fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
