//! Puts the house together from its configuration.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;

use grantor_domain::delivery::Schedule;
use grantor_domain::id::IdSource;
use grantor_domain::{Clock, Entropy};
use grantor_service::access::Access;
use grantor_service::billing::processor::Processor;
use grantor_service::billing::{Sandbox, Stripe};
use grantor_service::hasher::{Hasher, Strength};
use grantor_service::health::Health;
use grantor_service::image::Images;
use grantor_service::keys::Keys;
use grantor_service::likeness::Likenesses;
use grantor_service::limit::Limiter;
use grantor_service::mail::{Files, Mailer, Smtp, Transport};
use grantor_service::names::Names;
use grantor_service::outbound::{Outbound, SystemDns, TimeLimits};
use grantor_service::quota::Quotas;
use grantor_service::refusal::Refusals;
use grantor_service::retention::Retention;
use grantor_service::session::guard::Warnings;
use grantor_service::visit::Visits;
use grantor_service::wake::Wakes;
use grantor_service::{App, Parts, ring};
use grantor_storage::counter::{Counters, Memory, Redis};
use grantor_storage::object::{Objects, S3Settings};
use grantor_storage::{Options, Store, StoreUrl, migrate};
use secrecy::ExposeSecret as _;
use tokio::sync::{Notify, watch};

use crate::config::{Config, Database};
use crate::system::{SystemClock, SystemEntropy};

/// Everything a command may need.
pub(crate) struct House {
    pub(crate) app: App,
    pub(crate) retention: Retention,
}

/// Opens the database as configured, without looking at its schema.
pub(crate) async fn open_store(config: &Config) -> Result<Store, String> {
    prepare_folder(&config.data_dir)?;
    let url = match &config.database {
        Database::Sqlite(path) => StoreUrl::Sqlite(path.clone()),
        Database::Postgres(url) => StoreUrl::Postgres(url.expose_secret().to_owned()),
    };
    let mut options = Options::new(url, cores());
    options.replica =
        config.database_replica_url.as_ref().map(|url| url.expose_secret().to_owned());
    Store::open(&options).await.map_err(|error| format!("database_url: {error}"))
}

/// Opens the database, brings it up to date, and builds the service on it.
pub(crate) async fn build(config: &Config, public_url: String) -> Result<House, String> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    // What can be refused by its words alone is refused before the database is touched.
    let transport = transport(config, &clock)?;
    let outbound = outbound(config)?;
    let counters = counters(config, &clock)?;
    let objects = objects(config)?;
    let stripe = stripe(config)?;
    let store = open_store(config).await?;
    let applied = migrate::run(&store, clock.now()).await;
    for name in applied.map_err(|error| format!("database_url: {error}"))? {
        tracing::info!(migration = name, "applied");
    }
    let keys = keys(config, &store, &clock, &entropy).await?;
    let ids = IdSource::new(Arc::clone(&clock), Arc::clone(&entropy));
    let mailer = Mailer::new(
        store.clone(),
        Arc::clone(&keys),
        Arc::clone(&clock),
        ids.clone(),
        transport,
        &config.mail_from,
    )
    .map_err(|error| format!("mail_from: {error}"))?;
    let processor = processor(stripe, &store, &clock);
    let parts = Parts {
        access: Access::default(),
        hasher: Hasher::new(Arc::clone(&entropy), cores(), Strength::Full),
        password_policy: config.password_policy,
        limiter: Limiter::new(config.limits.clone(), counters),
        store,
        started: clock.now(),
        clock,
        entropy,
        ids,
        keys,
        mailer,
        objects,
        images: Images::new(cores()),
        likenesses: Likenesses::default(),
        outbound,
        processor,
        names: Names::default(),
        plans: config.plans.clone(),
        health: Health::default(),
        quotas: Quotas::default(),
        schedule: Schedule::new(config.webhook_schedule.clone()),
        public_url,
        service_name: config.service_name.clone(),
        wakes: Wakes::default(),
        answered: Notify::new(),
        stopping: watch::Sender::new(false),
        visits: Visits::default(),
        refusals: Refusals::default(),
        warnings: Warnings::default(),
    };
    Ok(House { app: App::new(parts), retention: retention(config) })
}

/// Opens the key ring, or makes one for a database that has none.
async fn keys(
    config: &Config,
    store: &Store,
    clock: &Arc<dyn Clock>,
    entropy: &Arc<dyn Entropy>,
) -> Result<Arc<Keys>, String> {
    let problem = |error: &dyn std::fmt::Display| format!("data_dir: {error}");
    if !Keys::exist(&config.data_dir) {
        // A database that has a ring must not be given another: the old one may only be misplaced.
        ring::check(store, vec![]).await.map_err(|error| problem(&error))?;
    }
    let keys = Keys::open(&config.data_dir, Arc::clone(clock), Arc::clone(entropy));
    let keys = Arc::new(keys.map_err(|error| problem(&error))?);
    ring::bind(store, keys.root_ids()).await.map_err(|error| problem(&error))?;
    Ok(keys)
}

