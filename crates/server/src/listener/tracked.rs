//! The router of one connection. It adds the peer's address to requests and reports to [`Activity`]
//! which of them are running. On HTTP/2 a response ends only after its request was read: many
//! clients treat a stream that is reset while they send as a failure.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::extract::Request;
use axum::http::{HeaderValue, Version, header};
use axum::response::Response;
use http_body::{Frame, SizeHint};
use tower::Service;

use super::activity::{ActiveRequest, Activity};
use super::unread_body::{UnreadBody, UnreadBodySlot};

/// The router for one connection.
#[derive(Clone)]
pub(super) struct TrackedService {
    pub(super) router: Router,
    pub(super) peer: SocketAddr,
    pub(super) activity: Arc<Activity>,
    /// How long a peer may take to send the rest of a refused body.
    pub(super) drain_time: Duration,
    /// Whether the peer is asked to leave.
    pub(super) leaving: Arc<AtomicBool>,
}

type ResponseFuture = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

impl<B> Service<axum::http::Request<B>> for TrackedService
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request>::poll_ready(&mut self.router, context)
    }

    fn call(&mut self, request: axum::http::Request<B>) -> Self::Future {
        let mut active = self.activity.begin(!request.body().is_end_stream());
        let activity = Arc::clone(&self.activity);
        // On HTTP/1, `TrackedStream` reads the rest before it closes.
        let drains = request.version() == Version::HTTP_2 && !request.body().is_end_stream();
        let unread = drains.then(|| UnreadBody::new(self.drain_time));
        let slot = unread.as_ref().map(UnreadBody::slot);
        let received = |body| RequestBody { body: Some(body), ended: false, activity, slot };
        let mut request = request.map(|body| Body::new(received(body)));
        request.extensions_mut().insert(ConnectInfo(self.peer));
        // HTTP/2 peers are told by GOAWAY.
        let leaving = (request.version() != Version::HTTP_2).then(|| Arc::clone(&self.leaving));
        let answering = self.router.call(request);
        Box::pin(async move {
            let mut response = answering.await?;
            if leaving.is_some_and(|it| it.load(Ordering::Relaxed)) {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
            }
            active.send();
            Ok(response.map(|body| Body::new(ResponseBody { body, unread, active })))
        })
    }
}

/// The body of a request. Dropping it before its end is recorded: the peer is still sending.
struct RequestBody<B>
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    /// `None` only while dropping.
    body: Option<B>,
    ended: bool,
    activity: Arc<Activity>,
    slot: Option<UnreadBodySlot>,
}

impl<B> HttpBody for RequestBody<B>
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

impl<B> Drop for RequestBody<B>
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    fn drop(&mut self) {
        if self.ended || self.is_end_stream() {
            return;
        }
        self.activity.cut_short();
        if let (Some(slot), Some(body)) = (&self.slot, self.body.take()) {
            slot.store(Body::new(body));
        }
    }
}

/// The body of a response. The request is active until this is dropped.
struct ResponseBody {
    body: Body,
    unread: Option<UnreadBody>,
    active: ActiveRequest,
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.active.progressed();
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let (None, Some(unread)) = (&frame, &mut self.unread) {
            ready!(unread.poll_drained(context));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream() && self.unread.as_ref().is_none_or(UnreadBody::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
