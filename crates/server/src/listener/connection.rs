//! One connection from its first byte to its last.

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
use tokio_util::sync::CancellationToken;

use super::pulse::{Over, Pulse};
use super::stream::Watched;
use super::times::Times;
use super::tracked::Tracked;

/// Head of a request: more than any of ours needs.
const HEAD_BYTES: usize = 64 * 1024;
const HEAD_FIELDS: usize = 100;

/// What all connections of a listener have in common.
pub(super) struct Common {
    router: Router,
    tls: Option<RustlsAcceptor>,
    times: Times,
    builder: Builder<TokioExecutor>,
    stop: CancellationToken,
}

impl Common {
    pub(super) fn new(
        router: Router,
        tls: Option<RustlsConfig>,
        times: Times,
        stop: CancellationToken,
    ) -> Arc<Self> {
        let tls = tls.map(|it| RustlsAcceptor::new(it).handshake_timeout(times.head));
        Arc::new(Self { router, tls, times, builder: builder(&times), stop })
    }

    /// Serves a connection that was accepted.
    pub(super) async fn serve(&self, stream: TcpStream, peer: SocketAddr) {
        // Answers are written whole: waiting for more would only delay them.
        let _ = stream.set_nodelay(true);
        match &self.tls {
            None => self.talk(stream, peer).await,
            Some(tls) => {
                if let Ok((stream, ())) = tls.accept(stream, ()).await {
                    self.talk(stream, peer).await;
                }
            }
        }
    }

    /// Speaks HTTP until either side ends it, a time is over, or the server stops.
    #[expect(clippy::disallowed_methods, reason = "how long a peer may take")]
    pub(super) async fn talk<S>(&self, stream: S, peer: SocketAddr)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (pulse, times) = (Pulse::new(), &self.times);
        let stream = Watched::new(stream, Arc::clone(&pulse), times.drain);
        let service = TowerToHyperService::new(Tracked {
            router: self.router.clone(),
            peer,
            pulse: Arc::clone(&pulse),
            drain_time: times.drain,
        });
        let mut connection = pin!(self.builder.serve_connection(TokioIo::new(stream), service));
        let mut alarm = pin!(tokio::time::sleep(times.head));
        let mut closing = false;
        loop {
            tokio::select! {
                biased;
                // How it ended is the peer's business: what went wrong was answered.
                _ = connection.as_mut() => return,
                over = poll_fn(|context| pulse.poll_over(context, times, alarm.as_mut())) => {
                    if over == Over::Patience {
                        return;
                    }
                }
                () = self.stop.cancelled(), if !closing => {}
            }
            // On HTTP/1 this closes between two requests, on HTTP/2 it sends GOAWAY.
            connection.as_mut().graceful_shutdown();
            if !closing {
                closing = true;
                pulse.close();
            }
        }
    }
}

fn builder(times: &Times) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        // Ours tells a head that arrives slowly from a connection that idles.
        .header_read_timeout(None)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEAD_FIELDS);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(u32::try_from(HEAD_BYTES).unwrap_or(u32::MAX))
        .max_concurrent_streams(128)
        .keep_alive_interval(Some(times.ping))
        .keep_alive_timeout(times.pong);
    builder
}
