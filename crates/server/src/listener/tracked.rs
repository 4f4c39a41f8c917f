//! The router as one connection sees it: its requests know the peer, and the connection knows
//! which of them are being answered. On HTTP/2 an answer that is given early ends only when its
//! request was read: many clients take a stream that is reset while they send for a failure.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::extract::Request;
use axum::http::Version;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use tower::Service;

use super::leftover::{Keeper, Leftover};
use super::pulse::{Pulse, Ticket};

/// The router for one connection.
#[derive(Clone)]
pub(super) struct Tracked {
    pub(super) router: Router,
    pub(super) peer: SocketAddr,
    pub(super) pulse: Arc<Pulse>,
    /// What a peer has to send the rest of a body that was refused.
    pub(super) drain_time: Duration,
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
        let mut ticket = self.pulse.begin(!request.body().is_end_stream());
        let pulse = Arc::clone(&self.pulse);
        // The stream of HTTP/1 reads on by itself, before it closes.
        let two = request.version() == Version::HTTP_2 && !request.body().is_end_stream();
        let leftover = two.then(|| Leftover::new(self.drain_time));
        let keeper = leftover.as_ref().map(Leftover::keeper);
        let received = |body| Received { body: Some(body), ended: false, pulse, keeper };
        let mut request = request.map(|body| Body::new(received(body)));
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let answering = self.router.call(request);
        Box::pin(async move {
            let response = answering.await?;
            ticket.send();
            Ok(response.map(|body| Body::new(Sent { body, leftover, ticket })))
        })
    }
}

/// The body of a request. Whoever drops it before its end leaves the peer sending.
struct Received<B>
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    /// There until it is dropped.
    body: Option<B>,
    ended: bool,
    pulse: Arc<Pulse>,
    keeper: Option<Keeper>,
}

impl<B> HttpBody for Received<B>
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(body).poll_frame(context));
        self.ended |= frame.is_none();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl<B> Drop for Received<B>
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    fn drop(&mut self) {
        if self.ended || self.is_end_stream() {
            return;
        }
        self.pulse.cut_short();
        if let (Some(keeper), Some(body)) = (&self.keeper, self.body.take()) {
            keeper.keep(Body::new(body));
        }
    }
}

/// The body of an answer, which is under way until this is dropped.
struct Sent {
    body: Body,
    leftover: Option<Leftover>,
    ticket: Ticket,
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.ticket.went_on();
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let (None, Some(leftover)) = (&frame, &mut self.leftover) {
            ready!(leftover.poll_drained(context));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream() && self.leftover.as_ref().is_none_or(Leftover::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
