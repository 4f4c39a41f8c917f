//! Events as a feed, for those who cannot receive webhooks: the same events, by number.

use std::time::Duration;

use grantor_domain::{Error, Result};
pub use grantor_storage::event::Told;

use grantor_storage::event;
use tokio::time::timeout;

use crate::App;
use crate::access::ClientCaller;

/// How often a waiting reader looks by itself: what other nodes wrote wakes nobody here.
const POLL: Duration = Duration::from_millis(500);

/// A part of a feed.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its events, oldest first.
    pub events: Vec<Told>,
    /// The number to go on after.
    pub next: i64,
    /// Whether there are more now.
    pub has_more: bool,
}

/// The events of the caller's feed after a number, at most so many. Waits for the first where there
/// is none, unless the server stops. What the caller no longer sees is left out, as webhooks leave it
/// out. A number that the feed has not reached is refused: whoever waits there would wait in vain.
pub async fn read(
    app: &App,
    caller: &ClientCaller,
    after: i64,
    limit: u32,
    wait: Duration,
) -> Result<Part> {
    let first = look(app, caller, after, limit).await?;
    if !first.events.is_empty() || wait.is_zero() {
        return Ok(first);
    }
    let mut next = first.next;
    let mut stopping = app.stopping.subscribe();
    let found = tokio::select! {
        found = timeout(wait, follow(app, caller, limit, &mut next)) => found.ok(),
        _ = stopping.wait_for(|it| *it) => None,
    };
    found.unwrap_or(Ok(Part { events: vec![], next, has_more: false }))
}

/// Reads on from `next` until there is something.
async fn follow(app: &App, caller: &ClientCaller, limit: u32, next: &mut i64) -> Result<Part> {
    let listener = app.wakes.listen(caller.tenant);
    loop {
        let told = listener.told();
        tokio::pin!(told);
        // From here on an event is noticed, also while the feed is read.
        told.as_mut().enable();
        let part = look(app, caller, *next, limit).await?;
        if !part.events.is_empty() {
            return Ok(part);
        }
        *next = part.next;
        if !part.has_more {
            let _ = timeout(POLL, told).await;
        }
    }
}

async fn look(app: &App, caller: &ClientCaller, after: i64, limit: u32) -> Result<Part> {
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
            let sees = |(told, listed): &(Told, bool)| {
                *listed || told.license.is_none() || !told.kind.needs_sight()
            };
            let events = found.into_iter().filter(sees).map(|(told, _)| told).collect();
            Ok(Part { events, next, has_more })
        })
        .await
}
