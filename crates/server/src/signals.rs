//! What a running node tells others: its metrics and traces, that it shares the rate limits, and
//! that it stops.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use grantor_service::App;
use grantor_service::operations::trace::Span;
use grantor_workers::supervise;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::listener::{StopSignal, StopSignals, Stopping};
use crate::metrics::{self, MetricsPage};
use crate::otlp::Exporter;

/// How often a node says that it shares the rate limits.
const ANNOUNCE_INTERVAL: Duration = Duration::from_secs(2);
/// How long telling the others may take when the program ends.
const FAREWELL_TIMEOUT: Duration = Duration::from_millis(1_500);

/// The end of the program, in steps: it is not ready any more and begins no jobs, goes on answering
/// while load balancers notice, and then closes its listeners.
#[derive(Clone)]
pub(crate) struct Shutdown {
    delay: Duration,
    jobs: CancellationToken,
    stop: CancellationToken,
    stopping: Stopping,
}

impl Shutdown {
    /// With this delay between the signal and the end of the listeners.
    pub(crate) fn new(delay: Duration) -> Self {
        let (jobs, stop) = (CancellationToken::new(), CancellationToken::new());
        let stopping = Stopping::new(stop.clone(), delay);
        Self { delay, jobs, stop, stopping }
    }

    /// Cancelled when no more jobs may begin.
    pub(crate) fn jobs(&self) -> CancellationToken {
        self.jobs.clone()
    }

    /// Cancelled when the listeners close.
    pub(crate) fn stop(&self) -> CancellationToken {
        self.stop.clone()
    }

    /// The end of the public listener.
    pub(crate) fn listener(&self) -> Stopping {
        self.stopping.clone()
    }

    /// Waits for a signal and ends the program. Returns the time of the signal. Ctrl+C and a second
    /// signal skip the delay: somebody waits.
    pub(crate) async fn run(self, mut signals: StopSignals, app: App) -> Duration {
        let signal = signals.wait().await;
        let since = app.clock.monotonic();
        app.health.stop();
        self.jobs.cancel();
        self.stopping.ask_to_leave();
        if signal == StopSignal::Terminate && !self.delay.is_zero() {
            let seconds = self.delay.as_secs();
            tracing::info!(seconds, "draining: requests are answered while others take over");
            let _ = timeout(self.delay, signals.wait()).await;
        }
        self.stop.cancel();
        // Long polls for events get a response now and can continue on another node.
        app.stopping.send_replace(true);
        tracing::info!("stopping: finishing running requests and jobs");
        since
    }
}

/// What this node reports while it runs.
pub(crate) struct Reports {
    app: App,
    exporter: Option<Arc<Exporter>>,
}

/// Where metrics and spans come from, and where metrics are served.
pub(crate) struct ReportSources {
    pub(crate) page: Option<MetricsPage>,
    pub(crate) listener: Option<TcpListener>,
    pub(crate) spans: Option<mpsc::Receiver<Span>>,
}

impl Reports {
    /// Starts everything that reports, as tasks that are ended with the program.
    pub(crate) fn start(
        (config, app): (&Config, &App),
        sources: ReportSources,
        shutdown: &Shutdown,
        tasks: &mut Vec<JoinHandle<()>>,
    ) -> Result<Self, String> {
        let ReportSources { page, listener, spans } = sources;
        let mut exporter = None;
        if let Some(page) = page {
            tasks.push(tokio::spawn(page.clone().upkeep()));
            if let Some(listener) = listener {
                let serving = metrics::serve(listener, page.clone(), app.clone(), shutdown.stop());
                tasks.push(tokio::spawn(watch_metrics(serving)));
            }
            if let (Some(otlp), Some(spans)) = (&config.signals.otlp, spans) {
                let started = Exporter::new(otlp, app, spans, page)?;
                tasks.push(tokio::spawn(Arc::clone(&started).export_spans()));
                tasks.push(tokio::spawn(Arc::clone(&started).export_metrics()));
                exporter = Some(started);
            }
        }
        Ok(Self { app: app.clone(), exporter })
    }

    /// Says what is left to say, unless it takes too long. After this no other task runs.
    pub(crate) async fn finish(&self) {
        let farewell = async {
            self.app.limiter.withdraw(self.app.nodes.id().as_uuid()).await;
            if let Some(exporter) = &self.exporter {
                exporter.flush().await;
            }
        };
        let _ = timeout(FAREWELL_TIMEOUT, farewell).await;
    }
}

/// Says regularly that this node shares the rate limits.
pub(crate) fn share_limits(app: &App) -> JoinHandle<()> {
    let own = app.clone();
    tokio::spawn(supervise(app.clone(), "rate limits", move || announce(own.clone())))
}

async fn announce(app: App) {
    let mut ticks = interval(ANNOUNCE_INTERVAL);
    loop {
        ticks.tick().await;
        let nodes = u32::try_from(app.nodes.alive()).unwrap_or(u32::MAX);
        app.limiter.announce(app.nodes.id().as_uuid(), nodes).await;
    }
}

/// The server keeps running if its metrics listener fails.
async fn watch_metrics(serving: impl Future<Output = Result<(), String>>) {
    if let Err(error) = serving.await {
        tracing::error!(error, "the metrics listener failed");
    }
}
