//! Reading the mails that were written to files because no mail server is configured.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use grantor_domain::id::MailId;
use grantor_domain::{Error, Result, Timestamp};
use mail_parser::{Address, Message, MessageParser, PartType};

/// The folder with the mail files.
#[derive(Clone, Debug)]
pub struct Mailbox(PathBuf);

/// A saved mail in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedMailSummary {
    /// The file name.
    pub name: String,
    /// The recipient.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// When it was written.
    pub at: Timestamp,
}

/// A saved mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedMail {
    /// The sender.
    pub from: String,
    /// The recipient.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// When it was written.
    pub at: Timestamp,
    /// The plain text.
    pub text: String,
    /// The HTML version, if there is one. Treat it as untrusted.
    pub html: Option<String>,
}

impl Mailbox {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Returns the newest mails. Other files are skipped.
    pub async fn list(&self, at_most: usize) -> Result<Vec<SavedMailSummary>> {
        let folder = self.0.clone();
        let listed = tokio::task::spawn_blocking(move || {
            let mut names = names(&folder)?;
            // A name starts with the time.
            names.sort_unstable_by(|a, b| b.cmp(a));
            let mails = names.into_iter().filter_map(|name| {
                let SavedMail { to, subject, at, .. } = open(&folder, &name)?;
                Some(SavedMailSummary { name, to, subject, at })
            });
            Ok(mails.take(at_most).collect())
        });
        listed.await.map_err(|error| Error::internal(error.to_string()))?
    }

    /// Returns the mail with this file name. Only names that the folder lists are opened.
    pub async fn read(&self, name: &str) -> Result<Option<SavedMail>> {
        let (folder, wanted) = (self.0.clone(), name.to_owned());
        let found = tokio::task::spawn_blocking(move || {
            let name = names(&folder)?.into_iter().find(|it| *it == wanted);
            Ok(name.and_then(|name| open(&folder, &name)))
        });
        found.await.map_err(|error| Error::internal(error.to_string()))?
    }

    /// Deletes the mails that were written before a time and returns their number.
    pub async fn delete_before(&self, before: Timestamp) -> Result<u64> {
        let (folder, first_kept) = (self.0.clone(), file_time(before));
        let deleted = tokio::task::spawn_blocking(move || {
            let mut deleted = 0;
            // A name starts with the time.
            for name in names(&folder)?.into_iter().filter(|it| **it < *first_kept) {
                match std::fs::remove_file(folder.join(&name)) {
                    Ok(()) => deleted += 1,
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => return Err(Error::unavailable(format!("{name}: {error}"))),
                }
            }
            Ok(deleted)
        });
        deleted.await.map_err(|error| Error::internal(error.to_string()))?
    }
}

/// Formats a time for the start of a file name: colons aren't allowed on all file systems.
pub(super) fn file_time(at: Timestamp) -> String {
    at.to_string().replace(['-', ':'], "")
}

/// Returns the names of the mail files. The folder doesn't exist before the first mail.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
        Err(error) => return Err(Error::unavailable(format!("{}: {error}", folder.display()))),
        Ok(entries) => entries,
    };
    let files = entries.flatten().filter(|it| it.file_type().is_ok_and(|it| it.is_file()));
    let names = files.filter_map(|it| it.file_name().into_string().ok());
    Ok(names.filter(|it| is_mail_name(it)).collect())
}

fn is_mail_name(name: &str) -> bool {
    let parts = name.strip_suffix(".eml").and_then(|it| it.split_once('-'));
    parts.is_some_and(|(_, id)| id.parse::<MailId>().is_ok())
}

fn open(folder: &Path, name: &str) -> Option<SavedMail> {
    let bytes = std::fs::read(folder.join(name)).ok()?;
    let message = MessageParser::default().parse(&bytes)?;
    Some(SavedMail {
        from: format_address(message.from()),
        to: format_address(message.to()),
        subject: message.subject().unwrap_or_default().to_owned(),
        at: Timestamp::from_secs(message.date()?.to_timestamp()),
        text: message.body_text(0).unwrap_or_default().into_owned(),
        html: html(&message),
    })
}

/// Formats an address with its name, if it has one.
fn format_address(address: Option<&Address<'_>>) -> String {
    let Some(first) = address.and_then(Address::first) else { return String::new() };
    let address = first.address.as_deref().unwrap_or_default();
    first.name.as_deref().map_or_else(|| address.to_owned(), |name| format!("{name} <{address}>"))
}

/// Returns the HTML part. The parser would otherwise convert plain text to HTML.
fn html(message: &Message<'_>) -> Option<String> {
    message.html_bodies().find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.clone().into_owned()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn old_mails_are_deleted_and_other_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = Timestamp::from_secs(1_767_225_600);
        let before = at.minus(Duration::from_micros(1));
        let name = |at| format!("{}-0190a5e4-7b3c-7def-8123-456789abcdef.eml", file_time(at));
        for name in [name(before), name(at), "0000-notes.eml".to_owned()] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let mailbox = Mailbox::new(folder.path().to_owned());
        assert_eq!(mailbox.delete_before(at).await, Ok(1));
        assert_eq!(mailbox.delete_before(at).await, Ok(0));
        let left =
            [name(at), "0000-notes.eml".to_owned()].map(|it| folder.path().join(it).exists());
        assert_eq!(left, [true, true]);
        let none = Mailbox::new(folder.path().join("none"));
        assert_eq!(none.delete_before(at).await, Ok(0), "before the first mail");
    }
}
