//! The official APIs of hosted services whose `robots.txt` forbids reading their feeds. They are
//! called with a key that the operator sets, and what they list is scanned like a feed. Keys are
//! sent in headers, so that no URL, log or evidence contains one.

mod reddit;
mod youtube;

use grantor_domain::source::HostedService;
use grantor_domain::source::address::{Address, ApiListing, interpret};
use grantor_domain::{Error, Result};
use grantor_outbound::header::HeaderValue;
use grantor_outbound::{OutboundResponse, StatusCode};
use url::Url;

pub use self::reddit::RedditApi;
pub use self::youtube::YouTubeApi;
use super::document::{Document, WholeFeed, newest};
use super::fetcher::{FetchError, Fetcher};
use crate::App;

/// The APIs for which the operator set a key.
#[derive(Clone, Default)]
pub struct HostedApis {
    /// YouTube's.
    pub youtube: Option<YouTubeApi>,
    /// Reddit's.
    pub reddit: Option<RedditApi>,
}

impl HostedApis {
    /// The services for which there is a key.
    pub(crate) fn services(&self) -> impl Iterator<Item = HostedService> {
        let youtube = self.youtube.as_ref().map(|_| HostedService::YouTube);
        let reddit = self.reddit.as_ref().map(|_| HostedService::Reddit);
        youtube.into_iter().chain(reddit)
    }

    fn has_key(&self, listing: &ApiListing) -> bool {
        match listing {
            ApiListing::YouTubeChannel(_) | ApiListing::YouTubePlaylist(_) => {
                self.youtube.is_some()
            }
            ApiListing::Subreddit(_) | ApiListing::RedditUser(_) => self.reddit.is_some(),
        }
    }
}

/// What an API returned.
pub(super) struct ApiAnswer {
    /// The title of the list, if it is known.
    pub(super) title: Option<String>,
    /// The response with the items.
    pub(super) response: OutboundResponse,
}

/// What an API lists of an address, if the operator set a key for it.
pub(super) fn listing<'a>(app: &App, address: &'a Address) -> Option<&'a ApiListing> {
    address.api.as_ref().filter(|it| app.hosted_apis.has_key(it))
}

/// The address of a feed that is never fetched itself, because `robots.txt` forbids it.
pub(super) fn of_feed(url: &Url) -> Option<Address> {
    let address = interpret(url.as_str()).ok()?;
    (address.forbidden_by_robots && address.api.is_some()).then_some(address)
}

/// The URL of the API that is called for a feed. `None` for a feed that is fetched itself.
pub(super) fn endpoint(app: &App, feed: &Url) -> Option<Url> {
    let address = of_feed(feed)?;
    let (youtube, reddit) = (app.hosted_apis.youtube.as_ref(), app.hosted_apis.reddit.as_ref());
    let endpoint = match address.api? {
        ApiListing::YouTubeChannel(_) | ApiListing::YouTubePlaylist(_) => youtube?.endpoint(),
        ApiListing::Subreddit(_) | ApiListing::RedditUser(_) => reddit?.endpoint(),
    };
    Url::parse(endpoint).ok()
}

/// Requests the newest items of a list.
pub(super) async fn request(
    fetcher: &mut Fetcher,
    listing: &ApiListing,
) -> Result<ApiAnswer, FetchError> {
    let apis = fetcher.app().hosted_apis.clone();
    match listing {
        ApiListing::YouTubeChannel(id) => youtube_of(&apis)?.channel(fetcher, id).await,
        ApiListing::YouTubePlaylist(id) => youtube_of(&apis)?.playlist(fetcher, id).await,
        ApiListing::Subreddit(name) => reddit_of(&apis)?.subreddit(fetcher, name).await,
        ApiListing::RedditUser(name) => reddit_of(&apis)?.user(fetcher, name).await,
    }
}

/// Requests the title of a list, where the request for its items does not return it.
pub(super) async fn title(
    fetcher: &mut Fetcher,
    listing: &ApiListing,
) -> Result<Option<String>, FetchError> {
    let apis = fetcher.app().hosted_apis.clone();
    match listing {
        ApiListing::YouTubePlaylist(id) => youtube_of(&apis)?.playlist_title(fetcher, id).await,
        _ => Ok(None),
    }
}

/// Reads a list. The error message is shown to users.
pub(super) fn read(
    address: &Address,
    title: Option<String>,
    body: &[u8],
) -> Result<Document, String> {
    let items = match &address.api {
        Some(ApiListing::YouTubeChannel(_) | ApiListing::YouTubePlaylist(_)) => youtube::read(body),
        Some(ApiListing::Subreddit(_) | ApiListing::RedditUser(_)) => reddit::read(body),
        None => Err("the address has no official API".to_owned()),
    };
    let hub = address.hub.and_then(|it| Url::parse(it).ok());
    let topic = address.topic.as_deref().and_then(|it| Url::parse(it).ok());
    Ok(newest(WholeFeed { title, hub, topic, items: items? }))
}

fn youtube_of(apis: &HostedApis) -> Result<&YouTubeApi, FetchError> {
    apis.youtube.as_ref().ok_or_else(|| no_key(HostedService::YouTube))
}

fn reddit_of(apis: &HostedApis) -> Result<&RedditApi, FetchError> {
    apis.reddit.as_ref().ok_or_else(|| no_key(HostedService::Reddit))
}

fn no_key(service: HostedService) -> FetchError {
    FetchError::Permanent(format!("this server has no key for {}'s API", service.title()))
}

/// The value of a header that is never shown.
fn secret_header(text: &str) -> Result<HeaderValue, FetchError> {
    let value = HeaderValue::from_str(text);
    let mut value = value.map_err(|_| Error::internal("a key of a hosted service is not valid"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// The error of a response that is no success, with the reason that its body names. Only what is
/// not there stays so: quotas are refilled, and the operator may change the key.
fn refused(
    service: HostedService,
    answer: &OutboundResponse,
    reason: Option<String>,
) -> FetchError {
    let is_word = |it: &char| it.is_ascii_alphanumeric() || *it == '_';
    let reason = reason.map(|it| it.chars().filter(is_word).take(50).collect::<String>());
    let reason = reason.filter(|it| !it.is_empty()).map(|it| format!(" ({it})"));
    let (service, status) = (service.title(), answer.status.as_u16());
    let text = format!("{service}'s API returned status {status}{}", reason.unwrap_or_default());
    if answer.status == StatusCode::NOT_FOUND {
        FetchError::Permanent(text)
    } else {
        FetchError::Temporary(text)
    }
}

/// What is said about a response that is not what the API documents.
fn unreadable(service: HostedService, error: &serde_json::Error) -> String {
    format!("{}'s API returned something unexpected: {error}", service.title())
}

/// Whether a text is an ID as the services use them, which may become part of a URL.
fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'))
}
