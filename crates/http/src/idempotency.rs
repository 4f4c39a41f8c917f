//! Idempotency keys: the handler runs once per key, and later requests get the stored response.

use std::panic::{AssertUnwindSafe, resume_unwind};

use axum::body::{Body, to_bytes};
use axum::response::Response;
use futures_util::FutureExt as _;
use grantor_domain::Error;
use grantor_domain::idempotency::Claim;
use grantor_service::operations::idempotency::{
    BeginOutcome, KeyedRequest, StoredResponse, begin, finish, run_claimed,
};
use http::HeaderName;

use crate::completed;
use crate::state::HttpState;

/// The maximum size of a stored response.
const STORED_LIMIT: usize = 1024 * 1024;

/// The response to a request with a key.
pub enum Outcome {
    /// The handler ran.
    Ran(Response),
    /// An earlier request with the same key got this response.
    Stored(StoredResponse),
}

/// Runs the handler for the first request with a key, and stores the response that `keep` selects.
pub async fn run_once<F, K>(
    state: &HttpState,
    keyed: KeyedRequest,
    handler: impl FnOnce(Claim) -> F,
    keep: impl FnOnce(Response) -> K + Send + 'static,
) -> Result<Outcome, Error>
where
    F: Future<Output = Response> + Send + 'static,
    K: Future<Output = (Response, Option<StoredResponse>)> + Send + 'static,
{
    let claim = match begin(&state.app, keyed, state.settings.replay_wait).await? {
        BeginOutcome::Replay(stored) => return Ok(Outcome::Stored(stored)),
        BeginOutcome::First(claim) => claim,
    };
    let (state, running) = (state.clone(), handler(claim.clone()));
    // In its own task: a client that disconnects must get the stored response when it retries.
    let task = tokio::spawn(async move {
        let running = run_claimed(&state.app, &claim, state.settings.renew_claim, running);
        let ended = AssertUnwindSafe(running).catch_unwind().await;
        match ended {
            Ok(response) => {
                let (response, kept) = keep(response).await;
                end(&state, claim, kept).await;
                response
            }
            Err(panic) => {
                end(&state, claim, None).await;
                resume_unwind(panic)
            }
        }
    });
    completed(task).await.map(Outcome::Ran)
}

/// Stores the response, or lets those who repeat the request know that there is none.
async fn end(state: &HttpState, claim: Claim, kept: Option<StoredResponse>) {
    if let Err(error) = finish(&state.app, claim, kept).await {
        tracing::warn!(%error, "failed to store the response for an idempotency key");
    }
}

/// Returns the response and the copy to store, with these headers.
pub async fn copy(
    response: Response,
    headers: &[HeaderName],
) -> Result<(Response, StoredResponse), Error> {
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, STORED_LIMIT).await;
    let body = body.map_err(|_| Error::internal("the response is too large to store"))?;
    let value = |name: &HeaderName| parts.headers.get(name)?.to_str().ok().map(str::to_owned);
    let headers = headers.iter().filter_map(|it| Some((it.to_string(), value(it)?))).collect();
    let status = parts.status.as_u16();
    let stored = StoredResponse { status, headers, body: body.to_vec() };
    Ok((Response::from_parts(parts, Body::from(body)), stored))
}
