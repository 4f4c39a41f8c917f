//! The request handling that the APIs and the pages share: client addresses, request ids, rate
//! limits by address, time and size limits, memory for uploads, panics, disconnected clients,
//! idempotency, and what is recorded of each request. It renders nothing: errors are returned to
//! the crate that knows the format.

pub mod access_log;
pub mod authority;
pub mod body;
pub mod client;
pub mod compression;
pub mod etag;
pub mod execute;
pub mod handler;
pub mod idempotency;
pub mod layer;
pub mod observe;
pub mod request;
pub mod rights;
pub mod route_metrics;
pub mod settings;
pub mod state;
mod upload;

use axum::response::Response;
use grantor_domain::Error;
use http::Uri;
use tokio::task::JoinHandle;

pub use request::RequestInfo;
pub use settings::Settings;
pub use state::HttpState;

/// Renders the error of a request that is rejected before it reaches a route. The text is the
/// request id.
pub type RenderError = fn(&Uri, &str, Error) -> Response;

/// Returns the result of a task. A panic continues in the caller.
async fn completed<T>(task: JoinHandle<T>) -> Result<T, Error> {
    match task.await {
        Ok(result) => Ok(result),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(error) => Err(Error::internal(error.to_string())),
    }
}
