//! Content of a platform that is looked at: an item of a feed, or one that was pushed (contract
//! sections 4, 5 and 7).

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::Timestamp;
use crate::network::MAX_URL_LENGTH;

/// The longest title, in characters.
pub const MAX_TITLE: usize = 500;
/// The longest name of an author, in characters.
pub const MAX_AUTHOR: usize = 200;

/// What only tells how somebody came to a page, by its beginning or whole.
const TRACKING_BEGINS: &str = "utm_";
const TRACKING: [&str; 8] =
    ["fbclid", "gclid", "dclid", "msclkid", "mc_cid", "mc_eid", "igshid", "yclid"];

/// The address of a piece of content in the one form that tells it from others: without a fragment,
/// without what only tells how somebody came there, host and escapes as the standard writes them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentUrl(String);

impl ContentUrl {
    /// Reads an address of http or https.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::of(Url::parse(text.trim()).map_err(|_| FORM.to_owned())?)
    }

    /// Reads an address that may stand relative to another, as links in a page do.
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

    /// As it is shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What tells it from others: the same page by http and by https is one.
    #[must_use]
    pub fn key(&self) -> &str {
        key(&self.0)
    }
}

/// What tells an address in its canonical form from others.
#[must_use]
pub fn key(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

const FORM: &str = "must be a URL such as https://example.com/page";

/// What is left of the query stays as it was written: its order may matter to who answers it.
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

/// A piece of content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Where it is.
    pub url: ContentUrl,
    /// What it is called; plain text, may be empty.
    pub title: String,
    /// What it says: plain text or HTML.
    pub text: String,
    /// The picture that goes with it.
    pub image_url: Option<ContentUrl>,
    /// Who wrote it, where that is said.
    pub author: Option<String>,
    /// When it says it was published.
    pub published_at: Option<Timestamp>,
}

impl Content {
    /// Tells what it says from what it said before.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        let image = self.image_url.as_ref().map_or("", ContentUrl::as_str);
        let author = self.author.as_deref().unwrap_or_default();
        for part in [&*self.title, &*self.text, image, author] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
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
        let content = |title: &str, text: &str, image: Option<&str>| Content {
            url: ContentUrl::parse("https://example.com/").unwrap(),
            title: title.to_owned(),
            text: text.to_owned(),
            image_url: image.map(|it| ContentUrl::parse(it).unwrap()),
            author: None,
            published_at: None,
        };
        let first = content("a", "b", None).digest();
        assert_eq!(first, content("a", "b", None).digest());
        let other = content("a", "b", Some("https://example.com/a.png")).digest();
        assert!(![content("ab", "", None).digest(), other].contains(&first));
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
