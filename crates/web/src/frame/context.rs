//! The page context and the extractors handlers take.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::batch::Batch;
use grantor_domain::role::{self, Right};
use grantor_domain::{Error, ErrorKind, Timestamp, admin};
use grantor_service::identity::access::{AdminCaller, Caller, ViewCaller};
use grantor_service::organizations::membership;
use grantor_service::{App, Context};
use http::header;
use http::request::Parts;
use maud::Markup;

use super::Web;
use super::cookie::Cookie;
use super::failure::{Failure, set_retry_after, status};
use super::field_errors::FieldErrors;
use super::form_data::FormData;
use super::locale::PageLocale;
use crate::view::flash::Flash;
use crate::view::live::LiveParts;
use crate::view::{self, LinkPreview, NavItem, Theme};

/// Who is signed in.
#[derive(Clone)]
pub(crate) enum Identity {
    Anonymous,
    Person(Arc<Caller>),
    Staff(Arc<AdminCaller>),
}

/// Why a form was refused; a response extension read by the middleware.
#[derive(Clone)]
pub(super) struct RefusalKind(pub(super) ErrorKind);

/// Everything a handler knows about the current page request.
#[derive(Clone)]
pub(crate) struct PageContext {
    pub(crate) web: Web,
    pub(crate) context: Context,
    pub(crate) identity: Identity,
    /// The view of staff who look at pages as the user sees them.
    pub(crate) view: Option<Arc<ViewCaller>>,
    /// The user's organizations, if there is more than one.
    pub(crate) memberships: Arc<[membership::TenantMembership]>,
    /// The number of messages about requests that the user's tenant has not read.
    pub(crate) unread: u64,
    /// The number of the user's unread notifications, up to a bound.
    pub(crate) unread_notices: u64,
    /// The number of cases in which somebody of the user's tenant has to act, up to a bound.
    pub(crate) open_cases: u64,
    /// Why the caller has to wait, on a page that shows its form again.
    pub(crate) limited: Option<Error>,
    /// The message set by the previous page.
    pub(crate) flash: Option<Flash>,
    pub(crate) theme: Theme,
    /// The language, the time zone and the number style of the page.
    pub(crate) locale: PageLocale,
    /// Path and query of this page.
    pub(crate) here: String,
    /// Errors in the query string. The page ignores these parameters and lists the errors.
    pub(crate) query_errors: FieldErrors,
    /// The parts of the page that update themselves.
    pub(crate) live: LiveParts,
}

impl PageContext {
    pub(crate) fn app(&self) -> &App {
        &self.web.app
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.web.app.clock.now()
    }

    /// Whether staff look at the page as the user sees it. Nothing may change then.
    pub(crate) fn is_viewed(&self) -> bool {
        self.view.is_some()
    }

    /// Returns the URL of a receiver as it is shown. The rest of a URL may be a secret, which staff
    /// who view the page don't see.
    pub(crate) fn receiver(&self, url: &str) -> String {
        let host = url::Url::parse(url).ok().and_then(|it| it.host_str().map(str::to_owned));
        match host.filter(|_| self.is_viewed()) {
            Some(host) => format!("{host}/…"),
            None => url.to_owned(),
        }
    }

    /// Renders a full page.
    pub(crate) fn page(&self, title: &str, current: NavItem, body: Markup) -> Response {
        self.live.mark(view::page(self, title, current, body).into_response())
    }

    /// Renders a full page that anyone can open, with the preview of links to it.
    pub(crate) fn shared_page(
        &self,
        preview: &LinkPreview,
        current: NavItem,
        body: Markup,
    ) -> Response {
        view::shared_page(self, preview, current, body).into_response()
    }

    /// Renders the form again with the submitted values and the error. It is drawn twice: only
    /// after the first time are all labels and the first field with an error known.
    #[expect(clippy::needless_pass_by_value, reason = "the error is consumed here")]
    pub(crate) fn redisplay(
        &self,
        error: Error,
        entered: FormData,
        draw: impl Fn(&FormData) -> Response,
    ) -> Response {
        if let Some(reason) = error.internal_detail().filter(|_| !error.is_refusal()) {
            let request_id = self.context.origin.request_id.as_deref();
            tracing::error!(request_id, reason, "form failed");
        }
        let status = status(error.kind());
        let entered = entered.with_error(&error);
        drop(draw(&entered));
        let mut response = draw(&entered);
        *response.status_mut() = status;
        set_retry_after(&mut response, error.kind());
        response.extensions_mut().insert(RefusalKind(error.kind().clone()));
        response
    }

    /// Redirects to another page, which shows the message once. If an act can be taken back, the page
    /// offers that too.
    pub(crate) fn redirect(&self, to: impl AsRef<str>, message: &str) -> Response {
        let cookie = view::flash::cookie_with(message, self.context.undo.offered().as_ref());
        self.with_cookie(Redirect::to(to.as_ref()).into_response(), &cookie)
    }

