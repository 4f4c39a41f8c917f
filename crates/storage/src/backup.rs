//! A backup in a format that both engines write and read: one file of rows per table, the objects
//! that the rows refer to, extra files, and a manifest.
//!
//! The format is independent of the engine and of the object store, so a backup taken on `SQLite`
//! can be restored into PostgreSQL and vice versa, and likewise between local files and a bucket.

mod cell;
mod file;
mod manifest;
mod object;
mod picture;
mod rows;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use grantor_domain::Timestamp;
use serde_json::Value as Json;
use uuid::Uuid;

use self::manifest::{History, Manifest, ObjectList, TableFile};
use self::object::Collection;
use self::rows::Rows;
use crate::object::{ObjectKey, ObjectKind, Objects};
use crate::schema::{Table, describe};
use crate::{
    Error, Result, Store, Tx, image_feature, license, log, meta, migrate, name_key, record_index,
};

/// Tables of indexes, derived from the licenses, the images, the log and other records.
const INDEX: [&str; 14] = [
    "license_postings",
    "license_numbers",
    "license_stale",
    "log_postings",
    "log_times",
    "record_postings",
    "record_numbers",
    "record_stale",
    "record_renames",
    "name_keys",
    "name_starts",
    "name_stale",
    "image_entries",
    "image_features",
];
/// Tables of objects in the database. A backup has objects as files, whatever store they come from.
const OBJECTS: [&str; 2] = ["objects", "object_chunks"];
/// Tables of what is kept for an hour or a minute. Its objects are not part of a backup; whoever
/// restores one chooses the pictures of a form again, and takes nothing back.
const BRIEF: [&str; 4] = ["kept_images", "undos", "undo_objects", "undo_mentions"];
/// Tables of the running installation: its nodes, and its own copy of the key ring, which a backup
/// has as a file.
const RUNNING: [&str; 2] = ["nodes", "key_rings"];
/// Derived columns, each with its table.
const DERIVED: [(&str, &str); 1] = [("log_entries", "number")];
/// The migration history, which a store has before anything is restored into it.
const HISTORY: [&str; 2] = ["schema_migrations", "schema_steps"];

/// The contents of a backup that was written or restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// When the backup or restore was requested.
    pub at: Timestamp,
    /// Number of rows by table.
    pub tables: BTreeMap<String, u64>,
    /// Total size of the rows in the backup, in bytes.
    pub bytes: u64,
    /// Number of objects.
    pub objects: u64,
    /// Total size of the objects, in bytes.
    pub object_bytes: u64,
}

impl Report {
    /// Total number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.tables.values().sum()
    }

    fn of(manifest: &Manifest, at: Timestamp) -> Self {
        let rows = |table: &TableFile| (table.name.clone(), table.rows);
        let bytes = manifest.tables.iter().map(|table| table.bytes).sum();
        let tables = manifest.tables.iter().map(rows).collect();
        let (objects, object_bytes) = (manifest.objects.count, manifest.objects.bytes);
        Self { at, tables, bytes, objects, object_bytes }
    }
}

/// Writes a consistent snapshot of the store into a new or empty directory while others keep
/// reading and writing, together with the objects that its rows refer to and copies of the extra
/// files. On failure nothing is left. The manifest is written last: a directory without one is not
/// a backup.
pub async fn export(
    store: &Store,
    objects: &Objects,
    folder: PathBuf,
    extra_files: Vec<PathBuf>,
    now: Timestamp,
) -> Result<Report> {
    let target = folder.clone();
    let made_here = blocking(move || file::make_folders(&target)).await?;
    let written = write_folder(store, objects, &folder, extra_files, now).await;
    blocking(move || {
        if written.is_err() {
            file::remove_folders(&folder, made_here);
        }
        written
    })
    .await
}