fn processor(stripe: Option<Stripe>, store: &Store, clock: &Arc<dyn Clock>) -> Arc<dyn Processor> {
    match stripe {
        Some(stripe) => Arc::new(stripe),
        None => Arc::new(Sandbox::new(store.clone(), Arc::clone(clock))),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
}

fn transport(config: &Config, clock: &Arc<dyn Clock>) -> Result<Arc<dyn Transport>, String> {
    Ok(match &config.smtp_url {
        Some(url) => Arc::new(
            Smtp::new(url.expose_secret(), Arc::clone(clock))
                .map_err(|error| format!("smtp_url: {error}"))?,
        ),
        None => Arc::new(Files::new(config.data_dir.join("mail"), Arc::clone(clock))),
    })
}

fn outbound(config: &Config) -> Result<Outbound, String> {
    let dns = Arc::new(SystemDns::default());
    Outbound::new(dns, config.outbound_allow.clone(), TimeLimits::default())
        .map_err(|error| format!("the outbound client could not be built: {error}"))
}

/// Stripe has a client of its own: its address is the operator's, so one on this machine, as of a
/// test server, is reached without opening that network to webhooks.
fn stripe(config: &Config) -> Result<Option<Stripe>, String> {
    let Some(stripe) = &config.stripe else { return Ok(None) };
    let base = &stripe.api_base;
    let host = base.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let local = host == "localhost"
        || host.parse::<std::net::IpAddr>().is_ok_and(|it| it.to_canonical().is_loopback());
    if base.scheme() != "https" && !local {
        let what = "a secret key is sent there: it must be https, or on this machine";
        return Err(format!("stripe_api_base: {what}"));
    }
    let own = if local { "127.0.0.0/8,::1" } else { "" };
    let own = own.parse().map_err(|error| format!("stripe_api_base: {error}"))?;
    let client = Outbound::new(Arc::new(SystemDns::default()), own, TimeLimits::default())
        .map_err(|error| format!("the outbound client could not be built: {error}"))?;
    Ok(Some(Stripe::new(base.as_str(), stripe.secret_key.clone(), client)))
}

pub(crate) fn objects(config: &Config) -> Result<Objects, String> {
    let Some(s3) = &config.s3 else { return Ok(Objects::local(config.data_dir.join("objects"))) };
    let settings = S3Settings {
        endpoint: s3.endpoint.clone(),
        bucket: s3.bucket.clone(),
        region: s3.region.clone(),
        access_key_id: s3.access_key_id.clone(),
        secret_access_key: s3.secret_access_key.clone(),
    };
    Objects::s3(&settings).map_err(|error| format!("s3_endpoint: {error}"))
}

fn counters(config: &Config, clock: &Arc<dyn Clock>) -> Result<Counters, String> {
    let Some(url) = &config.redis_url else {
        return Ok(Memory::new(Arc::clone(clock)).into());
    };
    Redis::new(url.expose_secret(), Arc::clone(clock))
        .map(Counters::from)
        .map_err(|error| format!("redis_url: {error}"))
}

/// Says at the start of a server or a worker what is counted in a way the operator may not expect.
/// Commands that end by themselves count nothing, and do not say it.
pub(crate) fn warn_of_counters(config: &Config) {
    for name in config.limits.disabled() {
        tracing::warn!(limit = name.as_str(), "this rate limit is switched off");
    }
    if !config.limits.has_quota() {
        tracing::warn!("the monthly quota of plans is switched off");
    }
    if config.stripe.is_none() {
        tracing::info!("payments go to the built-in sandbox: no money moves");
    }
    if config.redis_url.is_none() && matches!(config.database, Database::Postgres(_)) {
        tracing::warn!("without redis_url limits are counted by this node: run one node only");
    }
}

fn retention(config: &Config) -> Retention {
    let days = |count: u32| std::time::Duration::from_secs(u64::from(count) * 86_400);
    Retention {
        events: days(config.retention.events),
        access: days(config.retention.access),
        audit: days(config.retention.audit),
    }
}

/// Makes the data directory, for its owner alone, and sees that it can be written.
pub(crate) fn prepare_folder(folder: &Path) -> Result<(), String> {
    let problem = |error: std::io::Error| {
        format!("data_dir: {} cannot be written: {error}", folder.display())
    };
    if !folder.exists() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(problem)?;
    }
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    fs::write(&probe, b"").and_then(|()| fs::remove_file(&probe)).map_err(problem)
}
