//! A form that makes something whose secret is shown in the answer. Browsers send it again when that
//! answer is loaded again; each drawn form has a number of its own, so that the same one sent again
//! gets the same answer, and never makes another.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};
use grantor_domain::idempotency::{IdempotencyKey, RENEWED};
use grantor_domain::{Error, ErrorKind, hex};
use grantor_service::App;
use grantor_service::idempotency::{Begun, KeptAnswer, KeyedRequest, begin, finish, hold};
use http::StatusCode;
use maud::{Markup, html};
use uuid::Uuid;

use super::failure::Failure;
use super::row::FORM;
use super::text::pairs;
use super::visitor::{Visit, Who};

/// The number's name in a form.
const NAME: &str = "once";
/// How long one waits for the answer to the same form, sent a moment before.
const WAIT: Duration = Duration::from_secs(10);
/// The largest page that is kept.
const KEPT_LIMIT: usize = 1024 * 1024;

/// The number of a form that is drawn now. No browser shall put an old one in its place.
pub(crate) fn once(app: &App) -> Markup {
    let number: Uuid = app.ids.next();
    html! { input type="hidden" name=(NAME) value=(number) autocomplete="off"; }
}

/// Runs the handler, or repeats the page it gave before. A form without a number is carried out.
pub(super) async fn carry_out_once(visit: Visit, request: Request, next: Next) -> Response {
    match attempt(visit, request, next).await {
        Ok(response) => response,
        Err(error) => Failure(error).into_response(),
    }
}

async fn attempt(mut visit: Visit, request: Request, next: Next) -> Result<Response, Error> {
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, FORM).await;
    let body = body.map_err(|_| Error::validation("The form is larger than this page takes"))?;
    // Whoever goes back and writes something else means something else.
    let content = KeyedRequest::hash(None, &body);
    let number = pairs(&body).find(|it| it.name == NAME && !it.text.is_empty());
    let key = number.map(|it| format!("{}-{}", it.text, hex::encode(&content)));
    let key = key.and_then(|it| IdempotencyKey::parse(&it).ok());
    let Some((key, Who::Person(caller))) = key.map(|key| (key, &visit.who)) else {
        return Ok(next.run(Request::from_parts(parts, Body::from(body))).await);
    };
    let keyed = KeyedRequest {
        caller: format!("user:{}:{}", caller.user, caller.tenant),
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        key,
        body_hash: content,
    };
    let claim = match begin(&visit.web.app, keyed, WAIT).await.map_err(sent_before)? {
        Begun::Again(KeptAnswer { body, .. }) => return Ok(Html(body).into_response()),
        Begun::First(claim) => claim,
    };
    visit.context.idempotency = Some(claim.clone());
    parts.extensions.insert(visit.clone());
    // Runs on by itself: whoever loads again at once must still find the answer.
    let task = tokio::spawn(async move {
        let running = next.run(Request::from_parts(parts, Body::from(body)));
        let response = hold(&visit.web.app, &claim, RENEWED, running).await;
        let (response, kept) = keep(response).await;
        if let Err(error) = finish(&visit.web.app, claim, kept).await {
            tracing::warn!(%error, "a page could not be kept for its form");
        }
        response
    });
    match task.await {
        Ok(response) => Ok(response),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(error) => Err(Error::internal(error.to_string())),
    }
}

/// The page that shows a secret; what was refused can be sent again.
async fn keep(response: Response) -> (Response, Option<KeptAnswer>) {
    if response.status() != StatusCode::OK {
        return (response, None);
    }
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, KEPT_LIMIT).await else {
        let error = Error::internal("a page is too large to be kept");
        return (Failure(error).into_response(), None);
    };
    let kept = KeptAnswer { status: 200, headers: vec![], body: body.to_vec() };
    (Response::from_parts(parts, Body::from(body)), Some(kept))
}

/// What the service says to programs, as people understand it.
fn sent_before(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Conflict | ErrorKind::UnderWay { .. } => {
            Error::conflict("This form was sent a moment ago: load the page again for its answer")
        }
        _ => error,
    }
}