    /// Redirects to another page, which says once what a bulk action did, with a link to what it changed
    /// and, for a minute, a button that takes it back.
    pub(crate) fn redirect_after(
        &self,
        to: impl AsRef<str>,
        batch: &Batch,
        message: &str,
        link: &str,
    ) -> Response {
        let cookie = view::flash::batch_cookie(message, link, batch.id, batch.undo_until);
        self.with_cookie(Redirect::to(to.as_ref()).into_response(), &cookie)
    }

    /// Redirects to another page, which shows once what failed.
    pub(crate) fn redirect_failed(&self, to: impl AsRef<str>, message: &str) -> Response {
        let cookie = view::flash::failure_cookie(message);
        self.with_cookie(Redirect::to(to.as_ref()).into_response(), &cookie)
    }

    /// Adds a cookie to the response.
    pub(crate) fn with_cookie(&self, mut response: Response, cookie: &Cookie) -> Response {
        if let Some(value) = cookie.header(self.web.secure) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
        response
    }
}

impl FromRequestParts<Web> for PageContext {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Failure> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| Error::internal("page handler without its middleware").into())
    }
}

/// The context of a page that doesn't require signing in.
pub(crate) struct Guest(pub(crate) PageContext);

impl FromRequestParts<Web> for Guest {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        PageContext::from_request_parts(parts, web).await.map(Self)
    }
}

/// The context of a page for signed-in users.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) ctx: PageContext,
    pub(crate) caller: Arc<Caller>,
}

impl Person {
    /// Returns whether the caller has the right, to show or hide actions.
    pub(crate) fn may(&self, right: Right) -> bool {
        role::may(self.caller.role, self.caller.tenant_type, right).is_ok()
    }

    /// Returns whether to offer what needs the right and changes something. Staff who view a page
    /// only look.
    pub(crate) fn acts(&self, right: Right) -> bool {
        !self.is_viewed() && self.may(right)
    }

    pub(crate) fn context(&self) -> &Context {
        &self.ctx.context
    }

    /// Returns the caller for an act.
    pub(crate) fn caller(&self) -> Arc<Caller> {
        Arc::clone(&self.caller)
    }
}

impl std::ops::Deref for Person {
    type Target = PageContext;

    fn deref(&self) -> &PageContext {
        &self.ctx
    }
}

impl FromRequestParts<Web> for Person {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        let ctx = PageContext::from_request_parts(parts, web).await?;
        let Identity::Person(caller) = &ctx.identity else { return Err(wrong_access()) };
        let caller = Arc::clone(caller);
        Ok(Self { ctx, caller })
    }
}

/// The context of a page for staff.
#[derive(Clone)]
pub(crate) struct Staff {
    pub(crate) ctx: PageContext,
    pub(crate) caller: Arc<AdminCaller>,
}

impl Staff {
    /// Returns whether the caller has the right, to show or hide actions.
    pub(crate) fn may(&self, right: admin::AdminRight) -> bool {
        admin::may(self.caller.role, right).is_ok()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.ctx.context
    }

    /// Returns the caller for an act.
    pub(crate) fn caller(&self) -> Arc<AdminCaller> {
        Arc::clone(&self.caller)
    }
}

impl std::ops::Deref for Staff {
    type Target = PageContext;

    fn deref(&self) -> &PageContext {
        &self.ctx
    }
}

impl FromRequestParts<Web> for Staff {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        let ctx = PageContext::from_request_parts(parts, web).await?;
        let Identity::Staff(caller) = &ctx.identity else { return Err(wrong_access()) };
        let caller = Arc::clone(caller);
        Ok(Self { ctx, caller })
    }
}

fn wrong_access() -> Failure {
    Error::internal("the route's access does not match its handler").into()
}

/// The path parameter. A value that doesn't parse gives 404.
pub(crate) struct Segment<T>(pub(crate) T);

impl<T: FromStr> FromRequestParts<Web> for Segment<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        let params = RawPathParams::from_request_parts(parts, web).await;
        let params = params.map_err(|_| Failure::not_found())?;
        let first = params.iter().next().and_then(|(_, value)| value.parse().ok());
        first.map(Self).ok_or_else(Failure::not_found)
    }
}

/// Both parameters of a path that has two.
pub(crate) struct Segments<A, B>(pub(crate) A, pub(crate) B);

impl<A: FromStr, B: FromStr> FromRequestParts<Web> for Segments<A, B> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        let params = RawPathParams::from_request_parts(parts, web).await;
        let params = params.map_err(|_| Failure::not_found())?;
        let mut values = params.iter().map(|(_, value)| value);
        let first = values.next().and_then(|it| it.parse().ok());
        let second = values.next().and_then(|it| it.parse().ok());
        match (first, second) {
            (Some(first), Some(second)) => Ok(Self(first, second)),
            _ => Err(Failure::not_found()),
        }
    }
}
