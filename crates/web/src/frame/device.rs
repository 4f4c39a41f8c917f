//! The browser itself: a cookie by which it is known again once somebody signed in with it. While
//! strangers guess a password, its owner still comes in from here.

use std::time::Duration;

use axum::response::Response;
use grantor_domain::secret::{Secret, SecretKind};
use http::HeaderMap;

use super::cookie::{Cookie, Crumb};
use super::visitor::Visit;

/// How long a browser is known without a sign-in.
const LIFE: Duration = Duration::from_hours(180 * 24);

/// A browser that somebody signs in with.
pub(crate) struct Device(Secret);

impl Device {
    /// The browser of a request, known from before or new; the service hears which one it is.
    pub(crate) fn of(visit: &mut Visit, headers: &HeaderMap) -> Self {
        let kept = Crumb::Device.read(headers, visit.web.secure);
        let kept = kept.and_then(|it| Secret::parse(&[SecretKind::Device], it));
        let secret =
            kept.unwrap_or_else(|| Secret::generate(SecretKind::Device, &*visit.app().entropy));
        visit.context.device = Some(secret.hash());
        Self(secret)
    }

    /// The answer to a sign-in, after which the browser is known.
    pub(crate) fn keep(&self, visit: &Visit, answer: Response) -> Response {
        visit.with(answer, &Cookie::set(Crumb::Device, self.0.expose(), LIFE))
    }
}
