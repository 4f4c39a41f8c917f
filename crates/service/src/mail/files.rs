//! Writing mail to .eml files, for development and for a first start without a mail server.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grantor_domain::Clock;
use grantor_domain::mail::Mail;

use super::mailbox::file_time;
use super::{Mailbox, SendError, Sending, Transport, message};

/// Writes each mail to its own file. File names sort by time.
pub struct Files {
    folder: PathBuf,
    clock: Arc<dyn Clock>,
}

impl Files {
    /// Writes to this folder, which is created with the first mail.
    pub fn new(folder: impl Into<PathBuf>, clock: Arc<dyn Clock>) -> Self {
        Self { folder: folder.into(), clock }
    }

    async fn save(&self, from: &str, mail: &Mail, message_id: &str) -> Result<(), SendError> {
        let now = self.clock.now();
        let bytes = message::build(from, mail, message_id, now)?.formatted();
        let id = message::mail_id(message_id)
            .ok_or_else(|| SendError::permanent("the message ID contains no mail ID"))?;
        let (folder, name) = (self.folder.clone(), format!("{}-{id}.eml", file_time(now)));
        let written = tokio::task::spawn_blocking(move || write(&folder, &name, &bytes)).await;
        written
            .map_err(io::Error::from)
            .flatten()
            .map_err(|error| SendError::transient(format!("cannot write the mail file: {error}")))
    }
}

impl Transport for Files {
    fn send<'a>(&'a self, from: &'a str, mail: &'a Mail, message_id: &'a str) -> Sending<'a> {
        Box::pin(self.save(from, mail, message_id))
    }

    fn mailbox(&self) -> Option<Mailbox> {
        Some(Mailbox::new(self.folder.clone()))
    }
}

/// Writes a file atomically. Mails contain codes, so only the file's owner may read them.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let unfinished = folder.join(format!(".{name}.part"));
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&unfinished, folder.join(name))?;
    // The queue deletes the content next, so the directory entry must be durable too.
    File::open(folder)?.sync_all()
}
