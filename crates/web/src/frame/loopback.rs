//! Requests from the machine that the server runs on, to a server that is only used there.

use std::net::IpAddr;

use http::HeaderMap;
use url::{Host, Url};

use super::context::PageContext;

/// Returns whether the client is on this machine and the server is only used there.
pub(crate) fn is_local_client(ctx: &PageContext) -> bool {
    let local = ctx.context.origin.address.is_some_and(|it| it.to_canonical().is_loopback());
    local && is_local_url(&ctx.app().public_url)
}

/// Returns whether the request was made on this machine, for one of its own names. A foreign name
/// that resolves to this machine is rejected, since a page of that origin could read the response
/// (DNS rebinding).
pub(crate) fn is_local_request(ctx: &PageContext, headers: &HeaderMap) -> bool {
    let host = headers.get(http::header::HOST).and_then(|it| it.to_str().ok());
    let local_host = host.is_none_or(|it| is_local_url(&format!("http://{it}")));
    is_local_client(ctx) && local_host && !is_forwarded(headers)
}

/// Returns whether a proxy forwarded the request, which then comes from another machine.
fn is_forwarded(headers: &HeaderMap) -> bool {
    let is_proxy_header =
        |name: &str| name == "forwarded" || name == "via" || name.starts_with("x-forwarded-");
    headers.keys().any(|it| is_proxy_header(it.as_str()))
}

/// Returns whether a URL points to this machine, and not through an HTTPS proxy.
fn is_local_url(address: &str) -> bool {
    let url = Url::parse(address).ok().filter(|it| it.scheme() == "http");
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(it)) => IpAddr::V4(it).is_loopback(),
        Some(Host::Ipv6(it)) => IpAddr::V6(it).is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_is_this_machine() {
        for home in ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"] {
            assert!(is_local_url(home), "{home}");
        }
        for other in [
            "https://127.0.0.1:8080",
            "http://grantor.example",
            "http://127.0.0.1.evil.example",
            "http://localhost.evil.example",
            "http://0.0.0.0:8080",
            "http://10.0.0.1",
            "nonsense",
        ] {
            assert!(!is_local_url(other), "{other}");
        }
    }
}
