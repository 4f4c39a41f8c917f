//! Looks at a pasted address: reads it politely, finds its feed, and says what a source would
//! watch. Nothing is stored.

mod forbidden;
mod items;
mod known;
mod picture;

use std::collections::VecDeque;

use grantor_domain::network::Refusal;
use grantor_domain::source::address::{Address, interpret};
use grantor_domain::source::{FeedKind, FoundItems, Looked};
use grantor_outbound::header::HeaderMap;
use grantor_outbound::{OutboundError, Purpose};
use url::Url;

use self::forbidden::forbidden;
pub(super) use self::items::items_of;
pub(in crate::watching) use self::known::of_known;
use super::compression;
use super::document::{self, Document};
use super::fetcher::{FetchError, Fetcher, content_type};
use super::hosted_api;
use super::links::{self, ReadPage};
use super::xml;
use crate::watching::websub;

/// Advertised feeds, and sitemaps of `robots.txt`, that are tried.
const MAX_TRIES: usize = 3;
const PAGE_NOTE: &str =
    "No feed was found, so the page itself and the pages it links to are watched.";
const SITEMAP_NOTE: &str =
    "No feed was found, so the pages listed in the site's sitemap are watched.";

/// What was found at a pasted address.
#[derive(Clone, Debug)]
pub(in crate::watching) struct Found {
    /// The pasted address, normalized.
    pub(in crate::watching) url: String,
    /// What was found, for people.
    pub(in crate::watching) looked: Looked,
    /// The WebSub hub, and the topic to subscribe to there.
    pub(in crate::watching) hub: Option<(String, String)>,
}

/// Why an address cannot be watched.
#[derive(Debug)]
pub(in crate::watching) enum LookError {
    /// What is wrong with the address, as the rest of a sentence about it.
    Address(String),
    /// It could not be read.
    Fetch(FetchError),
}

