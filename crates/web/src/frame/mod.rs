//! What every page passes through, once: where the form came from, who is signed in, limits, time,
//! panics, and the page that says what went wrong.

mod action;
mod cookie;
mod device;
mod entered;
mod failure;
mod once;
mod origin;
mod pass;
mod query;
mod refusal;
mod row;
mod session;
mod text;
mod visitor;
mod wrongs;

use std::ops::Deref;
use std::sync::Arc;

use grantor_service::App;
use tokio::sync::Semaphore;

pub(crate) use cookie::{Cookie, Crumb};
pub(crate) use device::Device;
pub(crate) use entered::Entered;
pub(crate) use failure::{Failure, Outcome};
pub(crate) use once::once;
pub(crate) use pass::PicturesFrom;
pub(crate) use query::Asked;
pub(crate) use row::{Entry, Row, build, get, post};
pub(crate) use session::{begin, end};
pub(crate) use visitor::{Guest, Person, Segment, Segments, Staff, Visit, Who};
pub(crate) use wrongs::{Listed, Wrong, spoken};

/// Forms with pictures that are taken in at once: each may hold a hundred megabytes.
const UPLOADS: usize = 2;

/// What pages share.
#[derive(Clone)]
pub(crate) struct Web(Arc<Shared>);

/// See [`Web`].
pub(crate) struct Shared {
    /// The service.
    pub(crate) app: App,
    /// Whether browsers reach us by HTTPS: then cookies say so.
    pub(crate) secure: bool,
    /// Room for forms with pictures.
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
