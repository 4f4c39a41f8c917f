//! Content to be scanned: an item of a feed, a page, or a pushed item (contract sections 4, 5 and 7).

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::Timestamp;
use crate::network::MAX_URL_LENGTH;

/// The maximum length of a title, in characters.
pub const MAX_TITLE: usize = 500;
/// The maximum length of an author's name, in characters.
pub const MAX_AUTHOR: usize = 200;
/// The maximum number of images per piece of content.
pub const MAX_IMAGES: usize = 10;
/// The maximum length of the text that describes an image, in characters.
pub const MAX_ALT: usize = 1_000;

/// Query parameters that only track visitors, by prefix and by name.
const TRACKING_BEGINS: &str = "utm_";
const TRACKING: [&str; 8] =
    ["fbclid", "gclid", "dclid", "msclkid", "mc_cid", "mc_eid", "igshid", "yclid"];

/// The canonical URL of a piece of content: without fragment and tracking parameters, with host and
/// escapes normalized.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentUrl(String);

impl ContentUrl {
    /// Parses an http or https URL.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::of(Url::parse(text.trim()).map_err(|_| FORM.to_owned())?)
    }

    /// Parses a URL that may be relative to `base`.
    pub fn join(base: &Url, text: &str) -> Result<Self, String> {
        Self::of(base.join(text.trim()).map_err(|_| FORM.to_owned())?)
    }

    fn of(mut url: Url) -> Result<Self, String> {
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(FORM.to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not contain a user name or password".to_owned());
        }
        url.set_fragment(None);
        drop_tracking(&mut url);
        let text = String::from(url);
        if text.len() > MAX_URL_LENGTH {
            return Err(format!("must have at most {MAX_URL_LENGTH} characters"));
        }
        Ok(Self(text))
    }

    /// The URL for display.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key that identifies the content. It is the same for http and https.
    #[must_use]
    pub fn key(&self) -> &str {
        key(&self.0)
    }
}

/// The key of a canonical URL.
#[must_use]
pub fn key(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

const FORM: &str = "must be a URL such as https://example.com/page";

/// Keeps the order of the remaining parameters, because it may matter to the server.
fn drop_tracking(url: &mut Url) {
    let Some(query) = url.query() else { return };
    let tracks = |pair: &str| {
        let name = pair.split('=').next().unwrap_or(pair).to_ascii_lowercase();
        name.starts_with(TRACKING_BEGINS) || TRACKING.contains(&&*name)
    };
    let kept: Vec<&str> = query.split('&').filter(|it| !it.is_empty() && !tracks(it)).collect();
    let kept = kept.join("&");
    url.set_query(Some(&*kept).filter(|it| !it.is_empty()));
}

/// An image of a piece of content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentImage {
    /// Its URL.
    pub url: ContentUrl,
    /// Its alternative text and caption as plain text; may be empty.
    pub alt: String,
}

/// A piece of content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The URL of the content.
    pub url: ContentUrl,
    /// The title as plain text; may be empty.
    pub title: String,
    /// The body: plain text or HTML.
    pub text: String,
    /// The images that belong to it, up to [`MAX_IMAGES`].
    pub images: Vec<ContentImage>,
    /// The author, if known.
    pub author: Option<String>,
    /// The publication time, if given.
    pub published_at: Option<Timestamp>,
}

impl Content {
    /// A hash that changes when the content changes. It is stored, so content with one image and no
    /// description of it keeps the hash it has always had.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        let mut add = |part: &str| {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        };
        add(&self.title);
        add(&self.text);
        add(self.images.first().map_or("", |it| it.url.as_str()));
        add(self.author.as_deref().unwrap_or_default());
        let described = self.images.iter().any(|it| !it.alt.is_empty());
        if described || self.images.len() > 1 {
            for image in &self.images {
                add(image.url.as_str());
                add(&image.alt);
            }
        }
        hash.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        ContentUrl::parse(text).unwrap().0
    }

    #[test]
    fn one_page_has_one_address() {
        for (written, kept) in [
            ("HTTPS://Example.COM:443/a/../b?x=1#top", "https://example.com/b?x=1"),
            ("https://example.com", "https://example.com/"),
            ("https://example.com/?utm_source=x&UTM_medium=y", "https://example.com/"),
            ("https://example.com/?b=2&fbclid=z&a=1&", "https://example.com/?b=2&a=1"),
            ("http://b\u{fc}cher.example/\u{e9}", "http://xn--bcher-kva.example/%C3%A9"),
            (" https://example.com/a ", "https://example.com/a"),
        ] {
            assert_eq!(canonical(written), kept, "{written}");
        }
        let keys = ["http://a.example/x", "https://a.example/x"].map(canonical);
        assert_eq!(key(&keys[0]), key(&keys[1]));
    }

    #[test]
    fn links_may_be_relative() {
        let base = Url::parse("https://example.com/news/feed.xml").unwrap();
        let joined = |text| ContentUrl::join(&base, text).unwrap().0;
        assert_eq!(joined("../a#b"), "https://example.com/a");
        assert_eq!(joined("//other.example/p"), "https://other.example/p");
    }

    #[test]
    fn the_digest_tells_what_is_said() {
        let content = |title: &str, text: &str, images: &[(&str, &str)]| Content {
            url: ContentUrl::parse("https://example.com/").unwrap(),
            title: title.to_owned(),
            text: text.to_owned(),
            images: images
                .iter()
                .map(|(url, alt)| ContentImage {
                    url: ContentUrl::parse(url).unwrap(),
                    alt: (*alt).to_owned(),
                })
                .collect(),
            author: None,
            published_at: None,
        };
        let (one, two) = ("https://example.com/a.png", "https://example.com/b.png");
        let all = [
            content("a", "b", &[]),
            content("ab", "", &[]),
            content("a", "b", &[(one, "")]),
            content("a", "b", &[(one, "Ann")]),
            content("a", "b", &[(one, ""), (two, "")]),
            content("a", "b", &[(one, ""), (two, "Ann")]),
        ];
        let digests: std::collections::HashSet<_> = all.iter().map(Content::digest).collect();
        assert_eq!(digests.len(), all.len());
        assert_eq!(all[0].digest(), content("a", "b", &[]).digest());
    }

    #[test]
    fn the_digest_of_one_image_without_a_description_is_what_it_always_was() {
        let content = Content {
            url: ContentUrl::parse("https://example.com/").unwrap(),
            title: "a".to_owned(),
            text: "b".to_owned(),
            images: vec![ContentImage {
                url: ContentUrl::parse("https://example.com/a.png").unwrap(),
                alt: String::new(),
            }],
            author: Some("c".to_owned()),
            published_at: None,
        };
        let mut hash = Sha256::new();
        for part in ["a", "b", "https://example.com/a.png", "c"] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        let expected: [u8; 32] = hash.finalize().into();
        assert_eq!(content.digest(), expected);
    }

    #[test]
    fn what_leads_nowhere_is_refused() {
        for wrong in ["", "x", "ftp://a/b", "javascript:alert(1)", "data:,x", "https://"] {
            assert_eq!(ContentUrl::parse(wrong), Err(FORM.to_owned()), "{wrong}");
        }
        let error = ContentUrl::parse("https://me:secret@example.com/").unwrap_err();
        assert_eq!(error, "must not contain a user name or password");
        let long = format!("https://example.com/{}", "a".repeat(MAX_URL_LENGTH));
        assert!(ContentUrl::parse(&long).unwrap_err().contains("at most"));
    }
}
