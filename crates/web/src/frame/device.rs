//! Known browsers. A cookie identifies a browser that has signed in before, so that the owner can
//! still sign in from it while failed attempts from elsewhere lock the account.

use std::time::Duration;

use axum::response::Response;
use grantor_domain::secret::{Secret, SecretKind};
use http::HeaderMap;

use super::context::PageContext;
use super::cookie::{Cookie, CookieName};

/// How long a browser stays known without signing in.
const LIFE: Duration = Duration::from_hours(180 * 24);

/// The browser a user signs in with.
pub(crate) struct Device(Secret);

impl Device {
    /// Returns the request's browser, known or new, and sets it in the service context.
    pub(crate) fn of(ctx: &mut PageContext, headers: &HeaderMap) -> Self {
        let kept = CookieName::Device.read(headers, ctx.web.secure);
        let kept = kept.and_then(|it| Secret::parse(&[SecretKind::Device], it));
        let secret =
            kept.unwrap_or_else(|| Secret::generate(SecretKind::Device, &*ctx.app().entropy));
        ctx.context.device = Some(secret.hash());
        Self(secret)
    }

    /// Adds the cookie that makes the browser known to a sign-in response.
    pub(crate) fn remember(&self, ctx: &PageContext, response: Response) -> Response {
        ctx.with_cookie(response, &Cookie::set(CookieName::Device, self.0.expose(), LIFE))
    }
}
