//! Reads what a feed URL returned (RSS, Atom, JSON Feed or a sitemap) into items.

use feed_rs::model;
use grantor_domain::Timestamp;
use grantor_domain::content::{Content, ContentUrl, MAX_AUTHOR, MAX_TITLE};
use url::Url;

use super::sitemap::{self, Entry};
use super::{charset, json_feed, page, xml};

/// Newest items of a document that are scanned.
pub(super) const MAX_ITEMS: usize = 1_000;

/// A document that a feed URL returned.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Document {
    /// A feed: its newest items and how many it has.
    Feed { items: Vec<Content>, total: usize },
    /// A sitemap.
    Pages(Vec<Entry>),
    /// A sitemap index.
    Lists(Vec<Entry>),
}

/// Reads a document. The error message is shown to users.
pub(super) fn read(
    document: &[u8],
    content_type: Option<&str>,
    base: &Url,
) -> Result<Document, String> {
    let start = document.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(document).trim_ascii_start();
    if start.starts_with(b"\x1f\x8b") {
        return Err("compressed feeds are not supported".to_owned());
    }
    if start.starts_with(b"{") {
        return json_feed::read(start, base).map(newest);
    }
    if !start.contains(&b'<') {
        return Err(NO_FEED.to_owned());
    }
    if page::is_html(start) {
        return Err(HTML.to_owned());
    }
    let document = &*charset::xml(document, content_type);
    match &*xml::root(document)? {
        "urlset" => sitemap::read(document).map(Document::Pages),
        "sitemapindex" => sitemap::read(document).map(Document::Lists),
        "rss" | "feed" | "RDF" => feed(document, base).map(newest),
        _ => Err(NO_FEED.to_owned()),
    }
}

pub(super) const NO_FEED: &str = "it is neither RSS, Atom, JSON Feed nor a sitemap";
const HTML: &str = "it is an HTML page, not a feed";

fn feed(document: &[u8], base: &Url) -> Result<Vec<Content>, String> {
    let parser = feed_rs::parser::Builder::new().base_uri(Some(base)).sanitize_content(false);
    let feed = parser.build().parse(document);
    let feed = feed.map_err(|error| format!("it could not be read: {error}"))?;
    Ok(feed.entries.into_iter().filter_map(|entry| content(entry, base)).collect())
}

/// Newest first, each URL once. Items without a date come last, in their original order.
fn newest(mut items: Vec<Content>) -> Document {
    items.sort_by_key(|it| std::cmp::Reverse(it.published_at));
    let mut seen = std::collections::HashSet::new();
    items.retain(|it| seen.insert(it.url.key().to_owned()));
    let total = items.len();
    items.truncate(MAX_ITEMS);
    Document::Feed { items, total }
}

/// The content of an entry, if it has a URL.
fn content(entry: model::Entry, base: &Url) -> Option<Content> {
    let url = address(&entry, base)?;
    let image = image(&entry);
    let title = entry.title.map(|it| page::plain(&it.content)).unwrap_or_default();
    let body = entry.content.and_then(|it| it.body).filter(|it| !it.trim().is_empty());
    let text = body.or(entry.summary.map(|it| it.content)).unwrap_or_default();
    let author = entry.authors.into_iter().find_map(name);
    let at = entry.published.or(entry.updated);
    let published_at = at.map(|it| Timestamp::from_micros(it.timestamp_micros()));
    Some(shape(base, Draft { url, title, text, image, author, published_at }))
}

/// The name of a person. RSS puts it in parentheses after an email address.
fn name(person: model::Person) -> Option<String> {
    let bare = |it: &str| Some(it.strip_prefix('(')?.strip_suffix(')')?.trim().to_owned());
    let name = person.name.map(|it| bare(&it).unwrap_or(it));
    name.filter(|it| !it.is_empty()).or(person.email)
}

/// Content as its feed or page has it.
pub(super) struct Draft {
    pub(super) url: ContentUrl,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) image: Option<String>,
    pub(super) author: Option<String>,
    pub(super) published_at: Option<Timestamp>,
}

/// Normalizes and truncates content. Without an explicit picture, the first one in the text is
/// used.
pub(super) fn shape(base: &Url, draft: Draft) -> Content {
    let image = draft.image.or_else(|| {
        draft.text.contains("<img").then(|| page::read(draft.text.as_bytes()).image).flatten()
    });
    let author = draft.author.map(|it| cut(&page::plain(&it), MAX_AUTHOR));
    Content {
        url: draft.url,
        title: cut(&draft.title, MAX_TITLE),
        text: draft.text,
        image_url: image.and_then(|it| ContentUrl::join(base, &it).ok()),
        author: author.filter(|it| !it.is_empty()),
        published_at: draft.published_at,
    }
}

fn cut(text: &str, at_most: usize) -> String {
    text.chars().take(at_most).collect::<String>().trim_end().to_owned()
}

/// The URL of an entry: its own link, or its id if that is a URL.
fn address(entry: &model::Entry, base: &Url) -> Option<ContentUrl> {
    let own = |link: &&model::Link| {
        link.target.is_none() && link.rel.as_deref().is_none_or(|it| it == "alternate")
    };
    let own = entry.links.iter().find(own);
    let named = || ContentUrl::parse(&entry.id).ok();
    own.and_then(|it| ContentUrl::join(base, &it.href).ok()).or_else(named)
}

/// The first picture among media content, thumbnails and enclosures, in that order.
fn image(entry: &model::Entry) -> Option<String> {
    let pictures = entry.media.iter().flat_map(|it| &it.content).filter(|it| {
        let kind = it.content_type.as_ref().map(ToString::to_string);
        kind.map_or_else(
            || it.url.as_ref().is_some_and(named_as_picture),
            |it| it.starts_with("image/"),
        )
    });
    let picture = pictures.into_iter().find_map(|it| it.url.as_ref().map(Url::to_string));
    let thumbnails = entry.media.iter().flat_map(|it| &it.thumbnails);
    let thumbnail = thumbnails.into_iter().map(|it| it.image.uri.clone()).next();
    let enclosures = entry.links.iter().filter(|it| it.rel.as_deref() == Some("enclosure"));
    let mut enclosures =
        enclosures.filter(|it| it.media_type.as_deref().is_some_and(|it| it.starts_with("image/")));
    picture.or(thumbnail).or_else(|| enclosures.next().map(|it| it.href.clone()))
}

fn named_as_picture(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    [".jpg", ".jpeg", ".png", ".webp"].iter().any(|it| path.ends_with(it))
}

#[cfg(test)]
mod tests;
