//! `grantor doctor`: looks at everything the configuration names and says what is wrong.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::limit::LimitName;
use grantor_service::keys::Keys;
use grantor_service::mail::Smtp;
use grantor_service::object_check::{self, Depth, Fault, Faulty, Findings};
use grantor_service::ring;
use grantor_storage::counter::{CounterKey, Counters, Redis, Subject};
use grantor_storage::{Store, migrate};
use secrecy::ExposeSecret as _;

use crate::config::{Config, Database};
use crate::system::{SystemClock, SystemEntropy};
use crate::{house, tls};

/// How many pictures are read and compared with their hash, unless all are.
const SAMPLE: u64 = 200;

/// How long the mail server may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// One finding.
enum Finding {
    Fine(String),
    Note(String),
    Bad(String),
}

use Finding::{Bad, Fine, Note};

/// Prints a line for each part; fails when one is bad.
pub(crate) async fn run(
    config: &Config,
    deep: bool,
    out: &mut dyn Write,
) -> Result<ExitCode, String> {
    let mut findings = vec![folder(&config.data_dir)];
    let store = match house::open_store(config).await {
        Ok(store) => {
            findings.push(Fine(format!("database: {} answers", store.engine().name())));
            findings.push(schema(&store).await);
            Some(store)
        }
        // Told already, of the folder.
        Err(error) if error.starts_with("data_dir: ") => None,
        Err(error) => {
            findings.push(Bad(error));
            None
        }
    };
    findings.push(keys(config, store.as_ref()).await);
    if let Some(store) = &store {
        findings.extend(pictures(config, store, deep).await);
    }
    findings.push(counters(config).await);
    findings.push(mail(config).await);
    findings.push(certificate(config).await);
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
    match house::prepare_folder(path) {
        Ok(()) => Fine(format!("data_dir: {} can be written", path.display())),
        Err(error) => Bad(error),
    }
}

async fn schema(store: &Store) -> Finding {
    match migrate::pending(store).await {
        Ok(0) => Fine("schema: up to date".to_owned()),
        Ok(count) => Note(format!("schema: {count} migrations are applied at the next start")),
        Err(error) if error.to_string().contains("schema_migrations") => {
            Note("schema: empty, made at the first start".to_owned())
        }
        Err(error) => Bad(format!("schema: {error}")),
    }
}

async fn keys(config: &Config, store: Option<&Store>) -> Finding {
    if !config.data_dir.join("keys.json").exists() {
        return no_keys(store).await;
    }
    let opened =
        Keys::open(&config.data_dir, Arc::new(SystemClock::new()), Arc::new(SystemEntropy));
    let keys = match opened {
        Ok(keys) => keys,
        Err(error) => return Bad(format!("keys: {error}")),
    };
    let Some(store) = store else {
        return Note("keys: the ring reads; whose database it fits is not known".to_owned());
    };
    match ring::check(store, keys.root_ids()).await {
        Ok(()) => Fine("keys: the ring reads and fits the database".to_owned()),
        Err(error) => Bad(format!("keys: {error}")),
    }
}

/// Without a ring: fine before the first start, a loss after it.
async fn no_keys(store: Option<&Store>) -> Finding {
    let Some(store) = store else {
        return Note("keys: none; whether the database belongs to a ring is not known".to_owned());
    };
    match ring::check(store, vec![]).await {
        Ok(()) => Note("keys: none yet, made at the first start".to_owned()),
        Err(error) => Bad(format!("keys: keys.json is missing, but {error}")),
    }
}

/// Whether every picture that the database names is among the objects.
async fn pictures(config: &Config, store: &Store, deep: bool) -> Vec<Finding> {
    if migrate::pending(store).await != Ok(0) {
        // The table may not be there yet.
        return vec![Note("objects: looked at once the schema is up to date".to_owned())];
    }
    let objects = match house::objects(config) {
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
    let Findings { pictures, hashed, faults } = found;
    if faults.is_empty() {
        let text = format!("{pictures} pictures and their thumbnails, {hashed} of them compared");
        return vec![Fine(format!("objects: {text}"))];
    }
    faults.iter().map(|(fault, faulty)| faulty_objects(*fault, faulty)).collect()
}

fn faulty_objects(fault: Fault, Faulty { count, first }: &Faulty) -> Finding {
    let what = match fault {
        Fault::Missing => "named by the database are missing",
        Fault::WrongSize => "have not the size that the database names",
        Fault::WrongHash => "have not the SHA-256 that the database names",
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
        Fine("redis_url: Redis answers".to_owned())
    } else {
        Bad("redis_url: Redis does not answer; limits would be counted by each node".to_owned())
    }
}

async fn mail(config: &Config) -> Finding {
    let Some(url) = &config.smtp_url else {
        return mail_folder(&config.data_dir);
    };
    let trial = match Smtp::check(url.expose_secret(), PATIENCE) {
        Ok(trial) => trial,
        Err(error) => return Bad(format!("smtp_url: it {error}")),
    };
    match trial.await {
        Ok(()) => Fine("smtp_url: the mail server accepts the connection".to_owned()),
        Err(error) => Bad(format!("smtp_url: the mail server cannot be used: {error}")),
    }
}

fn mail_folder(data_dir: &Path) -> Finding {
    let folder = data_dir.join("mail");
    // The first mail makes the folder: until then what counts is where it would be made.
    let probed = if folder.exists() { &folder } else { data_dir };
    let probe = probed.join(format!(".probe-{}", std::process::id()));
    match fs::write(&probe, b"").and_then(|()| fs::remove_file(&probe)) {
        Ok(()) => Fine(format!("mail: {} can be written; mails stay there", folder.display())),
        Err(error) => Bad(format!("mail: {} cannot be written: {error}", folder.display())),
    }
}

async fn certificate(config: &Config) -> Finding {
    match &config.tls {
        Some(files) => match tls::load(files).await {
            Ok(_) => Fine("tls: certificate and key fit".to_owned()),
            Err(error) => Bad(error),
        },
        None if config.is_local() => Fine("tls: none; only this machine can connect".to_owned()),
        None => Note("tls: none; requests must come through a trusted proxy by HTTPS".to_owned()),
    }
}

fn proxies(config: &Config) -> Option<Finding> {
    let everyone = config.trusted_proxies.iter().any(|network| network.prefix_len() == 0);
    everyone
        .then(|| Bad("trusted_proxies: a network of /0 lets anybody claim any address".to_owned()))
}
