//! The key ring of this installation, wherever it is: in the data directory, mounted, or sealed in
//! the database.

use std::convert::Infallible;
use std::fs;
use std::future::pending;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::{Clock, Entropy};
use grantor_keys::{FILE, Keys, RingSecret, SealedRing};
use grantor_service::App;
use grantor_service::operations::backup::ring_of;
use grantor_service::operations::key_ring;
use grantor_storage::{Error, Store, key_ring as rows, schema};

use crate::config::{Config, KeyRing};

/// A clock and a source of randomness.
pub(crate) type System = (Arc<dyn Clock>, Arc<dyn Entropy>);

/// Checks that the key ring can be read and that the database belongs to it, before anything
/// changes.
pub(crate) async fn check(config: &Config, store: &Store, system: System) -> Result<(), String> {
    let problem = |error: String| format!("{}: {error}", setting(config));
    let found = read(config, store, system).await.map_err(problem)?;
    let root_ids = match (found, &config.key_ring) {
        (Some(keys), _) => keys.root_ids(),
        // The database may take over the key ring in the data directory.
        (None, KeyRing::Database(_)) => return Ok(()),
        (None, _) => vec![],
    };
    key_ring::check(store, root_ids).await.map_err(problem)
}

/// Opens the key ring, or creates one for a database that has none, and checks that the database
/// belongs to it.
pub(crate) async fn open(
    config: &Config,
    store: &Store,
    system: System,
) -> Result<Arc<Keys>, String> {
    let problem = |error: String| format!("{}: {error}", setting(config));
    let opened = match &config.key_ring {
        KeyRing::File => open_file(config, store, system).await,
        KeyRing::Mounted(path) => Keys::mounted(path, system.0, system.1),
        KeyRing::Database(secret) => open_row(config, store, secret, system).await,
    };
    let keys = Arc::new(opened.map_err(problem)?);
    key_ring::bind(store, keys.root_ids()).await.map_err(problem)?;
    Ok(keys)
}

/// Refuses a key ring that lacks keys which other nodes use.
pub(crate) async fn refuse_stale(config: &Config, app: &App) -> Result<(), String> {
    let (keys, now) = (Arc::clone(&app.keys), app.clock.now());
    let fault = app.store.read(move |tx| key_ring::find_fault(tx, &keys, now)).await;
    match fault.map_err(|error: Error| error.to_string()) {
        Ok(None) => Ok(()),
        Ok(Some(error)) | Err(error) => Err(format!("{}: {error}", setting(config))),
    }
}

/// Opens the key ring without changing anything. `None` if there is none yet.
pub(crate) async fn read(
    config: &Config,
    store: &Store,
    (clock, entropy): System,
) -> Result<Option<Keys>, String> {
    match &config.key_ring {
        KeyRing::File if !Keys::exist(&config.data_dir) => Ok(None),
        KeyRing::File => Keys::read(&config.data_dir, clock, entropy).map(Some),
        KeyRing::Mounted(path) => Keys::mounted(path, clock, entropy).map(Some),
        KeyRing::Database(secret) => match find_row(store).await? {
            Some(row) => Keys::open_row(secret.clone(), &row, clock, entropy).map(Some),
            None => Ok(None),
        },
    }
}

/// The setting that says where the key ring is.
pub(crate) fn setting(config: &Config) -> &'static str {
    match config.key_ring {
        KeyRing::File => "data_dir",
        KeyRing::Mounted(_) => "key_ring_file",
        KeyRing::Database(_) => "key_ring_secret",
    }
}

async fn open_file(
    config: &Config,
    store: &Store,
    (clock, entropy): System,
) -> Result<Keys, String> {
    if !Keys::exist(&config.data_dir) {
        // A database that belongs to a ring must not get another one: the file may be misplaced.
        key_ring::check(store, vec![]).await?;
    }
    Keys::open(&config.data_dir, clock, entropy)
}

/// A database that belongs to the key ring in the data directory takes it over.
async fn open_row(
    config: &Config,
    store: &Store,
    secret: &RingSecret,
    (clock, entropy): System,
) -> Result<Keys, String> {
    let row = if let Some(row) = find_row(store).await? {
        row
    } else {
        let first = if Keys::exist(&config.data_dir) {
            let keys = Keys::read(&config.data_dir, Arc::clone(&clock), Arc::clone(&entropy))?;
            key_ring::check(store, keys.root_ids()).await?;
            tracing::info!("the key ring moves from the data directory into the database");
            keys.to_row(secret)?
        } else {
            key_ring::check(store, vec![]).await?;
            SealedRing::create(secret, &*clock, &*entropy)?
        };
        insert_row(store, first, &*clock).await?
    };
    Keys::open_row(secret.clone(), &row, clock, entropy)
}

