//! Screens URLs before anything is sent to them.

use grantor_domain::network::{AllowedNetworks, Host, MAX_URL_LENGTH, Refusal, Target};
use url::Url;

/// A URL that passed screening. Requests can be sent only to these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    url: Url,
    target: Target,
}

impl Destination {
    /// The normalized URL.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The host and port it leads to.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }
}

/// Screens a URL: its form, its scheme and, for an IP address in any notation, the address. The
/// addresses of a name are checked when it is resolved.
pub fn screen_url(text: &str, allowed: &AllowedNetworks) -> Result<Destination, Refusal> {
    if text.chars().count() > MAX_URL_LENGTH {
        return Err(Refusal::TooLong);
    }
    // The parser would silently drop these, and the tenant would not see the real destination.
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(Refusal::Malformed);
    }
    let url = Url::parse(text).map_err(|_| Refusal::Malformed)?;
    if !matches!(url.scheme(), "https" | "http") {
        return Err(Refusal::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Refusal::Credentials);
    }
    let host = match url.host().ok_or(Refusal::Malformed)? {
        url::Host::Ipv4(address) => Host::Address(address.into()),
        url::Host::Ipv6(address) => Host::Address(address.into()),
        url::Host::Domain(name) => Host::Name(name.to_owned()),
    };
    let port = url.port_or_known_default().ok_or(Refusal::Port)?;
    let target = Target::new(url.scheme(), host, port, allowed)?;
    Ok(Destination { url, target })
}
