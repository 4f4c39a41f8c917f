//! `grantor doctor`: checks everything that the configuration names and reports problems.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::Clock as _;
use grantor_domain::limit::LimitName;
use grantor_keys::Keys;
use grantor_service::mail::Smtp;
use grantor_service::operations::key_ring;
use grantor_service::operations::object_check::{self, Depth, Fault, Faulty, Findings};
use grantor_service::watching::likeness::{self, Progress};
use grantor_storage::counter::{CounterKey, Counters, Redis, Subject};
use grantor_storage::{ReplicaLag, Store, migrate};
use secrecy::ExposeSecret as _;

use crate::config::{Config, Database, KeyRing};
use crate::key_ring::{self as own_key_ring, System};
use crate::system::{SystemClock, SystemEntropy};
use crate::{bootstrap, tls};

/// How many pictures are compared with their hash without `--deep`.
const SAMPLE: u64 = 200;

/// The timeout of the mail server.
const MAIL_TIMEOUT: Duration = Duration::from_secs(5);

/// The result of one check.
enum Finding {
    Fine(String),
    Note(String),
    Bad(String),
}

use Finding::{Bad, Fine, Note};

/// Prints one line for each check. The exit code is a failure if any check failed.
pub(crate) async fn run(
    config: &Config,
    deep: bool,
    out: &mut dyn Write,
) -> Result<ExitCode, String> {
    let mut findings = vec![folder(&config.data_dir)];
    let store = match bootstrap::open_store(config).await {
        Ok(store) => {
            findings.push(Fine(format!("database: {} responds", store.engine().name())));
            findings.push(schema(&store).await);
            findings.extend(replica(config).await);
            Some(store)
        }
        // The check of the directory has already reported this.
        Err(error) if error.starts_with("data_dir: ") => None,
        Err(error) => {
            findings.push(Bad(error));
            None
        }
    };
    findings.push(keys(config, store.as_ref()).await);
    if let Some(store) = &store {
        findings.extend(images(config, store, deep).await);
        findings.extend(described(config, store).await);
    }
    findings.push(counters(config).await);
    findings.push(mail(config).await);
    findings.push(certificate(config).await);
    findings.extend(fonts(config));
    findings.extend(proxies(config));
    let mut code = ExitCode::SUCCESS;
    for finding in findings {
        let (mark, text) = match finding {
            Fine(text) => ("ok  ", text),
            Note(text) => ("note", text),
            Bad(text) => {
                code = ExitCode::FAILURE;
                ("BAD ", text)
            }
        };
        super::say(out, &format!("{mark}  {text}"))?;
    }
    Ok(code)
}

fn folder(path: &Path) -> Finding {
    match bootstrap::prepare_folder(path) {
        Ok(()) => Fine(format!("data_dir: {} is writable", path.display())),
        Err(error) => Bad(error),
    }
}

async fn schema(store: &Store) -> Finding {
    match migrate::pending(store).await {
        Ok(0) => Fine("schema: up to date".to_owned()),
        Ok(count) => Note(format!("schema: the next start applies {count} migrations")),
        Err(error) if error.to_string().contains("schema_migrations") => {
            Note("schema: empty; the first start creates it".to_owned())
        }
        Err(error) => Bad(format!("schema: {error}")),
    }
}

/// Whether nodes can read the replica. None without one.
async fn replica(config: &Config) -> Option<Finding> {
    let measured = Store::measure_replica(&bootstrap::store_options(config)).await;
    let said = |text: &str| format!("database_replica_url: the replica {text}");
    Some(match measured.transpose()? {
        Ok(ReplicaLag::Time(lag)) => {
            Fine(said(&format!("is at most {} ms behind", lag.as_millis())))
        }
        Ok(ReplicaLag::Bytes(bytes)) => Note(said(&format!(
            "still lacks {bytes} bytes of the primary's log after two seconds; until it has caught \
             up, nodes read the primary instead"
        ))),
        Ok(ReplicaLag::OtherTimeline) => Bad(said(
            "is on another timeline: it was promoted or follows another server; nodes read the \
             primary instead",
        )),
        Err(error) => Bad(format!("database_replica_url: {error}")),
    })
}

