//! Sign-ins and set-ups in several steps. A cookie holds their secret, so that only the browser in
//! which one began can go on with it.

use std::time::Duration;

use axum::response::{IntoResponse as _, Response};
use grantor_domain::secret::{Secret, SecretHash};
use grantor_service::identity::ceremony;
use http::{HeaderMap, header};

use super::context::PageContext;
use super::cookie::{Cookie, CookieName};

/// No ceremony takes longer.
const LIFE: Duration = Duration::from_mins(15);

/// A ceremony that begins.
pub(crate) struct Ceremony(Secret);

impl Ceremony {
    /// Starts a ceremony. It becomes known to the service with the first step.
    pub(crate) fn begin(ctx: &PageContext) -> Self {
        Self(ceremony::new_secret(ctx.app()))
    }

    pub(crate) fn secret(&self) -> &Secret {
        &self.0
    }

    /// Adds the cookie of the ceremony to a response.
    pub(crate) fn keep(&self, ctx: &PageContext, response: Response) -> Response {
        ctx.with_cookie(response, &Cookie::set(CookieName::Ceremony, self.0.expose(), LIFE))
    }

    /// Returns the ceremony of this browser, if there is one.
    pub(crate) fn read(ctx: &PageContext, headers: &HeaderMap) -> Option<SecretHash> {
        ceremony::read_secret(CookieName::Ceremony.read(headers, ctx.web.secure)?)
    }

    /// Removes the cookie of a ceremony that is over.
    pub(crate) fn end(ctx: &PageContext, response: Response) -> Response {
        ctx.with_cookie(response, &Cookie::clear(CookieName::Ceremony))
    }
}

/// A JSON response to a script of ours.
pub(crate) fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}
