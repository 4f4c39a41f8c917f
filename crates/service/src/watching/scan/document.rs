//! Reads what an address returned: RSS, Atom, JSON Feed, a sitemap or an HTML page, compressed or
//! not.

use feed_rs::model;
use grantor_domain::Timestamp;
use grantor_domain::content::{
    Content, ContentImage, ContentUrl, MAX_ALT, MAX_AUTHOR, MAX_IMAGES, MAX_TITLE,
};
use grantor_domain::source::address::video_picture;
use url::Url;

use super::links;
use super::media::{self, ItemMedia};
use super::page::{self, Picture, is_readable};
use super::sitemap::{self, Entry};
use super::{charset, compression, json_feed, xml};

/// Newest items of a document that are scanned.
pub(super) const MAX_ITEMS: usize = 1_000;

/// A document that an address returned.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Document {
    /// A feed.
    Feed {
        /// Its title.
        title: Option<String>,
        /// The WebSub hub it names.
        hub: Option<Url>,
        /// Its own address, which is the topic at the hub.
        topic: Option<Url>,
        /// Its newest items.
        items: Vec<Content>,
        /// How many items it has.
        total: usize,
    },
    /// A sitemap.
    Pages(Vec<Entry>),
    /// A sitemap index.
    Lists(Vec<Entry>),
    /// A page and the pages it links to on the same host. Only returned by [`read_any`].
    Page { content: Content, links: Vec<Entry> },
}

/// Reads a feed or a sitemap; an HTML page is an error. The error message is shown to users.
pub(super) fn read(
    document: &[u8],
    content_type: Option<&str>,
    base: &Url,
) -> Result<Document, String> {
    let document = &*compression::unpack(document)?;
    if is_html(document) {
        return Err(HTML.to_owned());
    }
    read_feed(document, content_type, base)
}

/// Reads a feed, a sitemap or an HTML page. The error message is shown to users.
pub(super) fn read_any(
    document: &[u8],
    content_type: Option<&str>,
    base: &Url,
) -> Result<Document, String> {
    let document = &*compression::unpack(document)?;
    if !is_page(document, content_type, base) {
        return read_feed(document, content_type, base);
    }
    let page = links::read_page(document, content_type, base)?;
    Ok(Document::Page { content: page.content, links: page.links })
}

/// Whether an unpacked document is an HTML page: it starts like one, or it is said to be one and is
/// nothing else.
pub(super) fn is_page(document: &[u8], content_type: Option<&str>, base: &Url) -> bool {
    let said = || content_type.is_some_and(links::is_html_type);
    is_html(document) || (said() && read_feed(document, content_type, base).is_err())
}

/// Whether an unpacked document starts like an HTML page.
fn is_html(document: &[u8]) -> bool {
    page::is_html(start(document))
}

/// The document without its byte order mark and leading white space.
fn start(document: &[u8]) -> &[u8] {
    document.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(document).trim_ascii_start()
}

