//! ZIP files whose entries are stored, not compressed.

use std::io::{Cursor, Read as _, Write as _};

use grantor_domain::{Error, Result};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::{CapsuleFile, MAX_CAPSULE};

/// The most files that are read.
const MAX_FILES: usize = 1_000;

/// Writes the files in order. The same files are the same bytes.
pub(super) fn write(files: &[CapsuleFile]) -> Result<Vec<u8>> {
    let failed = |error: ZipError| Error::internal(format!("cannot write a ZIP file: {error}"));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for CapsuleFile { name, bytes } in files {
        archive.start_file(name, options).map_err(failed)?;
        archive.write_all(bytes).map_err(|error| failed(ZipError::Io(error)))?;
    }
    Ok(archive.finish().map_err(failed)?.into_inner())
}

/// Reads all files. `None` if the archive is damaged, too large, compressed, or has a name twice.
pub(super) fn read(bytes: &[u8]) -> Option<Vec<CapsuleFile>> {
    if bytes.len() > MAX_CAPSULE {
        return None;
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    if archive.has_duplicate_names() || archive.len() > MAX_FILES {
        return None;
    }
    let mut files = Vec::with_capacity(archive.len());
    for place in 0..archive.len() {
        let entry = archive.by_index(place).ok()?;
        if entry.compression() != CompressionMethod::Stored {
            return None;
        }
        let name = entry.name().ok()?.into_owned();
        let mut content = Vec::new();
        // An entry that is not compressed is no longer than the archive.
        entry.take(bytes.len() as u64).read_to_end(&mut content).ok()?;
        files.push(CapsuleFile { name, bytes: content });
    }
    Some(files)
}
