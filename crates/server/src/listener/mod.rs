//! The listening socket: who may connect, how long a connection may take for what, and an orderly
//! end.

mod admission;
mod connection;
mod frames;
mod heads;
mod leftover;
mod pulse;
mod stream;
mod times;
mod tracked;

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
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

pub(crate) use self::admission::Admission;
use self::connection::Common;
pub(crate) use self::times::Times;

/// How long running requests get when the server stops. What comes after them has the rest of the
/// 30 seconds that most supervisors give a process.
pub(crate) const GRACE: Duration = Duration::from_secs(22);
/// How long the listener rests when the system has no descriptor left.
const REST: Duration = Duration::from_millis(100);
/// How often the log is told of refused connections, at most.
const REPEAT: Duration = Duration::from_mins(1);

/// How a listener treats its connections.
#[derive(Clone)]
pub(crate) struct Manner {
    /// How long each may take for what.
    pub(crate) times: Times,
    /// How many there may be.
    pub(crate) admission: Arc<Admission>,
    /// When to stop.
    pub(crate) stop: CancellationToken,
}

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

/// Serves until told to stop; then finishes what runs.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    tls: Option<RustlsConfig>,
    manner: Manner,
) -> Result<(), String> {
    let listener = tokio::net::TcpListener::from_std(listener)
        .map_err(|error| format!("the server stopped: {error}"))?;
    let Manner { times, admission, stop } = manner;
    let common = Common::new(router, tls, times, stop.clone());
    let mut connections = JoinSet::new();
    let mut refusals = Refusals::default();
    loop {
        let accepted = tokio::select! {
            biased;
            () = stop.cancelled() => break,
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
            Ok(place) => {
                let common = Arc::clone(&common);
                connections.spawn(async move {
                    common.serve(stream, peer).await;
                    drop(place);
                });
            }
            Err(refused) => refusals.tell(refused.count(), Some((peer, stream))),
        }
    }
    // New connections are refused at once instead of waiting for nobody.
    drop(listener);
    let finished = timeout(GRACE, async { while connections.join_next().await.is_some() {} });
    if finished.await.is_err() {
        tracing::warn!(count = connections.len(), "requests that still ran were cut off");
        connections.shutdown().await;
    }
    Ok(())
}

/// Connections that were not taken, told seldom: a flood must not fill the log.
#[derive(Default)]
struct Refusals {
    told: Option<Instant>,
    untold: u64,
}

impl Refusals {
    /// Where no descriptor is left, the peer waits in the system's queue until there is one again.
    #[expect(clippy::disallowed_methods, reason = "a listener waits until a descriptor is free")]
    async fn at_accept(&mut self, error: &io::Error) {
        if !is_exhausted(error) {
            // The peer was gone before it was accepted.
            tracing::debug!(%error, "a connection was not accepted");
            return;
        }
        counter!("grantor_connections_refused_total", "reason" => "descriptors").increment(1);
        self.tell("no file descriptor is left: raise the limit of open files", None);
        tokio::time::sleep(REST).await;
    }

    #[expect(clippy::disallowed_methods, reason = "when the log was told last")]
    fn tell(&mut self, what: &str, refused: Option<(SocketAddr, TcpStream)>) {
        self.untold += 1;
        let now = Instant::now();
        if self.told.is_some_and(|told| now.duration_since(told) < REPEAT) {
            return;
        }
        let (peer, count) = (refused.map(|it| it.0.to_string()), self.untold);
        tracing::warn!(peer, count, "connections are refused: {what}");
        (self.told, self.untold) = (Some(now), 0);
    }
}

fn is_exhausted(error: &io::Error) -> bool {
    let out_of = [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|it| out_of.contains(&it))
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
