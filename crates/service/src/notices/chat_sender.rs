//! Sending messages to chats. Every message is sent at least once, within its retries; one is
//! repeated only if a node stops between sending it and writing that it arrived.

use std::collections::BTreeMap;
use std::time::Duration;

use grantor_domain::delivery::parse_retry_after;
use grantor_domain::id::ChatAddressId;
use grantor_domain::mail::retry_delay;
use grantor_domain::notice::{ChatAddress, ChatFormat, ChatStatus, MAX_FOLDED};
use grantor_domain::webhook::PATIENCE;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_outbound::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use grantor_outbound::{OutboundRequest, Purpose, StatusCode};
use grantor_storage::Tx;
use grantor_storage::notice::chat::{self as rows, ClaimedMessage, SealedUrl};
use serde_json::json;
use tokio::task::JoinSet;

use super::{chat, chat_disabled};
use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};

/// How long messages stay claimed: well above the time limit of a request.
const LEASE: Duration = Duration::from_mins(2);
/// How many messages one pass claims. All of them are sent within the lease.
const AT_ONCE: u32 = 32;

/// What became of a message.
pub(super) enum Posted {
    /// The chat accepted it.
    Arrived,
    /// The address no longer exists.
    Gone(String),
    /// It may arrive later.
    Failed {
        /// Why it did not arrive.
        error: String,
        /// How long the chat wants to be left alone.
        retry_after: Option<Duration>,
    },
}

/// Sends due messages and returns how many arrived. Messages that wait for one address are sent as
/// one.
pub async fn send_due(app: &App) -> Result<u64> {
    let now = app.clock.now();
    let claimed: Result<Vec<ClaimedMessage>> =
        app.store.write(move |tx| Ok(rows::claim(tx, now, now.plus(LEASE), AT_ONCE)?)).await;
    let mut addresses = BTreeMap::<ChatAddressId, Vec<ClaimedMessage>>::new();
    for message in claimed? {
        addresses.entry(message.address).or_default().push(message);
    }
    // All at once, so that a slow chat delays no other one.
    let mut sending = JoinSet::new();
    for (id, messages) in addresses {
        sending.spawn(send_to(app.clone(), id, messages));
    }
    let (mut arrived, mut failure) = (0, None);
    while let Some(ended) = sending.join_next().await {
        match ended {
            Ok(Ok(count)) => arrived += count,
            Ok(Err(error)) => failure = Some(error),
            Err(error) => failure = Some(Error::internal(error.to_string())),
        }
    }
    failure.map_or(Ok(arrived), Err)
}

/// Sends the messages to one address.
async fn send_to(app: App, id: ChatAddressId, messages: Vec<ClaimedMessage>) -> Result<u64> {
    let mut arrived = 0;
    for batch in messages.chunks(MAX_FOLDED) {
        arrived += send_batch(&app, id, batch.to_vec()).await?;
    }
    Ok(arrived)
}

/// Sends messages to one address as one and writes the outcome.
async fn send_batch(app: &App, id: ChatAddressId, batch: Vec<ClaimedMessage>) -> Result<u64> {
    let found: Result<Option<SealedUrl>> =
        app.store.lookup(move |tx| Ok(rows::sealed_url(tx, id)?)).await;
    // Deleted in the meantime, and its messages with it.
    let Some(sealed) = found? else { return Ok(0) };
    let bodies: Vec<_> = batch.iter().map(|it| it.body.as_str()).collect();
    let posted = post(app, id, &sealed, &bodies).await;
    let (now, count) = (app.clock.now(), batch.len() as u64);
    let (error, gone, wait) = match posted {
        Posted::Arrived => {
            let work = move |tx: &mut Tx<'_>| -> grantor_storage::Result<()> {
                for message in &batch {
                    rows::finish(tx, message)?;
                }
                rows::record_success(tx, id, now)
            };
            app.store.write(work).await?;
            return Ok(count);
        }
        Posted::Gone(error) => (error, true, None),
        Posted::Failed { error, retry_after } => (error, false, retry_after),
    };
    let since = put_off(app, id, batch, &error, wait).await?;
    if gone || since.is_some_and(|since| now.since(since) >= PATIENCE) {
        let context = Context::system(app.clock.monotonic());
        disable(app, &context, id, gone).await?;
    }
    Ok(0)
}

