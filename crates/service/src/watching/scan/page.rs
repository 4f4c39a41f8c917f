//! Reads HTML: its text without markup, its pictures with their alternative texts and captions, its
//! links, and the metadata of the head.

mod picture;

use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{Token, Tokenizer};

use self::picture::attribute;
pub(super) use self::picture::{Picture, is_readable};

/// Elements whose text is not displayed.
const SKIPPED: [&[u8]; 4] = [b"script", b"style", b"noscript", b"template"];
/// Elements that do not separate words.
const INLINE: [&[u8]; 12] =
    [b"a", b"abbr", b"b", b"em", b"font", b"i", b"mark", b"s", b"small", b"span", b"strong", b"u"];
/// Types of feeds that a page may advertise.
const FEED_TYPES: [&str; 4] =
    ["application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"];
/// Pictures, links and feeds read per page.
const MAX_PICTURES: usize = 200;
const MAX_LINKS: usize = 2_000;
const MAX_FEEDS: usize = 20;

/// The content of a page. Addresses are as the page has them, usually relative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) title: String,
    pub(super) text: String,
    /// The pictures named in the head come first.
    pub(super) pictures: Vec<Picture>,
    /// Alternative texts of pictures that are not read.
    pub(super) left_out: Vec<String>,
    pub(super) author: Option<String>,
    pub(super) published: Option<String>,
    /// What addresses are relative to, if not to the page.
    pub(super) base: Option<String>,
    /// Advertised feeds.
    pub(super) feeds: Vec<String>,
    /// The advertised WebSub hub, and the topic to subscribe to there.
    pub(super) hub: Option<String>,
    pub(super) topic: Option<String>,
    pub(super) links: Vec<Link>,
}

/// A link to another page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) href: String,
    pub(super) place: Place,
}

/// Where a link is on its page, the most interesting place first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Main,
    Body,
    Navigation,
}

/// A figure whose caption belongs to the pictures in it.
struct Figure {
    /// The index of its first picture.
    first: usize,
    /// Where its caption begins in the text of the page.
    caption_at: Option<usize>,
    caption: String,
}

/// The state of reading a page.
#[derive(Default)]
struct Reader {
    page: Page,
    /// The pictures named in the head.
    lead: Vec<Picture>,
    title: Option<String>,
    in_title: bool,
    skipped: Option<Vec<u8>>,
    figure: Option<Figure>,
    /// Alternatives of the `picture` element that is open.
    sources: Vec<String>,
    /// Open elements with the main content, and with navigation.
    main: u32,
    navigation: u32,
}

/// Reads a page or an HTML fragment.
pub(super) fn read(html: &[u8]) -> Page {
    let mut reader = Reader::default();
    for token in tokens(html) {
        match token {
            Ok(Token::StartTag(tag)) => reader.open(&tag),
            Ok(Token::EndTag(tag)) => reader.close(&tag.name),
            Ok(Token::String(text)) => reader.push(&text),
            _ => {}
        }
    }
    reader.finish()
}

fn tokens(html: &[u8]) -> impl Iterator<Item = Result<Token<()>, std::convert::Infallible>> {
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter)
}

