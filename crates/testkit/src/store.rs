//! A fresh database for one test, on either engine.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_storage::{Options, Store, StoreUrl, migrate};
use tempfile::TempDir;

use crate::postgres::TestDatabase;
use crate::{Engine, Fixture};

/// A migrated store that is gone with the test.
#[derive(Debug)]
pub struct TestStore {
    /// The store.
    pub store: Store,
    /// How it was opened, to open it again.
    pub options: Options,
    // Dropped after the store: the place it lives in.
    _place: Place,
}

#[derive(Debug)]
enum Place {
    #[expect(dead_code, reason = "held for its drop, which deletes the folder")]
    Folder(TempDir),
    #[expect(dead_code, reason = "held for its drop, which deletes the database")]
    Database(TestDatabase),
}

impl TestStore {
    /// A store without any schema.
    pub async fn empty(engine: Engine) -> Self {
        let (url, place) = match engine {
            Engine::Sqlite => {
                let folder = tempfile::tempdir().expect("a folder for the test's database");
                (StoreUrl::Sqlite(folder.path().join("grantor.sqlite")), Place::Folder(folder))
            }
            Engine::Postgres => {
                let database = TestDatabase::empty().await;
                (StoreUrl::Postgres(database.url().to_owned()), Place::Database(database))
            }
        };
        Self::open(url, place).await
    }

    /// A migrated store on a PostgreSQL server named by the caller: for benches.
    pub async fn on_server(server: &str) -> Self {
        let database = TestDatabase::empty_on(server).await;
        let url = StoreUrl::Postgres(database.url().to_owned());
        Self::open(url, Place::Database(database)).await.migrated().await
    }

    async fn migrated(self) -> Self {
        migrate::run(&self.store, Timestamp::from_secs(0)).await.expect("migrations apply");
        self
    }

    async fn open(url: StoreUrl, place: Place) -> Self {
        let mut options = Options::new(url, 1);
        (options.readers, options.writers) = (4, 4);
        let store = Store::open(&options).await.expect("the test's database opens");
        Self { store, options, _place: place }
    }
}

impl Fixture for TestStore {
    async fn on(engine: Engine) -> Self {
        if engine == Engine::Postgres {
            let database = TestDatabase::migrated().await;
            return Self::open(
                StoreUrl::Postgres(database.url().to_owned()),
                Place::Database(database),
            )
            .await;
        }
        Self::empty(engine).await.migrated().await
    }
}

/// How long tests wait for something that should come at once.
pub const PATIENCE: Duration = Duration::from_secs(20);
