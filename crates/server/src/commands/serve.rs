//! `grantor serve` and `grantor worker`.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum_server::tls_rustls::RustlsConfig;
use grantor_api::frame::client::Client;
use grantor_api::{ApiState, Settings};
use grantor_service::keys::Keys;
use grantor_service::{App, health, license, log};
use grantor_workers::supervise;
use tokio::task::JoinHandle;
use tokio::time::{interval, timeout};
use tokio_util::sync::CancellationToken;

use super::{demo, say};
use crate::config::Config;
use crate::house::{self, House};
use crate::listener::{Admission, Manner, Times};
use crate::{descriptors, listener, metrics, tls};

/// How often it is tried whether the database takes writes.
const TRY_WRITE: Duration = Duration::from_secs(10);
/// The same while it does not.
const TRY_AGAIN: Duration = Duration::from_secs(1);
/// How long what only this node knows may take to be written at the end.
const LEAVE: Duration = Duration::from_secs(2);

/// Which half of the work this process does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Answers requests, and works unless told otherwise.
    Server {
        /// Whether a store without accounts is filled with a sample first.
        demo: bool,
    },
    /// Works only.
    Worker,
}

/// Runs until a signal comes; then stops in order and loses nothing.
pub(crate) async fn run(config: Config, role: Role, out: &mut dyn io::Write) -> Result<(), String> {
    let open_files = descriptors::raise();
    let figures = metrics::install(config.metrics_listen)?;
    let socket = match role {
        Role::Server { .. } => Some(listener::bind("listen", config.listen)?),
        Role::Worker => None,
    };
    let metrics_socket = config
        .metrics_listen
        .map(|address| listener::bind("metrics_listen", address))
        .transpose()?;
    let tls = match (&config.tls, role) {
        (Some(tls), Role::Server { .. }) => Some(tls::load(tls).await?),
        _ => None,
    };
    let bound = |socket: &Option<TcpListener>| socket.as_ref().and_then(|it| it.local_addr().ok());
    let (listen, metrics_listen) = (bound(&socket), bound(&metrics_socket));
    let public_url = public_url(&config, listen);
    let House { app, retention } = house::build(&config, public_url.clone()).await?;
    // Before anybody works or answers: a sample is there whole when the first request comes.
    let greeting = match role {
        Role::Server { demo: true } => Some(demo::greet(&app, &config, metrics_listen).await?),
        _ => None,
    };

    house::warn_of_counters(&config);
    let stop = CancellationToken::new();
    let mut background = upkeep(&app, &config, tls.as_ref());
    let works = role == Role::Worker || config.workers;
    if works {
        index_at_start(&app).await;
    }
    let workers =
        works.then(|| tokio::spawn(grantor_workers::run(app.clone(), retention, stop.clone())));
    if let (Some(socket), Some(figures)) = (metrics_socket, figures) {
        let serving = metrics::serve(socket, figures, app.clone(), stop.clone());
        background.push(tokio::spawn(watch_metrics(serving)));
    }
    // Heard before anybody is told that the server is ready, so that no signal is missed.
    let stopping = stop_all(listener::stop_signal()?, stop.clone(), app.clone());
    let stopping = tokio::spawn(stopping);
    if let Some(address) = metrics_listen {
        tracing::info!("metrics http://{address}/metrics");
    }
    if let Some(socket) = socket {
        let router = router(&config, app.clone());
        announce(&config, &app, listen, &public_url);
        if let Some(greeting) = &greeting {
            say(out, greeting)?;
        }
        listener::serve(socket, router, tls, manner(&config, open_files, stop.clone())).await?;
    } else {
        tracing::info!("working");
        stop.cancelled().await;
    }
    stop.cancel();
    let since = stopping.await.unwrap_or_default();
    let spent = app.clock.monotonic().saturating_sub(since);
    finish(workers, background, listener::GRACE.saturating_sub(spent)).await;
    leave(&app).await;
    tracing::info!("stopped");
    Ok(())
}

/// Puts in what the last process left, so that nobody waits for it. What cannot be put in now is looked
/// at one by one.
async fn index_at_start(app: &App) {
    if let Err(error) = license::index_at_start(app).await {
        tracing::warn!(%error, "the index of licenses is behind: searches take longer");
    }
    if let Err(error) = log::index_at_start(app).await {
        tracing::warn!(%error, "the index of the log is behind: its lists take longer");
    }
}

/// What a node does beside answering and working, for as long as it lives.
fn upkeep(app: &App, config: &Config, tls: Option<&RustlsConfig>) -> Vec<JoinHandle<()>> {
    let keys = Arc::clone(&app.keys);
    let mut tasks = vec![
        tokio::spawn(supervise(app.clone(), "key ring", move || watch_keys(Arc::clone(&keys)))),
        tokio::spawn(supervise(app.clone(), "uses", {
            let app = app.clone();
            move || note_uses(app.clone())
        })),
        tokio::spawn(supervise(app.clone(), "write trial", {
            let app = app.clone();
            move || try_writes(app.clone())
        })),
    ];
    if let (Some(files), Some(loaded)) = (config.tls.clone(), tls.cloned()) {
        let watch = move || tls::watch(files.clone(), loaded.clone());
        tasks.push(tokio::spawn(supervise(app.clone(), "certificate", watch)));
    }
    tasks
}