async fn write_folder(
    store: &Store,
    objects: &Objects,
    folder: &Path,
    extra_files: Vec<PathBuf>,
    now: Timestamp,
) -> Result<Report> {
    store.read(|tx| tables(tx).map(drop)).await?;
    let mut collection = Collection::begin(store, objects, folder).await?;
    let mut manifest = loop {
        let (engine, target) = (store.engine().name(), folder.to_owned());
        let manifest = store.read(move |tx| write_all(tx, &target, engine, now)).await?;
        if collection.complete(&manifest).await? {
            break manifest;
        }
    };
    manifest.objects = collection.finish(&manifest).await?;
    let target = folder.to_owned();
    blocking(move || {
        // After the rows, so that a ring rotated in the meantime can open them too.
        let copies = extra_files.iter().map(|path| file::copy(path, &target));
        manifest.extra_files = copies.collect::<Result<_>>()?;
        file::write(&target, manifest::FILE, manifest.to_text().as_bytes())?;
        file::sync_name(&target)?;
        Ok(Report::of(&manifest, now))
    })
    .await
}

/// A backup whose checksums have been verified.
pub struct Archive {
    folder: PathBuf,
    manifest: Manifest,
}

impl Archive {
    /// Verifies a whole backup: the checksums of all files, the rows of all tables, and the objects
    /// of all rows.
    pub async fn open(folder: PathBuf) -> Result<Self> {
        blocking(move || {
            let manifest = Manifest::read(&folder)?;
            for table in &manifest.tables {
                file::verify(&folder.join(table.path()), table.bytes, &table.sha256)?;
                rows::count(&folder, table)?;
            }
            for copy in &manifest.extra_files {
                file::verify(&folder.join(&copy.name), copy.bytes, &copy.sha256)?;
            }
            object::verify(&folder, &manifest)?;
            Ok(Self { folder, manifest })
        })
        .await
    }

    /// The contents; `at` is when the backup was made.
    #[must_use]
    pub fn report(&self) -> Report {
        Report::of(&self.manifest, self.manifest.created_at)
    }

    /// The engine on which the backup was made.
    #[must_use]
    pub fn engine(&self) -> &str {
        &self.manifest.engine
    }

    /// The path of an extra file in the backup.
    #[must_use]
    pub fn extra_file(&self, name: &str) -> Option<PathBuf> {
        let found = self.manifest.extra_files.iter().find(|it| it.name == name)?;
        Some(self.folder.join(&found.name))
    }

    /// Checks that this version of Grantor can restore the backup.
    pub fn check_version(&self) -> Result<()> {
        let known = migrate::MIGRATIONS.iter().map(|step| History {
            version: step.version,
            name: step.name.to_owned(),
            checksum: step.checksum(),
        });
        self.manifest.same_history(&known.collect::<Vec<_>>(), "this version of Grantor")
    }

