//! The configuration: what may be set, where a value came from, and the typed whole.
//!
//! Nothing here reads the process's environment; it is an argument, so that tests give their own.

mod file;
mod mask;
mod names;
mod plans;
mod problem;
mod read;
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
use ipnet::IpNet;
use secrecy::SecretString;
use url::Url;

pub(crate) use problem::Problems;
pub(crate) use source::{Flags, Settings, Source, Sources, read_secret};

/// Reads the configuration, or says in one sentence for each fault what is wrong with it.
pub(crate) fn load<E>(sources: Sources<E>) -> Result<(Settings, Config), Problems>
where
    E: IntoIterator<Item = (OsString, OsString)>,
{
    let settings = Settings::gather(sources)?;
    let config = Config::read(&settings)?;
    Ok((settings, config))
}

/// Every setting, read and checked.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// Where requests are accepted.
    pub(crate) listen: SocketAddr,
    /// Keys, and everything that is not stored elsewhere.
    pub(crate) data_dir: PathBuf,
    /// Where records are kept.
    pub(crate) database: Database,
    /// PostgreSQL to read the catalog and lists from.
    pub(crate) database_replica_url: Option<SecretString>,
    /// Shared counters; in memory without it.
    pub(crate) redis_url: Option<SecretString>,
    /// Where others reach this server.
    pub(crate) public_url: Origin,
    /// Last part of `/.well-known/<service>`.
    pub(crate) service_name: String,
    /// Mail server; files without it.
    pub(crate) smtp_url: Option<SecretString>,
    /// Sender of every mail.
    pub(crate) mail_from: String,
    /// Bucket for images; files without it.
    pub(crate) s3: Option<S3>,
    /// Payments; the sandbox without it.
    pub(crate) stripe: Option<Stripe>,
    /// Certificate and key; plain HTTP without them.
    pub(crate) tls: Option<Tls>,
    /// Whose X-Forwarded-For and X-Forwarded-Proto count.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// How long a connection may idle between two requests.
    pub(crate) keep_alive: Duration,
    /// Connections that one address may hold.
    pub(crate) connections_per_address: usize,
    /// Where metrics are served, if at all.
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// What each plan costs and allows.
    pub(crate) plans: Plans,
    /// Rate limits in force.
    pub(crate) limits: Limits,
    /// Which new passwords are taken.
    pub(crate) password_policy: PasswordPolicy,
    /// Delay of each webhook attempt after the one before it.
    pub(crate) webhook_schedule: Vec<Duration>,
    /// How long records of each class are kept.
    pub(crate) retention: Retention,
    /// Networks that webhooks and scans may reach besides the public internet.
    pub(crate) outbound_allow: AllowedNetworks,
    /// What is logged.
    pub(crate) log: String,
    /// In which form.
    pub(crate) log_format: LogFormat,
    /// Whether `serve` also does the background work.
    pub(crate) workers: bool,
}

impl Config {
    /// Whether only this machine can connect.
    pub(crate) fn is_local(&self) -> bool {
        self.listen.ip().to_canonical().is_loopback()
    }
}

/// Where records are kept.
#[derive(Clone, Debug)]
pub(crate) enum Database {
    /// In this file.
    Sqlite(PathBuf),
    /// In the PostgreSQL database of this URL.
    Postgres(SecretString),
}

/// A bucket for images.
#[derive(Clone, Debug)]
pub(crate) struct S3 {
    /// Address of the service; Amazon's for the region without it.
    pub(crate) endpoint: Option<Url>,
    /// Name of the bucket.
    pub(crate) bucket: String,
    /// Region of the bucket.
    pub(crate) region: String,
    /// Public half of the credential.
    pub(crate) access_key_id: SecretString,
    /// Secret half of the credential.
    pub(crate) secret_access_key: SecretString,
}

/// The account that takes payments.
#[derive(Clone, Debug)]
pub(crate) struct Stripe {
    /// Its secret key.
    pub(crate) secret_key: SecretString,
    /// Address of the API.
    pub(crate) api_base: Url,
}

/// PEM files for TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tls {
    /// The certificate chain.
    pub(crate) cert: PathBuf,
    /// The private key.
    pub(crate) key: PathBuf,
}

/// Days that records of each class are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Retention {
    /// Events and their deliveries.
    pub(crate) events: u32,
    /// The access log.
    pub(crate) access: u32,
    /// The audit log.
    pub(crate) audit: u32,
}

/// Form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// For people on a terminal, for machines otherwise.
    Auto,
    /// For people.
    Human,
    /// For machines.
    Json,
}

/// Scheme, host and port. Written without a trailing slash, so that a path can follow.
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
