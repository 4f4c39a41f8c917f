//! The client's address and whether it connected over HTTPS, from trusted sources only.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap};
use ipnet::IpNet;

use crate::settings::Settings;

/// The client of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// The address used for rate limits and logs.
    pub address: IpAddr,
    /// Whether a trusted proxy reports that the client connected over HTTPS.
    pub forwarded_https: bool,
}

impl Client {
    /// Returns the client. Forwarding headers count only if the peer is a trusted proxy.
    #[must_use]
    pub fn of(extensions: &Extensions, headers: &HeaderMap, settings: &Settings) -> Self {
        let peer = extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip().to_canonical());
        let trusted = |address: IpAddr| is_trusted(&settings.trusted_proxies, address);
        if !trusted(peer) {
            return Self { address: peer, forwarded_https: false };
        }
        // Right to left: entries left of the last trusted proxy can be forged.
        let hops: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .collect();
        let mut address = peer;
        for hop in hops.iter().rev() {
            let Some(parsed) = parse_hop(hop) else { break };
            address = parsed;
            if !trusted(parsed) {
                break;
            }
        }
        let protocol = headers.get_all("x-forwarded-proto").iter().next_back();
        let protocol = protocol.and_then(|value| value.to_str().ok());
        let forwarded_https = protocol
            .and_then(|value| value.rsplit(',').next())
            .is_some_and(|last| last.trim().eq_ignore_ascii_case("https"));
        Self { address, forwarded_https }
    }
}

fn is_trusted(networks: &[IpNet], address: IpAddr) -> bool {
    networks.iter().any(|network| network.contains(&address))
}

/// Parses one hop. Some proxies include the port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(hop);
    let parsed = bare.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|it| it.ip()));
    parsed.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Peer, `X-Forwarded-For`, `X-Forwarded-Proto`, and the expected address and HTTPS flag.
    type Case = (&'static str, &'static [&'static str], Option<&'static str>, &'static str, bool);

    fn client(peer: &str, forwarded: &[&str], proto: Option<&str>) -> (String, bool) {
        let mut extensions = Extensions::new();
        extensions.insert(ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 1)));
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        if let Some(proto) = proto {
            headers.append("x-forwarded-proto", proto.parse().unwrap());
        }
        let settings = Settings {
            trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()],
            ..Settings::default()
        };
        let client = Client::of(&extensions, &headers, &settings);
        (client.address.to_string(), client.forwarded_https)
    }

    #[test]
    fn only_trusted_peers_are_believed() {
        let cases: [Case; 8] = [
            ("203.0.113.9", &["198.51.100.1"], Some("https"), "203.0.113.9", false),
            ("10.0.0.1", &["198.51.100.1"], Some("https"), "198.51.100.1", true),
            ("10.0.0.1", &["1.1.1.1, 198.51.100.1"], None, "198.51.100.1", false),
            ("10.0.0.1", &["198.51.100.1, 10.0.0.2"], Some("http"), "198.51.100.1", false),
            ("10.0.0.1", &["1.1.1.1", "198.51.100.1:4444"], None, "198.51.100.1", false),
            ("10.0.0.1", &["nonsense"], None, "10.0.0.1", false),
            ("::ffff:10.0.0.1", &["[2001:db8::7]"], None, "2001:db8::7", false),
            ("10.0.0.1", &[], Some("http, https"), "10.0.0.1", true),
        ];
        for (peer, forwarded, proto, address, https) in cases {
            let seen = client(peer, forwarded, proto);
            assert_eq!(seen, (address.to_owned(), https), "{peer} {forwarded:?}");
        }
    }
}
