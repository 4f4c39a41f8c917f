//! The listening socket: connection limits, timeouts and graceful shutdown.

mod activity;
mod admission;
mod connection;
mod frames;
mod heads;
mod stopping;
mod stream;
mod timeouts;
mod tracked;
mod unread_body;

#[cfg(test)]
mod tests;

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum_server::tls_rustls::RustlsConfig;
use metrics::counter;
use rustix::io::Errno;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

pub(crate) use self::admission::Admission;
use self::connection::ConnectionHandler;
pub(crate) use self::stopping::{StopSignal, StopSignals, Stopping};
pub(crate) use self::timeouts::Timeouts;

/// How long running requests may take after the signal to stop. The rest of the shutdown uses what
/// is left of the 30 seconds that most supervisors allow.
pub(crate) const GRACE: Duration = Duration::from_secs(22);
/// How long the listener waits when the process is out of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);
/// The shortest time between two log lines about refused connections.
const LOG_INTERVAL: Duration = Duration::from_mins(1);

/// Options of a listener.
#[derive(Clone)]
pub(crate) struct ListenerOptions {
    /// Timeouts of each connection.
    pub(crate) timeouts: Timeouts,
    /// Limits on the number of connections.
    pub(crate) admission: Arc<Admission>,
    /// How the listener stops.
    pub(crate) stopping: Stopping,
}

/// Binds the address.
pub(crate) fn bind(setting: &str, address: SocketAddr) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            format!("{setting}: {address} is already in use; choose another port")
        }
        ErrorKind::PermissionDenied => {
            format!("{setting}: no permission to listen on {address}")
        }
        _ => format!("{setting}: cannot listen on {address}: {error}"),
    })?;
    listener
        .set_nonblocking(true)
        .map_err(|error| format!("{setting}: cannot use {address}: {error}"))?;
    Ok(listener)
}

/// Serves requests until the listener is told to stop, then finishes the running ones.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    tls: Option<RustlsConfig>,
    options: ListenerOptions,
) -> Result<(), String> {
    let listener = tokio::net::TcpListener::from_std(listener)
        .map_err(|error| format!("the server stopped: {error}"))?;
    let ListenerOptions { timeouts, admission, stopping } = options;
    let handler = ConnectionHandler::new(router, tls, timeouts, stopping.clone());
    let mut connections = JoinSet::new();
    let mut refusals = Refusals::default();
    loop {
        let accepted = tokio::select! {
            biased;
            () = stopping.stopped() => break,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                refusals.at_accept(&error).await;
                continue;
            }
        };
        match admission.admit(peer.ip()) {
            Ok(slot) => {
                let handler = Arc::clone(&handler);
                connections.spawn(async move {
                    handler.serve(stream, peer).await;
                    drop(slot);
                });
            }
            Err(refused) => refusals.log(refused.count(), Some((peer, stream))),
        }
    }
    // Without a listening socket, the system refuses new connections right away.
    drop(listener);
    let finished =
        timeout(stopping.grace(), async { while connections.join_next().await.is_some() {} });
    if finished.await.is_err() {
        tracing::warn!(count = connections.len(), "connections were aborted: shutdown timed out");
        connections.shutdown().await;
    }
    Ok(())
}

/// Logs refused connections at most once a minute, so that a flood cannot fill the log.
#[derive(Default)]
struct Refusals {
    logged_at: Option<Instant>,
    unlogged: u64,
}

impl Refusals {
    /// Without a free file descriptor, the peer waits in the system's accept queue.
    #[expect(clippy::disallowed_methods, reason = "the listener waits for a free descriptor")]
    async fn at_accept(&mut self, error: &io::Error) {
        if !is_exhausted(error) {
            // The peer closed the connection before it was accepted.
            tracing::debug!(%error, "could not accept a connection");
            return;
        }
        counter!("grantor_connections_refused_total", "reason" => "descriptors").increment(1);
        self.log("out of file descriptors; raise the limit on open files", None);
        tokio::time::sleep(PAUSE).await;
    }

    #[expect(clippy::disallowed_methods, reason = "the time of the last log line")]
    fn log(&mut self, reason: &str, refused: Option<(SocketAddr, TcpStream)>) {
        self.unlogged += 1;
        let now = Instant::now();
        if self.logged_at.is_some_and(|at| now.duration_since(at) < LOG_INTERVAL) {
            return;
        }
        let (peer, count) = (refused.map(|it| it.0.to_string()), self.unlogged);
        tracing::warn!(peer, count, "refused connections: {reason}");
        (self.logged_at, self.unlogged) = (Some(now), 0);
    }
}

fn is_exhausted(error: &io::Error) -> bool {
    let out_of = [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|it| out_of.contains(&it))
}

/// Installs handlers for SIGTERM and Ctrl+C. The returned future resolves at the first signal.
pub(crate) fn stop_signal() -> Result<impl Future<Output = ()>, String> {
    let mut signals = StopSignals::install()?;
    Ok(async move {
        signals.wait().await;
    })
}
