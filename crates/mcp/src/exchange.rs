//! One HTTP request to the endpoint, as its tool call sees it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use grantor_domain::scope::{Scope, Scopes};
use grantor_http::RequestInfo;
use http::{HeaderMap, HeaderValue, header};

use crate::refusal::Refusal;

/// Shared by the endpoint and the tool call. Without `Debug`, because it holds an access token.
#[derive(Clone)]
pub(crate) struct Exchange(Arc<Inner>);

struct Inner {
    info: RequestInfo,
    authorization: Option<HeaderValue>,
    /// The scopes of the access token, if there is one.
    scopes: Option<Scopes>,
    /// Whether the API was called, which counts the request.
    called: AtomicBool,
    refusal: OnceLock<Refusal>,
}

impl Exchange {
    pub(crate) fn new(info: RequestInfo, headers: &HeaderMap, scopes: Option<Scopes>) -> Self {
        let authorization = headers.get(header::AUTHORIZATION).cloned();
        let (called, refusal) = Default::default();
        Self(Arc::new(Inner { info, authorization, scopes, called, refusal }))
    }

    pub(crate) fn info(&self) -> &RequestInfo {
        &self.0.info
    }

    pub(crate) fn authorization(&self) -> Option<&HeaderValue> {
        self.0.authorization.as_ref()
    }

    /// Whether the caller has an access token that lacks this scope.
    pub(crate) fn lacks(&self, scope: Scope) -> bool {
        self.0.scopes.is_some_and(|it| !it.contains(scope))
    }

    pub(crate) fn set_called(&self) {
        self.0.called.store(true, Ordering::Relaxed);
    }

    pub(crate) fn was_called(&self) -> bool {
        self.0.called.load(Ordering::Relaxed)
    }

    /// Refuses the whole HTTP request, so that the client gets another access token.
    pub(crate) fn refuse(&self, refusal: Refusal) {
        // A request calls one tool, so there is no other refusal.
        let _ = self.0.refusal.set(refusal);
    }

    pub(crate) fn refusal(&self) -> Option<&Refusal> {
        self.0.refusal.get()
    }
}
