//! Mail as .eml files in a folder: for a first start without a mail server, and for development.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grantor_domain::mail::Mail;
use grantor_domain::{Clock, Timestamp};

use super::{Mailbox, SendError, Sending, Transport, message};

/// Writes each mail to a file of its own, whose name sorts by time.
pub struct Files {
    folder: PathBuf,
    clock: Arc<dyn Clock>,
}

impl Files {
    /// Writes into this folder, which is made when the first mail comes.
    pub fn new(folder: impl Into<PathBuf>, clock: Arc<dyn Clock>) -> Self {
        Self { folder: folder.into(), clock }
    }

    async fn keep(&self, from: &str, mail: &Mail, message_id: &str) -> Result<(), SendError> {
        let now = self.clock.now();
        let bytes = message::build(from, mail, message_id, now)?.formatted();
        let id = message::mail_id(message_id)
            .ok_or_else(|| SendError::permanent("its message id holds no mail id"))?;
        let (folder, name) = (self.folder.clone(), format!("{}-{id}.eml", compact(now)));
        let written = tokio::task::spawn_blocking(move || write(&folder, &name, &bytes)).await;
        written
            .map_err(io::Error::from)
            .flatten()
            .map_err(|error| SendError::transient(format!("the mail folder refused it: {error}")))
    }
}

impl Transport for Files {
    fn send<'a>(&'a self, from: &'a str, mail: &'a Mail, message_id: &'a str) -> Sending<'a> {
        Box::pin(self.keep(from, mail, message_id))
    }

    fn mailbox(&self) -> Option<Mailbox> {
        Some(Mailbox::of(self.folder.clone()))
    }
}

/// Colons are not welcome in file names everywhere.
fn compact(now: Timestamp) -> String {
    now.to_string().replace(['-', ':'], "")
}

/// A mail holds codes, so only its owner reads it; a reader of the folder never sees half of one.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let unfinished = folder.join(format!(".{name}.part"));
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&unfinished, folder.join(name))?;
    // The queue forgets the content next: the file's name must be as durable as that.
    File::open(folder)?.sync_all()
}
