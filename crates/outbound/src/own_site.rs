//! The only exception from the rules for destinations: a server with sample data may read the site
//! that it serves itself.

use std::net::SocketAddr;

use grantor_domain::network::{AllowedNetworks, Host};

use super::purpose::Purpose;
use super::screen::{Destination, screen_url};

const ROBOTS_PATH: &str = "/robots.txt";

/// A site on this process's own listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSite {
    /// The listener, which must be on loopback.
    pub listener: SocketAddr,
    /// The path that all pages of the site begin with.
    pub path: &'static str,
}

impl OwnSite {
    /// Screens a URL of the site. `None` for every other URL and for purposes other than scans: the
    /// usual rules apply to those.
    pub(super) fn screen(self, purpose: Purpose, text: &str) -> Option<Destination> {
        if !matches!(purpose, Purpose::Feed | Purpose::Image) {
            return None;
        }
        let address = self.listener.ip();
        let only: AllowedNetworks = address.to_string().parse().ok()?;
        let found = screen_url(text, &only).ok()?;
        let (url, target) = (found.url(), found.target());
        let is_own = url.scheme() == "http"
            && *target.host() == Host::Address(address)
            && target.port() == self.listener.port()
            && (url.path() == ROBOTS_PATH || url.path().starts_with(self.path));
        is_own.then_some(found)
    }
}
