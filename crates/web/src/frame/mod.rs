//! The middleware and extractors every page shares: form origin checks, sessions, rate limits,
//! timeouts, panics and error pages.

mod action;
mod context;
mod cookie;
mod device;
mod failure;
mod field_errors;
mod form_data;
mod middleware;
mod origin;
mod pairs;
mod params;
mod refusal;
mod replay;
mod route;
mod session;

use std::ops::Deref;
use std::sync::Arc;

use grantor_service::App;
use tokio::sync::Semaphore;

pub(crate) use context::{Guest, Identity, PageContext, Person, Segment, Segments, Staff};
pub(crate) use cookie::{Cookie, CookieName};
pub(crate) use device::Device;
pub(crate) use failure::{Failure, Outcome};
pub(crate) use field_errors::{ErrorItem, FieldError, label_from_name};
pub(crate) use form_data::FormData;
pub(crate) use middleware::ImageOrigin;
pub(crate) use params::Params;
pub(crate) use replay::form_token;
pub(crate) use route::{Access, Route, build, get, post};
pub(crate) use session::{end_session, start_session};

/// Image uploads processed at the same time; each may be a hundred megabytes.
const UPLOADS: usize = 2;

/// State shared by all pages.
#[derive(Clone)]
pub(crate) struct Web(Arc<Shared>);

/// See [`Web`].
pub(crate) struct Shared {
    pub(crate) app: App,
    /// Whether the public URL is HTTPS, which makes cookies `Secure`.
    pub(crate) secure: bool,
    /// Slots for image uploads.
    pub(crate) uploads: Semaphore,
}

impl Web {
    pub(crate) fn new(app: App) -> Self {
        let secure = app.public_url.starts_with("https://");
        Self(Arc::new(Shared { app, secure, uploads: Semaphore::new(UPLOADS) }))
    }
}

impl Deref for Web {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