impl From<FetchError> for LookError {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

/// What one address returned.
enum Seen {
    Document(Document, Option<(Url, Url)>),
    Page(ReadPage),
}

/// Looks at a pasted address. `robots.txt` is obeyed for everything that is read: a feed that it
/// forbids is only watched by the service's API with a key of the operator or if its hub pushes it,
/// and refused otherwise.
pub(in crate::watching) async fn look(
    fetcher: &mut Fetcher,
    address: &Address,
) -> Result<Found, LookError> {
    if address.forbidden_by_robots {
        return forbidden(fetcher, address, None).await;
    }
    let mut first_error = None;
    let mut untried: VecDeque<Url> = address.fetch.iter().cloned().collect();
    for index in 0.. {
        let Some(url) = untried.pop_front() else { break };
        match read(fetcher, &url).await {
            Ok(Seen::Document(document, hub)) => {
                let mut found = of_document(address, &url, document, hub);
                // Another address than that of the service's feed is a site of its own.
                if index > 0 {
                    (found.looked.service, found.looked.profile) = (None, None);
                }
                return Ok(found);
            }
            Ok(Seen::Page(page)) => return of_page(fetcher, address, &url, page, index).await,
            Err(error @ LookError::Fetch(FetchError::Internal(_))) => return Err(error),
            Err(error) => {
                // Most redirects to another host only add or drop `www`.
                if first_error.is_none() && leads_to_another_host(&error) {
                    untried.extend(sibling(&url));
                }
                first_error.get_or_insert(error);
            }
        }
    }
    Err(first_error.unwrap_or_else(nothing))
}

fn nothing() -> LookError {
    LookError::Address("has nothing to watch".to_owned())
}

fn leads_to_another_host(error: &LookError) -> bool {
    let redirect = OutboundError::Refused(Refusal::OtherHost).to_string();
    matches!(error, LookError::Fetch(FetchError::Permanent(reason)) if *reason == redirect)
}

/// The same address with `www`, or without it.
fn sibling(url: &Url) -> Option<Url> {
    let name = url.domain()?;
    let name = name.strip_prefix("www.").map_or_else(|| format!("www.{name}"), str::to_owned);
    let mut sibling = url.clone();
    sibling.set_host(Some(&name)).ok()?;
    Some(sibling)
}

/// A page: its feed, the sitemap of its site, or else the page itself.
async fn of_page(
    fetcher: &mut Fetcher,
    address: &Address,
    url: &Url,
    page: ReadPage,
    index: usize,
) -> Result<Found, LookError> {
    let title = &page.content.title;
    for feed in page.feeds.iter().take(MAX_TRIES) {
        // The feed may be that of a profile on a hosted service.
        let known = interpret(feed.as_str()).ok().filter(|it| it.service.is_some());
        if let Some(known) = known.as_ref().filter(|it| it.forbidden_by_robots) {
            if known.hub.is_none() && hosted_api::listing(fetcher.app(), known).is_none() {
                continue;
            }
            let known = Address { url: address.url.clone(), ..known.clone() };
            return forbidden(fetcher, &known, Some(title)).await;
        }
        match read(fetcher, feed).await {
            Ok(Seen::Document(document @ Document::Feed { .. }, hub)) => {
                let owner = known.as_ref().unwrap_or(address);
                let mut found = of_document(owner, feed, document, hub);
                found.url = address.url.to_string();
                if known.is_none() && index > 0 {
                    (found.looked.service, found.looked.profile) = (None, None);
                }
                return Ok(found);
            }
            Err(error @ LookError::Fetch(FetchError::Internal(_))) => return Err(error),
            _ => {}
        }
    }
    if address.service.is_some() && index == 0 {
        let reason = "names no feed. Paste the address of the profile or channel itself";
        return Err(LookError::Address(reason.to_owned()));
    }
    if url.path() == "/"
        && let Some(found) = sitemap_of(fetcher, address, url, title).await?
    {
        return Ok(found);
    }
    if page.is_empty() {
        let reason = "is a page without text, pictures or links that could be watched";
        return Err(LookError::Address(reason.to_owned()));
    }
    Ok(of_document(
        &Address { service: None, profile: None, note: Some(PAGE_NOTE), ..address.clone() },
        url,
        Document::Page { content: page.content, links: page.links },
        page.hub,
    ))
}

/// The first sitemap of the site's `robots.txt` that can be read and lists anything.
async fn sitemap_of(
    fetcher: &mut Fetcher,
    address: &Address,
    page: &Url,
    title: &str,
) -> Result<Option<Found>, LookError> {
    let sitemaps = fetcher.sitemaps(page);
    let here = sitemaps.into_iter().filter(|it| it.host() == page.host());
    for url in here.take(MAX_TRIES) {
        match read(fetcher, &url).await {
            Ok(Seen::Document(document @ (Document::Pages(_) | Document::Lists(_)), _)) => {
                let address = Address { note: Some(SITEMAP_NOTE), ..address.clone() };
                let mut found = of_document(&address, &url, document, None);
                if !title.is_empty() {
                    title.clone_into(&mut found.looked.title);
                }
                if found.looked.items > 0 {
                    return Ok(Some(found));
                }
            }
            Err(error @ LookError::Fetch(FetchError::Internal(_))) => return Err(error),
            _ => {}
        }
    }
    Ok(None)
}

/// Fetches and parses one address. Parsing happens on a blocking thread: a document may be large,
/// and the parser may panic.
async fn read(fetcher: &mut Fetcher, url: &Url) -> Result<Seen, LookError> {
    let answer = fetcher.read(Purpose::Feed, url, HeaderMap::new()).await?;
    let kind = content_type(&answer);
    if picture::is_picture(&answer.body, kind.as_deref()) {
        let reason = "is a picture. Paste the address of the page that shows it";
        return Err(LookError::Address(reason.to_owned()));
    }
    let read = move || {
        let body = compression::unpack(&answer.body)?;
        if document::is_page(&body, kind.as_deref(), &answer.url) {
            return links::read_page(&body, kind.as_deref(), &answer.url).map(Seen::Page);
        }
        let document = document::read(&body, kind.as_deref(), &answer.url)?;
        let (hub, topic) = match &document {
            Document::Feed { hub, topic, .. } => (hub.as_ref(), topic.as_ref()),
            _ => (None, None),
        };
        let hub = websub::discover(&answer.headers, &answer.url, hub, topic);
        Ok(Seen::Document(document, hub.map(|it| (it.hub, it.topic))))
    };
    on_blocking_thread(read).await
}

/// Parses on a blocking thread.
async fn on_blocking_thread<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, LookError> {
    let read = tokio::task::spawn_blocking(read).await;
    let read = read.unwrap_or_else(|_| Err("it could not be parsed".to_owned()));
    read.map_err(|reason| {
        if xml::is_broken(&reason) {
            LookError::Address(format!("has a feed that is damaged or incomplete: {reason}"))
        } else {
            LookError::Fetch(FetchError::Permanent(reason))
        }
    })
}

/// What people are told about a document.
fn of_document(address: &Address, url: &Url, document: Document, hub: Option<(Url, Url)>) -> Found {
    let host = || url.host_str().unwrap_or_default().to_owned();
    let FoundItems { items, sample } = items_of(&document);
    let (kind, title) = match document {
        Document::Feed { title, .. } => (FeedKind::Feed, title.unwrap_or_default()),
        Document::Pages(_) | Document::Lists(_) => (FeedKind::Sitemap, host()),
        Document::Page { content, .. } => (FeedKind::Page, content.title),
    };
    let looked = Looked {
        title: if title.is_empty() { host() } else { title },
        kind,
        service: address.service,
        profile: address.profile.clone(),
        feed_url: url.to_string(),
        items,
        sample,
        push_only: false,
        note: address.note.map(str::to_owned),
    };
    let hub = hub.map(|(hub, topic)| (hub.into(), topic.into()));
    Found { url: address.url.to_string(), looked, hub }
}

#[cfg(test)]
mod tests {
    use grantor_domain::Timestamp;
    use grantor_domain::source::HostedService;

