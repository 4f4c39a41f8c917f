//! Builds the server's parts from its configuration.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;

use grantor_domain::delivery::Schedule;
use grantor_domain::id::IdGenerator;
use grantor_domain::{Clock, Entropy};
use grantor_keys::Keys;
use grantor_media::Images;
use grantor_outbound::{Outbound, OwnSite, SystemDns, TimeLimits};
use grantor_service::billing::processor::Processor;
use grantor_service::billing::quota::Quotas;
use grantor_service::billing::{Sandbox, Stripe};
use grantor_service::identity::access::Access;
use grantor_service::identity::hasher::{Hasher, Strength};
use grantor_service::identity::session::guard::Warnings;
use grantor_service::licensing::receipt::StatusLists;
use grantor_service::log::read_access::ReadAccessLog;
use grantor_service::log::refusal::Refusals;
use grantor_service::mail::{Files, Mailer, Smtp, Transport};
use grantor_service::operations::health::Health;
use grantor_service::operations::latency::Latencies;
use grantor_service::operations::limit::Limiter;
use grantor_service::operations::node::Nodes;
use grantor_service::operations::object_folder;
use grantor_service::operations::retention::Retention;
use grantor_service::operations::trace::{Span, Tracer};
use grantor_service::operations::wakeup::Wakeups;
use grantor_service::watching::likeness::{LikenessMemory, Likenesses};
use grantor_service::watching::source::Looks;
use grantor_service::watching::talent_names::TalentNames;
use grantor_service::watching::{HostedApis, RecognitionLimits, RedditApi, YouTubeApi};
use grantor_service::{App, Parts};
use grantor_storage::counter::{Counters, Memory, Redis};
use grantor_storage::object::{Objects, S3Settings};
use grantor_storage::{Options, Store, StoreUrl, migrate};
use secrecy::ExposeSecret as _;
use tokio::sync::{Notify, mpsc, watch};

use crate::config::{Config, Database, ObjectStore};
use crate::key_ring;
use crate::system::{SystemClock, SystemEntropy};

/// The application and its retention periods.
pub(crate) struct Runtime {
    pub(crate) app: App,
    pub(crate) retention: Retention,
    /// The spans for the collector, if there is one.
    pub(crate) spans: Option<mpsc::Receiver<Span>>,
}

/// Opens the configured database without checking its schema.
pub(crate) async fn open_store(config: &Config) -> Result<Store, String> {
    prepare_folder(&config.data_dir)?;
    let opened = Store::open(&store_options(config)).await;
    opened.map_err(|error| format!("database_url: {error}"))
}

/// How the configured database is opened.
pub(crate) fn store_options(config: &Config) -> Options {
    let url = match &config.database {
        Database::Sqlite(path) => StoreUrl::Sqlite(path.clone()),
        Database::Postgres(url) => StoreUrl::Postgres(url.expose_secret().to_owned()),
    };
    let mut options = Options::new(url, cores());
    options.replica =
        config.database_replica_url.as_ref().map(|url| url.expose_secret().to_owned());
    options
}

/// Names and hashes take 55 bytes and less of each, the index of local features up to 1.5 KB, so it
/// gets most of the memory.
fn likenesses(config: &Config) -> Likenesses {
    Likenesses::new(likeness_memory(config), config.data_dir.join("index"))
}

fn likeness_memory(config: &Config) -> LikenessMemory {
    let part = config.recognition_memory / 16;
    LikenessMemory { hashes: 3 * part, features: 12 * part }
}

/// About how many images an index of local features takes, of which the first lie in files.
pub(crate) fn images_in_memory(config: &Config) -> u64 {
    likeness_memory(config).images()
}

/// Opens the database, applies migrations and builds the application.
pub(crate) async fn build(config: &Config, public_url: String) -> Result<Runtime, String> {
    build_with_site(config, public_url, None).await
}

/// Like [`build`], for a server whose scans may read the sample site that it serves itself.
pub(crate) async fn build_with_site(
    config: &Config,
    public_url: String,
    site: Option<OwnSite>,
) -> Result<Runtime, String> {
    let runtime = build_with_any_ring(config, public_url, site).await?;
    key_ring::refuse_stale(config, &runtime.app).await?;
    Ok(runtime)
}

