//! The router as one connection sees it: its requests know the peer, and the connection knows
//! which of them are being answered.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::extract::Request;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use tower::Service;

use super::pulse::{Pulse, Ticket};

/// The router for one connection.
#[derive(Clone)]
pub(super) struct Tracked {
    pub(super) router: Router,
    pub(super) peer: SocketAddr,
    pub(super) pulse: Arc<Pulse>,
}

type Answering = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

impl<B> Service<axum::http::Request<B>> for Tracked
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request>::poll_ready(&mut self.router, context)
    }

    fn call(&mut self, request: axum::http::Request<B>) -> Self::Future {
        let ticket = self.pulse.begin(!request.body().is_end_stream());
        let pulse = Arc::clone(&self.pulse);
        let mut request = request.map(|body| Body::new(Received { body, ended: false, pulse }));
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let answering = self.router.call(request);
        Box::pin(async move {
            let response = answering.await?;
            Ok(response.map(|body| Body::new(Sent { body, _ticket: ticket })))
        })
    }
}

/// The body of a request. Whoever drops it before its end leaves the peer sending.
struct Received<B: HttpBody> {
    body: B,
    ended: bool,
    pulse: Arc<Pulse>,
}

impl<B: HttpBody + Unpin> HttpBody for Received<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        self.ended |= frame.is_none();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B: HttpBody> Drop for Received<B> {
    fn drop(&mut self) {
        if !self.ended && !self.body.is_end_stream() {
            self.pulse.cut_short();
        }
    }
}

/// The body of an answer, which is under way until this is dropped.
struct Sent {
    body: Body,
    _ticket: Ticket,
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
