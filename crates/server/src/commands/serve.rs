//! `grantor serve` and `grantor worker`.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum_server::tls_rustls::RustlsConfig;
use grantor_api::ApiState;
use grantor_http::client::Client;
use grantor_http::{HttpState, Settings, authority};
use grantor_mcp::Mcp;
use grantor_outbound::OwnSite;
use grantor_service::App;
use grantor_service::identity::sample::Entrance;
use grantor_service::licensing::license;
use grantor_service::operations::{health, key_ring, node, record_index};
use grantor_service::watching::talent_names;
use grantor_workers::supervise;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::{demo, image_files, say};
use crate::bootstrap::{self, Runtime};
use crate::config::Config;
use crate::listener::{Admission, ListenerOptions, StopSignals, Stopping, Timeouts};
use crate::signals::{ReportSources, Reports, Shutdown, share_limits};
use crate::{listener, metrics, open_files, tls};

/// How often the server checks that the database accepts writes.
const WRITE_CHECK_INTERVAL: Duration = Duration::from_secs(10);
/// The same for a database of several nodes, whose servers change roles.
const SHARED_WRITE_CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// The same while it does not.
const WRITE_RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// How long writing this node's buffered data may take at shutdown.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// What this process does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Answers requests, and does the background work unless that is turned off.
    Server {
        /// Whether to create sample data in a store without accounts.
        demo: bool,
    },
    /// Does only the background work.
    Worker,
}

/// Runs until a signal arrives, then shuts down gracefully.
pub(crate) async fn run(config: Config, role: Role, out: &mut dyn io::Write) -> Result<(), String> {
    let file_limit = open_files::raise_limit();
    let is_read = config.metrics_listen.is_some() || config.signals.otlp.is_some();
    let page = metrics::install(is_read)?;
    let socket = match role {
        Role::Server { .. } => Some(listener::bind("listen", config.listen)?),
        Role::Worker => None,
    };
    let metrics_socket = config.metrics_listen.map(|it| listener::bind("metrics_listen", it));
    let metrics_socket = metrics_socket.transpose()?;
    let tls = match (&config.tls, role) {
        (Some(tls), Role::Server { .. }) => Some(tls::load(tls).await?),
        _ => None,
    };
    let bound = |socket: &Option<TcpListener>| socket.as_ref().and_then(|it| it.local_addr().ok());
    let (listen, metrics_listen) = (bound(&socket), bound(&metrics_socket));
    let public_url = public_url(&config, listen);
    let site = sample_site(&config, role, listen);
    let runtime = bootstrap::build_with_site(&config, public_url.clone(), site).await?;
    let Runtime { app, retention, spans } = runtime;
    let screen = Box::pin(sample_data(&app, &config, role, (metrics_listen, site), out)).await?;

    bootstrap::log_unusual_settings(&config);
    node::join(&app).await.map_err(|error| format!("database_url: {error}"))?;
    let shutdown = Shutdown::new(drain_delay(&config, role));
    let mut background = upkeep(&app, &config, tls.as_ref());
    let workers = if role == Role::Worker || config.workers {
        mark_outdated(&app).await;
        Some(tokio::spawn(grantor_workers::run(app.clone(), retention, shutdown.jobs())))
    } else {
        None
    };
    let sources = ReportSources { page, listener: metrics_socket, spans };
    let reports = Reports::start((&config, &app), sources, &shutdown, &mut background)?;
    // Installed before the server reports that it is ready, so that no signal is missed.
    let stopping = tokio::spawn(shutdown.clone().run(StopSignals::install()?, app.clone()));
    if let Some(address) = metrics_listen {
        tracing::info!("metrics http://{address}/metrics");
    }
    if let Some(socket) = socket {
        let router = Box::pin(all_pages(&config, &app, site)).await?;
        announce(&config, &app, listen, &public_url);
        if let Some(screen) = &screen {
            say(out, screen)?;
        }
        background.push(share_limits(&app));
        let options = listener_options(&config, file_limit, shutdown.listener());
        listener::serve(socket, router, tls, options).await?;
    } else {
        tracing::info!("working");
        shutdown.stop().cancelled().await;
    }
    let since = stopping.await.unwrap_or_default();
    let spent = app.clock.monotonic().saturating_sub(since);
    finish(workers, background, listener::GRACE.saturating_sub(spent)).await;
    flush_at_end(&app).await;
    reports.finish().await;
    tracing::info!("stopped");
    Ok(())
}