async fn keys(config: &Config, store: Option<&Store>) -> Finding {
    let Some(store) = store else { return unbound_keys(config) };
    let system: System = (Arc::new(SystemClock::new()), Arc::new(SystemEntropy));
    let keys = match own_key_ring::read(config, store, system.clone()).await {
        Ok(Some(keys)) => keys,
        Ok(None) => return no_keys(config, store, system).await,
        Err(error) => return Bad(format!("keys: {error}")),
    };
    if let Err(error) = key_ring::check(store, keys.root_ids()).await {
        return Bad(format!("keys: {error}"));
    }
    if migrate::pending(store).await != Ok(0) {
        return Fine("keys: the key ring is valid and matches the database".to_owned());
    }
    let now = SystemClock::new().now();
    match store.read(move |tx| key_ring::find_fault(tx, &keys, now)).await {
        Ok(None) => Fine("keys: the key ring is valid and matches the database".to_owned()),
        Ok(Some(fault)) => Bad(format!("keys: {fault}")),
        Err(error) => Bad(format!("keys: {error}")),
    }
}

/// The key ring, if the database does not respond.
fn unbound_keys(config: &Config) -> Finding {
    let (clock, entropy) = (Arc::new(SystemClock::new()), Arc::new(SystemEntropy));
    let keys = match &config.key_ring {
        KeyRing::File if !Keys::exist(&config.data_dir) => {
            return Note("keys: none; not compared with the database".to_owned());
        }
        KeyRing::File => Keys::read(&config.data_dir, clock, entropy),
        KeyRing::Mounted(path) => Keys::mounted(path, clock, entropy),
        KeyRing::Database(_) => {
            return Note("keys: in the database, which does not respond".to_owned());
        }
    };
    match keys {
        Ok(_) => Note("keys: the key ring is valid; not compared with the database".to_owned()),
        Err(error) => Bad(format!("keys: {error}")),
    }
}

/// A missing key ring is fine before the first start, and an error afterwards. A database without
/// the key ring that belongs there takes over the one in the data directory.
async fn no_keys(config: &Config, store: &Store, (clock, entropy): System) -> Finding {
    let in_database = matches!(config.key_ring, KeyRing::Database(_));
    if in_database && Keys::exist(&config.data_dir) {
        let checked = match Keys::read(&config.data_dir, clock, entropy) {
            Ok(keys) => key_ring::check(store, keys.root_ids()).await,
            Err(error) => Err(error),
        };
        return match checked {
            Ok(()) => Note(
                "keys: not in the database yet; the next start takes over keys.json".to_owned(),
            ),
            Err(error) => Bad(format!("keys: {error}")),
        };
    }
    let missing = if in_database {
        "the key ring is not in the database, and there is no keys.json to take over"
    } else {
        "keys.json is missing"
    };
    match key_ring::check(store, vec![]).await {
        Ok(()) => Note("keys: none yet; the first start creates them".to_owned()),
        Err(error) => Bad(format!("keys: {missing}, but {error}")),
    }
}

/// Checks that the object store has every picture in the database.
async fn images(config: &Config, store: &Store, deep: bool) -> Vec<Finding> {
    if migrate::pending(store).await != Ok(0) {
        // The table may not exist yet.
        return vec![Note("objects: not checked until the schema is up to date".to_owned())];
    }
    let objects = match bootstrap::objects(config, store) {
        Ok(objects) => objects,
        Err(error) => return vec![Bad(error)],
    };
    let depth = if deep { Depth::All } else { Depth::Sample(SAMPLE) };
    let found = match object_check::compare(store, &objects, depth).await {
        Ok(found) => found,
        Err(error) => {
            let reason = error.internal_detail().unwrap_or_else(|| error.message());
            return vec![Bad(format!("objects: {reason}"))];
        }
    };
    let Findings { pictures, copies, hashed, faults, .. } = found;
    if faults.is_empty() {
        return vec![Fine(format!(
            "objects: {pictures} images with thumbnails and {copies} pictures of evidence, \
             {hashed} compared with their hash"
        ))];
    }
    faults.iter().map(|(fault, faulty)| faulty_objects(*fault, faulty)).collect()
}

