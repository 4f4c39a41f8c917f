//! Serves one connection.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use axum::Router;
use axum_server::accept::Accept as _;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::activity::{Activity, Expired};
use super::stopping::Stopping;
use super::stream::TrackedStream;
use super::timeouts::Timeouts;
use super::tracked::TrackedService;

/// The largest head of a request; Grantor's own requests need far less.
const HEAD_BYTES: usize = 64 * 1024;
const HEAD_FIELDS: usize = 100;

/// Serves the connections of a listener.
pub(super) struct ConnectionHandler {
    router: Router,
    tls: Option<RustlsAcceptor>,
    timeouts: Timeouts,
    builder: Builder<TokioExecutor>,
    stopping: Stopping,
}

impl ConnectionHandler {
    pub(super) fn new(
        router: Router,
        tls: Option<RustlsConfig>,
        timeouts: Timeouts,
        stopping: Stopping,
    ) -> Arc<Self> {
        let tls = tls.map(|it| RustlsAcceptor::new(it).handshake_timeout(timeouts.head));
        Arc::new(Self { router, tls, timeouts, builder: builder(&timeouts), stopping })
    }

    /// Serves an accepted connection, after the TLS handshake if there is one.
    pub(super) async fn serve(&self, stream: TcpStream, peer: SocketAddr) {
        // Responses are written in one piece, so Nagle's algorithm would only delay them.
        let _ = stream.set_nodelay(true);
        match &self.tls {
            None => self.run(stream, peer).await,
            Some(tls) => {
                if let Ok((stream, ())) = tls.accept(stream, ()).await {
                    self.run(stream, peer).await;
                }
            }
        }
    }

    /// Speaks HTTP until either side closes, a timeout expires, or the server stops.
    #[expect(clippy::disallowed_methods, reason = "timeouts of a connection")]
    pub(super) async fn run<S>(&self, stream: S, peer: SocketAddr)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (activity, timeouts) = (Activity::new(), &self.timeouts);
        let stream = TrackedStream::new(stream, Arc::clone(&activity), timeouts.drain);
        let service = TowerToHyperService::new(TrackedService {
            router: self.router.clone(),
            peer,
            activity: Arc::clone(&activity),
            drain_time: timeouts.drain,
            leaving: self.stopping.leaving(),
        });
        let mut connection = pin!(self.builder.serve_connection(TokioIo::new(stream), service));
        let mut alarm = pin!(tokio::time::sleep(timeouts.head));
        let mut closing = false;
        loop {
            tokio::select! {
                biased;
                // An error here needs no handling: the peer got a response or is gone.
                _ = connection.as_mut() => return,
                expired = poll_fn(|context| {
                    activity.poll_expired(context, timeouts, alarm.as_mut())
                }) => {
                    if expired == Expired::Stalled {
                        return;
                    }
                }
                () = self.stopping.stopped(), if !closing => {
                    // A request may be on its way to a connection that seems idle.
                    let linger = self.stopping.linger();
                    let lingers = !linger.is_zero();
                    if lingers && timeout(linger, connection.as_mut()).await.is_ok() {
                        return;
                    }
                }
            }
            // HTTP/1 closes after the current request; HTTP/2 sends GOAWAY.
            connection.as_mut().graceful_shutdown();
            if !closing {
                closing = true;
                activity.close();
            }
        }
    }
}

fn builder(timeouts: &Timeouts) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        // `Activity` has its own timeout, which distinguishes a slow head from an idle connection.
        .header_read_timeout(None)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEAD_FIELDS);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(u32::try_from(HEAD_BYTES).unwrap_or(u32::MAX))
        .max_concurrent_streams(128)
        .keep_alive_interval(Some(timeouts.ping))
        .keep_alive_timeout(timeouts.pong);
    builder
}
