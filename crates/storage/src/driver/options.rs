//! How a store is opened.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::postgres;

/// The location of the data.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreUrl {
    /// The path of a file, created on first use.
    Sqlite(PathBuf),
    /// A connection string. It may contain a password, so it is never shown.
    Postgres(String),
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => f.debug_tuple("Sqlite").field(path).finish(),
            Self::Postgres(_) => f.write_str("Postgres(…)"),
        }
    }
}

impl StoreUrl {
    /// Checks the URL of a PostgreSQL database and reads the certificates that it names, without
    /// connecting. The error is a sentence without the password.
    pub fn check_postgres(url: &str, role: DatabaseRole) -> Result<(), String> {
        postgres::check(url, role)
    }
}

/// What a PostgreSQL database is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseRole {
    /// For everything.
    Primary,
    /// To read what may be slightly stale.
    Replica,
}

/// The options for opening a store.
#[derive(Clone)]
pub struct Options {
    /// The location of the data.
    pub url: StoreUrl,
    /// The URL of a replica for [`Store::read_replica`](super::Store::read_replica); PostgreSQL
    /// only.
    pub replica: Option<String>,
    /// Number of reader threads; each owns a connection.
    pub readers: usize,
    /// Number of writer threads on PostgreSQL; `SQLite` has one.
    pub writers: usize,
    /// Maximum number of units in one `SQLite` commit; 1 disables grouping.
    pub group: usize,
    /// Time limit of a read-only unit on `SQLite`, and of each statement on PostgreSQL.
    pub time_limit: Duration,
    /// How long a unit may wait for a thread before it fails.
    pub wait_limit: Duration,
}

impl fmt::Debug for Options {
    /// Omits the replica's URL, which may contain a password too.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Options {
    /// Options suited to a machine with this many cores.
    #[must_use]
    pub fn new(url: StoreUrl, cores: usize) -> Self {
        let readers = match url {
            StoreUrl::Sqlite(_) => cores.clamp(2, 8),
            StoreUrl::Postgres(_) => (cores * 4).clamp(8, 32),
        };
        let writers = (cores * 4).clamp(8, 32);
        let (time_limit, wait_limit) = (Duration::from_secs(15), Duration::from_secs(10));
        Self { url, replica: None, readers, writers, group: 64, time_limit, wait_limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let secret = "postgres://grantor:hunter2@db/grantor".to_owned();
        let mut options = Options::new(StoreUrl::Postgres(secret.clone()), 1);
        options.replica = Some(secret);
        assert!(!format!("{options:?}").contains("hunter2"));
    }
}
