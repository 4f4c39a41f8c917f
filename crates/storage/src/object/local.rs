//! Objects as files, readable only by their owner.

use std::collections::BTreeSet;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

use grantor_domain::Timestamp;

use super::{Cursor, ObjectInfo, ObjectKey, ObjectKind, ObjectPage};
use crate::{Error, Result};

/// Makes the names of this process's unfinished files unique.
static UNFINISHED: AtomicU64 = AtomicU64::new(0);

/// The extension of an unfinished file.
const UNFINISHED_EXTENSION: &str = "part";

/// A directory with one subdirectory per kind.
#[derive(Clone, Debug)]
pub(super) struct Local {
    folder: PathBuf,
}

impl Local {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub(super) async fn put(&self, key: ObjectKey, bytes: Vec<u8>) -> Result<()> {
        self.run(key, move |root, path| write(root, path, &bytes)).await
    }

    pub(super) async fn get(&self, key: ObjectKey) -> Result<Option<Vec<u8>>> {
        self.run(key, |_, path| absent_is_none(std::fs::read(path))).await
    }

    pub(super) async fn size(&self, key: ObjectKey) -> Result<Option<u64>> {
        let about = self.run(key, |_, path| absent_is_none(std::fs::metadata(path))).await?;
        Ok(about.map(|it| it.len()))
    }

    pub(super) async fn delete(&self, key: ObjectKey) -> Result<()> {
        self.run(key, |_, path| match absent_is_none(std::fs::remove_file(path))? {
            Some(()) => sync_folder_of(path),
            None => Ok(()),
        })
        .await
    }

    pub(super) async fn list(
        &self,
        kind: ObjectKind,
        after: Option<Cursor>,
        at_most: usize,
    ) -> Result<ObjectPage> {
        let folder = self.folder.join(kind.as_str());
        let work = move || list(&folder, kind, after.as_ref(), at_most);
        blocking(work).await.map_err(|error| Error::Objects(format!("{}: {error}", kind.as_str())))
    }

    pub(super) async fn delete_unfinished(
        &self,
        kind: ObjectKind,
        before: Timestamp,
    ) -> Result<u64> {
        let folder = self.folder.join(kind.as_str());
        let work = move || delete_unfinished(&folder, before);
        blocking(work).await.map_err(|error| Error::Objects(format!("{}: {error}", kind.as_str())))
    }

    async fn run<T: Send + 'static>(
        &self,
        key: ObjectKey,
        work: impl FnOnce(&Path, &Path) -> io::Result<T> + Send + 'static,
    ) -> Result<T> {
        let root = self.folder.clone();
        let path = root.join(key.kind().as_str()).join(key.id().to_string());
        let done = blocking(move || work(&root, &path)).await;
        done.map_err(|error| Error::Objects(format!("{key}: {error}")))
    }
}

/// Runs blocking work off the async threads.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::from).flatten()
}

/// Lists a page of a directory. The system returns names in any order; only one page is kept in
/// memory.
fn list(
    folder: &Path,
    kind: ObjectKind,
    after: Option<&Cursor>,
    at_most: usize,
) -> io::Result<ObjectPage> {
    let mut first = BTreeSet::new();
    for name in names(folder)? {
        let name = name?;
        if after.is_some_and(|Cursor(after)| name <= *after) {
            continue;
        }
        if format!("{}/{name}", kind.as_str()).parse::<ObjectKey>().is_ok() {
            first.insert(name);
            if first.len() > at_most {
                first.pop_last();
            }
        }
    }
    let full = first.len() == at_most;
    let next = first.last().filter(|_| full).cloned().map(Cursor);
    let mut objects = Vec::with_capacity(first.len());
    for name in first {
        // The file was deleted in the meantime.
        let Some(written_at) = written_at(&folder.join(&name))? else { continue };
        let key = format!("{}/{name}", kind.as_str()).parse();
        objects.push(ObjectInfo { key: key.map_err(io::Error::other)?, written_at });
    }
    Ok(ObjectPage { objects, next })
}

fn delete_unfinished(folder: &Path, before: Timestamp) -> io::Result<u64> {
    let mut deleted = 0;
    for name in names(folder)? {
        let path = folder.join(name?);
        let unfinished = path.extension().is_some_and(|it| it == UNFINISHED_EXTENSION);
        if unfinished
            && written_at(&path)?.is_some_and(|it| it < before)
            && absent_is_none(std::fs::remove_file(&path))?.is_some()
        {
            deleted += 1;
        }
    }
    Ok(deleted)
}

/// The UTF-8 names in a directory; none if the directory does not exist.
fn names(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<String>>> {
    let entries = absent_is_none(std::fs::read_dir(folder))?;
    let names = entries.into_iter().flatten().map(|it| it.map(|it| it.file_name().into_string()));
    Ok(names.filter_map(|name| name.map(Result::ok).transpose()))
}

fn written_at(path: &Path) -> io::Result<Option<Timestamp>> {
    let Some(about) = absent_is_none(std::fs::metadata(path))? else { return Ok(None) };
    let since = about.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Some(Timestamp::from_micros(0).plus(since)))
}

fn absent_is_none<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a temporary file and renames it, so that nobody reads half an object.
fn write(root: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(root);
    make_folder(root, folder)?;
    let (unfinished, mut file) = create_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if let Err(error) = written.and_then(|()| std::fs::rename(&unfinished, path)) {
        // Frees the disk space of a failed write.
        let _ = std::fs::remove_file(&unfinished);
        return Err(error);
    }
    // The database refers to the object next, so its name must be durable before.
    sync_folder_of(path)
}

/// A new directory is durable once its parent is synced.
fn make_folder(root: &Path, folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    File::open(root)?.sync_all()?;
    sync_folder_of(root)
}

/// Creates a new temporary file next to the path. Existing files are skipped: they may belong to a
/// process with the same id in another container.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let number = UNFINISHED.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}.{UNFINISHED_EXTENSION}", std::process::id());
        let unfinished = path.with_extension(format!("{number}.{name}"));
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished) {
            Ok(file) => return Ok((unfinished, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}
