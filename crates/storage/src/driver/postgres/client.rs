//! A connection that blocks its thread, with a time limit for every answer: a server that stands
//! still must not hold a thread forever, and its own limits do not end a wait for it.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type};
use tokio_postgres::{Config, Error as DriverError, SimpleQueryMessage, Statement as Prepared};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::failure::CallError;
use crate::driver::row::Visit;
use crate::driver::{Row, RowOf};
use crate::error::Result;
use crate::value::{Encoded, Value};

/// How many statements may be on their way before one is waited for.
const MOST_SENT: usize = 32;
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

/// A statement that was sent, and how long its answer may take.
struct Sent {
    answer: Pin<Box<dyn Future<Output = Result<(), DriverError>> + Send>>,
    limit: Option<Duration>,
}

pub(super) struct Client {
    postgres: Arc<tokio_postgres::Client>,
    /// What was sent and not waited for, in order.
    sent: RefCell<Vec<Sent>>,
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
                let (postgres, sent) = (Arc::new(client), RefCell::default());
                Ok(Self { postgres, sent, runtime, connection, limit, is_silent })
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

    /// Returns the number of rows. The outer result is the connection's, the inner one the row
    /// reader's.
    pub(super) fn query(
        &self,
        text: &str,
        plan: &Plan,
        params: &[Value<'_>],
        visit: Visit<'_>,
    ) -> Result<Result<u64>, CallError> {
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
            let mut count = 0;
            while let Some(row) = rows.try_next().await? {
                if let Err(error) = visit(&Row::new(RowOf::Postgres(&row))) {
                    return Ok(Err(error));
                }
                count += 1;
            }
            Ok::<_, DriverError>(Ok(count))
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

    /// Sends a statement without waiting for its outcome. If it fails, so does the next call that
    /// waits. Behind a pooler it is waited for.
    pub(super) fn send(
        &self,
        text: &str,
        plan: &Plan,
        params: &[Value<'_>],
    ) -> Result<(), CallError> {
        let prepared = match plan {
            Plan::Prepared(it) => encoded(it, params).map(|params| (it.clone(), params)),
            Plan::Parsed(_) => None,
        };
        let Some((prepared, params)) = prepared else {
            return self.execute(text, plan, params).map(drop);
        };
        let postgres = Arc::clone(&self.postgres);
        self.start(self.limit.get(), async move {
            postgres.execute_raw(&prepared, params).await.map(drop)
        })
    }

    /// Sends a statement without parameters, likewise, with its own time limit.
    pub(super) fn send_script(&self, text: &str, limit: Duration) -> Result<(), CallError> {
        let (postgres, text) = (Arc::clone(&self.postgres), text.to_owned());
        self.start(Some(limit), async move { postgres.batch_execute(&text).await })
    }

    /// Sends what the driver sends when it is polled for the first time.
    fn start(
        &self,
        limit: Option<Duration>,
        call: impl Future<Output = Result<(), DriverError>> + Send + 'static,
    ) -> Result<(), CallError> {
        let mut answer = Box::pin(call);
        let begun = self.runtime.block_on(poll_fn(|cx| Poll::Ready(answer.as_mut().poll(cx))));
        if let Poll::Ready(outcome) = begun {
            return outcome.map_err(CallError::from);
        }
        let mut sent = self.sent.borrow_mut();
        sent.push(Sent { answer, limit });
        let is_full = sent.len() == MOST_SENT;
        drop(sent);
        if is_full { self.settle() } else { Ok(()) }
    }

    /// Waits for all that was sent. The error is that of the first that failed: those after it failed
    /// because of it.
    pub(super) fn settle(&self) -> Result<(), CallError> {
        if self.sent.borrow().is_empty() { Ok(()) } else { self.wait(async { Ok(()) }) }
    }

    /// Tells the server that the connection ends.
    pub(super) fn close(self) {
        let Self { postgres, sent, runtime, connection, .. } = self;
        drop((postgres, sent));
        // Whether or not the server hears it, the connection is over.
        let _ = runtime.block_on(async { timeout(CLOSE, connection).await });
    }

    /// Sends a call, and waits for all that was sent before it and then for its answer. Each has its
    /// own time limit.
    fn wait<T>(&self, call: impl Future<Output = Result<T, DriverError>>) -> Result<T, CallError> {
        let (sent, limit) = (self.sent.take(), self.limit.get());
        let answer = self.runtime.block_on(async {
            let mut call = pin!(call);
            let begun = poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx))).await;
            for Sent { answer, limit } in sent {
                within(limit, answer).await??;
            }
            let answer = match begun {
                Poll::Ready(answer) => answer,
                Poll::Pending => within(limit, call).await?,
            };
            answer.map_err(CallError::from)
        });
        if let Err(CallError::Silence(_)) = &answer {
            self.is_silent.set(true);
        }
        answer
    }
}

/// Waits for an answer, for a limited time if there is a limit.
async fn within<T>(
    limit: Option<Duration>,
    answer: impl Future<Output = T>,
) -> Result<T, CallError> {
    match limit {
        None => Ok(answer.await),
        Some(limit) => timeout(limit, answer).await.map_err(|_| CallError::Silence(limit)),
    }
}

/// The parameters as they are sent, which outlive those of the caller. `None` if one has another
/// type than the statement says.
fn encoded(prepared: &Prepared, params: &[Value<'_>]) -> Option<Vec<Encoded>> {
    let encode = |(value, ty): (&Value<'_>, &Type)| {
        let mut bytes = BytesMut::new();
        let is_null = value.to_sql_checked(ty, &mut bytes).ok()?;
        Some(Encoded(matches!(is_null, IsNull::No).then_some(bytes)))
    };
    params.iter().zip(prepared.params()).map(encode).collect()
}
