//! The middleware every page request passes through.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::access::Actor;
use grantor_domain::audit::{Entry, Scheme};
use grantor_http::body::BODY_LIMIT;
use grantor_http::execute::{Bounds, check_in_time, execute};
use grantor_http::observe::observe;
use grantor_http::route_metrics::RouteMetrics;
use grantor_http::{RequestInfo, access_log, rights};
use grantor_service::log::read_access;
use http::{HeaderName, HeaderValue, Method, StatusCode, header};

use super::Web;
use super::admission::{Rejected, admit};
use super::arrival::offer_switch;
use super::context::{Identity, PageContext};
use super::cookie::{Cookie, CookieName};
use super::failure::{Failure, set_retry_after};
use super::locale::PageLocale;
use super::replay::run_or_replay;
use super::route::{RouteInfo, Special};
use super::{params, refusal, staff_view};
use crate::view::live::{LiveParts, Poll};
use crate::view::{self, Theme};

/// Everything comes from this origin, forms post only to it, and other sites cannot frame pages.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' \
    data: blob:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'self'";

/// The object store's origin, which the page's policy must allow for images.
#[derive(Clone, Debug)]
pub(crate) struct ImageOrigin(pub(crate) String);

/// The middleware's state for one route.
#[derive(Clone)]
pub(super) struct RouteState(Arc<(Web, RouteInfo, RouteMetrics)>);

impl RouteState {
    pub(super) fn new(web: &Web, info: RouteInfo) -> Self {
        let metrics = RouteMetrics::new("web", info.path);
        Self(Arc::new((web.clone(), info, metrics)))
    }

    pub(super) fn info(&self) -> &RouteInfo {
        &self.0.1
    }

    pub(super) fn web(&self) -> &Web {
        &self.0.0
    }
}

/// Handles a page request around its handler.
pub(super) async fn handle(
    State(state): State<RouteState>,
    request: Request,
    next: Next,
) -> Response {
    let info = RequestInfo::of(state.web(), &request, Scheme::Console);
    let method = request.method().clone();
    let poll = Poll::of(request.headers());
    let mut ctx = start(state.web(), &request, &info);
    let mut cookies = vec![];
    if poll.is_poll() {
        // The message is for the page that somebody opens next.
        ctx.flash = None;
    }
    let has_flash = ctx.flash.is_some();
    let checks = admit(&state, &info, &mut ctx, request.headers(), &mut cookies);
    let admitted = check_in_time(state.web(), Box::pin(checks)).await;
    let locale =
        PageLocale::of(&ctx.identity, ctx.is_viewed(), request.headers(), state.web().secure);
    ctx.context.language = Some(locale.language);
    ctx.locale = locale.clone();
    let answered = locale.scope(answer(&state, ctx, admitted, request, next, &poll));
    let mut response = Box::pin(answered).await;
    // A page that leads to another one has not shown the message.
    if has_flash && !response.status().is_redirection() {
        cookies.push(Cookie::clear(CookieName::Flash));
    }
    finish(state.web(), &mut response, cookies);
    if state.info().is_public() {
        rights::declare(response.headers_mut());
    }
    observe(state.web(), &state.0.2, &info, (&method, response.status()));
    response
}

/// Answers a request in the language of its reader.
async fn answer(
    state: &RouteState,
    mut ctx: PageContext,
    admitted: Result<(), Rejected>,
    mut request: Request,
    next: Next,
    poll: &Poll,
) -> Response {
    let access = match &admitted {
        // The page is not shown.
        Err(Rejected::Elsewhere(_)) => None,
        _ => begin_access(state, &ctx, &request),
    };
    let mut response = match admitted {
        Ok(()) if state.info().method == Method::GET => {
            Box::pin(draw(state, &mut ctx, request, &next)).await
        }
        Ok(()) => {
            request.extensions_mut().insert(ctx.clone());
            run(state, request, next, &ctx).await
        }
        Err(Rejected::Failed(failure)) => failure.into_response(),
        Err(Rejected::Redirected(to)) => Redirect::to(&to).into_response(),
        Err(Rejected::Elsewhere(offer)) => offer_switch(&ctx, &offer),
    };
    refusal::note(state, &ctx, &response);
    if let Some(failure) = response.extensions_mut().remove::<Failure>() {
        response = error_page(&ctx, &failure);
    }
    response = poll.answer(response);
    // A page that only asks whether it is up to date reads nothing new.
    if let Some(access) = access.filter(|_| response.status() != StatusCode::NOT_MODIFIED) {
        access_log::end(&state.web().app, access, response.status());
    }
    if ctx.is_viewed() {
        response = staff_view::without_secrets(response).await;
    }
    response
}