/// The sample site, if this process serves it: with sample data, on loopback, without TLS. Only
/// then may scans read this process's own listener.
fn sample_site(config: &Config, role: Role, listen: Option<SocketAddr>) -> Option<OwnSite> {
    let serves = role == Role::Server { demo: true } && config.tls.is_none();
    let listener = listen.filter(|it| serves && it.ip().is_loopback())?;
    Some(OwnSite { listener, path: grantor_demo::site::PATH })
}

/// Creates sample data where it is wanted, before workers and requests start: the first request
/// must see it complete. Returns the screen to print.
async fn sample_data(
    app: &App,
    config: &Config,
    role: Role,
    (metrics, site): (Option<SocketAddr>, Option<OwnSite>),
    out: &mut dyn io::Write,
) -> Result<Option<String>, String> {
    match role {
        Role::Server { demo: true } => {
            let site = site.map(|it| it.listener);
            let addresses = demo::Addresses { config, url: &app.public_url, metrics, site };
            demo::setup(app, &addresses, out).await.map(Some)
        }
        _ => Ok(None),
    }
}

/// Marks what an earlier version of the server indexed. Workers index it while requests are served.
async fn mark_outdated(app: &App) {
    if let Err(error) = license::mark_outdated(app).await {
        tracing::warn!(%error, "licenses that an earlier version indexed may not be found");
    }
    if let Err(error) = record_index::mark_outdated(app).await {
        tracing::warn!(%error, "records that an earlier version indexed may not be found");
    }
    if let Err(error) = talent_names::mark_outdated(app).await {
        tracing::warn!(%error, "names that an earlier version changed may not be found");
    }
}

/// Starts the tasks that run on every node, besides requests and background jobs.
fn upkeep(app: &App, config: &Config, tls: Option<&RustlsConfig>) -> Vec<JoinHandle<()>> {
    let mut tasks = vec![
        tokio::spawn(supervise(app.clone(), "key ring", {
            let app = app.clone();
            move || watch_keys(app.clone())
        })),
        tokio::spawn(supervise(app.clone(), "heartbeat", {
            let app = app.clone();
            move || beat_regularly(app.clone())
        })),
        tokio::spawn(supervise(app.clone(), "schema", {
            let app = app.clone();
            move || contract_regularly(app.clone())
        })),
        tokio::spawn(supervise(app.clone(), "uses", {
            let app = app.clone();
            move || flush_regularly(app.clone())
        })),
        tokio::spawn(supervise(app.clone(), "write trial", {
            let app = app.clone();
            move || check_writes(app.clone())
        })),
        tokio::spawn(supervise(app.clone(), "image files", {
            let app = app.clone();
            move || image_files::move_all(app.clone())
        })),
    ];
    if let (Some(files), Some(loaded)) = (config.tls.clone(), tls.cloned()) {
        let watch = move || tls::watch(files.clone(), loaded.clone());
        tasks.push(tokio::spawn(supervise(app.clone(), "certificate", watch)));
    }
    tasks
}

/// Checks regularly that the database accepts writes, more often while it does not.
#[expect(clippy::disallowed_methods, reason = "the task waits between two checks")]
async fn check_writes(app: App) {
    loop {
        let accepted = health::try_write(&app).await;
        let pause = match accepted {
            true if app.store.is_shared() => SHARED_WRITE_CHECK_INTERVAL,
            true => WRITE_CHECK_INTERVAL,
            false => WRITE_RETRY_INTERVAL,
        };
        tokio::time::sleep(pause).await;
    }
}

/// Waits for the workers. They share the grace period of the listener.
async fn finish(workers: Option<JoinHandle<()>>, background: Vec<JoinHandle<()>>, left: Duration) {
    if let Some(workers) = workers {
        let _ = timeout(left, workers).await;
    }
    for task in background {
        task.abort();
    }
}

/// Nobody sends requests to a worker, so nobody has to notice that it stops.
fn drain_delay(config: &Config, role: Role) -> Duration {
    if role == Role::Worker { Duration::ZERO } else { config.signals.drain_delay }
}

fn listener_options(config: &Config, file_limit: u64, stopping: Stopping) -> ListenerOptions {
    let (per_address, proxies) = (config.connections_per_address, config.trusted_proxies.clone());
    let total = open_files::for_connections(file_limit);
    let admission = Admission::new(per_address, total, proxies);
    ListenerOptions { timeouts: Timeouts::new(config.keep_alive), admission, stopping }
}

