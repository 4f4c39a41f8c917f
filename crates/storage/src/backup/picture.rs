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
/// The tables whose rows have objects.
const IMAGES: &str = "images";
const EVIDENCE: &str = "evidence";
const CATALOG: &str = "catalog_pictures";
/// The kinds of objects that rows have.
pub(super) const KINDS: [ObjectKind; 6] = [
    ObjectKind::Image,
    ObjectKind::Thumbnail,
    ObjectKind::Evidence,
    ObjectKind::Reference,
    ObjectKind::CatalogPicture,
    ObjectKind::CatalogThumbnail,
];

/// The objects of one row: a reference image or a catalog picture with its thumbnail, or a copy that
/// evidence has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    /// The kind of the first object.
    pub(super) kind: ObjectKind,
    pub(super) id: Uuid,
    pub(super) content_type: String,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

impl Picture {
    /// A copy that evidence has, or a catalog picture.
    pub(super) fn of_copy(kind: ObjectKind, id: Uuid, bytes: u64, sha256: String) -> Self {
        Self { kind, id, content_type: ImageType::Jpeg.name().to_owned(), bytes, sha256 }
    }

    pub(super) fn keys(&self) -> Vec<ObjectKey> {
        let thumbnail = match self.kind {
            ObjectKind::Image => Some(ObjectKind::Thumbnail),
            ObjectKind::CatalogPicture => Some(ObjectKind::CatalogThumbnail),
            _ => None,
        };
        let kinds = [self.kind].into_iter().chain(thumbnail);
        kinds.map(|kind| ObjectKey::new(kind, self.id)).collect()
    }

    /// The length and SHA-256 of an object according to the row; `None` for a thumbnail.
    pub(super) fn sum(&self, key: ObjectKey) -> Option<(u64, &str)> {
        (key.kind() == self.kind).then_some((self.bytes, self.sha256.as_str()))
    }

    /// The object's line in the list.
    pub(super) fn line(&self, key: ObjectKey, (bytes, sha256): &(u64, String)) -> String {
        let content_type = match key.kind() {
            ObjectKind::Thumbnail => ImageType::Jpeg.name(),
            _ => &self.content_type,
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

/// The pictures of a backup's rows, in order: of images, of the catalog, then of evidence.
pub(super) struct Pictures {
    images: Rows,
    image_columns: [usize; 4],
    catalog: Rows,
    catalog_columns: [usize; 3],
    evidence: Rows,
    evidence_columns: [usize; 5],
    /// Copies of the last row of evidence that were not returned yet.
    waiting: Vec<Picture>,
}

impl Pictures {
    pub(super) fn open(folder: &Path, manifest: &Manifest) -> Result<Self> {
        let names = ["image_id", "content_type", "bytes", "sha256"];
        let (images, image_columns) = open_table(folder, manifest, IMAGES, names)?;
        let names = ["picture_id", "bytes", "sha256"];
        let (catalog, catalog_columns) = open_table(folder, manifest, CATALOG, names)?;
        let names = [
            "evidence_id",
            "copy_bytes",
            "copy_sha256",
            "reference_copy_bytes",
            "reference_copy_sha256",
        ];
        let (evidence, evidence_columns) = open_table(folder, manifest, EVIDENCE, names)?;
        let waiting = vec![];
        Ok(Self {
            images,
            image_columns,
            catalog,
            catalog_columns,
            evidence,
            evidence_columns,
            waiting,
        })
    }

    fn read_image(&self, row: &[Json]) -> Option<Picture> {
        let [id, content_type, bytes, sha256] = self.image_columns.map(|column| &row[column]);
        Some(Picture {
            kind: ObjectKind::Image,
            id: read_id(id)?,
            content_type: content_type.as_str()?.to_owned(),
            bytes: bytes.as_u64()?,
            sha256: sha256.as_str()?.to_owned(),
        })
    }

    fn read_catalog(&self, row: &[Json]) -> Option<Picture> {
        let [id, bytes, sha256] = self.catalog_columns.map(|column| &row[column]);
        let (kind, sha256) = (ObjectKind::CatalogPicture, sha256.as_str()?.to_owned());
        Some(Picture::of_copy(kind, read_id(id)?, bytes.as_u64()?, sha256))
    }

    /// The copies of a row, the last one first.
    fn read_copies(&self, row: &[Json]) -> Option<Vec<Picture>> {
        let [id, bytes, sha256, reference_bytes, reference_sha256] =
            self.evidence_columns.map(|column| &row[column]);
        let id = read_id(id)?;
        let mut copies = vec![];
        for (kind, bytes, sha256) in [
            (ObjectKind::Reference, reference_bytes, reference_sha256),
            (ObjectKind::Evidence, bytes, sha256),
        ] {
            if !bytes.is_null() {
                let sha256 = sha256.as_str()?.to_owned();
                copies.push(Picture::of_copy(kind, id, bytes.as_u64()?, sha256));
            }
        }
        Some(copies)
    }
}

fn read_id(id: &Json) -> Option<Uuid> {
    Uuid::from_slice(&hex::decode(id.as_str()?)?).ok()
}

/// The rows of a table, and the places of these columns.
fn open_table<const N: usize>(
    folder: &Path,
    manifest: &Manifest,
    name: &str,
    columns: [&str; N],
) -> Result<(Rows, [usize; N])> {
    let table = manifest.table(name)?;
    let mut places = [0; N];
    for (place, column) in places.iter_mut().zip(columns) {
        let found = table.columns.iter().position(|it| it == column);
        *place = found.ok_or_else(|| {
            Error::Backup(format!("table {name} does not have the expected columns"))
        })?;
    }
    Ok((Rows::open(folder, table)?, places))
}

impl Iterator for Pictures {
    type Item = Result<Picture>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(row) = self.images.next() {
            return Some(
                row.and_then(|row| self.read_image(&row).ok_or_else(|| self.images.unfit())),
            );
        }
        if let Some(row) = self.catalog.next() {
            return Some(
                row.and_then(|row| self.read_catalog(&row).ok_or_else(|| self.catalog.unfit())),
            );
        }
        loop {
            if let Some(copy) = self.waiting.pop() {
                return Some(Ok(copy));
            }
            let copies = self
                .evidence
                .next()?
                .and_then(|row| self.read_copies(&row).ok_or_else(|| self.evidence.unfit()));
            match copies {
                Ok(copies) => self.waiting = copies,
                Err(error) => return Some(Err(error)),
            }
        }
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
