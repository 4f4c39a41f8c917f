//! PostgreSQL: each thread owns a connection and runs units with the blocking client.
//!
//! Writes use READ COMMITTED: invariants rely on constraints and conditional updates.

mod catalog;
mod session;
mod thread;

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;
use postgres::Config;
use postgres::config::Host;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

pub(super) use self::catalog::QUERIES;
pub(super) use self::session::Session;
use super::Options;
use super::job::Job;
use super::pool::{Pool, Threads};
use crate::error::{Error, Result};

/// Connects and starts the threads, each with its own connection.
pub(super) fn open(url: &str, options: &Options) -> Result<Pool> {
    let time = options.time_limit;
    let writer = Connector::new(url, Access::Write, time)?;
    // Connects once now, so that a wrong host or password fails at startup.
    drop(writer.connect()?);
    let reader = Connector::new(url, Access::Read, time)?;
    let replica = options.replica.as_deref().map(|url| Connector::new(url, Access::Read, time));
    let replica = replica.transpose()?;
    Ok(Pool {
        inline: None,
        folder: None,
        writes: start("postgres-writer", options.writers, &writer)?,
        // One is enough: the background worker runs one unit at a time.
        background: Some(start("postgres-background", 1, &writer)?),
        reads: start("postgres-reader", options.readers, &reader)?,
        replica: replica.map(|it| start("postgres-replica", options.readers, &it)).transpose()?,
    })
}

fn start(name: &str, count: usize, connector: &Connector) -> Result<Threads> {
    let body = |_| {
        let connector = connector.clone();
        move |incoming: &Receiver<Job>| thread::run(&connector, incoming)
    };
    Threads::start(name, (0..count.max(1)).map(body))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// Connects to the server, again after each lost connection.
#[derive(Clone)]
struct Connector {
    config: Config,
    access: Access,
    tls: MakeRustlsConnect,
}

impl Connector {
    fn new(url: &str, access: Access, time: Duration) -> Result<Self> {
        let mut config: Config = url
            .parse()
            .map_err(|error| Error::Unavailable(format!("the URL is invalid: {error}")))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(Error::Unavailable("the URL has no host".to_owned()));
        }
        let read_only = if access == Access::Read { "on" } else { "off" };
        let own = config.get_options().unwrap_or_default().to_owned();
        config
            .options(&format!(
                "{own} -c statement_timeout={} -c lock_timeout=5000 \
                 -c idle_in_transaction_session_timeout=30000 \
                 -c default_transaction_read_only={read_only}",
                time.as_millis()
            ))
            .application_name("grantor")
            .connect_timeout(Duration::from_secs(5))
            // Detects a server that vanished within seconds instead of a quarter of an hour.
            .tcp_user_timeout(Duration::from_secs(20))
            .keepalives_idle(Duration::from_secs(10))
            .keepalives_interval(Duration::from_secs(5))
            .keepalives_retries(2);
        Ok(Self { config, access, tls: tls()? })
    }

    fn connect(&self) -> Result<Session> {
        let client = self
            .config
            .connect(self.tls.clone())
            .map_err(|error| Error::Unavailable(self.refusal(&error)))?;
        Ok(Session::new(client))
    }

    /// Describes a failed connection, without the user and the password.
    fn refusal(&self, error: &postgres::Error) -> String {
        let verb =
            if session::is_answer(error) { "refused the connection" } else { "does not respond" };
        let reason = session::connect_reason(error, &self.config);
        let place = place(&self.config);
        match self.config.get_dbname() {
            Some(name) if !reason.contains(&format!("\"{name}\"")) => {
                format!("PostgreSQL at {place} {verb}: {reason} (database \"{name}\")")
            }
            _ => format!("PostgreSQL at {place} {verb}: {reason}"),
        }
    }
}

/// Host and port of every server in the URL.
fn place(config: &Config) -> String {
    let names: Vec<_> = match config.get_hosts() {
        [] => config.get_hostaddrs().iter().map(ToString::to_string).collect(),
        hosts => hosts.iter().map(host_name).collect(),
    };
    let ports = config.get_ports();
    let places = names.iter().enumerate().map(|(index, name)| {
        // A single port applies to all hosts.
        let port = ports.get(index).or(ports.first()).copied().unwrap_or(5432);
        if name.contains(':') { format!("[{name}]:{port}") } else { format!("{name}:{port}") }
    });
    places.collect::<Vec<_>>().join(", ")
}

fn host_name(host: &Host) -> String {
    match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(path) => path.display().to_string(),
    }
}

fn tls() -> Result<MakeRustlsConnect> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Fault(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
