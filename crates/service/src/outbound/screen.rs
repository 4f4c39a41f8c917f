//! From a URL's text to a destination that may be tried.

use grantor_domain::network::{AllowedNetworks, Host, MAX_URL_LENGTH, Refusal, Target};
use url::Url;

/// A URL that passed the screen; only such a one can be sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    url: Url,
    target: Target,
}

impl Destination {
    /// The URL in its normal form.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Where it leads.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }
}

/// Screens a URL: its form, its scheme and, for an address literal in any notation, the address.
/// What a name resolves to is judged when it is resolved.
pub fn screen_url(text: &str, allowed: &AllowedNetworks) -> Result<Destination, Refusal> {
    if text.chars().count() > MAX_URL_LENGTH {
        return Err(Refusal::TooLong);
    }
    // The parser would drop these silently, and a tenant could not see what is sent to.
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