/// Like [`build_with_site`], also with a key ring that lacks keys which other nodes use.
pub(crate) async fn build_with_any_ring(
    config: &Config,
    public_url: String,
    site: Option<OwnSite>,
) -> Result<Runtime, String> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    // Invalid settings are refused before anything opens the database.
    let transport = transport(config, &clock)?;
    let outbound = outbound(config, site)?;
    let counters = counters(config, &clock)?;
    let bucket = bucket(config)?;
    let stripe = stripe(config)?;
    let store = open_store(config).await?;
    let objects = bucket.unwrap_or_else(|| without_bucket(config, &store));
    let system = (Arc::clone(&clock), Arc::clone(&entropy));
    key_ring::check(config, &store, system.clone()).await?;
    apply_migrations(&store, &clock).await?;
    let keys = key_ring::open(config, &store, system).await?;
    let ids = IdGenerator::new(Arc::clone(&clock), Arc::clone(&entropy));
    check_folder(config, &store, &objects, &ids).await?;
    let mailer = mailer(config, (&store, &keys, &clock, &ids), transport)?;
    let processor = processor(stripe, &store, &clock);
    let (tracer, spans) = tracer(config, &clock, &entropy);
    let parts = Parts {
        access: Access::default(),
        hasher: Hasher::new(Arc::clone(&entropy), cores(), Strength::Full),
        password_policy: config.password_policy,
        limiter: Limiter::new(config.limits.clone(), counters),
        store,
        nodes: Nodes::new(ids.next()),
        started: clock.now(),
        clock,
        entropy,
        ids,
        keys,
        mailer,
        objects,
        images: Images::new(cores()),
        likenesses: likenesses(config),
        recognition_limits: RecognitionLimits::default(),
        outbound,
        hosted_apis: hosted_apis(config),
        looks: Looks::default(),
        processor,
        names: TalentNames::new(config.recognition_memory / 16),
        plans: config.plans.clone(),
        health: Health::default(),
        latencies: Latencies::default(),
        tracer,
        quotas: Quotas::default(),
        schedule: Schedule::new(config.webhook_schedule.clone()),
        public_url,
        service_name: config.service_name.clone(),
        wakeups: Wakeups::default(),
        answered: Notify::new(),
        status_lists: StatusLists::default(),
        certificate_fonts: config.certificate_fonts.clone(),
        stopping: watch::Sender::new(false),
        read_accesses: ReadAccessLog::default(),
        refusals: Refusals::default(),
        warnings: Warnings::default(),
    };
    Ok(Runtime { app: App::new(parts), retention: retention(config), spans })
}

fn mailer(
    config: &Config,
    (store, keys, clock, ids): (&Store, &Arc<Keys>, &Arc<dyn Clock>, &IdGenerator),
    transport: Arc<dyn Transport>,
) -> Result<Mailer, String> {
    let (keys, clock, ids) = (Arc::clone(keys), Arc::clone(clock), ids.clone());
    Mailer::new(store.clone(), keys, clock, ids, transport, &config.mail_from)
        .map_err(|error| format!("mail_from: {error}"))
}

async fn apply_migrations(store: &Store, clock: &Arc<dyn Clock>) -> Result<(), String> {
    let applied = migrate::run(store, clock.now()).await;
    let applied = applied.map_err(|error| format!("database_url: {error}"))?;
    if applied.len() == migrate::MIGRATIONS.len() {
        tracing::info!("created the schema");
        return Ok(());
    }
    for name in applied {
        tracing::info!(migration = name, "applied migration");
    }
    Ok(())
}

