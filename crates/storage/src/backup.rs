//! A backup both engines write and read alike: one file of rows per table, the objects that the
//! rows name, files that belong to it, and a manifest.
//!
//! Because nothing in it is an engine's own, a backup taken on `SQLite` restores into PostgreSQL,
//! which is how an operator grows, and back. The same holds for files and a bucket.

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

use self::manifest::{History, Manifest, ObjectList, TableFile};
use self::object::Collection;
use self::rows::Rows;
use crate::object::{ObjectKind, Objects};
use crate::schema::{Table, describe};
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Store, Tx, license, log, meta, migrate};

/// Derived from the licenses and the log.
const INDEX: [&str; 5] =
    ["license_postings", "license_numbers", "license_stale", "log_postings", "log_times"];
/// Columns that are derived, each with its table.
const DERIVED: [(&str, &str); 1] = [("log_entries", "number")];
/// The table of the schema's history: a store has its own before anything is restored into it.
const HISTORY: &str = "schema_migrations";

/// What was written or restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// When it was asked for.
    pub at: Timestamp,
    /// How many rows each table has.
    pub tables: BTreeMap<String, u64>,
    /// How many bytes the rows take in the backup.
    pub bytes: u64,
    /// How many objects there are.
    pub objects: u64,
    /// How many bytes they have.
    pub object_bytes: u64,
}

impl Report {
    /// How many rows there are in all.
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

/// Writes everything the store holds at one moment into a new or empty folder, while others go on
/// reading and writing, the objects that its rows name, and copies of the files that belong to it.
/// All of it or nothing. The manifest comes last: a folder without one is no backup.
pub async fn export(
    store: &Store,
    objects: &Objects,
    folder: PathBuf,
    beside: Vec<PathBuf>,
    now: Timestamp,
) -> Result<Report> {
    let target = folder.clone();
    let made_here = blocking(move || file::make_folders(&target)).await?;
    let written = write_folder(store, objects, &folder, beside, now).await;
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
    beside: Vec<PathBuf>,
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
        // After the rows: a ring that was rotated meanwhile opens them too.
        let copies = beside.iter().map(|path| file::copy(path, &target));
        manifest.beside = copies.collect::<Result<_>>()?;
        file::write(&target, manifest::FILE, manifest.to_text().as_bytes())?;
        file::settle(&target)?;
        Ok(Report::of(&manifest, now))
    })
    .await
}

/// A backup whose every file is as it was written.
pub struct Archive {
    folder: PathBuf,
    manifest: Manifest,
}

impl Archive {
    /// Looks at a whole backup: the checksums of all files, the rows of all tables, and the object
    /// of every row that has one.
    pub async fn open(folder: PathBuf) -> Result<Self> {
        blocking(move || {
            let manifest = Manifest::read(&folder)?;
            for table in &manifest.tables {
                file::verify(&folder.join(table.path()), table.bytes, &table.sha256)?;
                rows::count(&folder, table)?;
            }
            for copy in &manifest.beside {
                file::verify(&folder.join(&copy.name), copy.bytes, &copy.sha256)?;
            }
            object::verify(&folder, &manifest)?;
            Ok(Self { folder, manifest })
        })
        .await
    }

    /// What it holds; `at` is when it was made.
    #[must_use]
    pub fn report(&self) -> Report {
        Report::of(&self.manifest, self.manifest.created_at)
    }

    /// The engine it was made on.
    #[must_use]
    pub fn engine(&self) -> &str {
        &self.manifest.engine
    }

    /// The copy of a file that belongs to it.
    #[must_use]
    pub fn beside(&self, name: &str) -> Option<PathBuf> {
        let found = self.manifest.beside.iter().find(|it| it.name == name)?;
        Some(self.folder.join(&found.name))
    }

