//! Parses the collected values into a `Config` and checks settings that depend on each other.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_domain::network::AllowedNetworks;
use secrecy::SecretString;

use super::problem::{Malformed, Problem, Problems};
use super::settings::{self as all, Setting};
use super::{
    Config, Database, KeyRing, LogFormat, ObjectStore, Origin, Otlp, Reddit, Retention, S3,
    Settings, Signals, Stripe, Tls, ValueSource, fonts, plans, value,
};

impl Config {
    /// Parses all settings before it returns an error, so that all problems are reported at once.
    pub(crate) fn read(settings: &Settings) -> Result<Self, Problems> {
        let mut reader = Reader { settings, problems: Vec::new() };
        let config = reader.config();
        if let Some(config) = &config {
            reader.check(config);
        }
        Problems::check(reader.problems)?;
        // Without a problem there is a configuration: a part is missing only with a problem.
        config.ok_or_else(|| Problem::at("configuration", "default", "a part is missing").into())
    }
}

const NO_URL: &str = "must be set, because clients cannot use the listen address";

struct Reader<'a> {
    settings: &'a Settings,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    /// The parsed value; `None` if there is none or it is invalid.
    fn value<T>(
        &mut self,
        setting: &Setting,
        read: impl FnOnce(&str) -> Result<T, Malformed>,
    ) -> Option<T> {
        let text = self.settings.text(setting)?;
        match read(text) {
            Ok(value) => Some(value),
            Err(malformed) => {
                self.fault(setting, malformed.sentence(setting, text));
                None
            }
        }
    }

    fn fault(&mut self, setting: &Setting, what: impl std::fmt::Display) {
        self.problems.push(Problem::of(setting, self.settings.source(setting), what));
    }

    fn is_given(&self, setting: &Setting) -> bool {
        *self.settings.source(setting) != ValueSource::Default
    }

    fn config(&mut self) -> Option<Config> {
        let listen = self.value(&all::LISTEN, value::address);
        let tls = self.tls();
        let public_url = self.public_url(listen, tls.is_some());
        let service_name = self.value(&all::SERVICE_NAME, value::service_name);
        let trusted_proxies = self.value(&all::TRUSTED_PROXIES, value::networks);
        let (keep_alive, connections_per_address) = self.connections();
        let signals = self.signals();
        let metrics_listen = self.value(&all::METRICS_LISTEN, value::address_or_off);
        let (data_dir, key_ring) = (self.value(&all::DATA_DIR, value::path), self.key_ring());
        let (database, database_replica_url) = self.databases(data_dir.as_deref());
        let redis_url = self.value(&all::REDIS_URL, value::redis);
        let (s3, object_store) = self.objects();
        let (smtp_url, mail_from) = self.mail();
        let certificate_fonts = self.value(&all::CERTIFICATE_FONTS, fonts::read);
        let stripe = self.stripe();
        let (youtube_api_key, reddit, recognition_memory) = self.watching();
        let plans = self.value(&all::PLANS_FILE, plans::read).unwrap_or_default();
        let of_plans = Limits::of(&plans);
        let limits = self.value(&all::LIMITS, |text| value::limits(text, of_plans.clone()));
        let password_policy = self.value(&all::PASSWORD_POLICY, value::password_policy);
        let (webhook_schedule, outbound_allow) = self.outbound();
        let retention = self.retention();
        let workers = self.value(&all::WORKERS, value::boolean);
        let (log, log_format, messages_dir) = self.output();
        Some(Config {
            listen: listen?,
            database: database?,
            data_dir: data_dir?,
            key_ring: key_ring?,
            database_replica_url,
            redis_url,
            public_url: public_url?,
            has_public_url: self.is_given(&all::PUBLIC_URL),
            service_name: service_name?,
            smtp_url,
            mail_from: mail_from?,
            certificate_fonts: certificate_fonts.unwrap_or_default(),
            s3,
            object_store: object_store?,
            stripe,
            youtube_api_key,
            reddit,
            recognition_memory: recognition_memory?,
            tls,
            trusted_proxies: trusted_proxies.unwrap_or_default(),
            keep_alive: keep_alive?,
            signals: signals?,
            connections_per_address: connections_per_address?,
            metrics_listen: metrics_listen?,
            limits: limits.unwrap_or(of_plans),
            plans,
            password_policy: password_policy?,
            webhook_schedule: webhook_schedule?,
            retention: retention?,
            outbound_allow: outbound_allow.unwrap_or_default(),
            log: log?,
            log_format: log_format?,
            messages_dir,
            workers: workers?,
        })
    }

    fn databases(&mut self, data_dir: Option<&Path>) -> (Option<Database>, Option<SecretString>) {
        let database = self.value(&all::DATABASE_URL, value::database);
        let own = || data_dir.map(|it| Database::Sqlite(it.join("grantor.sqlite")));
        (database.or_else(own), self.value(&all::DATABASE_REPLICA_URL, value::replica))
    }

    fn key_ring(&mut self) -> Option<KeyRing> {
        let file = self.is_given(&all::KEY_RING_FILE);
        let secret = self.is_given(&all::KEY_RING_SECRET);
        if file && secret {
            let what =
                "the key ring is either there or in the database, but key_ring_secret is set";
            self.fault(&all::KEY_RING_FILE, what);
            return None;
        }
        if secret {
            return self.value(&all::KEY_RING_SECRET, value::ring_secret).map(KeyRing::Database);
        }
        if file {
            return self.value(&all::KEY_RING_FILE, value::path).map(KeyRing::Mounted);
        }
        Some(KeyRing::File)
    }

    fn connections(&mut self) -> (Option<Duration>, Option<usize>) {
        let keep_alive = self.value(&all::KEEP_ALIVE, value::seconds);
        (keep_alive, self.value(&all::CONNECTIONS_PER_ADDRESS, value::connections))
    }

    fn outbound(&mut self) -> (Option<Vec<Duration>>, Option<AllowedNetworks>) {
        let schedule = self.value(&all::WEBHOOK_SCHEDULE, value::schedule);
        (schedule, self.value(&all::OUTBOUND_ALLOW, value::allowed_networks))
    }

    fn signals(&mut self) -> Option<Signals> {
        let drain_delay = self.value(&all::DRAIN_DELAY, value::delay);
        let log_requests = self.value(&all::LOG_REQUESTS, value::lines);
        self.require(&all::OTLP_HEADERS, &[&all::OTLP_ENDPOINT]);
        let headers = self.value(&all::OTLP_HEADERS, value::headers);
        let sampling = self.value(&all::OTLP_SAMPLING, value::sampling);
        let endpoint = self.value(&all::OTLP_ENDPOINT, value::endpoint);
        if headers.is_some() && endpoint.as_ref().is_some_and(|it| !value::is_safe(it)) {
            let what = "may contain a secret, so otlp_endpoint must be https or on this machine";
            self.fault(&all::OTLP_HEADERS, what);
        }
        let sampling = sampling?;
        let otlp = endpoint.map(|endpoint| Otlp { endpoint, headers, sampling });
        Some(Signals { drain_delay: drain_delay?, log_requests: log_requests?, otlp })
    }

    fn mail(&mut self) -> (Option<SecretString>, Option<String>) {
        let url = self.value(&all::SMTP_URL, value::smtp);
        (url, self.value(&all::MAIL_FROM, value::mailbox))
    }

    /// The log and the languages.
    fn output(&mut self) -> (Option<String>, Option<LogFormat>, Option<PathBuf>) {
        let filter = self.value(&all::LOG, value::log_filter);
        let format = self.value(&all::LOG_FORMAT, value::log_format);
        (filter, format, self.value(&all::MESSAGES_DIR, value::path))
    }

    fn public_url(&mut self, listen: Option<SocketAddr>, has_tls: bool) -> Option<Origin> {
        if self.is_given(&all::PUBLIC_URL) {
            return self.value(&all::PUBLIC_URL, value::origin);
        }
        let scheme = if has_tls { "https" } else { "http" };
        let origin = value::origin(&format!("{scheme}://{}", listen?)).ok();
        if origin.is_none() {
            self.fault(&all::PUBLIC_URL, NO_URL);
        }
        origin
    }

    fn tls(&mut self) -> Option<Tls> {
        self.require(&all::TLS_CERT, &[&all::TLS_KEY]);
        self.require(&all::TLS_KEY, &[&all::TLS_CERT]);
        let cert = self.value(&all::TLS_CERT, value::path);
        let key = self.value(&all::TLS_KEY, value::path);
        Some(Tls { cert: cert?, key: key? })
    }

    fn objects(&mut self) -> (Option<S3>, Option<ObjectStore>) {
        if self.is_given(&all::OBJECT_STORE) && self.is_given(&all::S3_BUCKET) {
            self.fault(&all::OBJECT_STORE, "cannot be combined with s3_bucket");
        }
        (self.s3(), self.value(&all::OBJECT_STORE, value::object_store))
    }

    fn s3(&mut self) -> Option<S3> {
        let needed = [&all::S3_BUCKET, &all::S3_ACCESS_KEY_ID, &all::S3_SECRET_ACCESS_KEY];
        let parts = [needed[0], needed[1], needed[2], &all::S3_ENDPOINT, &all::S3_REGION];
        if let Some(given) = parts.into_iter().find(|setting| self.is_given(setting)) {
            self.require(given, &needed);
        }
        let endpoint = self.value(&all::S3_ENDPOINT, value::endpoint);
        let bucket = self.value(&all::S3_BUCKET, value::word);
        let region = self.value(&all::S3_REGION, value::word);
        let access_key_id = self.value(&all::S3_ACCESS_KEY_ID, value::secret_word);
        let secret_access_key = self.value(&all::S3_SECRET_ACCESS_KEY, value::secret_word);
        Some(S3 {
            endpoint,
            bucket: bucket?,
            region: region.unwrap_or_else(|| all::S3_REGION.fallback.text().to_owned()),
            access_key_id: access_key_id?,
            secret_access_key: secret_access_key?,
        })
    }

    fn stripe(&mut self) -> Option<Stripe> {
        self.require(&all::STRIPE_API_BASE, &[&all::STRIPE_SECRET_KEY]);
        let secret_key = self.value(&all::STRIPE_SECRET_KEY, value::secret_word);
        let api_base = if self.is_given(&all::STRIPE_API_BASE) {
            self.value(&all::STRIPE_API_BASE, value::endpoint)
        } else {
            value::endpoint(all::STRIPE_API_BASE.fallback.text()).ok()
        };
        Some(Stripe { secret_key: secret_key?, api_base: api_base? })
    }

    /// The keys for YouTube and Reddit, and the memory for what is looked for.
    fn watching(&mut self) -> (Option<SecretString>, Option<Reddit>, Option<usize>) {
        let youtube = self.value(&all::YOUTUBE_API_KEY, value::secret_word);
        (youtube, self.reddit(), self.value(&all::RECOGNITION_MEMORY, value::megabytes))
    }

    fn reddit(&mut self) -> Option<Reddit> {
        self.require(&all::REDDIT_CLIENT_ID, &[&all::REDDIT_CLIENT_SECRET]);
        self.require(&all::REDDIT_CLIENT_SECRET, &[&all::REDDIT_CLIENT_ID]);
        let client_id = self.value(&all::REDDIT_CLIENT_ID, value::secret_word);
        let client_secret = self.value(&all::REDDIT_CLIENT_SECRET, value::secret_word);
        Some(Reddit { client_id: client_id?, client_secret: client_secret? })
    }

    fn retention(&mut self) -> Option<Retention> {
        let events = self.value(&all::RETENTION_EVENTS, value::days);
        let access = self.value(&all::RETENTION_ACCESS, value::days);
        let audit = self.value(&all::RETENTION_AUDIT, value::days);
        let evidence = self.value(&all::RETENTION_EVIDENCE, value::days);
        Some(Retention { events: events?, access: access?, audit: audit?, evidence: evidence? })
    }

    /// Reports a setting that requires others.
    fn require(&mut self, given: &Setting, needed: &[&Setting]) {
        if !self.is_given(given) {
            return;
        }
        let missing: Vec<_> = needed
            .iter()
            .filter(|setting| !self.is_given(setting))
            .map(|setting| setting.key)
            .collect();
        if !missing.is_empty() {
            let verb = if missing.len() == 1 { "is" } else { "are" };
            let what = format!("requires {}, which {verb} not set", missing.join(" and "));
            self.fault(given, what);
        }
    }

    /// The default is the listen address, which must then be one that clients can use.
    fn check_public_url(&mut self, config: &Config) {
        if self.is_given(&all::PUBLIC_URL) || config.is_local() {
            return;
        }
        if config.listen.ip().to_canonical().is_unspecified() {
            self.fault(&all::PUBLIC_URL, NO_URL);
        } else if !config.trusted_proxies.is_empty() {
            let what = "must be set, because clients use the proxy's address";
            self.fault(&all::PUBLIC_URL, what);
        }
    }

    /// Checks rules that involve several settings.
    fn check(&mut self, config: &Config) {
        // Credentials must not cross a network unencrypted: plain HTTP is only allowed on loopback
        // or behind a proxy that terminates TLS.
        if !config.is_local() && config.tls.is_none() && config.trusted_proxies.is_empty() {
            let what = format!(
                "{} would serve plain HTTP to other machines; \
                 set tls_cert and tls_key, or trusted_proxies for a proxy that terminates TLS",
                config.listen
            );
            self.fault(&all::LISTEN, what);
        }
        self.check_public_url(config);
        // With port 0 the system chooses a free port each time.
        if config.metrics_listen == Some(config.listen) && config.listen.port() != 0 {
            self.fault(&all::METRICS_LISTEN, "must differ from listen");
        }
        let is_postgres = matches!(config.database, Database::Postgres(_));
        if config.database_replica_url.is_some() && !is_postgres {
            self.fault(&all::DATABASE_REPLICA_URL, "requires a PostgreSQL database_url");
        }
    }
}
