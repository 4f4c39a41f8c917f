//! The middleware and extractors every page shares, on top of `grantor_http`: form origin checks,
//! sessions and error pages.

mod action;
mod admission;
mod arrival;
mod ceremony;
mod context;
mod cookie;
mod device;
mod failure;
mod field_errors;
mod form_data;
mod locale;
mod loopback;
mod middleware;
mod origin;
mod pairs;
mod params;
mod refusal;
mod replay;
mod route;
mod session;
mod staff_view;

use std::ops::Deref;
use std::sync::Arc;

use grantor_http::HttpState;
use grantor_service::identity::sample::Entrance;

pub(crate) use ceremony::{Ceremony, json};
pub(crate) use context::{Guest, Identity, PageContext, Person, Segment, Segments, Staff};
pub(crate) use cookie::{Cookie, CookieName};
pub(crate) use device::Device;
pub(crate) use failure::{Failure, Outcome};
pub(crate) use field_errors::{ErrorItem, FieldError, label_from_name};
pub(crate) use form_data::FormData;
pub(crate) use loopback::{is_local_client, is_local_request};
pub(crate) use middleware::ImageOrigin;
pub(crate) use params::Params;
pub(crate) use replay::form_token;
pub(crate) use route::{Access, Route, build, get, post};
pub(crate) use session::{end_session, start_session};

/// State shared by all pages.
#[derive(Clone)]
pub(crate) struct Web(Arc<Shared>);

/// See [`Web`].
pub(crate) struct Shared {
    /// The state shared with the APIs.
    http: HttpState,
    /// Whether the public URL is HTTPS, which makes cookies `Secure`.
    pub(crate) secure: bool,
    /// The ways into the sample data. There are none on a server that people rely on.
    pub(crate) entrances: Vec<Entrance>,
}

impl Web {
    pub(crate) fn new(http: HttpState, entrances: Vec<Entrance>) -> Self {
        let secure = http.app.public_url.starts_with("https://");
        Self(Arc::new(Shared { http, secure, entrances }))
    }
}

impl Deref for Web {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Deref for Shared {
    type Target = HttpState;

    fn deref(&self) -> &HttpState {
        &self.http
    }
}
