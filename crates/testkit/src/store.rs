//! A fresh database for one test, on either engine.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_storage::{Options, Store, StoreUrl, migrate};
use tempfile::TempDir;

use crate::postgres::TestDatabase;
use crate::{Engine, Fixture, template};

/// A migrated store, deleted with the test.
#[derive(Debug)]
pub struct TestStore {
    /// The store.
    pub store: Store,
    /// The options with which it can be opened again.
    pub options: Options,
    // Dropped after the store that uses it.
    _location: Location,
}

#[derive(Debug)]
enum Location {
    #[expect(dead_code, reason = "held for its drop, which deletes the folder")]
    Folder(TempDir),
    #[expect(dead_code, reason = "held for its drop, which deletes the database")]
    Database(TestDatabase),
}

impl TestStore {
    /// Creates a store without any schema.
    pub async fn empty(engine: Engine) -> Self {
        let (url, location) = match engine {
            Engine::Sqlite => {
                let folder = tempfile::tempdir().expect("a folder for the test's database");
                (StoreUrl::Sqlite(folder.path().join("grantor.sqlite")), Location::Folder(folder))
            }
            Engine::Postgres => {
                let database = TestDatabase::empty().await;
                (StoreUrl::Postgres(database.url().to_owned()), Location::Database(database))
            }
        };
        Self::open(url, location).await
    }

    /// Creates a migrated store on a given PostgreSQL server, for benches.
    pub async fn on_server(server: &str) -> Self {
        let database = TestDatabase::empty_on(server).await;
        let url = StoreUrl::Postgres(database.url().to_owned());
        Self::open(url, Location::Database(database)).await.migrated().await
    }

    async fn migrated(self) -> Self {
        migrate::run(&self.store, Timestamp::from_secs(0)).await.expect("migrations apply");
        self
    }

    async fn open(url: StoreUrl, location: Location) -> Self {
        let mut options = Options::new(url, 1);
        (options.readers, options.writers) = (2, 2);
        let store = Store::open(&options).await.expect("the test's database opens");
        Self { store, options, _location: location }
    }
}

impl Fixture for TestStore {
    async fn on(engine: Engine) -> Self {
        if engine == Engine::Postgres {
            let database = TestDatabase::migrated().await;
            return Self::open(
                StoreUrl::Postgres(database.url().to_owned()),
                Location::Database(database),
            )
            .await;
        }
        let folder = tempfile::tempdir().expect("a folder for the test's database");
        let file = folder.path().join("grantor.sqlite");
        template::copy_sqlite_to(&file).await;
        Self::open(StoreUrl::Sqlite(file), Location::Folder(folder)).await
    }
}

/// How long tests wait for something that should happen at once.
pub const PATIENCE: Duration = Duration::from_mins(1);