    use super::*;

    fn found(pasted: &str, document: &str) -> Found {
        let address = interpret(pasted).unwrap();
        let url = address.fetch[0].clone();
        let document = document::read_any(document.as_bytes(), None, &url).unwrap();
        of_document(&address, &url, document, None)
    }

    #[test]
    fn a_redirect_may_add_or_drop_www() {
        for (url, expected) in [
            ("https://a.example/x?y", Some("https://www.a.example/x?y")),
            ("https://www.a.example:8443/", Some("https://a.example:8443/")),
            ("http://127.0.0.1/", None),
        ] {
            let found = sibling(&Url::parse(url).unwrap()).map(String::from);
            assert_eq!(found.as_deref(), expected, "{url}");
        }
        let reason = "the URL must not redirect to another host";
        let permanent = |reason: &str| LookError::Fetch(FetchError::Permanent(reason.to_owned()));
        assert!(leads_to_another_host(&permanent(reason)));
        assert!(!leads_to_another_host(&permanent("other")));
    }

    #[test]
    fn a_feed_is_told_by_its_title_and_newest_items() {
        let item = |it: i64| {
            let at = Timestamp::from_secs(it * 60);
            format!("<item><title>{it}</title><link>/{it}</link><pubDate>{at}</pubDate></item>")
        };
        let items: String = (0..7).map(item).collect();
        let feed = format!("<rss version='2.0'><channel><title>Ada</title>{items}</channel></rss>");
        let Found { url, looked, hub } = found("https://bsky.app/profile/ada.example", &feed);
        assert_eq!(url, "https://bsky.app/profile/ada.example");
        assert_eq!((&*looked.title, looked.kind, looked.items), ("Ada", FeedKind::Feed, 7));
        assert_eq!(looked.feed_url, "https://bsky.app/profile/ada.example/rss");
        assert_eq!(looked.service, Some(HostedService::Bluesky));
        assert_eq!(looked.profile.as_deref(), Some("https://bsky.app/profile/ada.example"));
        let titles: Vec<&str> = looked.sample.iter().map(|it| &*it.title).collect();
        assert_eq!(titles, ["6", "5", "4", "3", "2"]);
        assert_eq!(looked.sample[0].published_at, Some(Timestamp::from_secs(360)));
        assert!(looked.note.is_some_and(|it| it.contains("no pictures")));
        assert_eq!((hub, looked.push_only), (None, false));
    }

    #[test]
    fn a_sitemap_is_told_by_its_newest_pages() {
        let sitemap = "<urlset><url><loc>https://a.example/old</loc></url>\
                       <url><loc>https://a.example/new</loc><lastmod>2026-01-02</lastmod></url>\
                       </urlset>";
        let looked = found("a.example/sitemap.xml", sitemap).looked;
        assert_eq!(
            (&*looked.title, looked.kind, looked.items),
            ("a.example", FeedKind::Sitemap, 2)
        );
        let urls: Vec<&str> = looked.sample.iter().map(|it| &*it.url).collect();
        assert_eq!(urls, ["https://a.example/new", "https://a.example/old"]);
    }

    #[test]
    fn a_page_is_told_with_the_pages_it_links_to() {
        let page = "<!doctype html><title>Ada</title><a href='/one'>1</a><a href='/two'>2</a>";
        let looked = found("https://a.example/ada", page).looked;
        assert_eq!((&*looked.title, looked.kind, looked.items), ("Ada", FeedKind::Page, 3));
        let urls: Vec<&str> = looked.sample.iter().map(|it| &*it.url).collect();
        let expected = ["https://a.example/ada", "https://a.example/one", "https://a.example/two"];
        assert_eq!(urls, expected);
        let untitled = found("https://a.example/ada", "<!doctype html><p>Ada").looked;
        assert_eq!(untitled.title, "a.example");
    }
}
