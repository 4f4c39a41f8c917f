//! Parts of an index in temporary files.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;

use grantor_recognition::{Shelf, ShelfError, Stored};

use crate::measure::Outcome;

/// Makes files in a folder that is deleted in the end.
#[derive(Debug)]
pub(crate) struct Files(tempfile::TempDir);

#[derive(Debug)]
struct Part(File);

impl Files {
    pub(crate) fn new() -> Outcome<Self> {
        Ok(Self(tempfile::tempdir()?))
    }
}

impl Shelf for Files {
    fn store(&self, bytes: &[u8]) -> Result<Box<dyn Stored>, ShelfError> {
        // Without a name, so that it is deleted when it is closed.
        let stored = tempfile::tempfile_in(self.0.path()).and_then(|mut file| {
            file.write_all(bytes)?;
            Ok(file)
        });
        Ok(Box::new(Part(stored.map_err(failed)?)))
    }
}

impl Stored for Part {
    fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), ShelfError> {
        self.0.read_exact_at(into, offset).map_err(failed)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the form that `map_err` needs")]
fn failed(error: std::io::Error) -> ShelfError {
    ShelfError(error.to_string())
}
