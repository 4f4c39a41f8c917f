//! The objects of a backup, according to its rows and to its list.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Lines};
use std::path::{Path, PathBuf};

use grantor_domain::hex;
use grantor_domain::image::ImageType;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::file::refused;
use super::manifest::Manifest;
use super::rows::Rows;
use crate::object::{ObjectKey, ObjectKind};
use crate::{Error, Result};

/// The directory of the objects.
pub(super) const FOLDER: &str = "objects";
/// The list of the objects and their checksums, in the order of the rows.
pub(super) const LIST: &str = "objects.jsonl";
/// The table whose rows have objects.
const TABLE: &str = "images";
/// The objects that each row has.
pub(super) const KINDS: [ObjectKind; 2] = [ObjectKind::Image, ObjectKind::Thumbnail];

/// A picture according to its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    pub(super) id: Uuid,
    pub(super) content_type: String,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

impl Picture {
    pub(super) fn keys(&self) -> [ObjectKey; 2] {
        KINDS.map(|kind| ObjectKey::new(kind, self.id))
    }

    /// The length and SHA-256 of an object according to the row; `None` for a thumbnail.
    pub(super) fn sum(&self, key: ObjectKey) -> Option<(u64, &str)> {
        (key.kind() == ObjectKind::Image).then_some((self.bytes, self.sha256.as_str()))
    }

    /// The object's line in the list.
    pub(super) fn line(&self, key: ObjectKey, (bytes, sha256): &(u64, String)) -> String {
        let content_type = match key.kind() {
            ObjectKind::Thumbnail => ImageType::Jpeg.name(),
            ObjectKind::Image | ObjectKind::Database => &self.content_type,
        };
        let line = json!({ "key": key.to_string(), "type": content_type, "bytes": bytes, "sha256": sha256 });
        format!("{line}\n")
    }
}

/// Checks an object against its row.
pub(super) fn check(
    key: ObjectKey,
    expected: Option<(u64, &str)>,
    found: &(u64, String),
) -> Result<()> {
    match expected {
        Some((bytes, sha256)) if bytes != found.0 || sha256 != found.1 => Err(Error::Backup(
            format!("{key} is damaged: its size or SHA-256 differs from the database"),
        )),
        _ => Ok(()),
    }
}

pub(super) fn path_of(folder: &Path, key: ObjectKey) -> PathBuf {
    folder.join(FOLDER).join(key.to_string())
}

/// The pictures of a backup's rows, in order.
pub(super) struct Pictures {
    rows: Rows,
    columns: [usize; 4],
}

impl Pictures {
    pub(super) fn open(folder: &Path, manifest: &Manifest) -> Result<Self> {
        let table = manifest.table(TABLE)?;
        let columns = ["image_id", "content_type", "bytes", "sha256"];
        let columns = columns.map(|name| table.columns.iter().position(|it| it == name));
        let [Some(id), Some(content_type), Some(bytes), Some(sha256)] = columns else {
            return Err(Error::Backup(format!("table {TABLE} does not have the expected columns")));
        };
        Ok(Self { rows: Rows::open(folder, table)?, columns: [id, content_type, bytes, sha256] })
    }

    fn read(&self, row: &[Json]) -> Option<Picture> {
        let [id, content_type, bytes, sha256] = self.columns.map(|column| &row[column]);
        Some(Picture {
            id: Uuid::from_slice(&hex::decode(id.as_str()?)?).ok()?,
            content_type: content_type.as_str()?.to_owned(),
            bytes: bytes.as_u64()?,
            sha256: sha256.as_str()?.to_owned(),
        })
    }
}

impl Iterator for Pictures {
    type Item = Result<Picture>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next()?;
        Some(row.and_then(|row| self.read(&row).ok_or_else(|| self.rows.unfit())))
    }
}

/// An entry of the list.
pub(super) struct ListEntry {
    pub(super) key: ObjectKey,
    pub(super) content_type: String,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

/// The list of the objects, read line by line.
pub(super) struct List {
    path: PathBuf,
    lines: Lines<BufReader<File>>,
}

impl List {
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(LIST);
        let file = File::open(&path).map_err(|error| refused(&path, &error))?;
        Ok(Self { lines: BufReader::new(file).lines(), path })
    }

    fn read(&self, line: &std::io::Result<String>) -> Result<ListEntry> {
        let text = line.as_ref().map_err(|error| refused(&self.path, error))?;
        let read = || {
            let line: Json = serde_json::from_str(text).ok()?;
            Some(ListEntry {
                key: line["key"].as_str()?.parse().ok()?,
                content_type: line["type"].as_str()?.to_owned(),
                bytes: line["bytes"].as_u64()?,
                sha256: line["sha256"].as_str()?.to_owned(),
            })
        };
        let unfit =
            || Error::Backup(format!("{} is not a valid list of objects", self.path.display()));
        read().ok_or_else(unfit)
    }
}

impl Iterator for List {
    type Item = Result<ListEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.lines.next()?;
        Some(self.read(&line))
    }
}
