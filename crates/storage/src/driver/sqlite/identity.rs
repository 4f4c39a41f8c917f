//! Detects that the database file was deleted or replaced while it was open. Such a file still
//! accepts writes, and all of them would be lost.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Device and inode of a file.
type File = (u64, u64);

/// The identity of the opened files.
#[derive(Debug)]
pub(super) struct Identity {
    path: PathBuf,
    file: File,
    journal_path: PathBuf,
    /// Known from the first commit on; before that there is no journal.
    journal: Option<File>,
    lost: bool,
}

impl Identity {
    pub(super) fn of(path: &Path) -> Result<Self> {
        let file = file_id(path)
            .ok_or_else(|| Error::Unavailable(format!("{} does not exist", path.display())))?;
        let journal_path = [path.as_os_str(), "-wal".as_ref()].into_iter().collect::<OsString>();
        let journal_path = PathBuf::from(journal_path);
        Ok(Self { path: path.to_owned(), file, journal_path, journal: None, lost: false })
    }

    /// Whether the last check failed. Then no unit starts until a check succeeds.
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }

    /// Verifies the files, after a commit and before its callers get their answers.
    pub(super) fn check(&mut self) -> Result<()> {
        let journal = file_id(&self.journal_path);
        let same_journal = self.journal.is_none() || self.journal == journal;
        let same = file_id(&self.path) == Some(self.file) && same_journal;
        if same {
            self.journal = self.journal.or(journal);
            if self.lost {
                tracing::info!("the database file is back");
            }
        } else if !self.lost {
            let path = self.path.display();
            tracing::error!(
                "the database file {path} was deleted or replaced while it was open: \
                 writes are refused; put the file back, or stop and restore a backup"
            );
        }
        self.lost = !same;
        if same { Ok(()) } else { Err(Error::Lost(self.path.display().to_string())) }
    }
}

fn file_id(path: &Path) -> Option<File> {
    std::fs::metadata(path).ok().map(|it| (it.dev(), it.ino()))
}
