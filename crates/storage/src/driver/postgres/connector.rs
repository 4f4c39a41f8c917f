//! Finds a server that fits and connects to it, again after each lost connection.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use metrics::counter;
use tokio_postgres::Config;

use super::client::Client;
use super::failure::CallError;
use super::session::{IDLE_LIMIT, LOCK_LIMIT, Session, SessionOptions};
use super::tls::Tls;
use super::url::{ServerUrl, Target};
use crate::driver::wait::now;
use crate::error::{Error, Result};

/// How long connecting may take if there is no other server to try.
const ONE_SERVER: Duration = Duration::from_secs(5);
/// The same if there is.
const SEVERAL_SERVERS: Duration = Duration::from_secs(2);
/// How long a failed search is remembered, so that not every unit repeats it.
const PAUSE: Duration = Duration::from_millis(250);
/// Says whether the server is a standby, whether it refuses writes, and whether it knows the
/// settings that were sent at the start. A pooler in between does not pass them on.
const ROLE: &str = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only'), \
                    current_setting('grantor.direct', true)";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// Connects to the servers of a URL. All connectors of a URL share which server is in use.
#[derive(Clone)]
pub(super) struct Connector(Arc<Shared>);

struct Shared {
    servers: Vec<Server>,
    target: Target,
    tls: Tls,
    access: Access,
    time: Duration,
    /// The server that connections use.
    current: Arc<AtomicUsize>,
    failed: Mutex<Option<(Instant, Error)>>,
    /// A connection that no thread has taken yet.
    spare: Mutex<Option<Session>>,
}

struct Server {
    /// With the settings of a session.
    direct: Config,
    /// Without them: a pooler rejects them, because its sessions are not its clients'.
    pooled: Config,
    is_pooled: AtomicBool,
    place: String,
}

impl Connector {
    /// Connects nowhere yet. The time limit applies to each statement.
    pub(super) fn new(url: &ServerUrl, access: Access, time: Duration) -> Self {
        let server = |it: &super::url::Server| Server {
            direct: with_settings(&it.config, access, time),
            pooled: it.config.clone(),
            is_pooled: AtomicBool::new(false),
            place: it.place.clone(),
        };
        Self(Arc::new(Shared {
            servers: url.servers.iter().map(server).collect(),
            target: url.target,
            tls: url.tls.clone(),
            access,
            time,
            current: Arc::clone(&url.current),
            failed: Mutex::new(None),
            spare: Mutex::new(None),
        }))
    }

    pub(super) fn has_several_servers(&self) -> bool {
        self.0.servers.len() > 1
    }

    /// Whether the session's server is the one to use. Another thread may have left it.
    pub(super) fn is_current(&self, session: &Session) -> bool {
        self.0.current.load(Ordering::Relaxed) == session.server()
    }

    /// Makes connections try the other servers first.
    pub(super) fn leave(&self, server: usize) {
        let next = (server + 1) % self.0.servers.len();
        let left =
            self.0.current.compare_exchange(server, next, Ordering::Relaxed, Ordering::Relaxed);
        if next != server && left.is_ok() {
            let place = self.0.servers[server].place.as_str();
            tracing::warn!(server = place, "left a database server that is not the right one");
            counter!("grantor_database_servers_left_total").increment(1);
        }
    }

    /// Connects to the first server that fits, beginning with the one in use.
    pub(super) fn connect(&self) -> Result<Session> {
        let recent = self.failed().clone().filter(|(at, _)| at.elapsed() < PAUSE);
        if let Some((_, error)) = recent {
            return Err(error);
        }
        let found = self.search();
        *self.failed() = found.as_ref().err().map(|error| (now(), error.clone()));
        found
    }

    /// Connects for the first thread that needs a connection.
    pub(super) fn connect_ahead(&self) -> Result<()> {
        *self.spare() = Some(self.connect()?);
        Ok(())
    }

    /// The connection that was made ahead, once.
    pub(super) fn take_spare(&self) -> Option<Session> {
        self.spare().take()
    }

