//! The configuration: the settings table, where each value comes from, and the typed result.
//!
//! The process's environment is an argument, so that tests can pass their own.

mod file;
mod fonts;
mod mask;
mod plans;
mod problem;
mod read;
mod setting_names;
pub(crate) mod settings;
mod source;
mod value;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_domain::network::AllowedNetworks;
use grantor_domain::password::PasswordPolicy;
use grantor_domain::plan::Plans;
use grantor_keys::RingSecret;
use grantor_receipt::CertificateFonts;
use grantor_service::operations::trace::Sampling;
use ipnet::IpNet;
use secrecy::SecretString;
use url::Url;

pub(crate) use problem::Problems;
pub(crate) use source::{Flags, Settings, Sources, ValueSource, read_secret};

/// Loads the configuration. The error has one line for each problem.
pub(crate) fn load<E>(sources: Sources<E>) -> Result<(Settings, Config), Problems>
where
    E: IntoIterator<Item = (OsString, OsString)>,
{
    let settings = Settings::gather(sources)?;
    let config = Config::read(&settings)?;
    Ok((settings, config))
}

/// All settings, parsed and validated.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The address that accepts requests.
    pub(crate) listen: SocketAddr,
    /// The directory for keys and for everything not stored elsewhere.
    pub(crate) data_dir: PathBuf,
    /// Where the key ring is.
    pub(crate) key_ring: KeyRing,
    /// The database.
    pub(crate) database: Database,
    /// A PostgreSQL replica to read the catalog and the lists of logs from.
    pub(crate) database_replica_url: Option<SecretString>,
    /// Shared counters; in memory without it.
    pub(crate) redis_url: Option<SecretString>,
    /// The URL at which clients reach this server.
    pub(crate) public_url: Origin,
    /// Whether that URL is set; otherwise it is the listen address.
    pub(crate) has_public_url: bool,
    /// The last part of `/.well-known/<service>`.
    pub(crate) service_name: String,
    /// The mail server; mails are written to files without it.
    pub(crate) smtp_url: Option<SecretString>,
    /// The sender of all mails.
    pub(crate) mail_from: String,
    /// Fonts for characters that the built-in font of certificates lacks.
    pub(crate) certificate_fonts: CertificateFonts,
    /// The bucket for images.
    pub(crate) s3: Option<S3>,
    /// Where images are stored without a bucket.
    pub(crate) object_store: ObjectStore,
    /// The Stripe account; the sandbox without it.
    pub(crate) stripe: Option<Stripe>,
    /// The key of YouTube's API; channels are only watched by pushes without it.
    pub(crate) youtube_api_key: Option<SecretString>,
    /// The Reddit app; Reddit is not watched without it.
    pub(crate) reddit: Option<Reddit>,
    /// The most memory for names and hashes that content is compared with, in bytes.
    pub(crate) recognition_memory: usize,
    /// Certificate and key; plain HTTP without them.
    pub(crate) tls: Option<Tls>,
    /// Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// How long a connection may be idle between two requests.
    pub(crate) keep_alive: Duration,
    /// How the program ends, and what it tells about its requests.
    pub(crate) signals: Signals,
    /// The maximum number of connections per client address.
    pub(crate) connections_per_address: usize,
    /// The address of the metrics listener, if there is one.
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// The price and limits of each plan.
    pub(crate) plans: Plans,
    /// The rate limits.
    pub(crate) limits: Limits,
    /// The rules for new passwords.
    pub(crate) password_policy: PasswordPolicy,
    /// The delay before each webhook attempt.
    pub(crate) webhook_schedule: Vec<Duration>,
    /// How long each class of records is kept.
    pub(crate) retention: Retention,
    /// Networks that webhooks and scans may reach besides the public internet.
    pub(crate) outbound_allow: AllowedNetworks,
    /// The log filter.
    pub(crate) log: String,
    /// The log format.
    pub(crate) log_format: LogFormat,
    /// The message files of languages besides the built-in ones.
    pub(crate) messages_dir: Option<PathBuf>,
    /// Whether `serve` also does the background work.
    pub(crate) workers: bool,
}

impl Config {
    /// Whether only this machine can connect.
    pub(crate) fn is_local(&self) -> bool {
        self.listen.ip().to_canonical().is_loopback()
    }
}

/// Where the key ring is.
#[derive(Clone, Debug)]
pub(crate) enum KeyRing {
    /// In the data directory.
    File,
    /// In a file that others write, such as a mounted secret.
    Mounted(PathBuf),
    /// In the database, sealed with this secret.
    Database(RingSecret),
}

/// The database.
#[derive(Clone, Debug)]
pub(crate) enum Database {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// The URL of a PostgreSQL database.
    Postgres(SecretString),
}

/// Where images are stored without a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectStore {
    /// In a PostgreSQL database, or as files next to a SQLite file.
    Auto,
    /// In the database.
    Database,
    /// As files in the data directory.
    Files,
}

/// A bucket for images.
#[derive(Clone, Debug)]
pub(crate) struct S3 {
    /// The URL of the service; Amazon's for the region without it.
    pub(crate) endpoint: Option<Url>,
    /// Name of the bucket.
    pub(crate) bucket: String,
    /// Region of the bucket.
    pub(crate) region: String,
    /// The id of the access key.
    pub(crate) access_key_id: SecretString,
    /// The secret of the access key.
    pub(crate) secret_access_key: SecretString,
}

/// The Stripe account for payments.
#[derive(Clone, Debug)]
pub(crate) struct Stripe {
    /// Its secret key.
    pub(crate) secret_key: SecretString,
    /// The URL of the API.
    pub(crate) api_base: Url,
}

/// An app that the operator registered at Reddit.
#[derive(Clone, Debug)]
pub(crate) struct Reddit {
    /// Its ID.
    pub(crate) client_id: SecretString,
    /// Its secret.
    pub(crate) client_secret: SecretString,
}

/// PEM files for TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tls {
    /// The certificate chain.
    pub(crate) cert: PathBuf,
    /// The private key.
    pub(crate) key: PathBuf,
}

/// How many days each class of records is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Retention {
    /// Events and their deliveries.
    pub(crate) events: u32,
    /// The access log.
    pub(crate) access: u32,
    /// The audit log.
    pub(crate) audit: u32,
    /// Evidence of mentions.
    pub(crate) evidence: u32,
}

/// How the program ends, and what it tells about its requests.
#[derive(Clone, Debug)]
pub(crate) struct Signals {
    /// How long a server goes on answering after it was told to stop.
    pub(crate) drain_delay: Duration,
    /// How many requests are logged per second.
    pub(crate) log_requests: u32,
    /// The collector of traces and metrics, if there is one.
    pub(crate) otlp: Option<Otlp>,
}

/// An OpenTelemetry collector.
#[derive(Clone, Debug)]
pub(crate) struct Otlp {
    /// Its URL, to which the paths of OTLP are added.
    pub(crate) endpoint: Url,
    /// Headers for it, separated by commas.
    pub(crate) headers: Option<SecretString>,
    /// The share of traces that are sent.
    pub(crate) sampling: Sampling,
}

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// `Human` on a terminal, `Json` otherwise.
    Auto,
    /// Readable lines.
    Human,
    /// One JSON object per line.
    Json,
}

/// Scheme, host and port. Displayed without a trailing slash, so that a path can follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin(Url);

impl Origin {
    /// The origin as a URL, whose path is `/`.
    pub(crate) fn as_url(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_url().as_str().trim_end_matches('/'))
    }
}
