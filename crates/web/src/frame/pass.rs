//! The way of one request through the frame of pages.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use futures_util::FutureExt as _;
use grantor_domain::access::Actor;
use grantor_domain::audit::{Level, Scheme};
use grantor_domain::limit::LimitName;
use grantor_domain::{Error, ErrorKind, admin, role};
use grantor_service::limit::Subject;
use grantor_service::{Context, membership, visit};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde_json::json;

use super::Web;
use super::cookie::{Cookie, Crumb};
use super::failure::Failure;
use super::once::carry_out_once;
use super::row::{Entry, FORM, Told};
use super::visitor::{Visit, Who};
use super::{origin, query, refusal, session};
use crate::view::{self, Theme};

/// How long a page may take.
const TIME: Duration = Duration::from_secs(30);
/// How much longer one may take whose change is stored already.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// How long a form with pictures waits for room.
const ROOM_TIME: Duration = Duration::from_secs(5);

/// Scripts, styles and pictures are files of ours; a form goes nowhere else; nobody frames us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' \
    data: blob:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'self'";

/// Where else a page has pictures from: the bucket they are in, where there is one.
#[derive(Clone, Debug)]
pub(crate) struct PicturesFrom(pub(crate) String);

/// What the frame knows of a page.
#[derive(Clone)]
pub(super) struct Pass(Arc<(Web, Told)>);

impl Pass {
    pub(super) fn new(web: &Web, told: Told) -> Self {
        Self(Arc::new((web.clone(), told)))
    }

    pub(super) fn told(&self) -> &Told {
        &self.0.1
    }

    pub(super) fn web(&self) -> &Web {
        &self.0.0
    }
}

/// Takes a request through.
pub(super) async fn pass(State(pass): State<Pass>, mut request: Request, next: Next) -> Response {
    let web = pass.web().clone();
    let mut visit = arrive(&web, &mut request);
    let mut cookies = vec![];
    if visit.said.is_some() {
        cookies.push(Cookie::clear(Crumb::Said));
    }
    let admitted = admit(&pass, &mut visit, request.headers(), &mut cookies).await;
    let look = begin_look(&pass, &visit, &request);
    let mut response = match admitted {
        Ok(()) if pass.told().method == Method::GET => {
            draw(&pass, &mut visit, request, &next).await
        }
        Ok(()) => {
            request.extensions_mut().insert(visit.clone());
            carry_out(&pass, request, next, &visit).await
        }
        Err(Refused::Failed(failure)) => failure.into_response(),
        Err(Refused::SentAway(to)) => Redirect::to(&to).into_response(),
    };
    refusal::note(&pass, &visit, &response);
    if let Some(failure) = response.extensions_mut().remove::<Failure>() {
        response = explain(&visit, &failure);
    }
    if let Some(look) = look {
        visit::end(
            &web.app,
            look,
            level(response.status()),
            json!({
                "status": response.status().as_u16(),
            }),
        );
    }
    finish(&web, &mut response, cookies);
    response
}

/// What is known before anybody is asked who they are.
fn arrive(web: &Web, request: &mut Request) -> Visit {
    let context = request.extensions_mut().remove::<Context>().unwrap_or_else(|| {
        let mut context = Context::system(web.app.clock.monotonic());
        context.actor = Actor::Anonymous;
        context
    });
    let headers = request.headers();
    let said = Crumb::Said.read(headers, web.secure).and_then(view::said::read);
    let theme = Crumb::Theme.read(headers, web.secure).map_or(Theme::Auto, Theme::parse);
    let here = request.uri().path_and_query().map_or("/app", |it| it.as_str()).to_owned();
    let misread = query::unread(request.uri().query().unwrap_or_default());
    let (web, who, places) = (web.clone(), Who::Nobody, Arc::default());
    Visit { web, context, who, places, said, theme, here, misread }
}

enum Refused {
    Failed(Failure),
    SentAway(String),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Failed(Failure(error))
    }
}

/// Everything that can refuse a request before its handler sees it.
async fn admit(
    pass: &Pass,
    visit: &mut Visit,
    headers: &HeaderMap,
    cookies: &mut Vec<Cookie>,
) -> Result<(), Refused> {
    let (web, method) = (pass.web(), &pass.told().method);
    if !origin::is_own(method, headers, &web.app.public_url) {
        let message = "This form was not sent from a page of ours: open the page and send it again";
        return Err(Error::new(ErrorKind::Forbidden, message).into());
    }
    identify(pass, visit, headers, cookies).await?;
    match (pass.told().entry, &visit.who) {
        (Entry::Open, _) => {}
        (Entry::Counted(limit), _) => count(visit, limit, None).await?,
        (Entry::Person(right), Who::Person(caller)) => {
            let subject = Subject::id(caller.user.as_uuid());
            count(visit, LimitName::Console, Some(subject)).await?;
            role::may(caller.role, caller.tenant_type, right)?;
        }
        (Entry::Staff(right), Who::Staff(caller)) => {
            let subject = Subject::id(caller.admin.as_uuid());
            count(visit, LimitName::Admin, Some(subject)).await?;
            admin::may(caller.role, right)?;
        }
        (Entry::Person(_), _) => return Err(to_sign_in("/app/sign-in", visit, method)),
        (Entry::Staff(_), _) => {
            return Err(to_sign_in("/app/admin/sign-in", visit, method));
        }
    }
    Ok(())
}

