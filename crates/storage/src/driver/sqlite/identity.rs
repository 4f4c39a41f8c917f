//! Whether the file at the database's path is still the one that was opened. A file that was
//! deleted or replaced goes on taking writes from whoever has it open, and all of them are lost.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Device and number of a file.
type File = (u64, u64);

/// The files that were opened.
#[derive(Debug)]
pub(super) struct Identity {
    path: PathBuf,
    file: File,
    journal_path: PathBuf,
    /// Known from the first commit on: there is no journal before.
    journal: Option<File>,
    lost: bool,
}

impl Identity {
    pub(super) fn of(path: &Path) -> Result<Self> {
        let file = look(path)
            .ok_or_else(|| Error::Unavailable(format!("{} is not there", path.display())))?;
        let journal_path = [path.as_os_str(), "-wal".as_ref()].into_iter().collect::<OsString>();
        let journal_path = PathBuf::from(journal_path);
        Ok(Self { path: path.to_owned(), file, journal_path, journal: None, lost: false })
    }

    /// Whether it was missed before: then nothing is begun before it was looked for.
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }

    /// To be asked after a commit and before anybody hears of it.
    pub(super) fn check(&mut self) -> Result<()> {
        let journal = look(&self.journal_path);
        let same_journal = self.journal.is_none() || self.journal == journal;
        let same = look(&self.path) == Some(self.file) && same_journal;
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

fn look(path: &Path) -> Option<File> {
    std::fs::metadata(path).ok().map(|it| (it.dev(), it.ino()))
}