fn read_feed(document: &[u8], content_type: Option<&str>, base: &Url) -> Result<Document, String> {
    let start = start(document);
    if start.starts_with(b"{") {
        return json_feed::read(start, base).map(newest);
    }
    if !start.contains(&b'<') {
        let listed = sitemap::read_lines(start).map(Document::Pages);
        return listed.ok_or_else(|| NO_FEED.to_owned());
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

/// What a feed says about itself, and all its items.
pub(super) struct WholeFeed {
    pub(super) title: Option<String>,
    pub(super) hub: Option<Url>,
    pub(super) topic: Option<Url>,
    pub(super) items: Vec<Content>,
}

fn feed(document: &[u8], base: &Url) -> Result<WholeFeed, String> {
    let parser = feed_rs::parser::Builder::new().base_uri(Some(base)).sanitize_content(false);
    let feed = parser.build().parse(document);
    let feed = feed.map_err(|error| format!("it could not be read: {error}"))?;
    let link = |rel: &str| {
        let found = feed.links.iter().find(|it| it.rel.as_deref() == Some(rel))?;
        base.join(&found.href).ok()
    };
    let (hub, topic) = (link("hub"), link("self"));
    let title = feed.title.map(|it| page::plain(&it.content));
    let mut media = media::read(document);
    if media.len() != feed.entries.len() {
        media = feed.entries.iter().map(named_media).collect();
    }
    let items = feed.entries.into_iter().zip(media);
    let items = items.filter_map(|(entry, media)| content(entry, media, base)).collect();
    Ok(WholeFeed { title, hub, topic, items })
}

/// Newest first, each URL once. Items without a date come last, in their original order.
pub(super) fn newest(feed: WholeFeed) -> Document {
    let WholeFeed { title, hub, topic, mut items } = feed;
    items.sort_by_key(|it| std::cmp::Reverse(it.published_at));
    let mut seen = std::collections::HashSet::new();
    items.retain(|it| seen.insert(it.url.key().to_owned()));
    let total = items.len();
    items.truncate(MAX_ITEMS);
    let title = title.map(|it| cut(&it, MAX_TITLE)).filter(|it| !it.is_empty());
    Document::Feed { title, hub, topic, items, total }
}

/// The content of an entry, if it has a URL.
fn content(entry: model::Entry, media: ItemMedia, base: &Url) -> Option<Content> {
    let url = address(&entry, base)?;
    let ItemMedia { pictures, people } = media;
    let title = entry.title.map(|it| page::plain(&it.content)).unwrap_or_default();
    let body = entry.content.and_then(|it| it.body).filter(|it| !it.trim().is_empty());
    let summary = entry.summary.map(|it| it.content).filter(|it| !it.trim().is_empty());
    // Videos and episodes are described where pictures are, too.
    let described = || entry.media.iter().find_map(|it| it.description.as_ref());
    let mut text = body
        .or(summary)
        .or_else(|| described().map(|it| escaped(&page::plain(&it.content))))
        .unwrap_or_default();
    for person in people {
        add_paragraph(&mut text, &person);
    }
    let author = entry.authors.into_iter().find_map(name);
    let at = entry.published.or(entry.updated);
    let published_at = at.map(|it| Timestamp::from_micros(it.timestamp_micros()));
    Some(shape(base, Draft { url, title, text, pictures, author, published_at }))
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
    pub(super) pictures: Vec<Picture>,
    pub(super) author: Option<String>,
    pub(super) published_at: Option<Timestamp>,
}

/// Normalizes and truncates content. Pictures in the text follow those that are named.
pub(super) fn shape(base: &Url, draft: Draft) -> Content {
    let Draft { url, title, mut text, mut pictures, author, published_at } = draft;
    if text.contains("<img") || text.contains("<IMG") {
        let page = page::read(text.as_bytes());
        pictures.extend(page.pictures);
        add_paragraph(&mut text, &page.left_out.join(". "));
    }
    let mut images = images(base, pictures, &mut text);
    if images.is_empty() {
        images.extend(video_picture(&url).map(|url| ContentImage { url, alt: String::new() }));
    }
    let author = author.map(|it| cut(&page::plain(&it), MAX_AUTHOR)).filter(|it| !it.is_empty());
    Content { url, title: cut(&title, MAX_TITLE), text, images, author, published_at }
}

/// The first pictures, each once. The descriptions of all others become part of the text, because
/// they may name people.
fn images(base: &Url, pictures: Vec<Picture>, text: &mut String) -> Vec<ContentImage> {
    let mut images: Vec<ContentImage> = vec![];
    for Picture { url, alt } in pictures {
        let alt = cut(&page::plain(&alt), MAX_ALT);
        let url = ContentUrl::join(base, &url).ok().filter(|_| is_readable(&url));
        let known =
            url.as_ref().and_then(|url| images.iter().position(|it| it.url.key() == url.key()));
        match (known, url) {
            (Some(at), _) if images[at].alt.is_empty() => images[at].alt = alt,
            (Some(at), _) if images[at].alt == alt => {}
            (None, Some(url)) if images.len() < MAX_IMAGES => {
                images.push(ContentImage { url, alt });
            }
            _ => add_paragraph(text, &alt),
        }
    }
    images
}

/// Adds plain text to a text that may be HTML.
pub(super) fn add_paragraph(text: &mut String, plain: &str) {
    if !plain.is_empty() {
        text.push_str("<p>");
        text.push_str(&escaped(plain));
        text.push_str("</p>");
    }
}

/// Plain text as HTML.
pub(super) fn escaped(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;")
}

fn cut(text: &str, at_most: usize) -> String {
    text.chars().take(at_most).collect::<String>().trim_end().to_owned()
}

/// The URL of an entry: its own link, its id if that is a URL, or the file of an episode.
fn address(entry: &model::Entry, base: &Url) -> Option<ContentUrl> {
    let own = |link: &&model::Link| {
        link.target.is_none() && link.rel.as_deref().is_none_or(|it| it == "alternate")
    };
    let own = entry.links.iter().find(own);
    let named = || ContentUrl::parse(&entry.id).ok();
    let mut files = entry.media.iter().flat_map(|it| &it.content).filter_map(|it| it.url.as_ref());
    own.and_then(|it| ContentUrl::join(base, &it.href).ok())
        .or_else(named)
        .or_else(|| files.find_map(|it| ContentUrl::parse(it.as_str()).ok()))
}

/// The media of an entry as the feed parser sees it: media content, or else a thumbnail.
fn named_media(entry: &model::Entry) -> ItemMedia {
    let picture = |url: String| Picture { url, alt: String::new() };
    let content = entry.media.iter().flat_map(|it| &it.content).filter(|it| {
        let kind = it.content_type.as_ref().map(ToString::to_string);
        kind.map_or_else(
            || it.url.as_ref().is_some_and(|it| media::is_named_as_picture(it.as_str())),
            |it| it.starts_with("image/"),
        )
    });
    let urls = content.filter_map(|it| it.url.as_ref().map(Url::to_string));
    let mut pictures: Vec<Picture> = urls.map(picture).collect();
    if pictures.is_empty() {
        let mut thumbnails = entry.media.iter().flat_map(|it| &it.thumbnails);
        pictures.extend(thumbnails.next().map(|it| picture(it.image.uri.clone())));
    }
    let people = entry.media.iter().flat_map(|it| &it.people).map(|it| it.name.clone()).collect();
    ItemMedia { pictures, people }
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