/// Who comes, as far as the page wants to know. An open page greets whoever is signed in.
async fn identify(
    pass: &Pass,
    visit: &mut Visit,
    headers: &HeaderMap,
    cookies: &mut Vec<Cookie>,
) -> Result<(), Refused> {
    let (app, secure) = (&pass.web().app, pass.web().secure);
    let staff_only = matches!(pass.told().entry, Entry::Staff(_));
    if staff_only || visit.here.starts_with("/app/admin/") {
        if let Some((caller, renewed)) =
            session::staff(app, &visit.context, headers, secure).await?
        {
            cookies.extend(renewed);
            if staff_only {
                visit.context.actor = caller.actor();
            }
            visit.context.origin.scheme = Scheme::Admin;
            visit.who = Who::Staff(caller);
        }
        return Ok(());
    }
    let found = session::person(app, &visit.context, headers, secure).await;
    let open = !matches!(pass.told().entry, Entry::Person(_));
    match found {
        Ok(Some((caller, renewed))) => {
            cookies.extend(renewed);
            if !open {
                visit.context.actor = caller.actor();
            }
            if caller.elsewhere {
                visit.places = membership::list(app, caller.user).await?.into();
            }
            visit.who = Who::Person(caller);
        }
        Ok(None) => {}
        // A suspended account may still read what everybody may. A fault of the house is no answer to
        // who comes, and must not look like one.
        Err(error) if open && error.is_refusal() => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

async fn count(visit: &Visit, limit: LimitName, subject: Option<Subject>) -> Result<(), Error> {
    let address = visit.context.origin.address.map(Subject::address);
    if let Some(subject) = subject.or(address) {
        visit.web.app.limiter.hit(limit, &subject).await?;
    }
    Ok(())
}

/// Whoever must sign in first comes back to where they wanted to go.
fn to_sign_in(page: &str, visit: &Visit, method: &Method) -> Refused {
    if *method != Method::GET || visit.here == "/app" {
        return Refused::SentAway(page.to_owned());
    }
    let next: String = url::form_urlencoded::byte_serialize(visit.here.as_bytes()).collect();
    Refused::SentAway(format!("{page}?next={next}"))
}

fn begin_look(
    pass: &Pass,
    visit: &Visit,
    request: &Request,
) -> Option<grantor_domain::audit::Entry> {
    let told = pass.told();
    if told.method != Method::GET || matches!(visit.context.actor, Actor::Anonymous) {
        return None;
    }
    let looked = visit::Looked {
        action: told.action,
        summary: told.summary,
        pattern: told.path,
        path: request.uri().path(),
    };
    visit::begin(&visit.web.app, &visit.context.actor, visit.context.origin.clone(), &looked)
}

fn level(status: StatusCode) -> Level {
    if status.is_server_error() {
        Level::Error
    } else if status.is_client_error() {
        Level::Warn
    } else {
        Level::Info
    }
}

/// Draws a page. One that could not read what its address asks is drawn without that, and says what
/// is wrong with it.
async fn draw(pass: &Pass, visit: &mut Visit, request: Request, next: &Next) -> Response {
    let (parts, _) = request.into_parts();
    let query = parts.uri.query().unwrap_or_default();
    loop {
        let mut request = Request::from_parts(parts.clone(), Body::empty());
        request.extensions_mut().insert(visit.clone());
        let mut response = carry_out(pass, request, next.clone(), visit).await;
        let failure = response.extensions().get::<Failure>();
        match failure.and_then(|it| query::misread(&it.0, &visit.misread, query)) {
            Some(more) => visit.misread = visit.misread.clone().and(more),
            None if visit.misread.is_empty() || !response.status().is_success() => return response,
            None => {
                *response.status_mut() = StatusCode::BAD_REQUEST;
                return response;
            }
        }
    }
}

/// Runs the handler: within its time, and whatever it does.
async fn carry_out(pass: &Pass, request: Request, next: Next, visit: &Visit) -> Response {
    let _room = if pass.told().body_limit <= FORM {
        None
    } else {
        match tokio::time::timeout(ROOM_TIME, pass.web().uploads.acquire()).await {
            Ok(Ok(room)) => Some(room),
            _ => return Failure(Error::unavailable("no room for uploads")).into_response(),
        }
    };
    let run = async {
        if pass.told().once {
            carry_out_once(visit.clone(), request, next).await
        } else {
            next.run(request).await
        }
    };
    let mut guarded = pin!(AssertUnwindSafe(run).catch_unwind());
    let time = TIME + pass.told().patience;
    let mut outcome = tokio::time::timeout(time, guarded.as_mut()).await;
    // Either nothing is stored any more, or the answer to what is stored is worth a while.
    if outcome.is_err() && !visit.context.waiter.leave() {
        outcome = tokio::time::timeout(ANSWER_TIME, guarded).await;
    }
    match outcome {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => Failure(Error::internal(words(&*panic))).into_response(),
        Err(_) => Failure(Error::unavailable("a page took too long")).into_response(),
    }
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_default())
}

/// The page that says what went wrong.
fn explain(visit: &Visit, Failure(error): &Failure) -> Response {
    if let Some(reason) = error.internal_detail() {
        let request_id = visit.context.origin.request_id.as_deref();
        tracing::error!(request_id, reason, "page failed");
    }
    let status = super::failure::status(error.kind());
    (status, view::problem(visit, status, error)).into_response()
}

fn finish(web: &Web, response: &mut Response, cookies: Vec<Cookie>) {
    if let Some(PicturesFrom(origin)) = response.extensions_mut().remove::<PicturesFrom>() {
        let policy = POLICY.replace("img-src 'self'", &format!("img-src 'self' {origin}"));
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
    let headers = response.headers_mut();
    for cookie in cookies {
        // What the page itself decided comes later, and stays.
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
