//! Interrupts a read-only unit that takes too long, so that its reader can serve others. PostgreSQL
//! has a setting for this.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::failure;
use crate::error::Result;

/// How many virtual machine steps the engine takes between two checks of the clock: some tens of
/// microseconds.
const STEPS: i32 = 4_000;

/// The time limit of a connection's current unit.
#[derive(Debug)]
pub(in crate::driver) struct TimeLimit {
    origin: Instant,
    time: Duration,
    /// Microseconds since `origin`; `u64::MAX` means no limit.
    deadline: Arc<AtomicU64>,
}

impl TimeLimit {
    /// Makes the engine check the clock while it runs a statement.
    pub(super) fn on(connection: &mut Connection, time: Duration) -> Result<Self> {
        let limit = Self { origin: now(), time, deadline: Arc::new(AtomicU64::new(u64::MAX)) };
        let (origin, deadline) = (limit.origin, Arc::clone(&limit.deadline));
        let is_over = move || micros(origin.elapsed()) >= deadline.load(Ordering::Relaxed);
        let installed = connection.progress_handler(STEPS, Some(is_over));
        installed.map_err(|error| failure(connection, &error))?;
        Ok(limit)
    }

    /// Starts the time limit now.
    pub(super) fn begin(&self) {
        let deadline = micros(self.origin.elapsed().saturating_add(self.time));
        self.deadline.store(deadline, Ordering::Relaxed);
    }

    /// Lifts the limit until the next unit starts.
    pub(in crate::driver) fn lift(&self) {
        self.deadline.store(u64::MAX, Ordering::Relaxed);
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[expect(clippy::disallowed_methods, reason = "how long a statement may run")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use crate::error::Error;
    use crate::{Options, Result, Store, StoreUrl, only_column};
    use std::time::Duration;

    /// Takes some seconds.
    const SLOW: &str = "WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n
                        WHERE v < 30000000) SELECT count(*) FROM n";

    async fn store(time_limit: Duration) -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::new(StoreUrl::Sqlite(folder.path().join("t.sqlite")), 1);
        (options.readers, options.time_limit) = (1, time_limit);
        (folder, Store::open(&options).await.unwrap())
    }

    async fn count(store: &Store, text: &'static str, unlimited: bool) -> Result<i64> {
        let found: Result<Vec<i64>> = store
            .read(move |tx| {
                if unlimited {
                    tx.lift_time_limit()?;
                }
                tx.query_text(text, &[], only_column)
            })
            .await;
        found.map(|it| it[0])
    }

    #[tokio::test]
    async fn a_read_that_takes_too_long_is_ended_and_its_reader_goes_on() {
        let (_folder, store) = store(Duration::from_millis(50)).await;
        let too_long = Error::Unavailable("the read took too long".to_owned());
        for _ in 0..3 {
            assert_eq!(count(&store, SLOW, false).await, Err(too_long.clone()));
            assert_eq!(count(&store, "SELECT 7", false).await, Ok(7));
        }
    }

    #[tokio::test]
    async fn a_unit_that_takes_its_time_is_not_ended() {
        let (_folder, store) = store(Duration::from_millis(1)).await;
        assert_eq!(count(&store, SLOW, true).await, Ok(30_000_000));
    }

    #[test]
    fn a_read_has_15_seconds() {
        let options = Options::new(StoreUrl::Sqlite("t".into()), 1);
        assert_eq!(options.time_limit, Duration::from_secs(15));
    }
}
