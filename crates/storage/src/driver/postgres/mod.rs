//! PostgreSQL: threads that each own a connection and run units with the blocking client.
//!
//! Isolation is READ COMMITTED: invariants rest on constraints and conditional updates.

mod catalog;
mod session;
mod thread;

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::Sender;
use postgres::Config;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

pub(super) use self::catalog::QUERIES;
pub(super) use self::session::Session;
use super::Options;
use super::job::Job;
use super::sqlite::{enqueue, spawn};
use crate::error::{Error, Result};

const QUEUE: usize = 1_024;

#[derive(Clone, Debug)]
pub(super) struct Pool {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    reads: Option<Sender<Job>>,
    lagging: Option<Sender<Job>>,
    writes: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    pub(super) fn open(url: &str, options: &Options) -> Result<Self> {
        let writer = Connector::new(url, Access::Write)?;
        // One connection now, so that a wrong address or password stops the start.
        drop(writer.connect()?);
        let reader = Connector::new(url, Access::Read)?;
        let mut threads = Vec::new();
        let writes = start(&mut threads, "postgres-writer", options.writers, &writer)?;
        let reads = start(&mut threads, "postgres-reader", options.readers, &reader)?;
        let lagging = match &options.replica {
            Some(url) => {
                let replica = Connector::new(url, Access::Read)?;
                Some(start(&mut threads, "postgres-replica", options.readers, &replica)?)
            }
            None => None,
        };
        let inner = Inner { reads: Some(reads), lagging, writes: Some(writes), threads };
        Ok(Self { inner: Arc::new(inner) })
    }

    pub(super) fn read(&self, job: Job) -> Result<()> {
        enqueue(self.inner.reads.as_ref(), job)
    }

    pub(super) fn read_lagging(&self, job: Job) -> Result<()> {
        enqueue(self.inner.lagging.as_ref().or(self.inner.reads.as_ref()), job)
    }

    pub(super) fn write(&self, job: Job) -> Result<()> {
        enqueue(self.inner.writes.as_ref(), job)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.reads = None;
        self.lagging = None;
        self.writes = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn start(
    threads: &mut Vec<JoinHandle<()>>,
    name: &str,
    count: usize,
    connector: &Connector,
) -> Result<Sender<Job>> {
    let (jobs, incoming) = crossbeam_channel::bounded(QUEUE);
    for _ in 0..count.max(1) {
        let (connector, incoming) = (connector.clone(), incoming.clone());
        threads.push(spawn(name, move || thread::run(&connector, &incoming))?);
    }
    Ok(jobs)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// Knows how to reach the server again after it went away.
#[derive(Clone)]
struct Connector {
    config: Config,
    access: Access,
    tls: MakeRustlsConnect,
}

impl Connector {
    fn new(url: &str, access: Access) -> Result<Self> {
        let mut config: Config = url
            .parse()
            .map_err(|error| Error::Unavailable(format!("the address does not read: {error}")))?;
        let read_only = if access == Access::Read { "on" } else { "off" };
        let own = config.get_options().unwrap_or_default().to_owned();
        config
            .options(&format!(
                "{own} -c statement_timeout=15000 -c lock_timeout=5000 \
                 -c idle_in_transaction_session_timeout=30000 \
                 -c default_transaction_read_only={read_only}"
            ))
            .application_name("grantor")
            .connect_timeout(Duration::from_secs(5))
            // A server that vanished without a word is noticed within seconds, not a quarter hour.
            .tcp_user_timeout(Duration::from_secs(20))
            .keepalives_idle(Duration::from_secs(10))
            .keepalives_interval(Duration::from_secs(5))
            .keepalives_retries(2);
        Ok(Self { config, access, tls: tls()? })
    }

    fn connect(&self) -> Result<Session> {
        let client = self.config.connect(self.tls.clone()).map_err(|error| {
            Error::Unavailable(format!("PostgreSQL does not answer: {}", session::reason(&error)))
        })?;
        Ok(Session::new(client))
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
