//! Parts of the index that exceed its memory, in files without names: they are gone when the process
//! ends, however it ends.

use std::fs::{DirBuilder, File, OpenOptions, remove_file};
use std::io::{Error, ErrorKind, Result, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use grantor_recognition::{Shelf, ShelfError, Stored};

/// Makes files in a folder.
#[derive(Debug)]
pub(super) struct Files {
    folder: PathBuf,
    next: AtomicU64,
}

#[derive(Debug)]
struct Part(File);

impl Files {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, next: AtomicU64::new(0) }
    }

    fn create(&self) -> Result<File> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let path = self.folder.join(format!("{number}.part"));
            let mut options = OpenOptions::new();
            match options.read(true).write(true).create_new(true).mode(0o600).open(&path) {
                Ok(file) => return remove_file(&path).map(|()| file),
                // Another process is about to remove its name.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Shelf for Files {
    fn store(&self, bytes: &[u8]) -> std::result::Result<Box<dyn Stored>, ShelfError> {
        let written = self.create().and_then(|mut file| file.write_all(bytes).map(|()| file));
        Ok(Box::new(Part(written.map_err(failed)?)))
    }
}

impl Stored for Part {
    fn read(&self, offset: u64, into: &mut [u8]) -> std::result::Result<(), ShelfError> {
        self.0.read_exact_at(into, offset).map_err(failed)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "is passed to `map_err`")]
fn failed(error: Error) -> ShelfError {
    ShelfError(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_in_place_and_leave_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Files::new(folder.path().join("index"));
        let parts = [b"first part", b"other part"].map(|it| shelf.store(it).unwrap());
        let mut read = [0; 4];
        parts[1].read(6, &mut read).unwrap();
        assert_eq!(&read, b"part");
        parts[0].read(0, &mut read).unwrap();
        assert_eq!(&read, b"firs");
        assert!(parts[0].read(8, &mut read).is_err());
        assert_eq!(std::fs::read_dir(folder.path().join("index")).unwrap().count(), 0);
        std::fs::write(folder.path().join("file"), "").unwrap();
        let error = Files::new(folder.path().join("file")).store(b"x").unwrap_err();
        assert!(error.to_string().starts_with("a part of the image index is not available: "));
    }
}
