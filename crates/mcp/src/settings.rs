//! The settings of the transport. Only requests to the server's own host are accepted, and of
//! browsers only those of the server's own pages: other sites could otherwise reach a server that
//! runs on the visitor's machine (DNS rebinding).

use std::net::IpAddr;

use http::Uri;
use http::uri::Authority;
use rmcp::transport::StreamableHttpServerConfig;

/// The names of this machine.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Returns the settings of a server with this public URL. Every request is answered by itself,
/// without sessions and streams, so that any node can answer it.
pub(crate) fn of(public_url: &str, body_limit: usize) -> StreamableHttpServerConfig {
    let (hosts, origins) = allowed(public_url);
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_max_request_body_bytes(body_limit)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
}

/// Returns the hosts and the origins that are accepted. A server on loopback accepts every name of
/// this machine.
fn allowed(public_url: &str) -> (Vec<String>, Vec<String>) {
    let uri: Uri = public_url.parse().unwrap_or_default();
    // No list may be empty: the transport would accept everything.
    let authority = uri.authority().map_or("localhost", Authority::as_str);
    let host = uri.host().unwrap_or("localhost");
    let scheme = uri.scheme_str().unwrap_or("https");
    let default_port = if scheme == "http" { 80 } else { 443 };
    let port = uri.port_u16().unwrap_or(default_port);
    let mut hosts = vec![authority.to_owned()];
    let mut origins = vec![format!("{scheme}://{host}:{port}")];
    if is_loopback(host) {
        hosts.extend(LOOPBACK.map(str::to_owned));
        origins.extend(LOOPBACK.map(|it| format!("{scheme}://{it}:*")));
    }
    (hosts, origins)
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|it| it.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_server_accepts_only_its_own_host_and_origin() {
        let cases = [
            ("https://grantor.example", "grantor.example", "https://grantor.example:443"),
            (
                "https://grantor.example:8443",
                "grantor.example:8443",
                "https://grantor.example:8443",
            ),
            ("http://10.0.0.1:8080", "10.0.0.1:8080", "http://10.0.0.1:8080"),
        ];
        for (url, host, origin) in cases {
            assert_eq!(allowed(url), (vec![host.to_owned()], vec![origin.to_owned()]), "{url}");
        }
    }

    #[test]
    fn a_server_on_loopback_accepts_every_name_of_the_machine() {
        for url in ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"] {
            let (hosts, origins) = allowed(url);
            assert_eq!(hosts[1..], ["localhost", "127.0.0.1", "[::1]"], "{url}");
            let any_port = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];
            assert_eq!(origins[1..], any_port, "{url}");
        }
    }
}
