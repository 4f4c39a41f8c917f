//! The normalized domain of a platform, and the feeds on it.

use std::net::Ipv6Addr;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::content::ContentUrl;
use crate::network::{Host, MAX_URL_LENGTH, is_host_name};

/// The maximum number of feeds per platform.
pub const MAX_FEEDS: usize = 20;

/// The default port, which is omitted.
const HTTPS_PORT: u16 = 443;
const FORM: &str =
    "must be a host name such as example.com or an IP address, optionally with a port";

/// A host name or IP address, optionally with a port. Names are in lower case and ASCII form
/// without a trailing dot; the https port is omitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformDomain {
    text: String,
    host: Host,
}

impl PlatformDomain {
    /// Parses a domain as entered by a user.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.contains("://") {
            return Err("must not have a scheme: write example.com, not https://example.com");
        }
        if text.contains('@') {
            return Err("must not contain a user name or password");
        }
        if text.contains(['/', '\\', '?', '#']) {
            return Err("must not have a path or a query");
        }
        let (host, port) = split(text)?;
        let port = port.map(read_port).transpose()?.filter(|it| *it != HTTPS_PORT);
        let host = read_host(host)?;
        let mut text = match &host {
            Host::Name(name) => name.clone(),
            Host::Address(address) if address.is_ipv6() => format!("[{address}]"),
            Host::Address(address) => address.to_string(),
        };
        if let Some(port) = port {
            text = format!("{text}:{port}");
        }
        Ok(Self { text, host })
    }

    /// The normalized text, for storage, display and comparison.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host without the port.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Whether a URL is on this host or a subdomain.
    #[must_use]
    pub fn has(&self, url: &ContentUrl) -> bool {
        let url = Url::parse(url.as_str()).ok();
        host_of(url.as_ref()).is_some_and(|it| self.covers(&it))
    }

    /// Whether a host is this one or a subdomain.
    fn covers(&self, other: &Host) -> bool {
        match (&self.host, other) {
            (Host::Name(own), Host::Name(other)) => other
                .strip_suffix(own.as_str())
                .is_some_and(|it| it.is_empty() || it.ends_with('.')),
            (own, other) => own == other,
        }
    }
}

/// Splits off the port. Only an IPv6 address in brackets may contain colons before the port.
fn split(text: &str) -> Result<(&str, Option<&str>), &'static str> {
    if text.parse::<Ipv6Addr>().is_ok() {
        return Ok((text, None));
    }
    if let Some(rest) = text.strip_prefix('[') {
        let (address, after) = rest.split_once(']').ok_or(FORM)?;
        address.parse::<Ipv6Addr>().map_err(|_| FORM)?;
        return match after.strip_prefix(':') {
            Some(port) => Ok((address, Some(port))),
            None if after.is_empty() => Ok((address, None)),
            None => Err(FORM),
        };
    }
    match text.split_once(':') {
        Some((host, port)) => Ok((host, Some(port))),
        None => Ok((text, None)),
    }
}

fn read_port(text: &str) -> Result<u16, &'static str> {
    let digits = text.bytes().all(|it| it.is_ascii_digit());
    let port = text.parse().ok().filter(|port| digits && *port > 0);
    port.ok_or("must have a port from 1 to 65535")
}

fn read_host(text: &str) -> Result<Host, &'static str> {
    if let Ok(address) = text.parse::<Ipv6Addr>() {
        return Ok(Host::Address(address.into()));
    }
    let text = text.strip_suffix('.').unwrap_or(text);
    // `Host::parse` would decode or drop these characters.
    if text.contains('%') || text.chars().any(|it| it.is_whitespace() || it.is_control()) {
        return Err(FORM);
    }
    match url::Host::parse(text).map_err(|_| FORM)? {
        // `Host::parse` reads `1.2.3` and `0x7f.1` as IPv4 addresses; a domain must not be written
        // that way.
        url::Host::Ipv4(address) if text.parse() == Ok(address) => {
            Ok(Host::Address(address.into()))
        }
        url::Host::Domain(name) if is_host_name(&name) && !hangs(&name) => Ok(Host::Name(name)),
        _ => Err(FORM),
    }
}

/// Whether a label begins or ends with a hyphen, which is not allowed in domains.
fn hangs(name: &str) -> bool {
    name.split('.').any(|label| label.starts_with('-') || label.ends_with('-'))
}

/// The feeds of a platform, without duplicates: http or https URLs on its host or a subdomain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FeedUrls(Vec<String>);

impl FeedUrls {
    /// Parses the feeds of a domain; the error names the first invalid one.
    pub fn parse<T: AsRef<str>>(urls: &[T], domain: &PlatformDomain) -> Result<Self, String> {
        if urls.len() > MAX_FEEDS {
            return Err(format!("must contain at most {MAX_FEEDS} items"));
        }
        let mut kept = Vec::new();
        for (place, url) in (1..).zip(urls) {
            let url =
                feed(url.as_ref(), domain).map_err(|error| format!("entry {place} {error}"))?;
            if !kept.contains(&url) {
                kept.push(url);
            }
        }
        Ok(Self(kept))
    }

