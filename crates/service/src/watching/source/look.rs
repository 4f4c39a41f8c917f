//! Looking at an address before it is watched.

use std::time::Duration;

use grantor_domain::network::PLAIN_HTTP;
use grantor_domain::role::Right;
use grantor_domain::source::address::{Address, interpret};
use grantor_domain::source::{FIRST_SCAN_WITHIN, Looked, WatchedTalents};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, ErrorKind, Result, wait};
use grantor_outbound::Purpose;
use grantor_storage::{Tx, feed, source};
use tokio::time::timeout;

use super::{already_watched, may_watch};
use crate::identity::access::TenantCaller;
use crate::organizations::{rights, usage};
use crate::watching::plain_http;
use crate::watching::scan::fetcher::{FetchError, Fetcher};
use crate::watching::scan::look::{self, Found, LookError, of_known};
use crate::{App, Context};

/// How long looking at an address may take: somebody waits for the answer.
const LOOK_TIME: Duration = Duration::from_secs(25);
/// When to try again if the site or another scan of it took too long.
const RETRY: Duration = Duration::from_secs(30);

/// Reads an address politely and returns what a source there would watch. Nothing is stored.
pub async fn look(app: &App, context: &Context, caller: TenantCaller, url: &str) -> Result<Looked> {
    let address = admit(app, context, caller, url, None).await?;
    let found = find(app, &address).await?;
    let looked = found.looked.clone();
    refuse_known(app, caller, &found).await?;
    app.looks.put(found, app.clock.now());
    Ok(looked)
}

/// Refuses what is known to be refused before anything is fetched: callers who may not manage sources
/// or not watch for these talents, addresses that the tenant watches already, and a full plan.
pub(super) async fn admit(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    pasted: &str,
    talents: Option<WatchedTalents>,
) -> Result<Address> {
    let (actor, address) = (context.actor.clone(), interpret(pasted));
    let address = app
        .store
        .read(move |tx| {
            let own = rights::limited_to(tx, &actor, Right::ManageSources)?;
            if let Some(talents) = &talents {
                may_watch(tx, own.as_deref(), caller, talents)?;
            }
            let address = address.clone().map_err(|reason| Error::field("url", reason))?;
            let known =
                source::find_at(tx, caller.tenant, address.url.as_str(), feed_of(&address))?;
            match known {
                Some(id) => Err(already_watched(tx, id, address.url.as_str())?),
                None => Ok(address),
            }
        })
        .await?;
    // Nothing is fetched to find that out.
    if plain_http::is_refused(app, Purpose::Feed, address.url.as_str()).await {
        return Err(Error::field("url", PLAIN_HTTP));
    }
    usage::check(app, context, caller.tenant, LimitedResource::Sources).await?;
    Ok(address)
}

/// Refuses an address whose feed the tenant watches already, which only a look tells.
async fn refuse_known(app: &App, caller: TenantCaller, found: &Found) -> Result<()> {
    let (url, feed) = (found.url.clone(), found.looked.feed_url.clone());
    app.store
        .read(move |tx| match source::find_at(tx, caller.tenant, &url, &feed)? {
            Some(id) => Err(already_watched(tx, id, &url)?),
            None => Ok(()),
        })
        .await
}

/// What is at an address: as a look on this node found it a moment ago, as it was read for somebody
/// else within the hour, or as it is read now. What is wrong with it is said about the field `url`.
pub(super) async fn find(app: &App, address: &Address) -> Result<Found> {
    let (now, known) = (app.clock.now(), address.clone());
    if let Some(found) = app.looks.find(address.url.as_str(), now) {
        return Ok(found);
    }
    let since = now.minus(FIRST_SCAN_WITHIN);
    let read =
        move |tx: &mut Tx<'_>| feed::find_read(tx, known.url.as_str(), feed_of(&known), since);
    match app.store.read(read).await? {
        Some((feed, items)) => Ok(of_known(address, feed, items)),
        None => read_address(app, address).await,
    }
}

/// The address of the feed, if it is known without reading anything.
fn feed_of(address: &Address) -> &str {
    address.fetch.first().unwrap_or(&address.url).as_str()
}

async fn read_address(app: &App, address: &Address) -> Result<Found> {
    let mut fetcher = Fetcher::new(app.clone(), app.ids.next(), app.looks.pace());
    let found = timeout(LOOK_TIME, look::look(&mut fetcher, address)).await;
    fetcher.release_host().await?;
    let busy = fetcher.retry_at().map(|it| it.since(app.clock.now()));
    match found {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(LookError::Address(reason))) => Err(Error::field("url", reason)),
        Ok(Err(LookError::Fetch(FetchError::Internal(error)))) => Err(error),
        Ok(Err(LookError::Fetch(FetchError::Temporary(_)))) if busy.is_some() => {
            // A site that does not say how long gets a few minutes.
            let wait = busy.filter(|it| !it.is_zero()).map(wait::in_words);
            let wait = wait.unwrap_or_else(|| "a few minutes".to_owned());
            let reason = "cannot be read now: the site asks us to wait. Try again in";
            Err(Error::field("url", format!("{reason} {wait}")))
        }
        Ok(Err(LookError::Fetch(
            FetchError::Permanent(reason) | FetchError::Temporary(reason),
        ))) => Err(Error::field("url", format!("cannot be read: {reason}"))),
        Err(_) => {
            let message = "The address could not be read in time; try again later";
            Err(Error::new(ErrorKind::Unavailable { retry_after: RETRY }, message))
        }
    }
}
