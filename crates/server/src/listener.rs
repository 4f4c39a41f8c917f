//! The listening socket: timeouts, size limits, TLS, and an orderly end.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::signal::unix::{SignalKind, signal};

use crate::opening::Timed;

/// How long the head of a request may take, and a connection may idle between two.
const HEADERS: Duration = Duration::from_secs(10);
/// How long running requests get when the server stops.
pub(crate) const GRACE: Duration = Duration::from_secs(30);
/// Head of a request: more than any of ours needs.
const HEAD_BYTES: usize = 64 * 1024;
const HEAD_FIELDS: usize = 100;

/// Takes the address, or says who should give it up.
pub(crate) fn bind(setting: &str, address: SocketAddr) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            format!("{setting}: {address} is taken by another program; choose another port")
        }
        ErrorKind::PermissionDenied => {
            format!("{setting}: {address} needs rights this program does not have")
        }
        _ => format!("{setting}: cannot listen on {address}: {error}"),
    })?;
    listener
        .set_nonblocking(true)
        .map_err(|error| format!("{setting}: cannot use {address}: {error}"))?;
    Ok(listener)
}

/// Serves until the handle says stop; then finishes what runs.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    tls: Option<RustlsConfig>,
    handle: Handle<SocketAddr>,
) -> Result<(), String> {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let failed = |error: std::io::Error| format!("the server stopped: {error}");
    if let Some(tls) = tls {
        let server = axum_server::from_tcp_rustls(listener, tls).map_err(failed)?;
        let mut server = server.handle(handle).map(timed);
        tune(server.http_builder());
        server.serve(service).await.map_err(failed)
    } else {
        let server = axum_server::from_tcp(listener).map_err(failed)?;
        let mut server = server.handle(handle).map(timed);
        tune(server.http_builder());
        server.serve(service).await.map_err(failed)
    }
}

fn timed<A>(acceptor: A) -> Timed<A> {
    Timed { acceptor, time: HEADERS }
}

fn tune(builder: &mut Builder<TokioExecutor>) {
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEAD_FIELDS);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(u32::try_from(HEAD_BYTES).unwrap_or(u32::MAX))
        .max_concurrent_streams(128)
        .keep_alive_interval(Some(Duration::from_secs(30)))
        .keep_alive_timeout(Duration::from_secs(10));
}

/// Hears SIGTERM and Ctrl-C from now on; what it gives waits for the first of them.
pub(crate) fn stop_signal() -> Result<impl Future<Output = ()>, String> {
    let hear = |kind| signal(kind).map_err(|error| format!("signals cannot be heard: {error}"));
    let mut terminate = hear(SignalKind::terminate())?;
    let mut interrupt = hear(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Stops accepting and gives running requests their time.
pub(crate) fn stop(handle: &Handle<SocketAddr>) {
    handle.graceful_shutdown(Some(GRACE));
}
