//! Room in memory for bodies with pictures. One may bring 101 MiB, so that a few at once would take
//! the memory of a small machine: what does not fit is asked to come again
//! ([decision 0016](../../../../docs/decisions/0016-room-for-uploads.md)).

use std::sync::Arc;
use std::time::Duration;

use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, header};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::form::is_form;
use super::problem::{Problem, ProblemKind};
use super::route::{BODY_LIMIT, Row};

/// What room is counted in: a semaphore's figures are small.
const KIB: usize = 1024;

/// When whoever found no room may come again: most uploads are through by then.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The room of one process.
#[derive(Debug)]
pub(crate) struct Uploads {
    room: Arc<Semaphore>,
    /// In KiB.
    all: u32,
    wait: Duration,
}

/// Room that one upload takes, until it is dropped.
pub(super) struct Room(#[expect(dead_code, reason = "held, not read")] OwnedSemaphorePermit);

impl Uploads {
    /// Room for so many bytes; who finds none waits so long.
    pub(crate) fn new(bytes: usize, wait: Duration) -> Self {
        let all = u32::try_from(bytes.div_ceil(KIB)).unwrap_or(u32::MAX);
        let slots = usize::try_from(all).unwrap_or(Semaphore::MAX_PERMITS);
        Self { room: Arc::new(Semaphore::new(slots.min(Semaphore::MAX_PERMITS))), all, wait }
    }

    /// Room for the body of this request before any of it is read. None is needed where bodies are
    /// small.
    pub(super) async fn reserve(
        &self,
        row: &Row,
        headers: &HeaderMap,
    ) -> Result<Option<Room>, Problem> {
        if row.body_limit <= BODY_LIMIT || !is_form(headers) {
            return Ok(None);
        }
        let kib = u32::try_from(need(row, headers).div_ceil(KIB)).unwrap_or(u32::MAX);
        // Whoever needs more than there is has all of it: the limit of a body is the row's.
        let room = Arc::clone(&self.room).acquire_many_owned(kib.min(self.all));
        if let Ok(Ok(permit)) = tokio::time::timeout(self.wait, room).await {
            return Ok(Some(Room(permit)));
        }
        let kind = ProblemKind::Unavailable { retry_after: RETRY_AFTER };
        Err(Problem::new(kind, "Too many uploads are under way: try again shortly"))
    }
}

/// What a body takes in memory: as much as it says, or as the row allows where it does not say. One
/// with an idempotency key is read whole before it is taken apart, and so there twice.
fn need(row: &Row, headers: &HeaderMap) -> usize {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|it| it.to_str().ok());
    let length = length.and_then(|it| it.parse().ok()).unwrap_or(row.body_limit);
    let copies = 1 + usize::from(row.idempotent && headers.contains_key("idempotency-key"));
    length.min(row.body_limit) * copies
}

/// Runs an upload to its end, also when its caller hangs up: its room is free when its memory is.
pub(super) async fn to_the_end(
    room: Room,
    run: impl Future<Output = Response> + Send + 'static,
) -> Response {
    let task = tokio::spawn(async move {
        let response = run.await;
        drop(room);
        response
    });
    match task.await {
        Ok(response) => response,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(error) => {
            Problem::from(grantor_domain::Error::internal(error.to_string())).into_response()
        }
    }
}
