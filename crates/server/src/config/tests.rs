//! Tests from the sources to the typed configuration.

mod refusal;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use secrecy::ExposeSecret;
use tempfile::TempDir;

use super::settings::{LISTEN, LOG, REDIS_URL, SERVICE_NAME, SETTINGS};
use super::*;

/// The sources of a test.
#[derive(Default)]
struct Given {
    flags: Flags,
    environment: Vec<(OsString, OsString)>,
    config: Option<PathBuf>,
}

impl Given {
    fn flag(mut self, name: &'static str, text: &str) -> Self {
        self.flags.push((name, text.into()));
        self
    }

    fn env(mut self, name: &str, text: &str) -> Self {
        self.environment.push((name.into(), text.into()));
        self
    }

    fn file(mut self, path: &std::path::Path) -> Self {
        self.config = Some(path.to_owned());
        self
    }

    fn load(self) -> Result<(Settings, Config), Problems> {
        load(Sources {
            flags: self.flags,
            environment: self.environment,
            config: self.config,
            default_config: "no-such-file.toml".into(),
        })
    }

    fn config(self) -> Config {
        self.load().unwrap().1
    }

    fn problem(self) -> String {
        self.load().unwrap_err().to_string()
    }
}

fn env(name: &str, text: &str) -> Given {
    Given::default().env(name, text)
}

fn written(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn nothing_given_is_a_configuration() {
    let config = Given::default().config();
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.public_url.to_string(), "http://127.0.0.1:8080");
    assert!(matches!(config.database, Database::Sqlite(path) if path.ends_with("grantor.sqlite")));
    assert_eq!(config.metrics_listen.unwrap().port(), 9090);
    assert_eq!(config.webhook_schedule.len(), 10);
    assert_eq!(config.retention, Retention { events: 30, access: 30, audit: 730, evidence: 730 });
    assert_eq!(config.limits, Limits::default());
    assert!(config.workers && config.s3.is_none() && config.stripe.is_none());
    assert!(config.youtube_api_key.is_none() && config.reddit.is_none());
    assert!(config.trusted_proxies.is_empty() && config.outbound_allow.is_empty());
}

#[test]
fn flags_beat_the_environment_which_beats_the_file() {
    let folder = TempDir::new().unwrap();
    let file = written(&folder, "g.toml", "listen = '127.0.0.1:1'\nlog = 'warn'\nservice_name='f'");
    let given = env("GRANTOR_LISTEN", "127.0.0.1:2").env("GRANTOR_LOG", "debug");
    let (settings, config) = given.flag("listen", "127.0.0.1:3").file(&file).load().unwrap();
    assert_eq!((config.listen.port(), config.log.as_str()), (3, "debug"));
    assert_eq!(config.service_name, "f");
    for (setting, source) in [
        (&LISTEN, ValueSource::Flag("listen")),
        (&LOG, ValueSource::Environment("GRANTOR_LOG")),
        (&SERVICE_NAME, ValueSource::File(file)),
        (&REDIS_URL, ValueSource::Default),
    ] {
        assert_eq!(settings.source(setting), &source);
    }
}

#[test]
fn the_file_in_the_current_directory_is_read_if_it_is_there() {
    let folder = TempDir::new().unwrap();
    let default_config = written(&folder, "grantor.toml", "workers = false");
    let sources = Sources { flags: vec![], environment: vec![], config: None, default_config };
    assert!(!load(sources).unwrap().1.workers);
}

#[test]
fn a_named_file_must_be_there() {
    let sentence = Given::default().file("/no/such.toml".as_ref()).problem();
    assert!(sentence.starts_with("--config (flag): /no/such.toml cannot be read: "), "{sentence}");
}

#[test]
fn a_secret_may_come_from_a_file() {
    let folder = TempDir::new().unwrap();
    let path = written(&folder, "redis", "redis://:hunter2@cache\r\n");
    let path = path.to_str().unwrap();
    let (settings, config) = env("GRANTOR_REDIS_URL_FILE", path).load().unwrap();
    assert_eq!(config.redis_url.unwrap().expose_secret(), "redis://:hunter2@cache");
    assert_eq!(settings.source(&REDIS_URL).to_string(), "environment GRANTOR_REDIS_URL_FILE");
    let config = Given::default().flag("redis-url-file", path).config();
    assert!(config.redis_url.is_some());
}

