//! PostgreSQL: each thread owns a connection and runs units on it, one at a time.
//!
//! Writes use READ COMMITTED: invariants rely on constraints and conditional updates.

mod catalog;
mod client;
mod connector;
mod failure;
mod replica;
mod session;
mod thread;
mod tls;
mod url;

use std::sync::Arc;
use std::time::Duration;

pub(super) use self::catalog::QUERIES;
use self::connector::{Access, Connector};
use self::replica::Fallback;
pub(super) use self::session::Session;
use self::url::ServerUrl;
use super::freshness::{Freshness, ReplicaLag};
use super::job::Job;
use super::pool::{Pool, Replica, Threads};
use super::queue::Receiver;
use super::{DatabaseRole, Options};
use crate::error::{Error, Result};

/// The time limit of a statement on a replica: a unit that takes longer runs on the primary.
const REPLICA_TIME: Duration = Duration::from_secs(5);

/// Checks a URL and reads the files that it names. The error is a sentence without the password.
pub(super) fn check(url: &str, role: DatabaseRole) -> Result<(), String> {
    ServerUrl::parse(url, role)?.tls.connector().map(drop)
}

/// Connects and starts the threads, each with its own connection.
pub(super) fn open(url: &str, options: &Options) -> Result<Pool> {
    let time = options.time_limit;
    let url = ServerUrl::parse(url, DatabaseRole::Primary).map_err(Error::Unavailable)?;
    let (reader, writer) =
        (Connector::new(&url, Access::Read, time), Connector::new(&url, Access::Write, time));
    // Connects once now, so that a wrong host or password fails at startup.
    reader.connect_ahead()?;
    let reads = start("postgres-reader", options.readers, &reader, None, options)?;
    let replica = match &options.replica {
        Some(url) => Some(open_replica(url, options, &reader, &reads)?),
        None => None,
    };
    Ok(Pool {
        inline: None,
        folder: None,
        writes: start("postgres-writer", options.writers, &writer, None, options)?,
        // One is enough: the background worker runs one unit at a time.
        background: Some(start("postgres-background", 1, &writer, None, options)?),
        heartbeat: Some(start("postgres-heartbeat", 1, &writer, None, options)?),
        reads,
        replica,
    })
}

/// Measures how far a replica is behind the primary.
pub(super) fn measure_replica(url: &str, replica: &str, options: &Options) -> Result<ReplicaLag> {
    let connector = |url: &str, role: DatabaseRole| -> Result<Connector> {
        let url = ServerUrl::parse(url, role).map_err(Error::Unavailable)?;
        Ok(Connector::new(&url, Access::Read, options.time_limit.min(REPLICA_TIME)))
    };
    let primary = connector(url, DatabaseRole::Primary)?;
    replica::measure(&primary, &connector(replica, DatabaseRole::Replica)?)
}

fn open_replica(
    url: &str,
    options: &Options,
    primary: &Connector,
    reads: &Threads,
) -> Result<Replica> {
    let url = ServerUrl::parse(url, DatabaseRole::Replica).map_err(Error::Unavailable)?;
    let connector = Connector::new(&url, Access::Read, options.time_limit.min(REPLICA_TIME));
    let freshness = Arc::new(Freshness::new());
    let fallback = Fallback { freshness: Arc::clone(&freshness), primary: reads.sender()? };
    let threads = start("postgres-replica", options.readers, &connector, Some(&fallback), options)?;
    let watch = {
        let (primary, freshness) = (primary.clone(), Arc::clone(&freshness));
        move |stop: &Receiver<Job>| replica::watch(&primary, &connector, &freshness, stop)
    };
    let monitor = Threads::start("postgres-replica-lag", options.wait_limit, [watch])?;
    Ok(Replica { threads, monitor, freshness })
}

fn start(
    name: &'static str,
    count: usize,
    connector: &Connector,
    fallback: Option<&Fallback>,
    options: &Options,
) -> Result<Threads> {
    let body = |_| {
        let (connector, fallback) = (connector.clone(), fallback.cloned());
        move |incoming: &Receiver<Job>| thread::run(&connector, incoming, fallback.as_ref())
    };
    Threads::start(name, options.wait_limit, (0..count.max(1)).map(body))
}
