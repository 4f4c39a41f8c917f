//! Reading back what was written to files: without a mail server, nobody gets a mail elsewhere.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use grantor_domain::id::MailId;
use grantor_domain::{Error, Result, Timestamp};
use mail_parser::{Address, Message, MessageParser, PartType};

/// The folder that mails are written to.
#[derive(Clone, Debug)]
pub struct Mailbox(PathBuf);

/// A letter in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// What it is asked for by.
    pub name: String,
    /// To whom.
    pub to: String,
    /// About what.
    pub subject: String,
    /// When it was written.
    pub at: Timestamp,
}

/// A letter to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// By whom.
    pub from: String,
    /// To whom.
    pub to: String,
    /// About what.
    pub subject: String,
    /// When it was written.
    pub at: Timestamp,
    /// What it says.
    pub text: String,
    /// The same with its looks, where it has any. Written here, yet shown to a browser it is as
    /// foreign as any other page.
    pub html: Option<String>,
}

impl Mailbox {
    pub(super) fn of(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The newest letters, at most so many. What is no letter is left out.
    pub async fn list(&self, at_most: usize) -> Result<Vec<Summary>> {
        let folder = self.0.clone();
        let listed = tokio::task::spawn_blocking(move || {
            let mut names = names(&folder)?;
            // A name begins with the time.
            names.sort_unstable_by(|a, b| b.cmp(a));
            let letters = names.into_iter().filter_map(|name| {
                let Letter { to, subject, at, .. } = open(&folder, &name)?;
                Some(Summary { name, to, subject, at })
            });
            Ok(letters.take(at_most).collect())
        });
        listed.await.map_err(|error| Error::internal(error.to_string()))?
    }

    /// The letter of this name. A name leads to a file only if it is one of those in the folder.
    pub async fn read(&self, name: &str) -> Result<Option<Letter>> {
        let (folder, asked) = (self.0.clone(), name.to_owned());
        let found = tokio::task::spawn_blocking(move || {
            let name = names(&folder)?.into_iter().find(|it| *it == asked);
            Ok(name.and_then(|name| open(&folder, &name)))
        });
        found.await.map_err(|error| Error::internal(error.to_string()))?
    }
}

/// The letters in the folder: plain files that bear such a name as the mailer gives. There is no
/// folder before the first.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
        Err(error) => return Err(Error::unavailable(format!("{}: {error}", folder.display()))),
        Ok(entries) => entries,
    };
    let files = entries.flatten().filter(|it| it.file_type().is_ok_and(|it| it.is_file()));
    let names = files.filter_map(|it| it.file_name().into_string().ok());
    Ok(names.filter(|it| is_letter(it)).collect())
}

fn is_letter(name: &str) -> bool {
    let parts = name.strip_suffix(".eml").and_then(|it| it.split_once('-'));
    parts.is_some_and(|(_, id)| id.parse::<MailId>().is_ok())
}

fn open(folder: &Path, name: &str) -> Option<Letter> {
    let bytes = std::fs::read(folder.join(name)).ok()?;
    let message = MessageParser::default().parse(&bytes)?;
    Some(Letter {
        from: written(message.from()),
        to: written(message.to()),
        subject: message.subject().unwrap_or_default().to_owned(),
        at: Timestamp::from_secs(message.date()?.to_timestamp()),
        text: message.body_text(0).unwrap_or_default().into_owned(),
        html: html(&message),
    })
}

/// An address, with the name before it where there is one.
fn written(address: Option<&Address<'_>>) -> String {
    let Some(first) = address.and_then(Address::first) else { return String::new() };
    let address = first.address.as_deref().unwrap_or_default();
    first.name.as_deref().map_or_else(|| address.to_owned(), |name| format!("{name} <{address}>"))
}

/// The parser would make HTML of plain text: only what was written as such counts.
fn html(message: &Message<'_>) -> Option<String> {
    message.html_bodies().find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.clone().into_owned()),
        _ => None,
    })
}