    /// Whether this program can restore it.
    pub fn check_version(&self) -> Result<()> {
        let known = migrate::MIGRATIONS.iter().map(|step| History {
            version: step.version,
            name: step.name.to_owned(),
            checksum: step.checksum(),
        });
        self.manifest.same_history(&known.collect::<Vec<_>>(), "this version of Grantor")
    }

    /// Shows these columns of a table's rows, one row after the other. Ids and bytes are in hex.
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
            Error::Backup(format!("the table {} has not the expected columns", table.name))
        })?;
        for row in Rows::open(&self.folder, table)? {
            let row = row?;
            each(&places.iter().map(|place| &row[*place]).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// The id of the database it was made of, if that had one.
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

    /// Puts it into a store that has the same schema and no rows: all of the rows or none. The
    /// objects come first, as they do everywhere; without rows they are as good as not there.
    pub async fn import(self, store: &Store, objects: &Objects, now: Timestamp) -> Result<Report> {
        let manifest = self.manifest.clone();
        store.read(move |tx| is_free(tx, &manifest).map(drop)).await?;
        self.check_owner(objects).await?;
        object::put_all(objects, &self.folder).await?;
        store
            .write(move |tx| {
                tx.lock_schema()?;
                read_all(tx, &self.folder, &self.manifest)?;
                Ok(Report::of(&self.manifest, now))
            })
            .await
    }

    /// Objects of two databases in one place could not be told apart.
    async fn check_owner(&self, objects: &Objects) -> Result<()> {
        let own = self.database_id()?;
        let owners = objects.list(ObjectKind::Database, None, 2).await?.found;
        match owners.iter().find(|it| Some(it.key.id().to_string()) != own) {
            None => Ok(()),
            Some(other) => Err(Error::Backup(format!(
                "the objects belong to another database ({}): restore into a store of its own",
                other.key
            ))),
        }
    }
}

/// Puts a backup into an empty store, see [`Archive`].
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
    tx.take_time()?;
    let tables = tables(tx)?;
    let migrations = history(tx)?;
    let mut files = Vec::new();
    // The order in which they can be read back, so that a reader of the manifest sees it.
    for name in rows::in_reference_order(&tables)? {
        files.push(rows::write_table(tx, folder, name, &tables[name])?);
    }
    Ok(Manifest {
        created_at: now,
        engine: engine.to_owned(),
        migrations,
        tables: files,
        beside: vec![],
        objects: ObjectList::default(),
    })
}

/// The tables of a store that the backup fits and that has no rows.
fn is_free(tx: &mut Tx<'_>, manifest: &Manifest) -> Result<BTreeMap<String, Table>> {
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
    let tables = is_free(tx, manifest)?;
    for name in rows::in_reference_order(&tables)? {
        if let Some(file) = manifest.tables.iter().find(|file| file.name == name) {
            rows::read_table(tx, folder, file, &tables[name])?;
        }
    }
    license::index::rebuild(tx)?;
    log::index::rebuild(tx)
}

/// Every table whose rows belong into a backup, with the columns that do: nothing that is derived.
fn tables(tx: &mut Tx<'_>) -> Result<BTreeMap<String, Table>> {
    let mut tables = describe(tx)?;
    for name in INDEX {
        tables.remove(name);
    }
    for (table, column) in DERIVED {
        if let Some(table) = tables.get_mut(table) {
            table.columns.retain(|it| it.name != column);
        }
    }
    match tables.remove(HISTORY) {
        Some(_) => Ok(tables),
        None => Err(Error::Backup("the database has no schema yet: migrate it first".to_owned())),
    }
}

fn history(tx: &mut Tx<'_>) -> Result<Vec<History>> {
    tx.query(
        sql!("SELECT version, name, checksum FROM schema_migrations ORDER BY version"),
        params![],
        |row| Ok(History { version: row.get(0)?, name: row.get(1)?, checksum: row.get(2)? }),
    )
}

/// Files are read and written outside the threads that serve requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Fault(error.to_string()))?
}