/// How many reference images can be found by local features. None before the schema is up to date.
async fn described(config: &Config, store: &Store) -> Option<Finding> {
    if migrate::pending(store).await != Ok(0) {
        return None;
    }
    let Progress { described, images } = match likeness::progress(store).await {
        Ok(progress) => progress,
        Err(error) => {
            let reason = error.internal_detail().unwrap_or_else(|| error.message());
            return Some(Bad(format!("image features: {reason}")));
        }
    };
    let room = bootstrap::images_in_memory(config);
    if described < images {
        let percent = described * 100 / images;
        let said = format!("image features: {described} of {images} images described");
        return Some(Note(format!("{said} ({percent}%); a running server describes the others")));
    }
    if images > room {
        return Some(Note(format!(
            "image features: recognition_memory is enough for about {room} of {images} images; \
             the others are compared by their hash alone"
        )));
    }
    Some(Fine(format!("image features: all {images} images are described")))
}

fn faulty_objects(fault: Fault, Faulty { count, first }: &Faulty) -> Finding {
    let what = match fault {
        Fault::Missing => "missing",
        Fault::WrongSize => "with the wrong size",
        Fault::WrongHash => "with the wrong SHA-256",
    };
    let names: Vec<String> = first.iter().map(ToString::to_string).collect();
    let more = count.saturating_sub(names.len() as u64);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Bad(format!("objects: {count} {what}: {}{more}", names.join(", ")))
}

async fn counters(config: &Config) -> Finding {
    let Some(url) = &config.redis_url else {
        return match config.database {
            Database::Sqlite(_) => Fine("limits: counted in memory".to_owned()),
            Database::Postgres(_) => Note(
                "limits: counted in memory; set redis_url to run more than one node".to_owned(),
            ),
        };
    };
    let redis = match Redis::new(url.expose_secret(), Arc::new(SystemClock::new())) {
        Ok(redis) => Counters::from(redis),
        Err(error) => return Bad(format!("redis_url: {error}")),
    };
    let subject = Subject::text("doctor");
    let windows = config.limits.windows(LimitName::Anonymous).unwrap_or_default();
    redis.peek(&CounterKey { limit: LimitName::Anonymous, subject }, windows).await;
    if redis.fallbacks() == 0 {
        Fine("redis_url: Redis responds".to_owned())
    } else {
        Bad("redis_url: Redis does not respond; each node would count limits itself".to_owned())
    }
}

async fn mail(config: &Config) -> Finding {
    let Some(url) = &config.smtp_url else {
        return mail_folder(&config.data_dir);
    };
    let check = match Smtp::check(url.expose_secret(), MAIL_TIMEOUT) {
        Ok(check) => check,
        Err(error) => return Bad(format!("smtp_url: it {error}")),
    };
    match check.await {
        Ok(()) => Fine("smtp_url: the mail server accepts the connection".to_owned()),
        Err(error) => Bad(format!("smtp_url: the mail server cannot be used: {error}")),
    }
}

fn mail_folder(data_dir: &Path) -> Finding {
    let folder = data_dir.join("mail");
    // The first mail creates the directory. Until then its parent must be writable.
    let probed = if folder.exists() { &folder } else { data_dir };
    let probe = probed.join(format!(".probe-{}", std::process::id()));
    match fs::write(&probe, b"").and_then(|()| fs::remove_file(&probe)) {
        Ok(()) => Fine(format!("mail: written to files in {}", folder.display())),
        Err(error) => Bad(format!("mail: {} cannot be written: {error}", folder.display())),
    }
}

async fn certificate(config: &Config) -> Finding {
    match &config.tls {
        Some(files) => match tls::load(files).await {
            Ok(_) => Fine("tls: the certificate and the key match".to_owned()),
            Err(error) => Bad(error),
        },
        None if config.is_local() => Fine("tls: none; only this machine can connect".to_owned()),
        None => Note("tls: none; requests must come over HTTPS to a trusted proxy".to_owned()),
    }
}

/// Files that cannot be used are refused with the other settings.
fn fonts(config: &Config) -> Option<Finding> {
    let count = config.certificate_fonts.len();
    let noun = if count == 1 { "font" } else { "fonts" };
    (count > 0).then(|| Fine(format!("certificate_fonts: {count} {noun} besides the built-in one")))
}

fn proxies(config: &Config) -> Option<Finding> {
    let everyone = config.trusted_proxies.iter().any(|network| network.prefix_len() == 0);
    everyone.then(|| Bad("trusted_proxies: a /0 network lets anyone spoof any address".to_owned()))
}
