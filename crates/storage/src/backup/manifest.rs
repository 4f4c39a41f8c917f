//! The manifest of a backup.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use grantor_domain::Timestamp;
use serde_json::{Value as Json, json};

use super::file::{TABLES, refused};
use super::picture::LIST;
use crate::schema::Table;
use crate::{Error, Result};

/// The manifest's file name.
pub(super) const FILE: &str = "manifest.json";

/// Increased when an older reader would misread the new format.
const FORMAT: i64 = 2;

/// An applied migration as recorded in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct History {
    pub(super) version: i64,
    pub(super) name: String,
    pub(super) checksum: String,
}

/// The file of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableFile {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

impl TableFile {
    /// The file's path in the backup.
    pub(super) fn path(&self) -> PathBuf {
        Path::new(TABLES).join(format!("{}.jsonl", self.name))
    }
}

/// An extra file copied into the backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExtraFile {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

/// Summary of the list of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ObjectList {
    /// Number of objects.
    pub(super) count: u64,
    /// Total size of the objects.
    pub(super) bytes: u64,
    /// Length of the list.
    pub(super) list_bytes: u64,
    /// SHA-256 of the list.
    pub(super) sha256: String,
}

/// The manifest's contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) created_at: Timestamp,
    pub(super) engine: String,
    pub(super) migrations: Vec<History>,
    pub(super) tables: Vec<TableFile>,
    pub(super) extra_files: Vec<ExtraFile>,
    pub(super) objects: ObjectList,
}

impl Manifest {
    /// Returns the file of a table.
    pub(super) fn table(&self, name: &str) -> Result<&TableFile> {
        let found = self.tables.iter().find(|it| it.name == name);
        found.ok_or_else(|| Error::Backup(format!("the backup has no table {name}")))
    }

    pub(super) fn to_text(&self) -> String {
        let migration = |it: &History| json!({ "version": it.version, "name": it.name, "checksum": it.checksum });
        let table = |it: &TableFile| {
            json!({
                "name": it.name,
                "file": it.path(),
                "columns": it.columns,
                "rows": it.rows,
                "bytes": it.bytes,
                "sha256": it.sha256,
            })
        };
        let extra_file =
            |it: &ExtraFile| json!({ "name": it.name, "bytes": it.bytes, "sha256": it.sha256 });
        let whole = json!({
            "format": FORMAT,
            "created_at": self.created_at.to_string(),
            "engine": self.engine,
            "migrations": self.migrations.iter().map(migration).collect::<Vec<_>>(),
            "tables": self.tables.iter().map(table).collect::<Vec<_>>(),
            "beside": self.extra_files.iter().map(extra_file).collect::<Vec<_>>(),
            "objects": {
                "file": LIST,
                "count": self.objects.count,
                "bytes": self.objects.bytes,
                "list_bytes": self.objects.list_bytes,
                "sha256": self.objects.sha256,
            },
        });
        format!("{whole:#}\n")
    }

    /// Reads the manifest in a backup's directory.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::Backup(format!(
                "{} is not a complete backup: {FILE} is missing",
                folder.display()
            )),
            _ => refused(&path, &error),
        })?;
        let whole: Json = serde_json::from_str(&text).map_err(|_| unreadable(&path))?;
        match whole["format"].as_i64() {
            Some(FORMAT) => Self::parse(&whole).ok_or_else(|| unreadable(&path)),
            Some(other) => Err(Error::Backup(format!(
                "the backup has format {other}, but this version of Grantor reads format {FORMAT}"
            ))),
            None => Err(unreadable(&path)),
        }
    }

    fn parse(whole: &Json) -> Option<Self> {
        let migration = |it: &Json| {
            Some(History {
                version: it["version"].as_i64()?,
                name: text(&it["name"])?,
                checksum: text(&it["checksum"])?,
            })
        };
        let table = |it: &Json| {
            Some(TableFile {
                name: plain_name(&it["name"])?,
                columns: it["columns"].as_array()?.iter().map(text).collect::<Option<_>>()?,
                rows: it["rows"].as_u64()?,
                bytes: it["bytes"].as_u64()?,
                sha256: text(&it["sha256"])?,
            })
        };
        let extra_file = |it: &Json| {
            Some(ExtraFile {
                name: file_name(&it["name"])?,
                bytes: it["bytes"].as_u64()?,
                sha256: text(&it["sha256"])?,
            })
        };
        let objects = &whole["objects"];
        Some(Self {
            objects: ObjectList {
                count: objects["count"].as_u64()?,
                bytes: objects["bytes"].as_u64()?,
                list_bytes: objects["list_bytes"].as_u64()?,
                sha256: text(&objects["sha256"])?,
            },
            extra_files: whole["beside"]
                .as_array()?
                .iter()
                .map(extra_file)
                .collect::<Option<_>>()?,
            created_at: Timestamp::parse(whole["created_at"].as_str()?).ok()?,
            engine: text(&whole["engine"])?,
            migrations: whole["migrations"]
                .as_array()?
                .iter()
                .map(migration)
                .collect::<Option<_>>()?,
            tables: whole["tables"].as_array()?.iter().map(table).collect::<Option<_>>()?,
        })
    }

    /// Checks that `who` has the schema with which the backup was made.
    pub(super) fn same_history(&self, history: &[History], who: &str) -> Result<()> {
        if self.migrations == history {
            return Ok(());
        }
        Err(Error::Backup(format!(
            "the backup was made with {}, but {who} has {}: restore it with the version of Grantor \
             that made it, then migrate",
            last(&self.migrations),
            last(history)
        )))
    }

    /// Checks that the backup fits a store with this history and these tables.
    pub(super) fn fits(&self, history: &[History], tables: &BTreeMap<String, Table>) -> Result<()> {
        self.same_history(history, "the database")?;
        let columns = |table: &Table| table.columns.iter().map(|it| it.name.clone()).collect();
        let own: BTreeMap<String, Vec<String>> =
            tables.iter().map(|(name, table)| (name.clone(), columns(table))).collect();
        let expected: BTreeMap<String, Vec<String>> =
            self.tables.iter().map(|it| (it.name.clone(), it.columns.clone())).collect();
        if own == expected && self.tables.len() == tables.len() {
            return Ok(());
        }
        Err(Error::Backup("the backup's tables do not match those of the database".to_owned()))
    }
}

fn last(history: &[History]) -> String {
    match history.last() {
        Some(it) => {
            let sum = it.checksum.get(..8).unwrap_or(&it.checksum);
            format!("migration {} ({}, {sum})", it.version, it.name)
        }
        None => "no migration".to_owned(),
    }
}

fn text(json: &Json) -> Option<String> {
    json.as_str().map(str::to_owned)
}

/// A file name directly in the backup's directory.
fn file_name(json: &Json) -> Option<String> {
    text(json).filter(|name| Path::new(name).file_name().is_some_and(|it| it == name.as_str()))
}

/// The name becomes part of a path, so it must not contain separators.
fn plain_name(json: &Json) -> Option<String> {
    let plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
    text(json).filter(|name| !name.is_empty() && name.chars().all(plain))
}

fn unreadable(path: &Path) -> Error {
    Error::Backup(format!("{} is not a valid backup manifest", path.display()))
}
