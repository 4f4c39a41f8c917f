//! WebSub: a feed that names a hub is subscribed to there, and is scanned as soon as the hub pushes
//! a change ([decision 0036](../../../../../docs/decisions/0036-websub.md)).

mod callback;
mod request;

use grantor_domain::id::{FeedId, PushId, WebSubId};
use grantor_domain::network::MAX_URL_LENGTH;
use grantor_domain::websub::{
    Advertised, CHECK_ENDED_EVERY, HubCredentials, HubStatus, HubSubscription, find_links,
};
use grantor_domain::{Error, Result, Timestamp};
use grantor_keys::Purpose;
use grantor_outbound::Url;
use grantor_outbound::header::{HeaderMap, LINK};
use grantor_storage::websub::{self, SealedSubscription};
use grantor_storage::{Tx, feed, source};

pub use self::callback::{Confirmation, HubQuery, PushRequest, PushResult, confirm, receive};
pub use self::request::send_due;
use crate::App;
pub use grantor_storage::websub::Push;

/// Whether hubs can reach this installation: its public URL uses https, or is on a network that the
/// operator allows, as in the demo.
#[must_use]
pub fn is_possible(app: &App) -> bool {
    app.outbound.screen(&app.public_url).is_ok()
}

/// The hub and the topic of a feed: from the `Link` headers of the response, or else from the
/// document. The base is the URL of the response.
#[must_use]
pub fn discover(
    headers: &HeaderMap,
    base: &Url,
    hub: Option<&Url>,
    topic: Option<&Url>,
) -> Option<Advertised> {
    let values = headers.get_all(LINK).iter().filter_map(|it| it.to_str().ok());
    find_links(values, base)
        .or_else(|| Some(Advertised { hub: hub?.clone(), topic: topic?.clone() }))
}

/// Subscribes a feed to its hub, unless it is subscribed already. The hub is asked by the next run
/// of the worker. False if there can be no subscription: hubs cannot reach this installation, or
/// the hub has an address that must not be requested.
pub fn subscribe(app: &App, tx: &mut Tx<'_>, feed: FeedId, hub: &str, topic: &str) -> Result<bool> {
    if !is_possible(app) || !is_allowed(app, hub) || topic.len() > MAX_URL_LENGTH {
        return Ok(false);
    }
    let now = app.clock.now();
    let known = websub::find(tx, feed)?.filter(|it| it.hub == hub && it.topic == topic);
    if let Some(known) = known {
        return restart(tx, &known, now).map(|()| true);
    }
    // A feed that has moved to another hub or topic is no longer wanted from the old hub, which
    // learns so when it pushes the next time.
    let credentials = HubCredentials::generate(&*app.entropy);
    let id: WebSubId = app.ids.next();
    let subscription = HubSubscription {
        id,
        feed,
        hub: hub.to_owned(),
        topic: topic.to_owned(),
        status: HubStatus::Pending,
        attempts: 0,
        due_at: now,
        lease_ends_at: None,
        note: None,
        created_at: now,
    };
    let new = SealedSubscription { subscription, sealed: seal(app, id, &credentials) };
    websub::put(tx, &new, &credentials.token_hash())?;
    Ok(true)
}

/// Subscribes a feed again whose subscription ended while none of its sources was running. Called
/// when a source is resumed, so that the next run of the worker asks the hub.
pub fn resume(tx: &mut Tx<'_>, feed: FeedId, now: Timestamp) -> Result<()> {
    match websub::claim(tx, feed)? {
        Some(known) => restart(tx, &known, now),
        None => Ok(()),
    }
}

/// Ends the subscription of a feed that no running source watches any more.
pub fn release(tx: &mut Tx<'_>, feed: FeedId, now: Timestamp) -> Result<()> {
    match websub::claim(tx, feed)? {
        Some(known) => retire(tx, &known, now),
        None => Ok(()),
    }
}

/// Returns the subscription of a feed, to show its state. One that ends or has ended is not
/// returned.
pub async fn find(app: &App, feed: FeedId) -> Result<Option<HubSubscription>> {
    let found = app.store.lookup(move |tx| websub::find(tx, feed)).await?;
    Ok(found.filter(|it| !has_ended(it)))
}

/// Returns what the hub pushed and no run has read yet, oldest first. Each push stays until
/// [`done`], so that none is lost if the run dies.
pub async fn take_pushes(app: &App, feed: FeedId) -> Result<Vec<Push>> {
    app.store.read(move |tx| Ok(websub::list_pushes(tx, feed)?)).await
}

/// Deletes a push that was read.
pub async fn done(app: &App, push: PushId) -> Result<()> {
    app.store.write(move |tx| Ok(websub::delete_push(tx, push)?)).await
}

/// A hub whose URL is advertised with http is asked by https.
fn is_allowed(app: &App, hub: &str) -> bool {
    let secured = |rest: &str| app.outbound.screen(&format!("https://{rest}")).is_ok();
    app.outbound.screen(hub).is_ok() || hub.strip_prefix("http://").is_some_and(secured)
}

/// Whether a running source watches a feed. Sources of a suspended tenant run again later, and a
/// feed that may not be fetched would then never be subscribed to again.
fn is_watched(tx: &mut Tx<'_>, id: FeedId) -> Result<bool> {
    let state = feed::state(tx, id)?;
    Ok(state.frequency.is_some() || state.suspended)
}

/// Requests a subscription again that ends or has ended.
fn restart(tx: &mut Tx<'_>, known: &HubSubscription, now: Timestamp) -> Result<()> {
    if has_ended(known) {
        websub::restart(tx, known.id, now)?;
    }
    Ok(())
}

fn has_ended(known: &HubSubscription) -> bool {
    matches!(known.status, HubStatus::Ending | HubStatus::Ended)
}

/// Asks the hub to end a subscription, if the hub may have it.
fn retire(tx: &mut Tx<'_>, known: &HubSubscription, now: Timestamp) -> Result<()> {
    if known.is_held_by_hub(now) {
        return Ok(websub::end(tx, known.id, now)?);
    }
    finish(tx, known, now)
}

/// Records the end of a subscription. It is kept while the feed has sources, which may be resumed.
fn finish(tx: &mut Tx<'_>, known: &HubSubscription, now: Timestamp) -> Result<()> {
    if source::is_watched(tx, known.feed)? {
        websub::mark_ended(tx, known.id, now.plus(CHECK_ENDED_EVERY))?;
    } else {
        websub::delete(tx, known.id)?;
    }
    Ok(())
}

/// Binds sealed credentials to their subscription: they cannot be decrypted for another one.
pub(crate) fn sealed_for(id: WebSubId) -> String {
    format!("websub/{id}")
}

fn seal(app: &App, id: WebSubId, credentials: &HubCredentials) -> Vec<u8> {
    app.keys.seal(Purpose::Field, &sealed_for(id), credentials.expose().as_bytes())
}

fn open(app: &App, found: &SealedSubscription) -> Result<HubCredentials> {
    let context = sealed_for(found.subscription.id);
    let text = app.keys.open_sealed(Purpose::Field, &context, &found.sealed);
    text.and_then(|text| HubCredentials::parse(std::str::from_utf8(&text).ok()?))
        .ok_or_else(|| Error::internal("no key of the key ring decrypts a hub's secret"))
}
