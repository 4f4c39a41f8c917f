//! Handlers of one type, whatever their arguments are.

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;

/// What handlers return.
pub type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler whose type does not depend on its function, so that what routes do around their
/// handlers is compiled once, and not for each of some hundred functions.
pub struct AnyHandler<S>(Arc<dyn Fn(Request, S) -> Answer + Send + Sync>);

impl<S> AnyHandler<S> {
    /// Wraps a function.
    pub fn new<H, T>(handler: H) -> Self
    where
        H: Handler<T, S, Future = Answer>,
    {
        Self(Arc::new(move |request, state| handler.clone().call(request, state)))
    }
}

impl<S> Clone for AnyHandler<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: 'static> Handler<(), S> for AnyHandler<S> {
    type Future = Answer;

    fn call(self, request: Request, state: S) -> Answer {
        (self.0)(request, state)
    }
}
