//! Who looks at a page, for handlers to take.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::role::{self, Right};
use grantor_domain::{Error, ErrorKind, Timestamp, admin};
use grantor_service::access::{AdminCaller, Caller};
use grantor_service::{App, Context, membership};
use http::header;
use http::request::Parts;
use maud::Markup;

use super::Web;
use super::cookie::Cookie;
use super::entered::Entered;
use super::failure::{Failure, status};
use super::wrongs::Wrongs;
use crate::view::{self, Place, Theme};

/// Who it is.
#[derive(Clone)]
pub(crate) enum Who {
    Nobody,
    Person(Arc<Caller>),
    Staff(Arc<AdminCaller>),
}

/// Why a form was refused, for the frame to see.
#[derive(Clone)]
pub(super) struct RefusedFor(pub(super) ErrorKind);

/// A look at a page.
#[derive(Clone)]
pub(crate) struct Visit {
    pub(crate) web: Web,
    pub(crate) context: Context,
    pub(crate) who: Who,
    /// Where the person can act, if in more than one organization.
    pub(crate) places: Arc<[membership::Place]>,
    /// What the page before wants said.
    pub(crate) said: Option<String>,
    pub(crate) theme: Theme,
    /// Path and query.
    pub(crate) here: String,
    /// What of the query the page could not read.
    pub(crate) misread: Wrongs,
}

impl Visit {
    pub(crate) fn app(&self) -> &App {
        &self.web.app
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.web.app.clock.now()
    }

    /// The page.
    pub(crate) fn page(&self, title: &str, place: Place, body: Markup) -> Response {
        view::page(self, title, place, body).into_response()
    }

    /// The page again, with what was entered and why it was refused. Only when all of it was drawn
    /// once is it known what its fields are called, and which of them is the first that is wrong.
    #[expect(clippy::needless_pass_by_value, reason = "here the error ends")]
    pub(crate) fn again(
        &self,
        error: Error,
        entered: Entered,
        draw: impl Fn(&Entered) -> Response,
    ) -> Response {
        if let Some(reason) = error.internal_detail().filter(|_| !error.is_refusal()) {
            let request_id = self.context.origin.request_id.as_deref();
            tracing::error!(request_id, reason, "a form could not be carried out");
        }
        let status = status(error.kind());
        let entered = entered.refused(&error);
        drop(draw(&entered));
        let mut response = draw(&entered);
        *response.status_mut() = status;
        response.extensions_mut().insert(RefusedFor(error.kind().clone()));
        response
    }

    /// Goes to another page, which says so.
    pub(crate) fn went(&self, to: impl AsRef<str>, said: &str) -> Response {
        self.with(Redirect::to(to.as_ref()).into_response(), &view::said::cookie(said))
    }

    /// The answer with a cookie.
    pub(crate) fn with(&self, mut response: Response, cookie: &Cookie) -> Response {
        if let Some(value) = cookie.header(self.web.secure) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
        response
    }
}

impl FromRequestParts<Web> for Visit {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Failure> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| Failure(Error::internal("a page outside its frame")))
    }
}

/// A look at a page that everybody may see.
pub(crate) struct Guest(pub(crate) Visit);

impl FromRequestParts<Web> for Guest {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        Visit::from_request_parts(parts, web).await.map(Self)
    }
}

/// A person who is signed in.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) visit: Visit,
    pub(crate) caller: Arc<Caller>,
}

impl Person {
    /// Whether a page shall offer something that takes this right.
    pub(crate) fn may(&self, right: Right) -> bool {
        role::may(self.caller.role, self.caller.tenant_type, right).is_ok()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.visit.context
    }

    /// The caller, as acts take it.
    pub(crate) fn caller(&self) -> Arc<Caller> {
        Arc::clone(&self.caller)
    }
}

impl std::ops::Deref for Person {
    type Target = Visit;

    fn deref(&self) -> &Visit {
        &self.visit
    }
}

impl FromRequestParts<Web> for Person {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        let visit = Visit::from_request_parts(parts, web).await?;
        let Who::Person(caller) = &visit.who else { return Err(wrong_row()) };
        let caller = Arc::clone(caller);
        Ok(Self { visit, caller })
    }
}

/// A member of staff who is signed in.
#[derive(Clone)]
pub(crate) struct Staff {
    pub(crate) visit: Visit,
    pub(crate) caller: Arc<AdminCaller>,
}

impl Staff {
    /// Whether a page shall offer something that takes this right.
    pub(crate) fn may(&self, right: admin::AdminRight) -> bool {
        admin::may(self.caller.role, right).is_ok()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.visit.context
    }

    /// The caller, as acts take it.
    pub(crate) fn caller(&self) -> Arc<AdminCaller> {
        Arc::clone(&self.caller)
    }
}

impl std::ops::Deref for Staff {
    type Target = Visit;

    fn deref(&self) -> &Visit {
        &self.visit
    }
}

impl FromRequestParts<Web> for Staff {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        let visit = Visit::from_request_parts(parts, web).await?;
        let Who::Staff(caller) = &visit.who else { return Err(wrong_row()) };
        let caller = Arc::clone(caller);
        Ok(Self { visit, caller })
    }
}

fn wrong_row() -> Failure {
    Failure(Error::internal("a row that lets in others than its handler wants"))
}

/// The part of the path that varies, as the id it should be. What is none leads nowhere.
pub(crate) struct Segment<T>(pub(crate) T);

impl<T: FromStr> FromRequestParts<Web> for Segment<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        let params = RawPathParams::from_request_parts(parts, web).await;
        let params = params.map_err(|_| Failure::nothing())?;
        let first = params.iter().next().and_then(|(_, value)| value.parse().ok());
        first.map(Self).ok_or_else(Failure::nothing)
    }
}

/// Both parts of a path with two that vary.
pub(crate) struct Segments<A, B>(pub(crate) A, pub(crate) B);

impl<A: FromStr, B: FromStr> FromRequestParts<Web> for Segments<A, B> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        let params = RawPathParams::from_request_parts(parts, web).await;
        let params = params.map_err(|_| Failure::nothing())?;
        let mut values = params.iter().map(|(_, value)| value);
        let first = values.next().and_then(|it| it.parse().ok());
        let second = values.next().and_then(|it| it.parse().ok());
        match (first, second) {
            (Some(first), Some(second)) => Ok(Self(first, second)),
            _ => Err(Failure::nothing()),
        }
    }
}
