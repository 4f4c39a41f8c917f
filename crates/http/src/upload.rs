//! A memory budget for image uploads. One upload may take 101 MiB, so a few at once could exhaust
//! the memory of a small machine. Uploads that would exceed the budget are rejected with 503 and
//! `Retry-After` ([decision 0016](../../../docs/decisions/0016-upload-memory-budget.md)).

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use grantor_domain::{Error, ErrorKind};
use http::HeaderMap;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::body::{BODY_LIMIT, declared_length, is_multipart};
use crate::completed;
use crate::execute::Bounds;

/// The unit of the semaphore's permits, whose count is limited.
const KIB: usize = 1024;

/// The `Retry-After` of a rejected upload. Most uploads finish within this time.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The memory budget of one process.
#[derive(Debug)]
pub(crate) struct UploadBudget {
    permits: Arc<Semaphore>,
    total_kib: u32,
    wait: Duration,
}

/// Memory reserved for one upload, released on drop.
pub(crate) struct Reservation(#[expect(dead_code, reason = "held, not read")] OwnedSemaphorePermit);

impl UploadBudget {
    /// Creates a budget of `bytes`. An upload waits up to `wait` for free memory.
    pub(crate) fn new(bytes: usize, wait: Duration) -> Self {
        let total_kib = u32::try_from(bytes.div_ceil(KIB)).unwrap_or(u32::MAX);
        let slots = usize::try_from(total_kib).unwrap_or(Semaphore::MAX_PERMITS);
        let permits = Arc::new(Semaphore::new(slots.min(Semaphore::MAX_PERMITS)));
        Self { permits, total_kib, wait }
    }

    /// Reserves memory for the request body before it is read: its declared length, or the route's
    /// limit without one. Small bodies need no reservation.
    pub(crate) async fn reserve(
        &self,
        headers: &HeaderMap,
        bounds: Bounds,
    ) -> Result<Option<Reservation>, Error> {
        let may_be_large = bounds.any_type || is_multipart(headers);
        if bounds.body_limit <= BODY_LIMIT || !may_be_large {
            return Ok(None);
        }
        let length = declared_length(headers).unwrap_or(bounds.body_limit).min(bounds.body_limit);
        let kib = (length * bounds.body_copies).div_ceil(KIB);
        let kib = u32::try_from(kib).unwrap_or(u32::MAX);
        // An upload larger than the whole budget takes all of it; the route's body limit still
        // holds.
        let acquire = Arc::clone(&self.permits).acquire_many_owned(kib.min(self.total_kib));
        if let Ok(Ok(permit)) = tokio::time::timeout(self.wait, acquire).await {
            return Ok(Some(Reservation(permit)));
        }
        let kind = ErrorKind::Unavailable { retry_after: RETRY_AFTER };
        Err(Error::new(kind, "Too many uploads are in progress. Try again in a few seconds."))
    }
}

impl Reservation {
    /// Runs an upload to completion even if the client disconnects, so that the memory is released
    /// only when it is free.
    pub(crate) async fn run_to_completion(
        self,
        running: impl Future<Output = Response> + Send + 'static,
    ) -> Result<Response, Error> {
        let task = tokio::spawn(async move {
            let response = running.await;
            drop(self);
            response
        });
        completed(task).await
    }
}
