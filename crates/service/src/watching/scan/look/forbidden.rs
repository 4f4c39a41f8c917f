//! Feeds that `robots.txt` forbids: they are read by the service's official API with a key of the
//! operator, or by what a hub pushes.

use grantor_domain::source::address::{Address, ApiListing};
use grantor_domain::source::{FeedKind, HostedService, Looked};
use url::Url;

use super::{Found, LookError, Seen, nothing, of_document, on_blocking_thread, read};
use crate::watching::scan::document::Document;
use crate::watching::scan::fetcher::{FetchError, Fetcher};
use crate::watching::scan::hosted_api::{self, ApiAnswer};

pub(super) const KEY_NOTE: &str = "The service does not allow reading its feeds, so its official \
                                   API is read with a key of this server.";

/// A feed that `robots.txt` forbids.
pub(super) async fn forbidden(
    fetcher: &mut Fetcher,
    address: &Address,
    title: Option<&str>,
) -> Result<Found, LookError> {
    match hosted_api::listing(fetcher.app(), address).cloned() {
        Some(listing) => listed(fetcher, address, &listing).await,
        None => pushed(fetcher, address, title).await,
    }
}

/// A feed that `robots.txt` forbids: the service's official API lists its items. A hub pushes it,
/// too, if there is one.
async fn listed(
    fetcher: &mut Fetcher,
    address: &Address,
    listing: &ApiListing,
) -> Result<Found, LookError> {
    let ApiAnswer { title, response } = hosted_api::request(fetcher, listing).await?;
    let title = match title {
        Some(title) => Some(title),
        None => hosted_api::title(fetcher, listing).await?,
    };
    let address = Address { note: Some(KEY_NOTE), ..address.clone() };
    let feed = address.fetch.first().cloned().ok_or_else(nothing)?;
    let read = {
        let address = address.clone();
        move || hosted_api::read(&address, title, &response.body)
    };
    let document = on_blocking_thread(read).await?;
    let hub = match &document {
        Document::Feed { hub, topic, .. } => hub.clone().zip(topic.clone()),
        _ => None,
    };
    Ok(of_document(&address, &feed, document, hub))
}

/// A feed that `robots.txt` forbids: it is watched by what its hub pushes. Without a title, that of
/// the profile's page is read.
async fn pushed(
    fetcher: &mut Fetcher,
    address: &Address,
    title: Option<&str>,
) -> Result<Found, LookError> {
    let service = address.service.map_or("The site", HostedService::title);
    let (Some(hub), Some(topic), Some(feed)) = (address.hub, &address.topic, address.fetch.first())
    else {
        return Err(LookError::Address(format!(
            "cannot be watched: {service}'s robots.txt does not allow reading its feeds, and \
             {service} does not announce new posts with WebSub"
        )));
    };
    let title = match title {
        Some(title) => title.to_owned(),
        None => profile_title(fetcher, address).await?.unwrap_or_default(),
    };
    // Titles of pages end with the name of the service.
    let own = title.strip_suffix(service).map(|it| it.trim_end_matches([' ', '-', '|']));
    let looked = Looked {
        title: own.filter(|it| !it.is_empty()).unwrap_or(&title).to_owned(),
        kind: FeedKind::Feed,
        service: address.service,
        profile: address.profile.clone(),
        feed_url: feed.to_string(),
        items: 0,
        sample: vec![],
        push_only: true,
        note: address.note.map(str::to_owned),
    };
    let hub = Some((hub.to_owned(), topic.clone()));
    Ok(Found { url: address.url.to_string(), looked, hub })
}

/// The title of a profile's page. It is only shown, so it may be missing.
async fn profile_title(
    fetcher: &mut Fetcher,
    address: &Address,
) -> Result<Option<String>, LookError> {
    let Some(url) = address.profile.as_deref().and_then(|it| Url::parse(it).ok()) else {
        return Ok(None);
    };
    match read(fetcher, &url).await {
        Ok(Seen::Page(page)) => Ok(Some(page.content.title)),
        Err(error @ LookError::Fetch(FetchError::Internal(_))) => Err(error),
        _ => Ok(None),
    }
}