    /// Calls `each` with these columns of every row of a table. Ids and bytes are in hex.
    pub fn each_row(
        &self,
        table: &str,
        columns: &[&str],
        mut each: impl FnMut(&[&Json]) -> Result<()>,
    ) -> Result<()> {
        let table = self.manifest.table(table)?;
        let place = |name: &&str| table.columns.iter().position(|it| it == name);
        let places = columns.iter().map(place).collect::<Option<Vec<_>>>();
        let places = places.ok_or_else(|| {
            Error::Backup(format!("table {} does not have the expected columns", table.name))
        })?;
        for row in Rows::open(&self.folder, table)? {
            let row = row?;
            each(&places.iter().map(|place| &row[*place]).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// The id of the database that was backed up, if it had one.
    fn database_id(&self) -> Result<Option<String>> {
        let mut id = None;
        self.each_row("meta", &["name", "value"], |row| {
            if row[0] == meta::DATABASE_ID {
                id = row[1].as_str().map(str::to_owned);
            }
            Ok(())
        })?;
        Ok(id)
    }

    /// Restores the backup into a store with the same schema and no rows, atomically. The objects
    /// are written first; objects without rows have no effect.
    pub async fn import(self, store: &Store, objects: &Objects, now: Timestamp) -> Result<Report> {
        let manifest = self.manifest.clone();
        store.read(move |tx| ensure_empty(tx, &manifest).map(drop)).await?;
        self.check_owner(objects).await?;
        object::put_all(objects, &self.folder).await?;
        let owner = self.database_id()?.and_then(|id| Uuid::try_parse(&id).ok());
        let report = store.write(move |tx| {
            tx.lock_schema()?;
            read_all(tx, &self.folder, &self.manifest)?;
            Ok::<_, Error>(Report::of(&self.manifest, now))
        });
        let report = report.await?;
        if let Some(id) = owner {
            let marker = ObjectKey::new(ObjectKind::Database, id);
            objects.put(marker, Vec::new(), "application/octet-stream").await?;
        }
        Ok(report)
    }

    /// Objects of two databases in one store could not be told apart.
    async fn check_owner(&self, objects: &Objects) -> Result<()> {
        let own = self.database_id()?;
        let owners = objects.list(ObjectKind::Database, None, 2).await?.objects;
        match owners.iter().find(|it| Some(it.key.id().to_string()) != own) {
            None => Ok(()),
            Some(other) => Err(Error::Backup(format!(
                "the objects belong to another database ({}): restore into a separate object store",
                other.key
            ))),
        }
    }
}

/// Restores a backup into an empty store; see [`Archive`].
pub async fn import(
    store: &Store,
    objects: &Objects,
    folder: PathBuf,
    now: Timestamp,
) -> Result<Report> {
    Archive::open(folder).await?.import(store, objects, now).await
}

fn write_all(
    tx: &mut Tx<'_>,
    folder: &Path,
    engine: &'static str,
    now: Timestamp,
) -> Result<Manifest> {
    tx.lift_time_limit()?;
    let tables = tables(tx)?;
    let migrations = history(tx)?;
    let mut files = Vec::new();
    // Sorted by reference, so that the manifest lists them in the order of the restore.
    for name in rows::in_reference_order(&tables)? {
        files.push(rows::write_table(tx, folder, name, &tables[name])?);
    }
    Ok(Manifest {
        created_at: now,
        engine: engine.to_owned(),
        migrations,
        tables: files,
        extra_files: vec![],
        objects: ObjectList::default(),
    })
}

/// Checks that the backup fits the store and that the store has no rows; returns its tables.
fn ensure_empty(tx: &mut Tx<'_>, manifest: &Manifest) -> Result<BTreeMap<String, Table>> {
    let tables = tables(tx)?;
    manifest.fits(&history(tx)?, &tables)?;
    for name in tables.keys() {
        if rows::has_rows(tx, name)? {
            return Err(Error::Backup(format!(
                "the database already has rows (in {name}): restore into an empty one"
            )));
        }
    }
    Ok(tables)
}

fn read_all(tx: &mut Tx<'_>, folder: &Path, manifest: &Manifest) -> Result<()> {
    let tables = ensure_empty(tx, manifest)?;
    for name in rows::in_reference_order(&tables)? {
        if let Some(file) = manifest.tables.iter().find(|file| file.name == name) {
            rows::read_table(tx, folder, file, &tables[name])?;
        }
    }
    license::index::rebuild(tx)?;
    record_index::rebuild(tx)?;
    name_key::mark_all(tx)?;
    image_feature::insert_all(tx)?;
    log::index::rebuild(tx)
}

/// Every table that belongs in a backup, without derived columns.
fn tables(tx: &mut Tx<'_>) -> Result<BTreeMap<String, Table>> {
    let mut tables = describe(tx)?;
    for name in INDEX.into_iter().chain(OBJECTS).chain(BRIEF).chain(RUNNING) {
        tables.remove(name);
    }
    for (table, column) in DERIVED {
        if let Some(table) = tables.get_mut(table) {
            table.columns.retain(|it| it.name != column);
        }
    }
    match HISTORY.map(|name| tables.remove(name)) {
        [Some(_), _] => Ok(tables),
        [None, _] => {
            Err(Error::Backup("the database has no schema yet: migrate it first".to_owned()))
        }
    }
}

fn history(tx: &mut Tx<'_>) -> Result<Vec<History>> {
    let of = |it: migrate::Applied| History {
        version: it.version,
        name: it.name,
        checksum: it.checksum,
    };
    Ok(migrate::applied(tx)?.into_iter().map(of).collect())
}

/// Runs file access off the async threads.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Fault(error.to_string()))?
}