/// Builds the context of a request whose caller is not identified yet.
fn start(web: &Web, request: &Request, info: &RequestInfo) -> PageContext {
    let (context, headers) = (info.context.clone(), request.headers());
    let flash = CookieName::Flash.read(headers, web.secure).and_then(view::flash::read);
    let locale = PageLocale::of(&Identity::Anonymous, false, headers, web.secure);
    let theme = CookieName::Theme.read(headers, web.secure).map_or(Theme::Auto, Theme::parse);
    let here = request.uri().path_and_query().map_or("/app", |it| it.as_str()).to_owned();
    let query_errors = params::text_errors(request.uri().query().unwrap_or_default());
    let (web, identity, memberships) = (web.clone(), Identity::Anonymous, Arc::default());
    let (view, unread, unread_notices, open_cases) = (None, 0, 0, 0);
    PageContext {
        web,
        context,
        identity,
        view,
        memberships,
        unread,
        unread_notices,
        open_cases,
        limited: None,
        flash,
        theme,
        locale,
        here,
        query_errors,
        live: LiveParts::default(),
    }
}

/// Starts the access log entry of a page view.
fn begin_access(state: &RouteState, ctx: &PageContext, request: &Request) -> Option<Entry> {
    let info = state.info();
    if info.method != Method::GET || matches!(ctx.context.actor, Actor::Anonymous) {
        return None;
    }
    let access = read_access::ReadAccess {
        action: info.action,
        summary: info.summary,
        pattern: info.path,
        path: request.uri().path(),
        tenant: ctx.view.as_ref().map(|it| it.person.tenant),
    };
    read_access::begin(&ctx.web.app, &ctx.context.actor, ctx.context.origin.clone(), &access)
}

/// Renders a page. If it fails only because of invalid query parameters, it is rendered again
/// without them and lists their errors.
async fn draw(
    state: &RouteState,
    ctx: &mut PageContext,
    request: Request,
    next: &Next,
) -> Response {
    let (parts, _) = request.into_parts();
    let query = parts.uri.query().unwrap_or_default();
    loop {
        let mut request = Request::from_parts(parts.clone(), Body::empty());
        request.extensions_mut().insert(ctx.clone());
        let mut response = run(state, request, next.clone(), ctx).await;
        let failure = response.extensions().get::<Failure>();
        match failure.and_then(|it| params::new_errors(&it.error, &ctx.query_errors, query)) {
            Some(more) => ctx.query_errors = ctx.query_errors.clone().merge(more),
            None if ctx.query_errors.is_empty() || !response.status().is_success() => {
                return response;
            }
            None => {
                *response.status_mut() = StatusCode::BAD_REQUEST;
                return response;
            }
        }
    }
}

/// Runs the handler within the route's bounds.
async fn run(state: &RouteState, request: Request, next: Next, ctx: &PageContext) -> Response {
    let &RouteInfo { body_limit, extra_time, .. } = state.info();
    // Who has to wait cannot make us read large files.
    let body_limit = if ctx.limited.is_some() { BODY_LIMIT } else { body_limit };
    let bounds = Bounds { body_limit, body_copies: 1, extra_time, any_type: false };
    let replayed = state.info().is(Special::RunsOnce).then(|| ctx.clone());
    // The handler of an upload runs as a task of its own.
    let locale = ctx.locale.clone();
    // Boxed, because every layer around it would hold a copy.
    let handler = |request| {
        Box::pin(locale.scope(async move {
            match replayed {
                Some(ctx) => run_or_replay(ctx, request, next).await,
                None => next.run(request).await,
            }
        }))
    };
    let run = execute(state.web(), &ctx.context, bounds, request, handler);
    run.await.unwrap_or_else(|error| Failure::from(error).into_response())
}

/// Renders the error page and logs internal errors.
fn error_page(ctx: &PageContext, Failure { error, status }: &Failure) -> Response {
    if let Some(reason) = error.internal_detail() {
        let request_id = ctx.context.origin.request_id.as_deref();
        tracing::error!(request_id, reason, "page failed");
    }
    let mut response = (*status, view::problem(ctx, *status, error)).into_response();
    set_retry_after(&mut response, error.kind());
    response
}

fn finish(web: &Web, response: &mut Response, cookies: Vec<Cookie>) {
    if let Some(ImageOrigin(origin)) = response.extensions_mut().remove::<ImageOrigin>() {
        let policy = POLICY.replace("img-src 'self'", &format!("img-src 'self' {origin}"));
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
    let headers = response.headers_mut();
    for cookie in cookies {
        // A cookie the handler set wins.
        if let Some(value) = cookie.header(web.secure) {
            let name = value.as_bytes().split(|it| *it == b'=').next().map(<[u8]>::to_vec);
            let kept = headers
                .get_all(header::SET_COOKIE)
                .iter()
                .any(|it| it.as_bytes().split(|it| *it == b'=').next().map(<[u8]>::to_vec) == name);
            if !kept {
                headers.append(header::SET_COOKIE, value);
            }
        }
    }
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-frame-options"), "SAMEORIGIN"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}
