//! How a listener stops: first it asks its peers to leave, then it closes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::GRACE;

/// How long a connection waits for a request that is on its way, at most.
const LINGER: Duration = Duration::from_secs(1);
/// How long running requests may take at least, however long the delay was.
const MIN_GRACE: Duration = Duration::from_secs(10);

/// The end of a listener. Clones are the same one.
#[derive(Clone, Default)]
pub(crate) struct Stopping {
    leaving: Arc<AtomicBool>,
    stop: CancellationToken,
    /// The time between the signal and the end.
    delay: Duration,
}

impl Stopping {
    /// The listener closes when the token is cancelled. With a delay before that, connections wait
    /// a little for requests that are on their way.
    pub(crate) fn new(stop: CancellationToken, delay: Duration) -> Self {
        Self { leaving: Arc::default(), stop, delay }
    }

    /// From now on every response over HTTP/1 is the last one of its connection, so that peers
    /// connect again, elsewhere if something distributes them.
    pub(crate) fn ask_to_leave(&self) {
        self.leaving.store(true, Ordering::Relaxed);
    }

    /// Whether peers are asked to leave, for every request to look at.
    pub(super) fn leaving(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.leaving)
    }

    /// Waits until the listener closes.
    pub(super) async fn stopped(&self) {
        self.stop.cancelled().await;
    }

    /// How long running requests may take after the listener closed.
    pub(super) fn grace(&self) -> Duration {
        GRACE.saturating_sub(self.delay).max(MIN_GRACE)
    }

    /// How long connections wait for a request after the listener closed.
    pub(super) fn linger(&self) -> Duration {
        self.delay.min(LINGER)
    }
}

/// The signals that end the program.
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

/// A signal that ends the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopSignal {
    /// SIGTERM, from whatever supervises the program.
    Terminate,
    /// Ctrl+C, from somebody who waits.
    Interrupt,
}

impl StopSignals {
    /// Installs handlers for SIGTERM and Ctrl+C.
    pub(crate) fn install() -> Result<Self, String> {
        let handle = |kind| signal(kind).map_err(|error| format!("cannot handle signals: {error}"));
        let (terminate, interrupt) =
            (handle(SignalKind::terminate())?, handle(SignalKind::interrupt())?);
        Ok(Self { terminate, interrupt })
    }

    /// Waits for the next signal.
    pub(crate) async fn wait(&mut self) -> StopSignal {
        tokio::select! {
            _ = self.interrupt.recv() => StopSignal::Interrupt,
            _ = self.terminate.recv() => StopSignal::Terminate,
        }
    }
}
