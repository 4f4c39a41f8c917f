//! A backup both engines write and read alike: one file of rows per table and a manifest.
//!
//! Because nothing in it is an engine's own, a backup taken on `SQLite` restores into PostgreSQL,
//! which is how an operator grows, and back. Keys and other files are not part of it.

mod cell;
mod file;
mod manifest;
mod rows;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use grantor_domain::Timestamp;

use self::manifest::{History, Manifest, TableFile};
use crate::license::search;
use crate::schema::{Table, describe};
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Store, Tx};

/// The table of the schema's history: a store has its own before anything is restored into it.
/// Derived from the licenses.
const WORDS: &str = "license_words";
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
        Self { at, tables: manifest.tables.iter().map(rows).collect(), bytes }
    }
}

/// Writes everything the store holds at one moment into a new or empty folder, while others go on
/// reading and writing, and copies of the files that belong to it beside. The manifest comes last:
/// a folder without one is no backup.
pub async fn export(
    store: &Store,
    folder: PathBuf,
    beside: Vec<PathBuf>,
    now: Timestamp,
) -> Result<Report> {
    let target = folder.clone();
    let made_here = blocking(move || file::make_folders(&target)).await?;
    let (engine, target) = (store.engine().name(), folder.clone());
    let written = store.read(move |tx| write_all(tx, &target, engine, now)).await;
    let target = folder;
    blocking(move || {
        let kept = written.and_then(|mut manifest| {
            let copies = beside.iter().map(|path| file::copy(path, &target));
            manifest.beside = copies.collect::<Result<_>>()?;
            file::write(&target, manifest::FILE, manifest.to_text().as_bytes())?;
            file::settle(&target)?;
            Ok(Report::of(&manifest, now))
        });
        if kept.is_err() {
            file::remove_folders(&target, made_here);
        }
        kept
    })
    .await
}

/// Puts a backup into a store that has the same schema and no rows: all of it or nothing.
pub async fn import(store: &Store, folder: PathBuf, now: Timestamp) -> Result<Report> {
    let manifest = checked(folder.clone()).await?;
    store
        .write(move |tx| {
            tx.lock_schema()?;
            read_all(tx, &folder, &manifest)?;
            Ok(Report::of(&manifest, now))
        })
        .await
}

/// Whether a folder holds a whole backup, every file as it was written.
pub async fn verify(folder: PathBuf) -> Result<()> {
    checked(folder).await.map(drop)
}

async fn checked(source: PathBuf) -> Result<Manifest> {
    blocking(move || {
        let manifest = Manifest::read(&source)?;
        for table in &manifest.tables {
            file::verify(&source.join(table.path()), table.bytes, &table.sha256)?;
        }
        for copy in &manifest.beside {
            file::verify(&source.join(&copy.name), copy.bytes, &copy.sha256)?;
        }
        Ok(manifest)
    })
    .await
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
    })
}

fn read_all(tx: &mut Tx<'_>, folder: &Path, manifest: &Manifest) -> Result<()> {
    let tables = tables(tx)?;
    manifest.fits(&history(tx)?, &tables)?;
    for name in tables.keys() {
        if rows::has_rows(tx, name)? {
            return Err(Error::Backup(format!(
                "the database already has rows (in {name}): restore into an empty one"
            )));
        }
    }
    for name in rows::in_reference_order(&tables)? {
        if let Some(file) = manifest.tables.iter().find(|file| file.name == name) {
            rows::read_table(tx, folder, file, &tables[name])?;
        }
    }
    search::rebuild(tx)
}

/// Every table whose rows belong into a backup: not the index of words, whose form is the engine's.
fn tables(tx: &mut Tx<'_>) -> Result<BTreeMap<String, Table>> {
    let mut tables = describe(tx)?;
    tables.remove(WORDS);
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