#[test]
fn a_secret_and_its_file_exclude_each_other_in_one_place() {
    let folder = TempDir::new().unwrap();
    let path = written(&folder, "redis", "redis://cache");
    let both = || {
        env("GRANTOR_REDIS_URL", "redis://a").env("GRANTOR_REDIS_URL_FILE", path.to_str().unwrap())
    };
    assert_eq!(
        both().problem(),
        "GRANTOR_REDIS_URL_FILE (environment): \
         set either the value or its file, not both"
    );
    let layered = env("GRANTOR_REDIS_URL_FILE", path.to_str().unwrap());
    let config = layered.flag("redis-url", "redis://flag").config();
    assert_eq!(config.redis_url.unwrap().expose_secret(), "redis://flag");
}

#[test]
fn a_secret_in_place_of_its_file_is_not_repeated() {
    let sentence = env("GRANTOR_STRIPE_SECRET_KEY_FILE", "sk_live_hunter2").problem();
    let expected = "GRANTOR_STRIPE_SECRET_KEY_FILE (environment): there is no such file";
    assert_eq!(sentence, expected);
}

#[test]
fn an_unknown_name_is_told_with_the_nearest() {
    assert_eq!(
        env("GRANTOR_LISEN", "x").problem(),
        "GRANTOR_LISEN (environment): unknown setting; did you mean GRANTOR_LISTEN?"
    );
    // Public settings cannot be read from a file.
    assert!(env("GRANTOR_LISTEN_FILE", "x").problem().starts_with("GRANTOR_LISTEN_FILE (env"));
    let folder = TempDir::new().unwrap();
    let file = written(&folder, "g.toml", "retention_event = 3");
    assert_eq!(
        Given::default().file(&file).problem(),
        format!(
            "retention_event (file {}): unknown setting; did you mean retention_events?",
            file.display()
        )
    );
}

