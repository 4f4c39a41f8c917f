//! Rejects requests with an ambiguous host or body length, which proxies and servers could
//! interpret differently (request smuggling; RFC 9112 sections 3.2 and 6.1).

use std::net::Ipv6Addr;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use grantor_domain::Error;
use http::{HeaderMap, HeaderValue, Uri, Version, header};

use crate::RenderError;
use crate::request::request_id;
use crate::state::HttpState;

/// Adds the check to a router.
pub fn checked(state: &HttpState, router: Router, render: RenderError) -> Router {
    router.layer(from_fn_with_state((state.clone(), render), check))
}

async fn check(
    State((state, render)): State<(HttpState, RenderError)>,
    request: Request,
    next: Next,
) -> Response {
    let ambiguity = ambiguity(request.version(), request.uri(), request.headers());
    let Some(message) = ambiguity else { return next.run(request).await };
    let id = request_id(&state.app, request.headers());
    let mut response = render(request.uri(), &id, Error::validation(message));
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert("x-request-id", id);
    }
    if request.version() < Version::HTTP_2 {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Returns what is ambiguous about a request, if anything.
fn ambiguity(version: Version, uri: &Uri, headers: &HeaderMap) -> Option<&'static str> {
    let hosts: Vec<&HeaderValue> = headers.get_all(header::HOST).iter().collect();
    if hosts.len() > 1 {
        return Some("The request has more than one Host header");
    }
    let host = hosts.first().map(|it| it.to_str().unwrap_or_default());
    let named = if version >= Version::HTTP_2 {
        let authority = uri.authority().map(http::uri::Authority::as_str);
        if host.is_some_and(|host| authority.is_some_and(|it| !it.eq_ignore_ascii_case(host))) {
            return Some("The Host header and the :authority of the request differ");
        }
        authority.or(host)
    } else {
        host
    };
    match named {
        None if version > Version::HTTP_10 => return Some("The request has no Host header"),
        Some(host) if !is_host(host) => return Some("The Host header is not a valid host"),
        _ => {}
    }
    let codings: Vec<&HeaderValue> = headers.get_all(header::TRANSFER_ENCODING).iter().collect();
    match codings.as_slice() {
        [] => None,
        [coding] if coding.as_bytes().eq_ignore_ascii_case(b"chunked") => None,
        _ => Some("The only supported Transfer-Encoding is chunked"),
    }
}

/// Whether the text is a host name or IP address, optionally with a port.
fn is_host(text: &str) -> bool {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let Some((address, port)) = rest.split_once(']') else { return false };
            if address.parse::<Ipv6Addr>().is_err() {
                return false;
            }
            ("ipv6", port)
        }
        None => text.find(':').map_or((text, ""), |at| text.split_at(at)),
    };
    let is_port = |port: &str| port.parse::<u16>().is_ok() && !port.starts_with('+');
    let named = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let port_fits = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    port_fits && (1..=255).contains(&host.len()) && host.bytes().all(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_one_name_or_address() {
        for good in ["a", "grantor.example", "127.0.0.1:8080", "[::1]", "[2001:db8::7]:443", "_x"] {
            assert!(is_host(good), "{good}");
        }
        let long = "a".repeat(256);
        for bad in [
            "", ":80", "a:", "a:b", "a:+1", "a:65536", "a,b", "a b", "user@a", "a/b", "a?b", "a#b",
            "[::1", "[::g]", "[::1]80", "::1", "é", &long,
        ] {
            assert!(!is_host(bad), "{bad}");
        }
    }

    #[test]
    fn http_2_names_its_host_once() {
        let uri = |text: &'static str| Uri::from_static(text);
        let with = |host: &'static str| {
            HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))])
        };
        let two = |uri: &Uri, headers: &HeaderMap| ambiguity(Version::HTTP_2, uri, headers);
        assert_eq!(two(&uri("http://a/"), &HeaderMap::new()), None);
        assert_eq!(two(&uri("http://a/"), &with("A")), None);
        assert_eq!(two(&uri("/"), &with("a")), None);
        assert!(two(&uri("http://a/"), &with("b")).is_some());
        assert!(two(&uri("/"), &HeaderMap::new()).is_some());
        let old = ambiguity(Version::HTTP_10, &uri("/"), &HeaderMap::new());
        assert_eq!(old, None, "HTTP/1.0 knows no Host");
    }
}