    fn spare(&self) -> MutexGuard<'_, Option<Session>> {
        self.0.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self) -> MutexGuard<'_, Option<(Instant, Error)>> {
        self.0.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn search(&self) -> Result<Session> {
        let (count, first) = (self.0.servers.len(), self.0.current.load(Ordering::Relaxed));
        let mut refusals = Vec::new();
        for index in (0..count).map(|offset| (first + offset) % count) {
            match self.connect_to(index) {
                Ok(session) => {
                    self.0.current.store(index, Ordering::Relaxed);
                    return Ok(session);
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        Err(combined(refusals))
    }

    fn connect_to(&self, index: usize) -> Result<Session> {
        let server = &self.0.servers[index];
        let tls = self.0.tls.connector().map_err(Error::Unavailable)?;
        let limit = if self.has_several_servers() { SEVERAL_SERVERS } else { ONE_SERVER };
        let limit = server.direct.get_connect_timeout().copied().unwrap_or(limit);
        let connect = || {
            if server.is_pooled.load(Ordering::Relaxed) {
                return Client::connect(&server.pooled, tls.clone(), limit);
            }
            match Client::connect(&server.direct, tls.clone(), limit) {
                Err(error) if error.is_pooler() => {
                    server.is_pooled.store(true, Ordering::Relaxed);
                    Client::connect(&server.pooled, tls.clone(), limit)
                }
                other => other,
            }
        };
        let client = connect().map_err(|error| Error::Unavailable(server.refusal(&error)))?;
        let role = client.last_row(ROLE);
        let role = role.map_err(|error| Error::Unavailable(server.refusal(&error)))?;
        let cell = |column: usize| role.get(column).and_then(Option::as_deref);
        let (is_standby, is_read_only) = (cell(0) == Some("t"), cell(1) == Some("on"));
        if cell(2) != Some("on") {
            server.is_pooled.store(true, Ordering::Relaxed);
        }
        if let Err(refusal) = self.check(server, is_standby, is_read_only) {
            client.close();
            return Err(refusal);
        }
        let options = SessionOptions {
            server: index,
            pooled: server.is_pooled.load(Ordering::Relaxed),
            access: self.0.access,
            primary_only: self.0.access == Access::Write || self.0.target == Target::Primary,
            time: self.0.time,
        };
        Ok(Session::new(client, options))
    }

    /// Whether a server fits. A primary that refuses writes can still be read.
    fn check(&self, server: &Server, is_standby: bool, is_read_only: bool) -> Result<()> {
        let place = &server.place;
        match (self.0.access, self.0.target) {
            (Access::Write, _) | (_, Target::Primary) if is_standby => {
                Err(Error::ReadOnly(format!("PostgreSQL at {place} is a standby")))
            }
            (Access::Write, _) if is_read_only => {
                Err(Error::ReadOnly(format!("PostgreSQL at {place} refuses writes")))
            }
            (Access::Read, Target::Standby) if !is_standby => {
                Err(Error::Unavailable(format!("PostgreSQL at {place} is not a standby")))
            }
            _ => Ok(()),
        }
    }
}

impl Server {
    /// Describes a failed connection, without the user and the password.
    fn refusal(&self, error: &CallError) -> String {
        let verb = if error.is_answer() { "refused the connection" } else { "does not respond" };
        let (config, place) = (&self.pooled, &self.place);
        let reason = error.connect_reason(config);
        match config.get_dbname() {
            Some(name) if !reason.contains(&format!("\"{name}\"")) => {
                format!("PostgreSQL at {place} {verb}: {reason} (database \"{name}\")")
            }
            _ => format!("PostgreSQL at {place} {verb}: {reason}"),
        }
    }
}

/// Adds the settings of a session. Writers leave `default_transaction_read_only` to the server:
/// operators set it to stop all writes.
fn with_settings(config: &Config, access: Access, time: Duration) -> Config {
    let own = config.get_options().unwrap_or_default();
    let read_only =
        if access == Access::Read { " -c default_transaction_read_only=on" } else { "" };
    let (time, lock, idle) = (time.as_millis(), LOCK_LIMIT.as_millis(), IDLE_LIMIT.as_millis());
    let mut config = config.clone();
    config.options(format!(
        "{own} -c statement_timeout={time} -c lock_timeout={lock} \
         -c idle_in_transaction_session_timeout={idle} -c grantor.direct=on{read_only}"
    ));
    config
}

/// The refusals of all servers as one error.
fn combined(refusals: Vec<Error>) -> Error {
    let read_only = refusals.iter().any(|it| matches!(it, Error::ReadOnly(_)));
    let texts = refusals.into_iter().map(|refusal| match refusal {
        Error::Unavailable(text) | Error::ReadOnly(text) => text,
        other => other.to_string(),
    });
    let text = texts.collect::<Vec<_>>().join("; ");
    if read_only { Error::ReadOnly(text) } else { Error::Unavailable(text) }
}
