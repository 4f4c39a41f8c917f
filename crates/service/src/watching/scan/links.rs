//! What an HTML page has for a scan: its own content, the feeds it advertises, and links to other
//! pages on the same host.

use std::collections::HashSet;

use grantor_domain::Timestamp;
use grantor_domain::content::{Content, ContentUrl};
use url::Url;

use super::charset;
use super::document::{Draft, add_paragraph, shape};
use super::page::{self, Link, Page};
use super::sitemap::Entry;

/// Pages that are read one step from a page.
pub(super) const MAX_LINKS: usize = 50;
/// Endings of files that are not pages.
const FILES: [&str; 26] = [
    ".7z", ".avi", ".avif", ".css", ".csv", ".doc", ".docx", ".epub", ".gif", ".gz", ".ico",
    ".ics", ".jpeg", ".jpg", ".js", ".json", ".mov", ".mp3", ".mp4", ".pdf", ".png", ".svg",
    ".webp", ".xls", ".xml", ".zip",
];

/// A page that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ReadPage {
    pub(super) content: Content,
    /// Links to other pages on the same host, up to [`MAX_LINKS`], the most interesting first.
    pub(super) links: Vec<Entry>,
    /// Advertised feeds, those of comments last.
    pub(super) feeds: Vec<Url>,
    /// The advertised WebSub hub and topic.
    pub(super) hub: Option<(Url, Url)>,
}

impl ReadPage {
    /// Whether the page has nothing to scan: no text, no pictures and no links.
    pub(super) fn is_empty(&self) -> bool {
        let Content { text, images, .. } = &self.content;
        page::plain(text).trim().is_empty() && images.is_empty() && self.links.is_empty()
    }
}

/// Reads an unpacked page. The error message is shown to users.
pub(super) fn read_page(
    document: &[u8],
    content_type: Option<&str>,
    url: &Url,
) -> Result<ReadPage, String> {
    let own = ContentUrl::parse(url.as_str())?;
    let page = page::read(charset::page(document, content_type).as_bytes());
    let base = page.base.as_deref().and_then(|it| url.join(it).ok());
    let base = base.unwrap_or_else(|| url.clone());
    let left_out = page.left_out.join(". ");
    let Page { title, text, pictures, author, published, feeds, hub, topic, links, .. } = page;
    let links = one_step(links, &base, &own, url);
    let mut feeds: Vec<Url> = feeds.iter().filter_map(|it| base.join(it).ok()).collect();
    feeds.sort_by_key(|it| it.path().contains("comment"));
    let hub = hub.and_then(|it| base.join(&it).ok());
    let topic = topic.map_or_else(|| Some(url.clone()), |it| base.join(&it).ok());
    let published_at = published.and_then(|it| Timestamp::parse(&it).ok());
    let draft = Draft { url: own, title, text, pictures, author, published_at };
    let mut content = shape(&base, draft);
    add_paragraph(&mut content.text, &left_out);
    Ok(ReadPage { content, links, feeds, hub: hub.zip(topic) })
}

/// The pages on the same host, each once, in the order of their places on the page.
fn one_step(mut links: Vec<Link>, base: &Url, own: &ContentUrl, page: &Url) -> Vec<Entry> {
    links.sort_by_key(|it| it.place);
    let mut seen = HashSet::from([own.key().to_owned()]);
    let pages = links.into_iter().filter_map(|link| {
        let content = ContentUrl::join(base, &link.href).ok()?;
        let url = Url::parse(content.as_str()).ok()?;
        let path = url.path().to_ascii_lowercase();
        let is_here = url.host() == page.host() && url.port() == page.port();
        let is_page = is_here && !FILES.iter().any(|it| path.ends_with(it));
        (is_page && seen.insert(content.key().to_owned()))
            .then(|| Entry { url: content.as_str().to_owned(), changed: None })
    });
    pages.take(MAX_LINKS).collect()
}

/// Whether a content type is that of a page.
pub(super) fn is_html_type(kind: &str) -> bool {
    let kind = kind.trim().to_ascii_lowercase();
    ["text/html", "application/xhtml"].iter().any(|it| kind.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> ReadPage {
        let url = Url::parse("https://www.example/news/").unwrap();
        read_page(html.as_bytes(), Some("text/html"), &url).unwrap()
    }

    fn urls(page: &ReadPage) -> Vec<&str> {
        page.links.iter().map(|it| &*it.url).collect()
    }

    #[test]
    fn links_lead_to_other_pages_of_the_host() {
        let page = read(
            "<nav><a href='/about'>a</a></nav><main><a href='one?utm_source=x#top'>b</a>\
             <a href='one'>c</a><a href='#part'>d</a><a href='.'>e</a>\
             <a href='http://www.example/two'>f</a></main><a href='/three'>g</a>\
             <a href='https://other.example/'>h</a><a href='https://www.example:8443/'>i</a>\
             <a href='/report.PDF'>j</a><a href='mailto:a@www.example'>k</a>\
             <a href='javascript:x()'>l</a>",
        );
        assert_eq!(
            urls(&page),
            [
                "https://www.example/news/one",
                "http://www.example/two",
                "https://www.example/three",
                "https://www.example/about",
            ]
        );
        let many =
            (0..500).fold(String::new(), |html, it| html + &format!("<a href='/{it}'>x</a>"));
        assert_eq!(read(&many).links.len(), MAX_LINKS);
    }

    #[test]
    fn a_page_is_content_with_pictures() {
        let page = read(
            "<base href='/media/'><title>News</title><meta name='author' content='Desk'>\
             <meta property='article:published_time' content='2026-01-02T03:04:05Z'>\
             <p>Ada Lovelace</p><figure><img data-src='1.jpg'><figcaption>At work</figcaption>\
             </figure><a href='next'>Next</a>",
        );
        let content = page.content.clone();
        assert_eq!(content.url.as_str(), "https://www.example/news/");
        assert_eq!((&*content.title, &*content.text), ("News", "Ada Lovelace At work Next"));
        assert_eq!(content.author.as_deref(), Some("Desk"));
        let at = Timestamp::parse("2026-01-02T03:04:05Z").unwrap();
        assert_eq!(content.published_at, Some(at));
        assert_eq!(content.images.len(), 1);
        assert_eq!(content.images[0].url.as_str(), "https://www.example/media/1.jpg");
        assert_eq!(content.images[0].alt, "At work");
        assert_eq!(urls(&page), ["https://www.example/media/next"]);
    }

    #[test]
    fn feeds_of_comments_come_last() {
        let page = read(
            "<link rel=alternate type=application/rss+xml href='/comments/feed/'>\
             <link rel=alternate type=application/rss+xml href='https://feeds.example/main'>\
             <link rel=alternate type=application/atom+xml href='atom.xml'>\
             <link rel=hub href='https://hub.example/'>",
        );
        let feeds: Vec<&str> = page.feeds.iter().map(Url::as_str).collect();
        assert_eq!(
            feeds,
            [
                "https://feeds.example/main",
                "https://www.example/news/atom.xml",
                "https://www.example/comments/feed/",
            ]
        );
        let (hub, topic) = page.hub.unwrap();
        assert_eq!(hub.as_str(), "https://hub.example/");
        assert_eq!(topic.as_str(), "https://www.example/news/");
    }
}
