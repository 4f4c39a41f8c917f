//! What licenses offer, over HTTP: the format that a client wants, and the headers of public
//! responses.

use grantor_domain::rights::{CONTENT_USAGE, RightsFormat, Statement};
use grantor_domain::{Error, Result};
use http::{HeaderMap, HeaderName, HeaderValue, header};

/// Returns the requested format: the one in the query, or else the one that the client prefers to
/// the default media type. `None` is the default representation, which a client that accepts none
/// of them also gets.
pub fn requested(
    query: Option<&str>,
    headers: &HeaderMap,
    default: &str,
) -> Result<Option<RightsFormat>> {
    match query {
        Some(name) => RightsFormat::parse(name).map_err(|message| Error::field("format", message)),
        None => Ok(preferred(headers, default)),
    }
}

/// Declares that search engines may index a public response, but that AI uses and mining need an
/// agreement.
pub fn declare(headers: &mut HeaderMap) {
    let usage = HeaderName::from_static("content-usage");
    headers.insert(usage, HeaderValue::from_static(CONTENT_USAGE));
    let reservation = HeaderName::from_static("tdm-reservation");
    headers.insert(reservation, HeaderValue::from_static("1"));
}

/// Like [`declare`], for a response about a license: with links to what it offers.
pub fn declare_license(headers: &mut HeaderMap, statement: &Statement) {
    declare(headers);
    let links = RightsFormat::ALL.map(|format| {
        let relation = if format == RightsFormat::Rsl { "license" } else { "alternate" };
        let (url, kind) = (statement.url_of(format), format.media_type());
        format!("<{url}>; rel=\"{relation}\"; type=\"{kind}\"")
    });
    if let Ok(links) = HeaderValue::try_from(links.join(", ")) {
        headers.append(header::LINK, links);
    }
    // The page is a policy for people: it says how to get a license.
    let policy = statement.page.as_ref().filter(|_| statement.offers_training());
    if let Some(Ok(policy)) = policy.map(HeaderValue::try_from) {
        headers.insert(HeaderName::from_static("tdm-policy"), policy);
    }
}

/// Returns the format with the highest quality (RFC 9110 section 12.5.1), unless the default is as
/// good. Of equal ones it is the first.
fn preferred(headers: &HeaderMap, default: &str) -> Option<RightsFormat> {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|it| it.to_str().ok());
    let ranges: Vec<_> = values.flat_map(|it| split(it, ',')).filter_map(Range::parse).collect();
    let mut best = (None, quality(&ranges, default, None));
    for format in RightsFormat::ALL {
        let quality = quality(&ranges, format.media_type(), format.profile());
        if quality > best.1 {
            best = (Some(format), quality);
        }
    }
    best.0
}

/// How much the client wants a media type: as the most specific range says that includes it.
fn quality(ranges: &[Range<'_>], media_type: &str, profile: Option<&str>) -> f32 {
    let fitting = ranges.iter().filter_map(|it| Some((it.fit(media_type, profile)?, it.quality)));
    fitting.max_by_key(|(fit, _)| *fit).map_or(0.0, |(_, quality)| quality)
}

/// Splits a header at a character, but not within quotes.
fn split(text: &str, at: char) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |it: char| {
        quoted ^= it == '"';
        it == at && !quoted
    })
}

/// A range of media types. Other parameters than the profile do not matter here.
struct Range<'a> {
    media_type: &'a str,
    profile: Option<&'a str>,
    quality: f32,
}

impl<'a> Range<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let mut parts = split(text, ';').map(str::trim);
        let media_type = parts.next().filter(|it| !it.is_empty())?;
        let mut range = Self { media_type, profile: None, quality: 1.0 };
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let value = value.trim().trim_matches('"');
            if name.eq_ignore_ascii_case("q") {
                range.quality = value.parse().ok().filter(|it| (0.0..=1.0).contains(it))?;
            } else if name.eq_ignore_ascii_case("profile") {
                range.profile = Some(value);
            }
        }
        Some(range)
    }

    /// How specifically the range includes a media type, if it does.
    fn fit(&self, media_type: &str, profile: Option<&str>) -> Option<u8> {
        let is_same = self.media_type.eq_ignore_ascii_case(media_type);
        if let Some(wanted) = self.profile {
            let has = wanted.split(' ').any(|it| Some(it) == profile);
            return (is_same && has).then_some(3);
        }
        let group = self.media_type.strip_suffix("/*");
        let kind = media_type.split('/').next().unwrap_or_default();
        match group {
            _ if is_same => Some(2),
            Some(group) if group.eq_ignore_ascii_case(kind) => Some(1),
            Some("*") => Some(0),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(accept: &str) -> Option<RightsFormat> {
        let headers = HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]);
        preferred(&headers, "application/json")
    }

    #[test]
    fn what_the_client_wants_most_is_sent() {
        use RightsFormat::{Odrl, Rsl, Schema, Text};
        for (accept, expected) in [
            ("*/*", None),
            ("application/*", None),
            ("application/json, text/plain, */*", None),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", None),
            ("image/png", None),
            ("", None),
            ("application/ld+json", Some(Odrl)),
            ("Application/LD+JSON;q=0.5, */*;q=0.1", Some(Odrl)),
            ("application/ld+json; profile=\"https://schema.org\"", Some(Schema)),
            ("application/ld+json;profile=\"a,b;c https://schema.org\", */*;q=0.2", Some(Schema)),
            ("application/ld+json;profile=\"http://www.w3.org/ns/odrl/2/\"", Some(Odrl)),
            ("application/ld+json;profile=\"https://other.example\"", None),
            ("application/rsl+xml", Some(Rsl)),
            ("text/plain;charset=utf-8", Some(Text)),
            ("text/*, application/json;q=0.9", Some(Text)),
            ("application/json;q=0.4, text/plain;q=0.5", Some(Text)),
            ("text/plain;q=0, */*", None),
            ("application/rsl+xml;q=2", None),
        ] {
            assert_eq!(chosen(accept), expected, "{accept}");
        }
        assert_eq!(preferred(&HeaderMap::new(), "application/json"), None);
    }

    #[test]
    fn the_query_goes_first() {
        let accept = (header::ACCEPT, HeaderValue::from_static("application/rsl+xml"));
        let headers = HeaderMap::from_iter([accept]);
        let requested = |query| requested(query, &headers, "application/json");
        assert_eq!(requested(None).unwrap(), Some(RightsFormat::Rsl));
        assert_eq!(requested(Some("odrl")).unwrap(), Some(RightsFormat::Odrl));
        assert_eq!(requested(Some("json")).unwrap(), None);
        let error = requested(Some("yaml")).unwrap_err();
        let expected = "must be one of json, odrl, rsl, schema, text";
        assert_eq!(error.fields().get("format").map(String::as_str), Some(expected));
    }
}
