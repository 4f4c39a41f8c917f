//! The state of the APIs.

use std::ops::Deref;
use std::sync::Arc;

use grantor_http::HttpState;

use super::document::Documents;
use crate::render_cache::RenderCache;

/// The state of handlers: the shared state, and what only the APIs cache.
#[derive(Clone, Debug)]
pub struct ApiState {
    http: HttpState,
    pub(crate) caches: Arc<Caches>,
}

/// The caches of the APIs.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    /// Documents that don't change while the server runs.
    pub(crate) documents: Documents,
    /// Licenses rendered as JSON.
    pub(crate) licenses: RenderCache,
}

impl ApiState {
    /// Creates the state of the APIs of one server.
    #[must_use]
    pub fn new(http: HttpState) -> Self {
        Self { http, caches: Arc::default() }
    }
}

impl Deref for ApiState {
    type Target = HttpState;

    fn deref(&self) -> &HttpState {
        &self.http
    }
}
