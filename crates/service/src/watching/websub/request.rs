//! Requests to hubs: to start, renew and end subscriptions. The hub confirms each later, at the
//! callback URL.

use std::time::Duration;

use futures_util::future::join_all;
use grantor_domain::delivery::parse_retry_after;
use grantor_domain::websub::{
    AFTER_DENIAL, HubCredentials, HubMode, HubStatus, HubSubscription, MAX_END_REQUESTS,
    REQUEST_LEASE, REQUESTED_LEASE, pause_after,
};
use grantor_domain::{Error, Result, Timestamp};
use grantor_outbound::header::{CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use grantor_outbound::{
    OutboundError, OutboundRequest, OutboundResponse, Purpose as OutboundPurpose, StatusCode,
};
use grantor_storage::Tx;
use grantor_storage::websub::{self, SealedSubscription};
use metrics::counter;
use url::form_urlencoded;

use super::{finish, is_possible, is_watched, open, restart, retire};
use crate::App;

/// Requests sent at the same time.
const AT_ONCE: u32 = 32;
/// How often a hub may point to another one.
const MAX_MOVES: usize = 3;
const FORM: &str = "application/x-www-form-urlencoded";

/// Sends all requests that are due and returns how many. Any number of nodes may do so at once.
pub async fn send_due(app: &App) -> Result<u64> {
    let mut sent = 0;
    loop {
        let claimed = claim(app).await?;
        let count = claimed.len() as u64;
        let outcomes = join_all(claimed.iter().map(|it| send(app, it))).await;
        outcomes.into_iter().collect::<Result<()>>()?;
        sent += count;
        if count < u64::from(AT_ONCE) {
            return Ok(sent);
        }
    }
}

async fn claim(app: &App) -> Result<Vec<SealedSubscription>> {
    let now = app.clock.now();
    // Usually nothing is due, which a read finds out without the writer.
    if !is_possible(app) || !app.store.lookup(move |tx| websub::is_due(tx, now)).await? {
        return Ok(vec![]);
    }
    let work = move |tx: &mut Tx<'_>| {
        let mut wanted = Vec::new();
        for due in websub::claim_due(tx, now, now.plus(REQUEST_LEASE), AT_ONCE)? {
            if needs_request(tx, &due.subscription, now)? {
                wanted.push(due);
            }
        }
        Ok::<_, Error>(wanted)
    };
    app.store.write_background(work).await
}

/// Whether the hub must be asked. The subscription of a feed that nobody watches ends. One that the
/// hub need not or does not end has ended, until somebody watches the feed again.
fn needs_request(tx: &mut Tx<'_>, due: &HubSubscription, now: Timestamp) -> Result<bool> {
    let watched = is_watched(tx, due.feed)?;
    match due.status {
        HubStatus::Pending | HubStatus::Active | HubStatus::Denied if watched => return Ok(true),
        HubStatus::Pending | HubStatus::Active | HubStatus::Denied => retire(tx, due, now)?,
        HubStatus::Ending | HubStatus::Ended if watched => restart(tx, due, now)?,
        HubStatus::Ending if due.is_held_by_hub(now) && due.attempts <= MAX_END_REQUESTS => {
            return Ok(true);
        }
        HubStatus::Ending | HubStatus::Ended => finish(tx, due, now)?,
    }
    Ok(false)
}

/// Sends a request and stores when to repeat it, unless the hub confirms it before.
async fn send(app: &App, claimed: &SealedSubscription) -> Result<()> {
    let credentials = open(app, claimed)?;
    let asked = claimed.subscription.clone();
    let outcome = ask(app, &asked.hub, &form(app, &asked, &credentials)).await;
    let label = if outcome.is_ok() { "accepted" } else { "failed" };
    counter!("grantor_websub_requests_total", "outcome" => label).increment(1);
    let [chance] = app.entropy.bytes();
    let mut pause = pause_after(asked.attempts, chance);
    let note = outcome.err().map(|failure| {
        pause = pause.max(failure.retry_after.unwrap_or_default()).min(AFTER_DENIAL);
        failure.reason
    });
    let due_at = app.clock.now().plus(pause);
    let work = move |tx: &mut Tx<'_>| websub::postpone(tx, &asked, due_at, note.as_deref());
    Ok(app.store.write_background(work).await?)
}

/// The body of a request to start, renew or end a subscription.
fn form(app: &App, asked: &HubSubscription, credentials: &HubCredentials) -> String {
    let ends = asked.status == HubStatus::Ending;
    let mode = if ends { HubMode::Unsubscribe } else { HubMode::Subscribe };
    let callback = format!("{}/websub/{}", app.public_url, credentials.token());
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("hub.callback", &callback)
        .append_pair("hub.mode", mode.name())
        .append_pair("hub.topic", &asked.topic);
    if mode == HubMode::Subscribe {
        form.append_pair("hub.lease_seconds", &REQUESTED_LEASE.as_secs().to_string())
            .append_pair("hub.secret", credentials.secret());
    }
    form.finish()
}

/// Why a hub did not accept a request.
#[derive(Debug)]
struct Failure {
    reason: String,
    retry_after: Option<Duration>,
}

impl From<OutboundError> for Failure {
    fn from(error: OutboundError) -> Self {
        Self { reason: format!("the hub could not be asked: {error}"), retry_after: None }
    }
}

/// Posts a form to a hub, or to the hub that it points to.
async fn ask(app: &App, hub: &str, form: &str) -> Result<(), Failure> {
    let mut url = secured(app, hub).await;
    for _ in 0..=MAX_MOVES {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(FORM));
        let request = OutboundRequest::post(url, headers, form.as_bytes().to_vec());
        let answer = app.outbound.send(OutboundPurpose::Hub, request).await?;
        if answer.status.is_success() {
            return Ok(());
        }
        let moves = [StatusCode::TEMPORARY_REDIRECT, StatusCode::PERMANENT_REDIRECT];
        match location(&answer).filter(|_| moves.contains(&answer.status)) {
            Some(other) => url = other,
            None => return Err(refused(&answer, app.clock.now())),
        }
    }
    Err(OutboundError::TooManyRedirects.into())
}

/// The URL of a hub with https, unless http is allowed there: the secret must not be sent in the
/// clear.
async fn secured(app: &App, hub: &str) -> String {
    match hub.strip_prefix("http://") {
        Some(rest) if app.outbound.vet(hub).await.is_err() => format!("https://{rest}"),
        _ => hub.to_owned(),
    }
}

fn location(answer: &OutboundResponse) -> Option<String> {
    let location = answer.headers.get(LOCATION)?.to_str().ok()?;
    answer.url.join(location).ok().map(Into::into)
}

fn refused(answer: &OutboundResponse, now: Timestamp) -> Failure {
    let wait = answer.headers.get(RETRY_AFTER).and_then(|it| it.to_str().ok());
    Failure {
        reason: format!("the hub returned status {}", answer.status.as_u16()),
        retry_after: wait.and_then(|it| parse_retry_after(it, now)),
    }
}