impl Reader {
    fn open(&mut self, tag: &StartTag<()>) {
        let name = tag.name.as_slice();
        if self.skipped.is_none() && SKIPPED.contains(&name) && !tag.self_closing {
            self.skipped = Some(name.to_vec());
        }
        self.in_title = name == b"title" && self.title.is_none();
        separate(&mut self.page.text, name);
        match name {
            b"img" => self.add_picture(tag),
            b"picture" => self.sources.clear(),
            b"source" if self.sources.len() < MAX_PICTURES => {
                self.sources.extend(picture::source(tag));
            }
            b"video" if self.page.pictures.len() < MAX_PICTURES => {
                let poster = attribute(tag, b"poster").filter(|it| is_readable(it));
                self.page.pictures.extend(poster.map(|url| Picture { url, alt: String::new() }));
            }
            b"figure" => self.open_figure(),
            b"figcaption" => {
                let at = self.page.text.len();
                if let Some(figure) = &mut self.figure {
                    figure.caption_at = Some(at);
                }
            }
            b"main" | b"article" => self.main += 1,
            b"nav" | b"header" | b"footer" | b"aside" => self.navigation += 1,
            b"a" => self.add_link(tag),
            b"link" => self.read_link(tag),
            b"meta" => self.read_meta(tag),
            b"base" if self.page.base.is_none() => self.page.base = attribute(tag, b"href"),
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        self.skipped = self.skipped.take().filter(|it| it.as_slice() != name);
        self.in_title = false;
        match name {
            b"picture" => self.sources.clear(),
            b"figure" => self.close_figure(),
            b"figcaption" => {
                if let Some(figure) = &mut self.figure
                    && let Some(at) = figure.caption_at.take()
                {
                    figure.caption = line(&self.page.text[at..]);
                }
            }
            b"main" | b"article" => self.main = self.main.saturating_sub(1),
            b"nav" | b"header" | b"footer" | b"aside" => {
                self.navigation = self.navigation.saturating_sub(1);
            }
            _ => {}
        }
        separate(&mut self.page.text, name);
    }

    fn push(&mut self, text: &[u8]) {
        match self.skipped.as_deref() {
            // What browsers without scripts show instead of pictures that are loaded late.
            Some(b"noscript") => {
                for token in tokens(text) {
                    if let Ok(Token::StartTag(tag)) = token
                        && tag.name.as_slice() == b"img"
                    {
                        self.add_picture(&tag);
                    }
                }
            }
            Some(_) => {}
            None if self.in_title => self.title = Some(String::from_utf8_lossy(text).into_owned()),
            None => self.page.text.push_str(&String::from_utf8_lossy(text)),
        }
    }

    /// Adds a picture, or only its alternative text if there is no address to read.
    fn add_picture(&mut self, tag: &StartTag<()>) {
        let alt = attribute(tag, b"alt").map(|it| line(&it)).unwrap_or_default();
        let url = picture::address(tag, &self.sources).filter(|_| !picture::is_tiny(tag));
        match url {
            Some(url) if self.page.pictures.len() < MAX_PICTURES => {
                self.page.pictures.push(Picture { url, alt });
            }
            _ if alt.is_empty() => {}
            _ => self.page.left_out.push(alt),
        }
    }

    fn open_figure(&mut self) {
        self.close_figure();
        let first = self.page.pictures.len();
        self.figure = Some(Figure { first, caption_at: None, caption: String::new() });
    }

    fn close_figure(&mut self) {
        let Some(Figure { first, caption, .. }) = self.figure.take() else { return };
        if caption.is_empty() {
            return;
        }
        for picture in self.page.pictures.iter_mut().skip(first) {
            let alt = picture.alt.trim_end_matches('.');
            picture.alt = match alt {
                "" => caption.clone(),
                same if same == caption.trim_end_matches('.') => continue,
                _ => format!("{alt}. {caption}"),
            };
        }
    }

    fn add_link(&mut self, tag: &StartTag<()>) {
        let place = match (self.navigation, self.main) {
            (0, 0) => Place::Body,
            (0, _) => Place::Main,
            _ => Place::Navigation,
        };
        if self.page.links.len() < MAX_LINKS
            && let Some(href) = attribute(tag, b"href")
        {
            self.page.links.push(Link { href, place });
        }
    }

    fn read_link(&mut self, tag: &StartTag<()>) {
        let Some(href) = attribute(tag, b"href") else { return };
        let lower = |name: &[u8]| attribute(tag, name).unwrap_or_default().to_ascii_lowercase();
        let (rel, kind) = (lower(b"rel"), lower(b"type"));
        let is = |name: &str| rel.split_ascii_whitespace().any(|it| it == name);
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if is("alternate") && FEED_TYPES.contains(&kind) {
            if self.page.feeds.len() < MAX_FEEDS {
                self.page.feeds.push(href);
            }
        } else if is("hub") {
            self.page.hub.get_or_insert(href);
        } else if is("self") {
            self.page.topic.get_or_insert(href);
        }
    }

    /// Reads the picture, author and date. The first author and date found stay.
    fn read_meta(&mut self, tag: &StartTag<()>) {
        let Some(content) = attribute(tag, b"content") else { return };
        let name = attribute(tag, b"property").or_else(|| attribute(tag, b"name"));
        match &*name.unwrap_or_default().to_ascii_lowercase() {
            "og:image" if self.lead.len() < MAX_PICTURES && is_readable(&content) => {
                self.lead.push(Picture { url: content, alt: String::new() });
            }
            "og:image:alt" => {
                if let Some(picture) = self.lead.last_mut() {
                    picture.alt = line(&content);
                }
            }
            "author" => {
                self.page.author.get_or_insert(content);
            }
            "article:published_time" => {
                self.page.published.get_or_insert(content);
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Page {
        self.close_figure();
        self.page.title = line(&self.title.unwrap_or_default());
        self.page.text = line(&self.page.text);
        self.lead.append(&mut self.page.pictures);
        self.page.pictures = self.lead;
        self.page
    }
}

/// Whether the document starts like an HTML page.
pub(super) fn is_html(document: &[u8]) -> bool {
    let mut rest = document.trim_ascii_start();
    for (opens, closes) in [(&b"<?"[..], &b"?>"[..]), (b"<!--", b"-->")] {
        while rest.starts_with(opens) {
            let Some(end) = rest.windows(closes.len()).position(|it| it == closes) else {
                return false;
            };
            rest = rest[end + closes.len()..].trim_ascii_start();
        }
    }
    let begins = |with: &[u8]| {
        rest.get(..with.len()).is_some_and(|it| it.eq_ignore_ascii_case(with))
            && rest.get(with.len()).is_none_or(|it| !it.is_ascii_alphanumeric())
    };
    begins(b"<!doctype html") || begins(b"<html")
}

/// The text of an HTML fragment, on one line. Plain text passes through.
pub(super) fn plain(html: &str) -> String {
    if html.contains(['<', '&']) { read(html.as_bytes()).text } else { line(html) }
}

fn separate(text: &mut String, name: &[u8]) {
    if !INLINE.contains(&name) {
        text.push(' ');
    }
}

/// Collapses whitespace to single spaces.
fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests;