/// Schedules the next attempt of messages, or gives them up, and returns since when the address
/// fails.
async fn put_off(
    app: &App,
    id: ChatAddressId,
    batch: Vec<ClaimedMessage>,
    error: &str,
    wait: Option<Duration>,
) -> Result<Option<Timestamp>> {
    let (now, error) = (app.clock.now(), error.to_owned());
    app.store
        .write(move |tx| {
            for message in &batch {
                match retry_delay(message.attempts) {
                    Some(delay) => {
                        let delay = delay.max(wait.unwrap_or_default());
                        rows::retry(tx, message, now.plus(delay))?;
                    }
                    None => {
                        rows::finish(tx, message)?;
                    }
                }
            }
            Ok(rows::record_failure(tx, id, &error, now)?)
        })
        .await
}

/// Posts messages as one text, in the markup of the chat. Slack, Teams and compatible chats take a
/// JSON object with a `text`.
pub(super) async fn post(
    app: &App,
    id: ChatAddressId,
    sealed: &SealedUrl,
    bodies: &[&str],
) -> Posted {
    let failed = |error: String| Posted::Failed { error, retry_after: None };
    let url = match chat::open(app, id, sealed) {
        Ok(url) => url,
        Err(error) => {
            tracing::error!(chat_address = %id, %error, "a chat address cannot be opened");
            return failed("an internal error prevented the message".to_owned());
        }
    };
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let format = ChatFormat::of_url(&url);
    let texts: Vec<_> = bodies.iter().map(|it| format.message(it)).collect();
    let body = json!({ "text": texts.join("\n\n") }).to_string().into_bytes();
    let request = OutboundRequest::post(url, headers, body);
    match app.outbound.send(Purpose::Chat, request).await {
        Err(error) => failed(error.to_string()),
        Ok(answer) if answer.status.is_success() => Posted::Arrived,
        Ok(answer) => {
            let error = format!("the chat returned status {}", answer.status.as_u16());
            if matches!(answer.status, StatusCode::NOT_FOUND | StatusCode::GONE) {
                return Posted::Gone(error);
            }
            let wait = answer.headers.get(RETRY_AFTER).and_then(|it| it.to_str().ok());
            let retry_after = wait.and_then(|it| parse_retry_after(it, app.clock.now()));
            Posted::Failed { error, retry_after }
        }
    }
}

/// Disables a chat address that is gone or keeps failing.
async fn disable(app: &App, context: &Context, id: ChatAddressId, gone: bool) -> Result<()> {
    match app.act(context, Disable { id, gone }).await {
        // Another node disabled it first.
        Err(error) if *error.kind() == ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

struct Disable {
    id: ChatAddressId,
    gone: bool,
}

impl Act for Disable {
    type Permit = ChatAddress;
    type Output = ();
    const ACTION: &'static str = "chat_address.disable";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ChatAddress> {
        let found = rows::claim_address(unit.tx, self.id)?;
        let found = found.filter(|it| it.status == ChatStatus::Active);
        found.ok_or_else(|| Error::not_found("Chat address"))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut address: ChatAddress,
    ) -> Result<Done<()>> {
        let reason = if self.gone { "mail-reason-chat-gone" } else { "mail-reason-chat-fails" };
        address.status = ChatStatus::Disabled;
        address.updated_at = unit.now;
        rows::update(unit.tx, &address, None)?;
        rows::clear(unit.tx, address.id)?;
        chat_disabled(unit, &address, reason)?;
        let resource = chat::resource(&address);
        let mut done = Done::new((), resource, "A chat address was disabled").refused();
        done.tenant = Some(address.tenant);
        Ok(done)
    }
}
