//! ZIP files whose entries are stored, not compressed. They are written piece by piece, because all
//! the pictures of a capsule may not fit into memory.

use std::io::{Cursor, Read as _};

use grantor_domain::{Error, Result};
use zip::{CompressionMethod, ZipArchive};

use super::{CapsuleFile, MAX_CAPSULE, layout};

/// The most files that an archive has. More would need another format.
const MAX_FILES: usize = 65_000;

/// Version 1.0 of the format, which is enough for stored files.
const VERSION: u16 = 10;
/// Version 2.0, written on Unix.
const MADE_BY: u16 = 0x0314;
/// January 1, 1980, so that the same files are the same bytes.
const DATE: u16 = 0x0021;
/// A regular file that everybody can read.
const MODE: u32 = 0o100_644 << 16;

/// Writes an archive: the entries first, then their directory.
#[derive(Default)]
pub(super) struct ArchiveWriter {
    directory: Vec<u8>,
    files: usize,
    written: usize,
}

impl ArchiveWriter {
    /// Returns the bytes of a file with its header.
    pub(super) fn add(&mut self, name: &str, content: &[u8]) -> Result<Vec<u8>> {
        let length = |length: usize| u32::try_from(length).map_err(|_| too_large());
        let (at, size) = (length(self.written)?, length(content.len())?);
        let name_length = u16::try_from(name.len()).map_err(|_| too_large())?;
        // Flags, method, time, date, check sum, both sizes, the lengths of name and extra field.
        let mut common: Vec<u8> = vec![];
        for number in [VERSION, 0, 0, 0, DATE] {
            common.extend(number.to_le_bytes());
        }
        for number in [crc32fast::hash(content), size, size] {
            common.extend(number.to_le_bytes());
        }
        for number in [name_length, 0] {
            common.extend(number.to_le_bytes());
        }
        let entry = [&b"PK\x03\x04"[..], &common, name.as_bytes(), content].concat();
        self.directory.extend([&b"PK\x01\x02"[..], &MADE_BY.to_le_bytes(), &common].concat());
        // Comment, disk and internal attributes.
        self.directory.extend([0_u8; 6]);
        self.directory.extend(MODE.to_le_bytes());
        self.directory.extend(at.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.files += 1;
        self.written += entry.len();
        if self.files > MAX_FILES || self.written + self.directory.len() > MAX_CAPSULE {
            return Err(too_large());
        }
        Ok(entry)
    }

    /// Returns the directory, which ends the archive.
    pub(super) fn finish(self) -> Result<Vec<u8>> {
        let length = |length: usize| u32::try_from(length).map_err(|_| too_large());
        let files = u16::try_from(self.files).map_err(|_| too_large())?;
        let (size, at) = (length(self.directory.len())?, length(self.written)?);
        let mut end = self.directory;
        end.extend(b"PK\x05\x06");
        // The archive is on one disk.
        for number in [0, 0, files, files] {
            end.extend(number.to_le_bytes());
        }
        for number in [size, at] {
            end.extend(number.to_le_bytes());
        }
        // There is no comment.
        end.extend([0_u8; 2]);
        Ok(end)
    }
}

fn too_large() -> Error {
    Error::internal("the evidence is too large for a capsule")
}

/// Reads all files. `None` if the archive is damaged, too large, compressed, has a name twice, or has
/// anything besides its files.
pub(super) fn read(bytes: &[u8]) -> Option<Vec<CapsuleFile>> {
    if bytes.len() > MAX_CAPSULE || !layout::is_exact(bytes) {
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
