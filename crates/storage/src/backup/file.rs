//! The files of a backup: readable only by their owner, and written atomically.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{BufWriter, Read as _, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use grantor_domain::hex;
use sha2::{Digest as _, Sha256};

use super::manifest::ExtraFile;
use crate::{Error, Result};

/// The directory of the tables' files.
pub(super) const TABLES: &str = "tables";

const PIECE: usize = 64 * 1_024;

/// Creates the directory of a new backup; returns whether it did not exist before.
pub(super) fn make_folders(folder: &Path) -> Result<bool> {
    let made_here = match std::fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => false,
            Some(_) => {
                return Err(Error::Backup(format!("{} is not empty", folder.display())));
            }
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)
                .map_err(|error| refused(folder, &error))?;
            true
        }
        Err(error) => return Err(refused(folder, &error)),
    };
    let tables = folder.join(TABLES);
    let made = DirBuilder::new().mode(0o700).create(&tables);
    made.map_err(|error| refused(&tables, &error))?;
    Ok(made_here)
}

/// Removes the files of a failed export, so that it can be retried. The directory was empty or
/// missing before, so everything in it came from the export.
pub(super) fn remove_folders(folder: &Path, made_here: bool) {
    if made_here {
        let _ = std::fs::remove_dir_all(folder);
        return;
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let _ = if path.is_dir() {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
    }
}

/// Copies a small file into the backup under the same name.
pub(super) fn copy(path: &Path, folder: &Path) -> Result<ExtraFile> {
    let content = std::fs::read(path).map_err(|error| refused(path, &error))?;
    let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let mut file = NewFile::create(folder.join(&name))?;
    file.write(&content)?;
    let (bytes, sha256) = file.finish()?;
    Ok(ExtraFile { name, bytes, sha256 })
}

/// Writes a small file.
pub(super) fn write(folder: &Path, name: &str, content: &[u8]) -> Result<()> {
    let mut file = NewFile::create(folder.join(name))?;
    file.write(content)?;
    file.finish().map(drop)
}

/// A file that gets its final name once it is complete and synced.
pub(super) struct NewFile {
    path: PathBuf,
    temporary: PathBuf,
    out: BufWriter<File>,
    sum: Sha256,
    bytes: u64,
}

impl NewFile {
    pub(super) fn create(path: PathBuf) -> Result<Self> {
        let temporary = unfinished(&path);
        // Truncated, because a read-only unit may run twice.
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&temporary)
            .map_err(|error| refused(&temporary, &error))?;
        let out = BufWriter::with_capacity(PIECE, file);
        Ok(Self { path, temporary, out, sum: Sha256::new(), bytes: 0 })
    }

    pub(super) fn write(&mut self, content: &[u8]) -> Result<()> {
        self.sum.update(content);
        self.bytes += content.len() as u64;
        self.out.write_all(content).map_err(|error| refused(&self.temporary, &error))
    }

    /// Renames the file to its final name; returns its length and SHA-256.
    pub(super) fn finish(mut self) -> Result<(u64, String)> {
        let synced = self.out.flush().and_then(|()| self.out.get_ref().sync_all());
        synced
            .and_then(|()| std::fs::rename(&self.temporary, &self.path))
            .and_then(|()| sync_folder(&self.path))
            .map_err(|error| refused(&self.path, &error))?;
        Ok((self.bytes, hex::encode(&self.sum.finalize())))
    }
}

/// The temporary name of an incomplete file.
fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(".part");
    name.into()
}

/// Makes the name of the backup's directory durable.
pub(super) fn sync_name(folder: &Path) -> Result<()> {
    let whole = folder.canonicalize().map_err(|error| refused(folder, &error))?;
    sync_folder(&whole).map_err(|error| refused(folder, &error))
}

/// A name is durable only once its directory is synced.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Returns a file's length and SHA-256.
pub(super) fn sum(path: &Path) -> Result<(u64, String)> {
    let mut file = File::open(path).map_err(|error| refused(path, &error))?;
    let (mut sum, mut bytes) = (Sha256::new(), 0);
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece).map_err(|error| refused(path, &error))? {
            0 => break,
            length => {
                sum.update(&piece[..length]);
                bytes += length as u64;
            }
        }
    }
    Ok((bytes, hex::encode(&sum.finalize())))
}

/// Compares a file with its entry in the manifest.
pub(super) fn verify(path: &Path, expected_bytes: u64, sha256: &str) -> Result<()> {
    let (bytes, found) = sum(path)?;
    if bytes == expected_bytes && found == sha256 {
        return Ok(());
    }
    Err(Error::Backup(format!(
        "{} is corrupted: its checksum differs from the manifest",
        path.display()
    )))
}

pub(super) fn refused(path: &Path, error: &std::io::Error) -> Error {
    Error::Backup(format!("{}: {error}", path.display()))
}