/// Records spans only for a collector.
fn tracer(
    config: &Config,
    clock: &Arc<dyn Clock>,
    entropy: &Arc<dyn Entropy>,
) -> (Tracer, Option<mpsc::Receiver<Span>>) {
    let Some(otlp) = &config.signals.otlp else { return (Tracer::default(), None) };
    let (tracer, spans) = Tracer::new(Arc::clone(clock), Arc::clone(entropy), otlp.sampling);
    (tracer, Some(spans))
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

fn outbound(config: &Config, site: Option<OwnSite>) -> Result<Outbound, String> {
    let dns = Arc::new(SystemDns::default());
    let client = Outbound::new(dns, config.outbound_allow.clone(), TimeLimits::default());
    let client = match site {
        Some(site) => client.and_then(|it| it.with_own_site(site)),
        None => client,
    };
    client.map_err(|error| format!("the outbound client could not be built: {error}"))
}

/// Stripe has its own HTTP client: the operator sets its address, and a test server on loopback
/// must not require that webhooks may reach loopback too.
fn stripe(config: &Config) -> Result<Option<Stripe>, String> {
    let Some(stripe) = &config.stripe else { return Ok(None) };
    let base = &stripe.api_base;
    let host = base.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let local = host == "localhost"
        || host.parse::<std::net::IpAddr>().is_ok_and(|it| it.to_canonical().is_loopback());
    if base.scheme() != "https" && !local {
        let reason = "the secret key is sent there, so it must be https or on this machine";
        return Err(format!("stripe_api_base: {reason}"));
    }
    let allowed = if local { "127.0.0.0/8,::1" } else { "" };
    let allowed = allowed.parse().map_err(|error| format!("stripe_api_base: {error}"))?;
    let client = Outbound::new(Arc::new(SystemDns::default()), allowed, TimeLimits::default())
        .map_err(|error| format!("the outbound client could not be built: {error}"))?;
    Ok(Some(Stripe::new(base.as_str(), stripe.secret_key.clone(), client)))
}

/// The APIs of hosted services that the operator has a key for.
fn hosted_apis(config: &Config) -> HostedApis {
    let youtube = config.youtube_api_key.clone();
    let youtube = youtube.map(|key| YouTubeApi::new(YouTubeApi::BASE, key));
    let reddit = config.reddit.as_ref().map(|it| {
        let (id, secret) = (it.client_id.clone(), it.client_secret.clone());
        RedditApi::new(RedditApi::SITE, RedditApi::API, id, secret)
    });
    HostedApis { youtube, reddit }
}

/// The configured object store.
pub(crate) fn objects(config: &Config, store: &Store) -> Result<Objects, String> {
    Ok(bucket(config)?.unwrap_or_else(|| without_bucket(config, store)))
}

/// In a database, images of before may still be files.
fn without_bucket(config: &Config, store: &Store) -> Objects {
    let folder = config.data_dir.join("objects");
    if are_files(config) {
        return Objects::local(folder);
    }
    Objects::database(store.clone(), Arc::new(SystemClock::new()), Some(folder))
}

fn bucket(config: &Config) -> Result<Option<Objects>, String> {
    let Some(s3) = &config.s3 else { return Ok(None) };
    let settings = S3Settings {
        endpoint: s3.endpoint.clone(),
        bucket: s3.bucket.clone(),
        region: s3.region.clone(),
        access_key_id: s3.access_key_id.clone(),
        secret_access_key: s3.secret_access_key.clone(),
    };
    Objects::s3(&settings).map(Some).map_err(|error| format!("s3_endpoint: {error}"))
}

/// Where pictures are stored, in words.
pub(crate) fn picture_store(config: &Config) -> &'static str {
    match (&config.s3, are_files(config)) {
        (Some(_), _) => "in the bucket",
        (None, true) => "in files",
        (None, false) => "in the database",
    }
}

/// Whether images are files in the data directory.
fn are_files(config: &Config) -> bool {
    config.s3.is_none()
        && match config.object_store {
            ObjectStore::Auto => matches!(config.database, Database::Sqlite(_)),
            ObjectStore::Database => false,
            ObjectStore::Files => true,
        }
}

/// Checks that the files of a database that others can use are in one folder for all of them.
async fn check_folder(
    config: &Config,
    store: &Store,
    objects: &Objects,
    ids: &IdGenerator,
) -> Result<(), String> {
    if !store.is_shared() || !are_files(config) {
        return Ok(());
    }
    let problem = |error: &dyn std::fmt::Display| format!("object_store: {error}");
    match object_folder::claim(store, objects, ids.next()).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(problem(&format_args!(
            "{} is not the folder with this database's images: mount that one here, or keep them \
             in a bucket (s3_bucket) or in the database (object_store = database)",
            config.data_dir.join("objects").display()
        ))),
        Err(error) => Err(problem(&error)),
    }
}

fn counters(config: &Config, clock: &Arc<dyn Clock>) -> Result<Counters, String> {
    let Some(url) = &config.redis_url else {
        return Ok(Memory::new(Arc::clone(clock)).into());
    };
    Redis::new(url.expose_secret(), Arc::clone(clock))
        .map(Counters::from)
        .map_err(|error| format!("redis_url: {error}"))
}

/// Logs settings of a server or worker that an operator may not expect. Commands that don't count
/// requests don't log them.
pub(crate) fn log_unusual_settings(config: &Config) {
    for name in config.limits.disabled() {
        tracing::warn!(limit = name.as_str(), "this rate limit is off");
    }
    if !config.limits.has_quota() {
        tracing::warn!("the monthly quota of plans is off");
    }
    if config.stripe.is_none() {
        tracing::info!("payments use the built-in sandbox: no real payments are made");
    }
    if config.redis_url.is_none() && matches!(config.database, Database::Postgres(_)) {
        tracing::warn!("limits are counted in memory: set redis_url to run more than one node");
    }
}

fn retention(config: &Config) -> Retention {
    let days = |count: u32| std::time::Duration::from_secs(u64::from(count) * 86_400);
    Retention {
        events: days(config.retention.events),
        access: days(config.retention.access),
        audit: days(config.retention.audit),
        evidence: days(config.retention.evidence),
    }
}

/// Creates the data directory with access for its owner only, and checks that it is writable.
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
