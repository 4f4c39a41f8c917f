//! A memory budget for image uploads. One upload may take 101 MiB, so a few at once could exhaust
//! the memory of a small machine. UploadBudget over the budget get 503 with `Retry-After`
//! ([decision 0016](../../../../docs/decisions/0016-upload-memory-budget.md)).

use std::sync::Arc;
use std::time::Duration;

use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, header};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::form::is_form;
use super::problem::{Problem, ProblemKind};
use super::route::{BODY_LIMIT, RouteInfo};

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
pub(super) struct Reservation(#[expect(dead_code, reason = "held, not read")] OwnedSemaphorePermit);

impl UploadBudget {
    /// Creates a budget of `bytes`. An upload waits up to `wait` for free memory.
    pub(crate) fn new(bytes: usize, wait: Duration) -> Self {
        let total_kib = u32::try_from(bytes.div_ceil(KIB)).unwrap_or(u32::MAX);
        let slots = usize::try_from(total_kib).unwrap_or(Semaphore::MAX_PERMITS);
        let permits = Arc::new(Semaphore::new(slots.min(Semaphore::MAX_PERMITS)));
        Self { permits, total_kib, wait }
    }

    /// Reserves memory for the request body before it is read. Small bodies need no reservation.
    pub(super) async fn reserve(
        &self,
        route: &RouteInfo,
        headers: &HeaderMap,
    ) -> Result<Option<Reservation>, Problem> {
        if route.body_limit <= BODY_LIMIT || !is_form(headers) {
            return Ok(None);
        }
        let kib = u32::try_from(memory_needed(route, headers).div_ceil(KIB)).unwrap_or(u32::MAX);
        // An upload larger than the whole budget takes all of it; the route's body limit still
        // holds.
        let acquire = Arc::clone(&self.permits).acquire_many_owned(kib.min(self.total_kib));
        if let Ok(Ok(permit)) = tokio::time::timeout(self.wait, acquire).await {
            return Ok(Some(Reservation(permit)));
        }
        let kind = ProblemKind::Unavailable { retry_after: RETRY_AFTER };
        Err(Problem::new(kind, "Too many uploads are in progress. Try again in a few seconds."))
    }
}

/// Returns the memory a body needs: its declared length, or the route's limit without one. With an
/// idempotency key the body is buffered before it is parsed, so it takes twice the memory.
fn memory_needed(route: &RouteInfo, headers: &HeaderMap) -> usize {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|it| it.to_str().ok());
    let length = length.and_then(|it| it.parse().ok()).unwrap_or(route.body_limit);
    let copies = 1 + usize::from(route.idempotent && headers.contains_key("idempotency-key"));
    length.min(route.body_limit) * copies
}

/// Runs an upload to completion even if the client disconnects, so that the reservation is released
/// only when the memory is.
pub(super) async fn run_to_completion(
    reservation: Reservation,
    run: impl Future<Output = Response> + Send + 'static,
) -> Response {
    let task = tokio::spawn(async move {
        let response = run.await;
        drop(reservation);
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
