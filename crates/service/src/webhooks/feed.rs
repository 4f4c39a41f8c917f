//! The event feed, for clients that cannot receive webhooks: the same events, by sequence number.

use std::time::Duration;

use grantor_domain::{Error, Result};
pub use grantor_storage::event::FeedEvent;

use grantor_storage::event;
use tokio::time::timeout;

use crate::App;
use crate::identity::access::ClientCaller;

/// How often a waiting reader checks without being woken: other nodes' changes wake nobody here.
const POLL: Duration = Duration::from_millis(500);

/// A page of a feed.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedPage {
    /// Its events, oldest first.
    pub events: Vec<FeedEvent>,
    /// The sequence number to continue after.
    pub next: i64,
    /// Whether more events are available now.
    pub has_more: bool,
}

/// Returns up to `limit` events of the caller's feed after a sequence number. If there are none,
/// waits for one until `wait` is over or the server stops. Events that the caller no longer has
/// access to are left out, as with webhooks. A number that the feed has not reached is refused.
pub async fn read(
    app: &App,
    caller: &ClientCaller,
    after: i64,
    limit: u32,
    wait: Duration,
) -> Result<FeedPage> {
    let first = read_page(app, caller, after, limit).await?;
    if !first.events.is_empty() || wait.is_zero() {
        return Ok(first);
    }
    let mut next = first.next;
    let mut stopping = app.stopping.subscribe();
    let found = tokio::select! {
        found = timeout(wait, follow(app, caller, limit, &mut next)) => found.ok(),
        _ = stopping.wait_for(|it| *it) => None,
    };
    found.unwrap_or(Ok(FeedPage { events: vec![], next, has_more: false }))
}

/// Reads from `next` on until there are events.
async fn follow(app: &App, caller: &ClientCaller, limit: u32, next: &mut i64) -> Result<FeedPage> {
    let listener = app.wakeups.listen(caller.tenant);
    loop {
        let notified = listener.notified();
        tokio::pin!(notified);
        // Enabled before the read, so that no event in between is missed.
        notified.as_mut().enable();
        let page = read_page(app, caller, *next, limit).await?;
        if !page.events.is_empty() {
            return Ok(page);
        }
        *next = page.next;
        if !page.has_more {
            let _ = timeout(POLL, notified).await;
        }
    }
}

async fn read_page(app: &App, caller: &ClientCaller, after: i64, limit: u32) -> Result<FeedPage> {
    let (tenant, reader) = (caller.tenant, caller.reader());
    app.store
        .read(move |tx| {
            let last = event::last_sequence(tx, tenant)?;
            if after > last {
                let message = format!("must be at most {last}, the number of the newest event");
                return Err(Error::field("after", message));
            }
            let of = (tenant, reader);
            let mut found = event::list_seen(tx, of, after, limit.saturating_add(1))?;
            let has_more = found.len() > limit as usize;
            found.truncate(limit as usize);
            let next = found.last().map_or(after, |(it, _)| it.sequence);
            let sees = |(event, listed): &(FeedEvent, bool)| {
                *listed || event.license.is_none() || !event.kind.requires_visibility()
            };
            let events = found.into_iter().filter(sees).map(|(event, _)| event).collect();
            Ok(FeedPage { events, next, has_more })
        })
        .await
}
