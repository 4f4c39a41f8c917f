//! Runs a handler within the bounds of its route: size, memory and time. Panics become errors.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::time::Duration;

use axum::extract::Request;
use axum::response::Response;
use futures_util::FutureExt as _;
use grantor_domain::{Error, ErrorKind};
use grantor_service::Context;
use grantor_service::context::Waiter;

use crate::body;
use crate::state::HttpState;

/// The bounds of a request.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The maximum size of the body.
    pub body_limit: usize,
    /// How many copies of the body are in memory at the same time.
    pub body_copies: usize,
    /// The time added to the default handler timeout.
    pub extra_time: Duration,
    /// Whether bodies of any type may be as large, not only forms.
    pub any_type: bool,
}

/// Runs the checks before a handler. They have the time of the whole request, so that it also ends
/// if the database does not respond.
pub async fn check_in_time<T, E: From<Error>>(
    state: &HttpState,
    checks: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let checked = tokio::time::timeout(state.settings.handler_time, checks).await;
    checked.unwrap_or_else(|_| Err(timed_out(true).into()))
}

/// Runs the handler in the time that the checks before it left. A change is canceled when the client
/// disconnects or the time is over, unless it is already stored.
pub async fn execute<F>(
    state: &HttpState,
    context: &Context,
    bounds: Bounds,
    mut request: Request,
    handler: impl FnOnce(Request) -> F,
) -> Result<Response, Error>
where
    F: Future<Output = Response> + Send + 'static,
{
    body::limit(&mut request, bounds);
    let reservation = state.uploads.reserve(request.headers(), bounds).await?;
    let running = handler(request);
    let running = async {
        match reservation {
            Some(reservation) => reservation.run_to_completion(running).await,
            None => Ok(running.await),
        }
    };
    let mut guarded = pin!(AssertUnwindSafe(running).catch_unwind());
    let waiter = &context.waiter;
    let mut waiting = Waiting { waiter: waiter.clone(), done: false };
    let spent = state.app.clock.monotonic().saturating_sub(context.origin.started);
    let time = (state.settings.handler_time + bounds.extra_time).saturating_sub(spent);
    let mut outcome = tokio::time::timeout(time, guarded.as_mut()).await;
    waiting.done = true;
    // On a timeout, either cancel before anything is stored, or wait for the response to the change
    // that is being stored.
    let unchanged = outcome.is_err() && waiter.leave();
    if outcome.is_err() && !unchanged {
        outcome = tokio::time::timeout(state.settings.answer_time, guarded).await;
    }
    match outcome {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => Err(panicked(&*panic)),
        Err(_) => Err(timed_out(unchanged)),
    }
}

/// Cancels the wait when the client disconnects, unless the handler already finished.
struct Waiting {
    waiter: Waiter,
    done: bool,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.done {
            let _ = self.waiter.leave();
        }
    }
}

fn timed_out(unchanged: bool) -> Error {
    let kind = ErrorKind::Unavailable { retry_after: Duration::from_secs(1) };
    let message = if unchanged {
        "The request timed out"
    } else {
        "The request timed out after the change was stored. Check the result before you retry."
    };
    Error::new(kind, message)
}

fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    Error::internal(format!("panic: {}", text.unwrap_or("unknown")))
}
