//! Replays the response of a form that creates a secret. Reloading that response resubmits the
//! form, so each rendered form carries a unique token: a resubmitted form gets the same page again
//! and creates nothing.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};
use grantor_domain::idempotency::{IdempotencyKey, RENEW_INTERVAL};
use grantor_domain::{Error, ErrorKind, hex};
use grantor_service::App;
use grantor_service::operations::idempotency::{
    BeginOutcome, KeyedRequest, StoredResponse, begin, finish, run_claimed,
};
use http::StatusCode;
use maud::{Markup, html};
use uuid::Uuid;

use super::context::{Identity, PageContext};
use super::failure::Failure;
use super::pairs::pairs;
use super::route::FORM;

/// The name of the hidden token field.
const NAME: &str = "once";
/// How long a resubmitted form waits for the first submission to finish.
const WAIT: Duration = Duration::from_secs(10);
/// The largest page that is stored for replay.
const KEPT_LIMIT: usize = 1024 * 1024;

/// Renders a new form token. `autocomplete="off"` keeps browsers from restoring an old one.
pub(crate) fn form_token(app: &App) -> Markup {
    let token: Uuid = app.ids.next();
    html! { input type="hidden" name=(NAME) value=(token) autocomplete="off"; }
}

/// Runs the handler, or replays its earlier page. A form without a token always runs.
pub(super) async fn run_or_replay(ctx: PageContext, request: Request, next: Next) -> Response {
    match attempt(ctx, request, next).await {
        Ok(response) => response,
        Err(error) => Failure(error).into_response(),
    }
}

async fn attempt(mut ctx: PageContext, request: Request, next: Next) -> Result<Response, Error> {
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, FORM).await;
    let body = body.map_err(|_| Error::validation("The form is too large"))?;
    // Going back and submitting different values is a new submission.
    let content = KeyedRequest::hash(None, &body);
    let token = pairs(&body).find(|it| it.name == NAME && !it.text.is_empty());
    let key = token.map(|it| format!("{}-{}", it.text, hex::encode(&content)));
    let key = key.and_then(|it| IdempotencyKey::parse(&it).ok());
    let Some((key, Identity::Person(caller))) = key.map(|key| (key, &ctx.identity)) else {
        return Ok(next.run(Request::from_parts(parts, Body::from(body))).await);
    };
    let keyed = KeyedRequest {
        caller: format!("user:{}:{}", caller.user, caller.tenant),
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        key,
        body_hash: content,
    };
    let claim = match begin(&ctx.web.app, keyed, WAIT).await.map_err(reword)? {
        BeginOutcome::Replay(StoredResponse { body, .. }) => return Ok(Html(body).into_response()),
        BeginOutcome::First(claim) => claim,
    };
    ctx.context.idempotency = Some(claim.clone());
    parts.extensions.insert(ctx.clone());
    // Runs in its own task, so that a reload finds the response even if the browser disconnects.
    let task = tokio::spawn(async move {
        let running = next.run(Request::from_parts(parts, Body::from(body)));
        let response = run_claimed(&ctx.web.app, &claim, RENEW_INTERVAL, running).await;
        let (response, kept) = keep(response).await;
        if let Err(error) = finish(&ctx.web.app, claim, kept).await {
            tracing::warn!(%error, "could not store a page for replay");
        }
        response
    });
    match task.await {
        Ok(response) => Ok(response),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(error) => Err(Error::internal(error.to_string())),
    }
}

/// Copies a successful page for replay. A refused form may be submitted again.
async fn keep(response: Response) -> (Response, Option<StoredResponse>) {
    if response.status() != StatusCode::OK {
        return (response, None);
    }
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, KEPT_LIMIT).await else {
        let error = Error::internal("the page is too large to store for replay");
        return (Failure(error).into_response(), None);
    };
    let kept = StoredResponse { status: 200, headers: vec![], body: body.to_vec() };
    (Response::from_parts(parts, Body::from(body)), Some(kept))
}

/// Rewords the service's idempotency errors for people.
fn reword(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Conflict | ErrorKind::InProgress { .. } => {
            Error::conflict("This form was just submitted. Reload the page to see the result")
        }
        _ => error,
    }
}
