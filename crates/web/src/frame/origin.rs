//! Cross-site request forgery protection. Browsers report where a request comes from in headers
//! that pages cannot change.

use http::{HeaderMap, Method, header};

/// Returns whether the request is safe, or comes from this site and may change something.
pub(super) fn is_own(method: &Method, headers: &HeaderMap, public_url: &str) -> bool {
    if method.is_safe() {
        return true;
    }
    let text = |name| headers.get(name).and_then(|it: &http::HeaderValue| it.to_str().ok());
    if let Some(site) = text(http::HeaderName::from_static("sec-fetch-site")) {
        return site == "same-origin";
    }
    // Older browsers send at least `Origin`. A request with neither header is not from a browser.
    let Some(origin) = text(header::ORIGIN) else { return false };
    let here = text(header::HOST).is_some_and(|host| {
        origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://")) == Some(host)
    });
    here || origin == public_url
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(method: &Method, pairs: &[(&'static str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, value.parse().unwrap());
        }
        is_own(method, &headers, "https://grantor.example")
    }

    #[test]
    fn only_our_own_pages_send_forms() {
        let host = ("host", "127.0.0.1:8080");
        assert!(own(&Method::GET, &[("sec-fetch-site", "cross-site")]));
        assert!(own(&Method::POST, &[("sec-fetch-site", "same-origin")]));
        assert!(own(&Method::POST, &[host, ("origin", "http://127.0.0.1:8080")]));
        assert!(own(&Method::POST, &[host, ("origin", "https://grantor.example")]));
        for site in ["cross-site", "same-site", "none", ""] {
            let origin = ("origin", "https://grantor.example");
            assert!(!own(&Method::POST, &[("sec-fetch-site", site), origin]), "{site}");
        }
        for origin in ["null", "https://evil.example", "http://127.0.0.1:80801", ""] {
            assert!(!own(&Method::POST, &[host, ("origin", origin)]), "{origin}");
        }
        assert!(!own(&Method::POST, &[host]));
        assert!(!own(&Method::DELETE, &[]));
    }
}
