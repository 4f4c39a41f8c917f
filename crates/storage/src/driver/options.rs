//! Where a store is, and how it is opened.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Where the data is.
#[derive(Clone)]
pub enum StoreUrl {
    /// A file, or one made at first use.
    Sqlite(PathBuf),
    /// A connection string; may hold a password, so it is never shown.
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

/// How a store is opened.
#[derive(Clone)]
pub struct Options {
    /// Where the data is.
    pub url: StoreUrl,
    /// A copy that may lag, for [`Store::read_lagging`](super::Store::read_lagging); PostgreSQL only.
    pub replica: Option<String>,
    /// Threads that read; each owns a connection.
    pub readers: usize,
    /// Threads that write on PostgreSQL; `SQLite` has one.
    pub writers: usize,
    /// How many units one `SQLite` commit may carry; 1 switches grouping off.
    pub group: usize,
    /// How long a reading unit may take on `SQLite`, and each statement on PostgreSQL.
    pub time_limit: Duration,
}

impl fmt::Debug for Options {
    /// Without the replica's address, which may hold a password too.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Options {
    /// What suits a machine with so many cores.
    #[must_use]
    pub fn new(url: StoreUrl, cores: usize) -> Self {
        let readers = match url {
            StoreUrl::Sqlite(_) => cores.clamp(2, 8),
            StoreUrl::Postgres(_) => (cores * 4).clamp(8, 32),
        };
        let (writers, time_limit) = ((cores * 4).clamp(8, 32), Duration::from_secs(15));
        Self { url, replica: None, readers, writers, group: 64, time_limit }
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