#[test]
fn variables_of_others_are_passed_over() {
    for (name, text) in [
        ("GRANTOR_API_KEY", "gk_live_x"),
        ("GRANTOR_API_SECRET", "gs_live_x"),
        ("GRANTOR_API_SECRET_FILE", "/run/secrets/api"),
        ("GRANTOR_PROFILE", "staging"),
        ("GRANTOR_URL", "https://grantor.example.com"),
        ("GRANTOR_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
        ("HOME", "/"),
        ("GRANTOR_REDIS_URL", ""),
    ] {
        assert!(env(name, text).load().is_ok(), "{name}");
    }
}

#[test]
fn a_malformed_value_is_one_sentence_with_its_name() {
    for (key, text) in [
        ("LISTEN", "8080x"),
        ("PUBLIC_URL", "https://grantor.example/path"),
        ("SERVICE_NAME", "Two Words"),
        ("SERVICE_NAME", ".."),
        ("TRUSTED_PROXIES", "10.0.0.0/8,proxy"),
        ("TRUSTED_PROXIES", "10.0.0.7/8"),
        ("METRICS_LISTEN", "no"),
        ("DATABASE_URL", "mysql://db/g"),
        ("DATABASE_URL", "sqlite::memory:"),
        ("DATABASE_REPLICA_URL", "sqlite:x"),
        ("REDIS_URL", "cache:6379"),
        ("SMTP_URL", "mail.example.com"),
        ("MAIL_FROM", "nobody"),
        ("MAIL_FROM", "Grantor <a@b>\r\nBcc: c@d"),
        ("LIMITS", "external=many"),
        ("WEBHOOK_SCHEDULE", "0,soon"),
        ("WEBHOOK_SCHEDULE", ","),
        ("OUTBOUND_ALLOW", "10.0.0.0/33"),
        ("RETENTION_EVENTS", "0"),
        ("RETENTION_ACCESS", "-1"),
        ("RETENTION_AUDIT", "two years"),
        ("RETENTION_EVIDENCE", "0"),
        ("WORKERS", "perhaps"),
        ("LOG", "info,="),
        ("LOG_FORMAT", "xml"),
    ] {
        let name = format!("GRANTOR_{key}");
        let sentence = env(&name, text).problem();
        assert!(sentence.starts_with(&format!("{name} (environment): ")), "{sentence}");
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
    }
    assert_eq!(
        env("GRANTOR_LISTEN", "8080x").problem(),
        "GRANTOR_LISTEN (environment): \"8080x\" is not an address such as 127.0.0.1:8080"
    );
    assert_eq!(
        Given::default().flag("log-format", "xml").problem(),
        "--log-format (flag): \"xml\" is not one of auto, human and json"
    );
}

#[test]
fn a_malformed_part_of_a_service_is_one_sentence_with_its_name() {
    let s3 =
        || env("GRANTOR_S3_ACCESS_KEY_ID", "id").env("GRANTOR_S3_SECRET_ACCESS_KEY", "hunter2");
    for (given, name) in [
        (s3().env("GRANTOR_S3_BUCKET", "two words"), "GRANTOR_S3_BUCKET"),
        (s3().env("GRANTOR_S3_BUCKET", "b").env("GRANTOR_S3_ENDPOINT", "x"), "GRANTOR_S3_ENDPOINT"),
        (s3().env("GRANTOR_S3_BUCKET", "b").env("GRANTOR_S3_REGION", "x y"), "GRANTOR_S3_REGION"),
        (env("GRANTOR_STRIPE_SECRET_KEY", "a b"), "GRANTOR_STRIPE_SECRET_KEY"),
        (env("GRANTOR_YOUTUBE_API_KEY", "a b"), "GRANTOR_YOUTUBE_API_KEY"),
    ] {
        let sentence = given.problem();
        assert!(sentence.starts_with(&format!("{name} (environment): ")), "{sentence}");
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let sentences = env("GRANTOR_LISTEN", "x").env("GRANTOR_LOG_FORMAT", "x").problem();
    assert_eq!(sentences.lines().count(), 2, "{sentences}");
}

#[test]
fn no_fault_repeats_what_may_be_secret() {
    for (name, text) in [
        ("GRANTOR_DATABASE_URL", "mysql://u:hunter2@db"),
        ("GRANTOR_REDIS_URL", "hunter2"),
        ("GRANTOR_SMTP_URL", "smtp:hunter2"),
        ("GRANTOR_STRIPE_SECRET_KEY", "hunter2 hunter2"),
        ("GRANTOR_PUBLIC_URL", "https://u:hunter2@grantor.example"),
    ] {
        let sentence = env(name, text).problem();
        assert!(!sentence.contains("hunter2"), "{sentence}");
    }
    // The same search finds a value that is not secret.
    assert!(env("GRANTOR_LISTEN", "hunter2").problem().contains("hunter2"));
}

#[test]
fn debug_shows_no_secret() {
    let given = env("GRANTOR_DATABASE_URL", "postgres://u:hunter2@db/g")
        .env("GRANTOR_DATABASE_REPLICA_URL", "postgres://u:hunter2@replica/g")
        .env("GRANTOR_REDIS_URL", "redis://:hunter2@cache")
        .env("GRANTOR_SMTP_URL", "smtps://u:hunter2@mail")
        .env("GRANTOR_STRIPE_SECRET_KEY", "hunter2")
        .env("GRANTOR_YOUTUBE_API_KEY", "hunter2")
        .env("GRANTOR_REDDIT_CLIENT_ID", "hunter2")
        .env("GRANTOR_REDDIT_CLIENT_SECRET", "hunter2")
        .env("GRANTOR_S3_BUCKET", "open-bucket")
        .env("GRANTOR_S3_ACCESS_KEY_ID", "hunter2")
        .env("GRANTOR_S3_SECRET_ACCESS_KEY", "hunter2");
    let (settings, config) = given.load().unwrap();
    let shown = format!("{config:?} {settings:?}");
    assert!(!shown.contains("hunter2"), "{shown}");
    // The same search finds a value that is not secret, and the secret was loaded.
    assert!(shown.contains("open-bucket"), "{shown}");
    assert_eq!(config.stripe.unwrap().secret_key.expose_secret(), "hunter2");
    assert_eq!(config.youtube_api_key.unwrap().expose_secret(), "hunter2");
}

#[test]
fn certificate_and_key_come_together() {
    assert_eq!(
        env("GRANTOR_TLS_CERT", "c.pem").problem(),
        "GRANTOR_TLS_CERT (environment): requires tls_key, which is not set"
    );
    assert!(env("GRANTOR_TLS_KEY", "k.pem").problem().contains("requires tls_cert"));
    let config = env("GRANTOR_TLS_CERT", "c.pem").env("GRANTOR_TLS_KEY", "k.pem").config();
    assert_eq!(config.tls, Some(Tls { cert: "c.pem".into(), key: "k.pem".into() }));
    assert_eq!(config.public_url.to_string(), "https://127.0.0.1:8080");
}

#[test]
fn parts_of_a_service_come_together() {
    assert_eq!(
        env("GRANTOR_S3_ENDPOINT", "http://127.0.0.1:9000").problem(),
        "GRANTOR_S3_ENDPOINT (environment): \
         requires s3_bucket and s3_access_key_id and s3_secret_access_key, which are not set"
    );
    let both = env("GRANTOR_OBJECT_STORE", "database")
        .env("GRANTOR_S3_BUCKET", "b")
        .env("GRANTOR_S3_ACCESS_KEY_ID", "id")
        .env("GRANTOR_S3_SECRET_ACCESS_KEY", "hunter2");
    assert_eq!(
        both.problem(),
        "GRANTOR_OBJECT_STORE (environment): cannot be combined with s3_bucket"
    );
    let sentence = env("GRANTOR_STRIPE_API_BASE", "http://127.0.0.1:9").problem();
    assert!(sentence.ends_with("requires stripe_secret_key, which is not set"), "{sentence}");
    let sentence = env("GRANTOR_DATABASE_REPLICA_URL", "postgres://replica/g").problem();
    assert!(sentence.ends_with("requires a PostgreSQL database_url"), "{sentence}");
    assert_eq!(
        env("GRANTOR_REDDIT_CLIENT_ID", "id").problem(),
        "GRANTOR_REDDIT_CLIENT_ID (environment): requires reddit_client_secret, which is not set"
    );
    let sentence = env("GRANTOR_REDDIT_CLIENT_SECRET", "x").problem();
    assert!(sentence.ends_with("requires reddit_client_id, which is not set"), "{sentence}");
    let reddit = env("GRANTOR_REDDIT_CLIENT_ID", "id").env("GRANTOR_REDDIT_CLIENT_SECRET", "x");
    let reddit = reddit.config().reddit.unwrap();
    assert_eq!(reddit.client_id.expose_secret(), "id");
    assert_eq!(reddit.client_secret.expose_secret(), "x");
    let stripe = env("GRANTOR_STRIPE_SECRET_KEY", "sk_test_1").config().stripe.unwrap();
    assert_eq!(stripe.api_base.as_str(), "https://api.stripe.com/");
}

#[test]
fn plain_http_stays_on_this_machine() {
    let sentence = env("GRANTOR_LISTEN", "0.0.0.0:8080").problem();
    assert!(
        sentence.starts_with("GRANTOR_LISTEN (environment): 0.0.0.0:8080 would serve plain HTTP"),
        "{sentence}"
    );
    assert!(env("GRANTOR_LISTEN", "[::]:8080").load().is_err());
    for local in ["127.0.0.9:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
        assert!(env("GRANTOR_LISTEN", local).load().is_ok(), "{local}");
    }
    let open = || {
        env("GRANTOR_LISTEN", "0.0.0.0:8080").env("GRANTOR_PUBLIC_URL", "https://grantor.example")
    };
    assert!(open().env("GRANTOR_TRUSTED_PROXIES", "10.0.0.2").load().is_ok());
    assert!(open().env("GRANTOR_TLS_CERT", "c").env("GRANTOR_TLS_KEY", "k").load().is_ok());
}

#[test]
fn an_address_that_makes_no_url_needs_a_public_one() {
    let given = || env("GRANTOR_LISTEN", "[fe80::1%2]:80").env("GRANTOR_TRUSTED_PROXIES", "::1");
    assert_eq!(
        given().problem(),
        "public_url (default): must be set, because clients cannot use the listen address"
    );
    let config = given().env("GRANTOR_PUBLIC_URL", "https://grantor.example/").config();
    assert_eq!(config.public_url.to_string(), "https://grantor.example");
}

#[test]
fn metrics_have_a_listener_of_their_own_or_none() {
    let sentence = env("GRANTOR_METRICS_LISTEN", "127.0.0.1:8080").problem();
    assert!(sentence.starts_with("GRANTOR_METRICS_LISTEN (environment): "), "{sentence}");
    assert_eq!(env("GRANTOR_METRICS_LISTEN", "off").config().metrics_listen, None);
}

#[test]
fn each_form_of_a_database_is_read() {
    for text in ["sqlite:/x/y", "sqlite:///x/y"] {
        let database = env("GRANTOR_DATABASE_URL", text).config().database;
        assert!(matches!(database, Database::Sqlite(path) if path.as_os_str() == "/x/y"));
    }
    let database = env("GRANTOR_DATA_DIR", "/x").config().database;
    assert!(matches!(database, Database::Sqlite(path) if path.ends_with("x/grantor.sqlite")));
    for text in ["postgres://db/g", "postgresql://a:1,b:2/g"] {
        let database = env("GRANTOR_DATABASE_URL", text).config().database;
        assert!(matches!(database, Database::Postgres(url) if url.expose_secret() == text));
    }
}

#[test]
fn every_default_is_a_value_of_its_own_setting() {
    for setting in SETTINGS.iter().filter(|setting| !setting.is_switch()) {
        if let settings::Fallback::Text(text) = setting.fallback {
            assert!(env(setting.env, text).load().is_ok(), "{}", setting.key);
        }
    }
}