async fn find_row(store: &Store) -> Result<Option<SealedRing>, String> {
    let row = store
        .read(|tx| {
            // A database without a schema has none, nor has one of an older version.
            let has_table = schema::describe(tx)?.contains_key("key_rings");
            if has_table { rows::find(tx) } else { Ok(None) }
        })
        .await;
    let row = row.map_err(|error: Error| error.to_string())?;
    Ok(row.map(|(version, sealed)| SealedRing { version, sealed }))
}

/// Stores the first key ring. If another node was faster, its key ring is kept.
async fn insert_row(
    store: &Store,
    row: SealedRing,
    clock: &dyn Clock,
) -> Result<SealedRing, String> {
    let now = clock.now();
    let stored = store.write(move |tx| rows::insert(tx, &row.sealed, now)).await;
    stored.map_err(|error: Error| error.to_string())?;
    find_row(store).await?.ok_or_else(|| "the key ring could not be stored".to_owned())
}

/// How often a copy of the key ring is renewed: often enough to have the keys of a rotation long
/// before they are used, which is ten minutes later.
const RENEWAL: Duration = Duration::from_mins(1);

/// A copy of the key ring for a backup, which is deleted when this is dropped.
pub(crate) struct RingCopy {
    /// The file; `None` if the database has no key ring yet.
    pub(crate) path: Option<PathBuf>,
    folder: Option<PathBuf>,
}

impl RingCopy {
    /// Renews the copy while a backup is written, whose rows may be read hours after the copy was
    /// made. The file in the data directory is no copy.
    #[expect(clippy::disallowed_methods, reason = "the task waits between two copies")]
    pub(crate) async fn follow(
        &self,
        config: &Config,
        store: &Store,
        system: impl Fn() -> System,
    ) -> Infallible {
        let (Some(path), Some(folder)) = (&self.path, &self.folder) else {
            return pending().await;
        };
        loop {
            tokio::time::sleep(RENEWAL).await;
            if let Err(error) = renew(config, store, system(), (path, folder)).await {
                tracing::warn!(%error, "the copy of the key ring could not be renewed");
            }
        }
    }
}

/// Replaces a copy of the key ring atomically.
async fn renew(
    config: &Config,
    store: &Store,
    system: System,
    (path, folder): (&Path, &Path),
) -> Result<(), String> {
    let Some(keys) = read(config, store, system).await? else { return Ok(()) };
    let next = folder.join("next.json");
    // One that could not be renamed.
    let _ = fs::remove_file(&next);
    keys.copy_to(&next)?;
    fs::rename(&next, path).map_err(|error| format!("{}: {error}", path.display()))
}

impl Drop for RingCopy {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Copies the key ring into a file with the name that backups use. The file in the data directory
/// needs no copy.
pub(crate) async fn copy(
    config: &Config,
    store: &Store,
    system: System,
) -> Result<RingCopy, String> {
    if matches!(config.key_ring, KeyRing::File) {
        let path = ring_of(store, &config.data_dir, system.0, system.1).await?;
        return Ok(RingCopy { path, folder: None });
    }
    let Some(keys) = read(config, store, system).await? else {
        key_ring::check(store, vec![]).await?;
        return Ok(RingCopy { path: None, folder: None });
    };
    key_ring::check(store, keys.root_ids()).await?;
    let folder = config.data_dir.join(format!(".keys-{}", std::process::id()));
    // In a container, a process that died while it had a copy may have had the same number.
    let _ = fs::remove_dir_all(&folder);
    fs::DirBuilder::new()
        .mode(0o700)
        .create(&folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let path = folder.join(FILE);
    let copy = RingCopy { path: Some(path.clone()), folder: Some(folder) };
    keys.copy_to(&path)?;
    Ok(copy)
}

/// Puts the key ring of a backup into the database, or checks that the mounted one has all of its
/// keys.
pub(crate) async fn restore(
    config: &Config,
    store: &Store,
    backup: &Path,
    (clock, entropy): System,
) -> Result<(), String> {
    let folder = backup.parent().ok_or("the backup has no folder")?;
    let theirs = Keys::read(folder, Arc::clone(&clock), Arc::clone(&entropy))?;
    let own = read(config, store, (Arc::clone(&clock), entropy)).await?;
    match (own, &config.key_ring) {
        (Some(own), _) if own.includes(&theirs) => Ok(()),
        (None, KeyRing::Database(secret)) => {
            insert_row(store, theirs.to_row(secret)?, &*clock).await.map(drop)
        }
        _ => Err("the key ring of this installation lacks keys of the backup's".to_owned()),
    }
}
