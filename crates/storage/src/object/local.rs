//! Objects as files, readable by their owner alone.

use std::collections::BTreeSet;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

use grantor_domain::Timestamp;

use super::{Cursor, Found, Listed, ObjectKey, ObjectKind};
use crate::{Error, Result};

/// Tells the unfinished files of this process apart.
static UNFINISHED: AtomicU64 = AtomicU64::new(0);

/// How the name of an unfinished file ends.
const UNFINISHED_EXTENSION: &str = "part";

/// A folder with one folder for each kind.
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
    ) -> Result<Listed> {
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

/// Runs blocking work where it blocks nobody.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::from).flatten()
}

/// A page of a folder. The system gives names in any order: only as many as fit are held.
fn list(
    folder: &Path,
    kind: ObjectKind,
    after: Option<&Cursor>,
    at_most: usize,
) -> io::Result<Listed> {
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
    let mut found = Vec::with_capacity(first.len());
    for name in first {
        // Deleted since it was named.
        let Some(written_at) = written_at(&folder.join(&name))? else { continue };
        let key = format!("{}/{name}", kind.as_str()).parse();
        found.push(Found { key: key.map_err(io::Error::other)?, written_at });
    }
    Ok(Listed { found, next })
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

/// The names in a folder that are text; none where there is no folder yet.
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

/// Writes beside the place and moves into it, so that nobody ever reads half an object.
fn write(root: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(root);
    make_folder(root, folder)?;
    let (unfinished, mut file) = create_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if let Err(error) = written.and_then(|()| std::fs::rename(&unfinished, path)) {
        // A full disk should not stay full of what was not kept.
        let _ = std::fs::remove_file(&unfinished);
        return Err(error);
    }
    // The database names the object next: its own name must be as durable as that.
    sync_folder_of(path)
}

/// A new name of a folder lasts once the folder above has been written too.
fn make_folder(root: &Path, folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    File::open(root)?.sync_all()?;
    sync_folder_of(root)
}

/// A fresh file beside the path. What a crash left under a name is passed over: another process
/// with the same number, in a container of its own, may still be at it.
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
