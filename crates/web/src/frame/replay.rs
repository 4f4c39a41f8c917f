//! Replays the response of a form that creates a secret or sends a letter. Reloading the page of a new
//! secret resubmits the form, and so does pressing a button twice. Each rendered form carries a unique
//! token: a resubmitted form gets the same response again and does nothing.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};
use grantor_domain::idempotency::IdempotencyKey;
use grantor_domain::{Error, ErrorKind, hex};
use grantor_http::body;
use grantor_http::idempotency::{Outcome, copy, run_once};
use grantor_service::App;
use grantor_service::context::RequestFlags;
use grantor_service::operations::idempotency::{KeyedRequest, StoredResponse};
use http::header::{LOCATION, SET_COOKIE};
use http::{HeaderMap, HeaderName, StatusCode};
use maud::{Markup, html};
use uuid::Uuid;

use super::context::{Identity, PageContext};
use super::failure::Failure;
use super::pairs::pairs;

/// The name of the hidden token field.
const NAME: &str = "once";

/// Renders a new form token. `autocomplete="off"` keeps browsers from restoring an old one.
pub(crate) fn form_token(app: &App) -> Markup {
    let token: Uuid = app.ids.next();
    html! { input type="hidden" name=(NAME) value=(token) autocomplete="off"; }
}

/// Runs the handler, or replays its earlier page. A form without a token always runs.
pub(super) async fn run_or_replay(ctx: PageContext, request: Request, next: Next) -> Response {
    match attempt(ctx, request, next).await {
        Ok(response) => response,
        Err(failure) => failure.into_response(),
    }
}

async fn attempt(mut ctx: PageContext, request: Request, next: Next) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let body = body::read(Request::from_parts(parts.clone(), body), &ctx.web).await?;
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
    let (web, locale, flags) = (ctx.web.clone(), ctx.locale.clone(), ctx.context.flags.clone());
    // It runs as a task of its own.
    let handler = |claim| {
        ctx.context.idempotency = Some(claim);
        parts.extensions.insert(ctx);
        locale.scope(async move { next.run(Request::from_parts(parts, Body::from(body))).await })
    };
    Ok(
        match run_once(&web, keyed, handler, |response| keep(response, flags))
            .await
            .map_err(reword)?
        {
            Outcome::Ran(response) => response,
            Outcome::Stored(stored) => replay(stored),
        },
    )
}

/// A page, or a redirect with its message.
fn replay(StoredResponse { headers, body, .. }: StoredResponse) -> Response {
    let headers: Option<HeaderMap> = headers
        .iter()
        .map(|(name, value)| Some((name.parse().ok()?, value.parse().ok()?)))
        .collect();
    match headers.filter(|it| it.contains_key(LOCATION)) {
        Some(headers) => (StatusCode::SEE_OTHER, headers).into_response(),
        None => Html(body).into_response(),
    }
}

/// Copies a successful response for replay. A refused form may be submitted again, and so may one that
/// led elsewhere before anything was done, such as to a new sign-in.
async fn keep(response: Response, flags: RequestFlags) -> (Response, Option<StoredResponse>) {
    let headers: &[HeaderName] = match response.status() {
        StatusCode::OK => &[],
        StatusCode::SEE_OTHER if flags.is_logged() => &[LOCATION, SET_COOKIE],
        _ => return (response, None),
    };
    match copy(response, headers).await {
        Ok((response, stored)) => (response, Some(stored)),
        Err(error) => (Failure::from(error).into_response(), None),
    }
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

#[cfg(test)]
mod tests {
    use axum::response::Redirect;

    use super::*;

    #[tokio::test]
    async fn a_redirect_is_kept_if_something_was_done() {
        let (redirect, flags) = (|| Redirect::to("/app").into_response(), RequestFlags::default());
        assert!(keep(redirect(), flags.clone()).await.1.is_none());
        flags.set_logged();
        let again = replay(keep(redirect(), flags).await.1.unwrap());
        assert_eq!(
            (again.status(), &again.headers()[LOCATION]),
            (StatusCode::SEE_OTHER, &"/app".parse().unwrap())
        );
    }
}