/// The router, with the sample site and the ways into the sample data where they are served: on
/// loopback, without TLS.
async fn all_pages(
    config: &Config,
    app: &App,
    site: Option<OwnSite>,
) -> Result<axum::Router, String> {
    let sample_site = demo::site::router(app, site).await?;
    let entrances = if site.is_some() { demo::entrances(app).await? } else { vec![] };
    Ok(router(config, app.clone(), sample_site, entrances))
}

fn router(config: &Config, app: App, site: axum::Router, entrances: Vec<Entrance>) -> axum::Router {
    let settings = Settings {
        trusted_proxies: config.trusted_proxies.clone(),
        require_https: config.tls.is_none() && !config.is_local(),
        request_log: config.signals.log_requests,
        ..Settings::default()
    };
    let http = HttpState::new(app, settings);
    let pages = grantor_web::router_with_sample(&http, entrances).merge(site);
    let state = ApiState::new(http.clone());
    let pages = pages.merge(Mcp::new(&state).router());
    let router = grantor_api::router(&state, pages);
    let router = authority::checked(&http, router, grantor_api::error_response);
    let transport = Transport { tls: config.tls.is_some(), state: http };
    router.layer(middleware::from_fn_with_state(transport, strict_transport))
}

/// Decides whether a request used HTTPS.
#[derive(Clone)]
struct Transport {
    tls: bool,
    state: HttpState,
}

/// Adds `Strict-Transport-Security` to responses over HTTPS.
async fn strict_transport(
    State(transport): State<Transport>,
    request: Request,
    next: Next,
) -> Response {
    let client = Client::of(request.extensions(), request.headers(), &transport.state.settings);
    let mut response = next.run(request).await;
    if transport.tls || client.forwarded_https {
        let value = HeaderValue::from_static("max-age=31536000");
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    response
}

/// The configured URL, with the actual port if the system chose it.
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
        tracing::info!("emails are written to {data}/mail");
    }
}

/// Writes buffered uses and log entries, at most a second late. Every node that answers requests
/// does this, with or without background work.
async fn flush_regularly(app: App) {
    let mut ticks = interval(Duration::from_millis(500));
    loop {
        ticks.tick().await;
        flush(&app).await;
    }
}

/// Says every second that this node lives, and frees what dead nodes held.
async fn beat_regularly(app: App) {
    let mut ticks = interval(node::BEAT_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = node::beat(&app).await {
            tracing::warn!(%error, "the other nodes could not be told that this one lives");
        }
    }
}

/// Contracts the schema when the last older node is gone, if a migration waits for that.
async fn contract_regularly(app: App) {
    let mut ticks = interval(node::BEAT_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = node::contract(&app).await {
            tracing::warn!(%error, "the schema could not be contracted");
        }
    }
}

/// Writes this node's buffered data and leaves the others, unless the database takes too long.
async fn flush_at_end(app: &App) {
    let flushing = async {
        flush(app).await;
        if let Err(error) = grantor_service::billing::quota::release(app).await {
            tracing::warn!(%error, "unused requests of the monthly quota could not be returned");
        }
        if let Err(error) = node::leave(app).await {
            tracing::warn!(%error, "this node could not leave the others: they free what it held");
        }
    };
    if timeout(FLUSH_TIMEOUT, flushing).await.is_err() {
        tracing::warn!("the database does not respond: the last uses and log entries are lost");
    }
}

async fn flush(app: &App) {
    if let Err(error) = grantor_service::identity::client::save_uses(app).await {
        tracing::warn!(%error, "uses of API clients could not be recorded");
    }
    if let Err(error) = grantor_service::log::read_access::write(app).await {
        tracing::warn!(%error, "reads could not be logged");
    }
    if let Err(error) = grantor_service::log::refusal::write(app).await {
        tracing::warn!(%error, "rejected sign-ins could not be logged");
    }
    if let Err(error) = grantor_service::identity::session::guard::warn_owners(app).await {
        tracing::warn!(%error, "users could not be warned about failed sign-ins");
    }
}

/// Reloads the key ring after `grantor keys rotate` on any node with the same ring.
async fn watch_keys(app: App) {
    let mut ticks = interval(Duration::from_secs(2));
    loop {
        ticks.tick().await;
        match key_ring::reload(&app).await {
            Ok(true) => tracing::info!("the key ring was reloaded"),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "the key ring could not be reloaded"),
        }
    }
}
