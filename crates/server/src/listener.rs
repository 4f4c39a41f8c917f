//! The listening socket: timeouts, size limits, TLS, and an orderly end.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;

/// How long the head of a request may take, and a connection may idle between two.
const HEADERS: Duration = Duration::from_secs(10);
/// How long running requests get when the server stops.
const GRACE: Duration = Duration::from_secs(30);
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
        let mut server =
            axum_server::from_tcp_rustls(listener, tls).map_err(failed)?.handle(handle);
        tune(server.http_builder());
        server.serve(service).await.map_err(failed)
    } else {
        let mut server = axum_server::from_tcp(listener).map_err(failed)?.handle(handle);
        tune(server.http_builder());
        server.serve(service).await.map_err(failed)
    }
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

/// Waits for SIGTERM or Ctrl-C.
pub(crate) async fn stop_signal() {
    let interrupt = tokio::signal::ctrl_c();
    let Ok(mut terminate) =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
    else {
        let _ = interrupt.await;
        return;
    };
    tokio::select! {
        _ = interrupt => {}
        _ = terminate.recv() => {}
    }
}

/// Stops accepting and gives running requests their time.
pub(crate) fn stop(handle: &Handle<SocketAddr>) {
    handle.graceful_shutdown(Some(GRACE));
}