    /// The feed URLs.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

fn host_of(url: Option<&Url>) -> Option<Host> {
    let host = url?.host_str()?.trim_start_matches('[').trim_end_matches(']');
    read_host(host).ok()
}

fn feed(text: &str, domain: &PlatformDomain) -> Result<String, String> {
    if text.chars().count() > MAX_URL_LENGTH {
        return Err(format!("must have at most {MAX_URL_LENGTH} characters"));
    }
    let hides = text.chars().any(|it| it.is_whitespace() || it.is_control());
    let parsed = Url::parse(text)
        .ok()
        .filter(|url| !hides && matches!(url.scheme(), "http" | "https") && url.port() != Some(0));
    let mut url = parsed.ok_or("must be a URL such as https://example.com/feed.xml")?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not contain a user name or password".to_owned());
    }
    if !host_of(Some(&url)).is_some_and(|it| domain.covers(&it)) {
        return Err("must be on the platform's own host or a subdomain of it".to_owned());
    }
    url.set_fragment(None);
    Ok(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(text: &str) -> PlatformDomain {
        PlatformDomain::parse(text).unwrap()
    }

    #[test]
    fn one_domain_has_one_form() {
        for (written, kept) in [
            ("example.com", "example.com"),
            (" Example.COM. ", "example.com"),
            ("example.com:443", "example.com"),
            ("example.com:8443", "example.com:8443"),
            ("example.com.:080", "example.com:80"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
            ("my_shop.example", "my_shop.example"),
            ("localhost:3000", "localhost:3000"),
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("[::1]:8080", "[::1]:8080"),
            ("2001:DB8::1", "[2001:db8::1]"),
            ("[2001:db8:0:0::1]", "[2001:db8::1]"),
        ] {
            assert_eq!(domain(written).as_str(), kept, "{written}");
            assert_eq!(domain(kept).as_str(), kept, "{kept} stays");
        }
    }

    #[test]
    fn what_is_no_domain_is_told_why() {
        for (text, part) in [
            ("https://example.com", "scheme"),
            ("ftp://example.com/x", "scheme"),
            ("ada@example.com", "user name"),
            ("ada:pw@example.com", "user name"),
            ("example.com/shop", "path"),
            ("example.com?x", "path"),
            ("example.com#x", "path"),
            ("example.com\\x", "path"),
            ("example.com:0", "port"),
            ("example.com:65536", "port"),
            ("example.com:", "port"),
            ("example.com:+80", "port"),
            ("example.com:http", "port"),
            ("", "host name"),
            (".", "host name"),
            (":80", "host name"),
            ("example..com", "host name"),
            ("exam ple.com", "host name"),
            ("exam%70le.com", "host name"),
            ("a\u{0}.example", "host name"),
            ("256.1.1.1", "host name"),
            ("0x7f.1", "host name"),
            ("1.2.3", "host name"),
            ("127.1", "host name"),
            ("2130706433", "host name"),
            ("0177.0.0.1", "host name"),
            ("-a.example", "host name"),
            ("a-.example", "host name"),
            ("[::1", "host name"),
            ("[::1]x", "host name"),
            ("[example.com]", "host name"),
            ("xn--a.example", "host name"),
            ("*.example.com", "host name"),
            (&format!("{}.example", "a".repeat(64)), "host name"),
            (&"a.".repeat(128), "host name"),
        ] {
            let error = PlatformDomain::parse(text).expect_err(text);
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    #[test]
    fn feeds_are_on_the_domain_or_below_it() {
        let own = domain("example.com:8443");
        let given = [
            "https://example.com/feed.xml#top",
            "http://News.example.com:81/rss?all",
            "https://example.com/feed.xml",
        ];
        let kept = ["https://example.com/feed.xml", "http://news.example.com:81/rss?all"];
        assert_eq!(FeedUrls::parse(&given, &own).unwrap().as_slice(), kept);
        let on_address = FeedUrls::parse(&["http://[::1]:8/f"], &domain("::1")).unwrap();
        assert_eq!(on_address.as_slice(), ["http://[::1]:8/f"]);
        for (url, part) in [
            ("https://example.org/feed", "entry 1 must be on the platform's own host"),
            ("https://badexample.com/feed", "own host"),
            ("https://com/feed", "own host"),
            ("https://1.2.3.4/feed", "own host"),
            ("ftp://example.com/feed", "must be a URL"),
            ("/feed.xml", "must be a URL"),
            ("https://example.com/a feed", "must be a URL"),
            ("https://example.com:0/feed", "must be a URL"),
            ("https://ada@example.com/feed", "user name"),
            (&format!("https://example.com/{}", "x".repeat(2048)), "at most 2048"),
        ] {
            let error = FeedUrls::parse(&[url], &own).expect_err(url);
            assert!(error.contains(part), "{url}: {error}");
        }
    }

    #[test]
    fn feeds_are_few() {
        let urls = |count: usize| (0..count).map(|it| format!("https://a.example/{it}")).collect();
        let parse = |urls: Vec<String>| FeedUrls::parse(&urls, &domain("a.example"));
        assert!(parse(urls(20)).is_ok());
        assert_eq!(parse(urls(21)).unwrap_err(), "must contain at most 20 items");
    }
}
