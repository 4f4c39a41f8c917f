//! What a backup says of itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use grantor_domain::Timestamp;
use serde_json::{Value as Json, json};

use super::file::{TABLES, refused};
use super::picture::LIST;
use crate::schema::Table;
use crate::{Error, Result};

/// The manifest's name in the folder.
pub(super) const FILE: &str = "manifest.json";

/// Raised when a reader of the old form would misread the new one.
const FORMAT: i64 = 2;

/// A step of the schema's history as a database keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct History {
    pub(super) version: i64,
    pub(super) name: String,
    pub(super) checksum: String,
}

/// One table's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableFile {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

impl TableFile {
    /// Where it is in the backup's folder.
    pub(super) fn path(&self) -> PathBuf {
        Path::new(TABLES).join(format!("{}.jsonl", self.name))
    }
}

/// A file that was copied beside the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BesideFile {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

/// The list of the objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ObjectList {
    /// How many objects.
    pub(super) count: u64,
    /// How long they are together.
    pub(super) bytes: u64,
    /// How long the list is.
    pub(super) list_bytes: u64,
    /// The list's checksum.
    pub(super) sha256: String,
}

/// The whole of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) created_at: Timestamp,
    pub(super) engine: String,
    pub(super) migrations: Vec<History>,
    pub(super) tables: Vec<TableFile>,
    pub(super) beside: Vec<BesideFile>,
    pub(super) objects: ObjectList,
}

impl Manifest {
    /// A table's file.
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
        let beside =
            |it: &BesideFile| json!({ "name": it.name, "bytes": it.bytes, "sha256": it.sha256 });
        let whole = json!({
            "format": FORMAT,
            "created_at": self.created_at.to_string(),
            "engine": self.engine,
            "migrations": self.migrations.iter().map(migration).collect::<Vec<_>>(),
            "tables": self.tables.iter().map(table).collect::<Vec<_>>(),
            "beside": self.beside.iter().map(beside).collect::<Vec<_>>(),
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

    /// Reads the manifest of a backup's folder.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::Backup(format!(
                "{} is no complete backup: it has no {FILE}",
                folder.display()
            )),
            _ => refused(&path, &error),
        })?;
        let whole: Json = serde_json::from_str(&text).map_err(|_| unreadable(&path))?;
        match whole["format"].as_i64() {
            Some(FORMAT) => Self::parse(&whole).ok_or_else(|| unreadable(&path)),
            Some(other) => Err(Error::Backup(format!(
                "the backup has form {other}, and this version of Grantor reads form {FORMAT}"
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
        let beside = |it: &Json| {
            Some(BesideFile {
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
            beside: whole["beside"].as_array()?.iter().map(beside).collect::<Option<_>>()?,
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

    /// Whether `who` has the schema that the backup was made with.
    pub(super) fn same_history(&self, history: &[History], who: &str) -> Result<()> {
        if self.migrations == history {
            return Ok(());
        }
        Err(Error::Backup(format!(
            "the backup was made with {}, and {who} has {}: restore it with the version of Grantor \
             that made it, then migrate",
            last(&self.migrations),
            last(history)
        )))
    }

    /// Whether a store with this history and these tables can take the backup as it is.
    pub(super) fn fits(&self, history: &[History], tables: &BTreeMap<String, Table>) -> Result<()> {
        self.same_history(history, "the database")?;
        let columns = |table: &Table| table.columns.iter().map(|it| it.name.clone()).collect();
        let own: BTreeMap<String, Vec<String>> =
            tables.iter().map(|(name, table)| (name.clone(), columns(table))).collect();
        let told: BTreeMap<String, Vec<String>> =
            self.tables.iter().map(|it| (it.name.clone(), it.columns.clone())).collect();
        if own == told && self.tables.len() == tables.len() {
            return Ok(());
        }
        Err(Error::Backup("the backup's tables are not those of the database".to_owned()))
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

/// A name in the backup's own folder, never a path out of it.
fn file_name(json: &Json) -> Option<String> {
    text(json).filter(|name| Path::new(name).file_name().is_some_and(|it| it == name.as_str()))
}

/// The name becomes part of a path, so it must not lead out of the folder.
fn plain_name(json: &Json) -> Option<String> {
    let plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
    text(json).filter(|name| !name.is_empty() && name.chars().all(plain))
}

fn unreadable(path: &Path) -> Error {
    Error::Backup(format!("{} does not read as a backup's manifest", path.display()))
}
