//! A connection that blocks its thread, with a time limit for every answer: a server that stands
//! still must not hold a thread forever, and its own limits do not end a wait for it.

use std::cell::Cell;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Config, Error as DriverError, SimpleQueryMessage, Statement as Prepared};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::failure::CallError;
use crate::driver::{Row, RowOf};
use crate::error::Result;
use crate::value::Value;

/// How long closing a connection may take.
const CLOSE: Duration = Duration::from_secs(1);

/// How a statement runs.
#[derive(Clone)]
pub(super) enum Plan {
    /// It was prepared on this connection.
    Prepared(Prepared),
    /// It is parsed again by whichever connection of the pooler runs it. These are the types of its
    /// parameters.
    Parsed(Arc<[Type]>),
}

pub(super) struct Client {
    postgres: tokio_postgres::Client,
    /// Runs the connection while the thread waits for an answer.
    runtime: Runtime,
    connection: JoinHandle<Result<(), DriverError>>,
    limit: Cell<Option<Duration>>,
    is_silent: Cell<bool>,
}

impl Client {
    /// Connects, within the time limit, which stays until [`Self::limit`] changes it.
    pub(super) fn connect(
        config: &Config,
        tls: MakeRustlsConnect,
        limit: Duration,
    ) -> Result<Self, CallError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(CallError::System)?;
        let connected = runtime.block_on(async { timeout(limit, config.connect(tls)).await });
        match connected {
            Ok(Ok((client, connection))) => {
                let connection = runtime.spawn(connection);
                let (limit, is_silent) = (Cell::new(Some(limit)), Cell::new(false));
                Ok(Self { postgres: client, runtime, connection, limit, is_silent })
            }
            failed => {
                // The system may still be looking up the name; nobody waits for it.
                runtime.shutdown_background();
                match failed {
                    Ok(Err(error)) => Err(error.into()),
                    _ => Err(CallError::Silence(limit)),
                }
            }
        }
    }

    /// Sets how long the server may take for each answer.
    pub(super) fn limit(&self, limit: Option<Duration>) {
        self.limit.set(limit);
    }

    /// Whether nothing more can be sent, because the connection is lost or the server did not
    /// answer in time.
    pub(super) fn is_closed(&self) -> bool {
        self.is_silent.get() || self.postgres.is_closed()
    }

    /// Whether the server did not answer in time.
    pub(super) fn is_silent(&self) -> bool {
        self.is_silent.get()
    }

    pub(super) fn prepare(&self, text: &str) -> Result<Prepared, CallError> {
        self.wait(self.postgres.prepare(text))
    }

    pub(super) fn script(&self, text: &str) -> Result<(), CallError> {
        self.wait(self.postgres.batch_execute(text))
    }

    /// Runs statements without parameters and returns the text of the columns of the last row.
    pub(super) fn last_row(&self, text: &str) -> Result<Vec<Option<String>>, CallError> {
        let messages = self.wait(self.postgres.simple_query(text))?;
        let mut rows = messages.iter().filter_map(|it| match it {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        let Some(row) = rows.next_back() else { return Ok(vec![]) };
        Ok((0..row.len()).map(|column| row.get(column).map(str::to_owned)).collect())
    }

    /// The outer result is the connection's, the inner one the row reader's.
    pub(super) fn query<T>(
        &self,
        text: &str,
        plan: &Plan,
        params: &[Value<'_>],
        map: &mut dyn FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Result<Vec<T>>, CallError> {
        self.wait(async {
            let params = params.iter().copied();
            let rows = match plan {
                Plan::Prepared(prepared) => self.postgres.query_raw(prepared, params).await?,
                Plan::Parsed(types) => {
                    let params = params.zip(types.iter().cloned());
                    self.postgres.query_typed_raw(text, params).await?
                }
            };
            let mut rows = pin!(rows);
            let mut found = Vec::new();
            while let Some(row) = rows.try_next().await? {
                match map(&Row(RowOf::Postgres(&row))) {
                    Ok(value) => found.push(value),
                    Err(error) => return Ok(Err(error)),
                }
            }
            Ok::<_, DriverError>(Ok(found))
        })
    }

    pub(super) fn execute(
        &self,
        text: &str,
        plan: &Plan,
        params: &[Value<'_>],
    ) -> Result<u64, CallError> {
        let params = params.iter().map(|it| it as &(dyn ToSql + Sync));
        match plan {
            Plan::Prepared(prepared) => {
                let params: Vec<_> = params.collect();
                self.wait(self.postgres.execute(prepared, &params))
            }
            Plan::Parsed(types) => {
                let params: Vec<_> = params.zip(types.iter().cloned()).collect();
                self.wait(self.postgres.execute_typed(text, &params))
            }
        }
    }

    /// Tells the server that the connection ends.
    pub(super) fn close(self) {
        let Self { postgres, runtime, connection, .. } = self;
        drop(postgres);
        // Whether or not the server hears it, the connection is over.
        let _ = runtime.block_on(async { timeout(CLOSE, connection).await });
    }

    fn wait<T>(&self, call: impl Future<Output = Result<T, DriverError>>) -> Result<T, CallError> {
        let Some(limit) = self.limit.get() else {
            return self.runtime.block_on(call).map_err(CallError::from);
        };
        let answer = self.runtime.block_on(async { timeout(limit, call).await });
        if let Ok(answer) = answer {
            return answer.map_err(CallError::from);
        }
        self.is_silent.set(true);
        Err(CallError::Silence(limit))
    }
}