/// Tries now and then whether the database takes writes, more often while it does not.
#[expect(clippy::disallowed_methods, reason = "a task waits until it is due again")]
async fn try_writes(app: App) {
    loop {
        let takes = health::try_write(&app).await;
        tokio::time::sleep(if takes { TRY_WRITE } else { TRY_AGAIN }).await;
    }
}

/// A server goes on without its metrics.
async fn watch_metrics(serving: impl Future<Output = Result<(), String>>) {
    if let Err(error) = serving.await {
        tracing::error!(error, "metrics");
    }
}

/// Both halves were told to stop at the same moment and share the time for it.
async fn finish(workers: Option<JoinHandle<()>>, background: Vec<JoinHandle<()>>, left: Duration) {
    if let Some(workers) = workers {
        let _ = timeout(left, workers).await;
    }
    for task in background {
        task.abort();
    }
}

/// Waits for the signal and passes it on; gives the moment it came.
async fn stop_all(signal: impl Future<Output = ()>, stop: CancellationToken, app: App) -> Duration {
    signal.await;
    tracing::info!("stopping: finishing what runs");
    stop.cancel();
    // Whoever waits for events gets an answer now, and comes back to another node.
    app.stopping.send_replace(true);
    app.clock.monotonic()
}

fn manner(config: &Config, open_files: u64, stop: CancellationToken) -> Manner {
    let (most, proxies) = (config.connections_per_address, config.trusted_proxies.clone());
    let total = descriptors::for_connections(open_files);
    let admission = Admission::new(most, total, proxies);
    Manner { times: Times::new(config.keep_alive), admission, stop }
}

fn router(config: &Config, app: App) -> axum::Router {
    let settings = Settings {
        trusted_proxies: config.trusted_proxies.clone(),
        require_https: config.tls.is_none() && !config.is_local(),
        ..Settings::default()
    };
    let pages = grantor_web::router(app.clone());
    let state = ApiState::new(app, settings);
    // Beside the start, which does not wait for them.
    let of_documents = state.clone();
    tokio::task::spawn_blocking(move || grantor_api::make_documents(&of_documents));
    let told = Told { tls: config.tls.is_some(), state: state.clone() };
    let router = grantor_api::frame::authority::checked(&state, grantor_api::router(&state, pages));
    router.layer(middleware::from_fn_with_state(told, strict_transport))
}

/// What is known of how a request came.
#[derive(Clone)]
struct Told {
    tls: bool,
    state: ApiState,
}

/// Browsers that came by HTTPS once come by nothing else. Over plain HTTP it is not said.
async fn strict_transport(State(told): State<Told>, request: Request, next: Next) -> Response {
    let client = Client::of(request.extensions(), request.headers(), &told.state.settings);
    let mut response = next.run(request).await;
    if told.tls || client.forwarded_https {
        let value = HeaderValue::from_static("max-age=31536000");
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    response
}

/// The configured one; where the system chose the port, the port it chose.
fn public_url(config: &Config, listen: Option<SocketAddr>) -> String {
    let configured = config.public_url.to_string();
    match listen {
        Some(actual) if config.listen.port() == 0 => {
            let chosen = format!(":{}", actual.port());
            configured.strip_suffix(":0").map_or(configured.clone(), |it| format!("{it}{chosen}"))
        }
        _ => configured,
    }
}

fn announce(config: &Config, app: &App, listen: Option<SocketAddr>, public_url: &str) {
    let engine = app.store.engine().name();
    let data = config.data_dir.display().to_string();
    let listen = listen.map(|it| it.to_string());
    tracing::info!(engine, data, listen, "ready");
    tracing::info!(
        "console {public_url}/app · API {public_url}/health · documentation {public_url}/docs"
    );
    if config.smtp_url.is_none() {
        tracing::info!("mail is written to {data}/mail");
    }
}

/// Writes down which API clients were used here and what was looked at, at most a second late. Every
/// node does so that answers requests, whether it works or not.
async fn note_uses(app: App) {
    let mut pace = interval(Duration::from_millis(500));
    loop {
        pace.tick().await;
        note_uses_once(&app).await;
    }
}

/// Hands over what only this node knows, unless the database takes too long for it.
async fn leave(app: &App) {
    let leaving = async {
        note_uses_once(app).await;
        if let Err(error) = grantor_service::quota::give_back(app).await {
            tracing::warn!(%error, "unused requests of the month could not be given back");
        }
    };
    if timeout(LEAVE, leaving).await.is_err() {
        tracing::warn!("the database does not answer: the last uses and visits are not written");
    }
}

async fn note_uses_once(app: &App) {
    if let Err(error) = grantor_service::client::note_uses(app).await {
        tracing::warn!(%error, "uses of API clients could not be noted");
    }
    if let Err(error) = grantor_service::visit::write(app).await {
        tracing::warn!(%error, "visits could not be logged");
    }
    if let Err(error) = grantor_service::refusal::write(app).await {
        tracing::warn!(%error, "refused ways in could not be logged");
    }
    if let Err(error) = grantor_service::session::guard::warn_owners(app).await {
        tracing::warn!(%error, "owners could not be told of failed sign-ins");
    }
}

/// Notices a rotation by `grantor keys rotate`, here or on another node with the same ring.
async fn watch_keys(keys: Arc<Keys>) {
    let mut pace = interval(Duration::from_secs(2));
    loop {
        pace.tick().await;
        match keys.reload() {
            Ok(true) => tracing::info!("the key ring was read again"),
            Ok(false) => {}
            Err(error) => tracing::warn!(error, "the key ring could not be read again"),
        }
    }
}
