//! What a form holds: what was entered, what is wrong with it, and why. A form that is refused is
//! drawn again from it, so that nothing that was typed is lost.

use std::collections::BTreeMap;

use axum::RequestExt as _;
use axum::body::Bytes;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, Multipart, Request};
use grantor_domain::error::Fields;
use grantor_domain::image::{MAX_AT_ONCE, MAX_BYTES};
use grantor_domain::{Error, ErrorKind};
use http::header;

use super::Web;
use super::failure::Failure;
use super::text::{Came, pairs};
use super::wrongs::{Listed, Wrong, Wrongs};

/// A form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entered {
    values: Vec<(String, String)>,
    /// Pictures, which no browser can be made to show again as chosen.
    files: Vec<Vec<u8>>,
    /// What is wrong with the pictures; the rest of the form was read nevertheless.
    unfit: Option<&'static str>,
    /// What is no text, by name. It is shown as it was typed, and taken by nobody.
    unread: BTreeMap<String, String>,
    wrongs: Wrongs,
    message: Option<String>,
}

impl Entered {
    /// With a value to begin from.
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.values.push((name.to_owned(), value.into()));
        self
    }

    /// With each of the values.
    pub(crate) fn with_all<T: Into<String>>(
        mut self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        self.values.extend(values.into_iter().map(|it| (name.to_owned(), it.into())));
        self
    }

    /// As it was entered; empty where it was not, or is no text.
    pub(crate) fn get(&self, name: &str) -> &str {
        if self.unread.contains_key(name) { "" } else { self.typed(name) }
    }

    /// What was typed there, be it wrong.
    pub(crate) fn typed(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(it, _)| it == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// To collect what is wrong with each field: what is no text is noted already.
    pub(crate) fn fields(&self) -> Fields {
        let unread = self.unread.iter();
        unread.fold(Fields::default(), |fields, (name, message)| fields.with(name, message))
    }

    /// Refuses what is no text, for readers that collect nothing themselves.
    pub(crate) fn readable(&self) -> Result<(), Error> {
        self.fields().finish()
    }

    /// What was entered, if anything was.
    pub(crate) fn optional(&self, name: &str) -> Option<&str> {
        Some(self.get(name).trim()).filter(|it| !it.is_empty())
    }

    /// What must be entered.
    pub(crate) fn required(&self, fields: &mut Fields, name: &str) -> &str {
        self.optional(name).unwrap_or_else(|| {
            fields.add(name, "is required");
            ""
        })
    }

    /// Every value under a name, as of boxes that can be ticked.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.pairs().filter(move |(it, _)| *it == name).map(|(_, value)| value)
    }

    /// The lines of a text that hold something.
    pub(crate) fn lines<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.get(name).lines().map(str::trim).filter(|it| !it.is_empty())
    }

    /// Whether a box is ticked.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|it| it == value)
    }

    /// The pictures that came with it.
    pub(crate) fn files(&mut self) -> Result<Vec<Vec<u8>>, Error> {
        match self.unfit {
            Some(reason) => Err(Error::field("images", reason)),
            None => Ok(std::mem::take(&mut self.files)),
        }
    }

    /// Every pair, as the domain's readers of forms take them.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let read = self.values.iter().filter(|(name, _)| !self.unread.contains_key(name));
        read.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The same, and why it was refused.
    pub(crate) fn refused(mut self, error: &Error) -> Self {
        self.wrongs = Wrongs::new(error.wrongs());
        self.message = Some(match error.kind() {
            ErrorKind::Validation if !self.wrongs.is_empty() => {
                "Some fields need another look".to_owned()
            }
            _ => error.message().to_owned(),
        });
        self
    }

    /// Notes that the page has this field, and tells what is wrong with it or with one of its parts.
    pub(crate) fn draw(&self, name: &str, label: &str) -> Option<Wrong> {
        self.wrongs.draw(name, label)
    }

    /// What a field is called, if it was drawn.
    pub(crate) fn label(&self, name: &str) -> String {
        self.wrongs.label(name)
    }

    /// All that is wrong, field by field, as far as they are drawn in the order of the page.
    pub(crate) fn wrongs(&self) -> Vec<Listed> {
        self.wrongs.all()
    }

    /// Whether the first that is wrong has the focus, and not the field that begins the page.
    pub(crate) fn is_refused(&self) -> bool {
        !self.wrongs.is_empty()
    }

    /// Why it was refused as a whole.
    pub(crate) fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}

impl FromRequest<Web> for Entered {
    type Rejection = Failure;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Failure> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        if kind.is_some_and(|it| it.starts_with("multipart/form-data")) {
            let parts = Multipart::from_request(request, web).await;
            return read_parts(parts.map_err(|_| malformed())?).await;
        }
        let body = request.with_limited_body().extract::<Bytes, _>().await;
        let body = body.map_err(|_| too_large())?;
        let mut form = Self::default();
        pairs(&body).for_each(|it| form.take(it));
        Ok(form)
    }
}

impl Entered {
    fn take(&mut self, Came { name, text, wrong }: Came) {
        if let Some(wrong) = wrong {
            self.unread.insert(name.clone(), wrong.to_owned());
        }
        self.values.push((name, text));
    }

    async fn take_file(&mut self, mut part: Field<'_>) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        while let Some(chunk) = part.chunk().await.map_err(|error| unread(&error))? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                self.unfit = Some("must be at most 10 MiB each");
                bytes.clear();
            }
            if self.unfit.is_none() {
                bytes.extend_from_slice(&chunk);
            }
        }
        // Browsers send an empty file where none was chosen.
        if !bytes.is_empty() {
            self.files.push(bytes);
        }
        if self.files.len() > MAX_AT_ONCE {
            self.unfit = Some("must be at most 10 at once");
            self.files.clear();
        }
        Ok(())
    }
}

async fn read_parts(mut parts: Multipart) -> Result<Entered, Failure> {
    let mut form = Entered::default();
    while let Some(part) = parts.next_field().await.map_err(|error| unread(&error))? {
        let name = part.name().ok_or_else(malformed)?.to_owned();
        if part.file_name().is_some() {
            form.take_file(part).await?;
            continue;
        }
        let text = part.bytes().await.map_err(|error| unread(&error))?;
        form.take(Came::read(name.as_bytes(), &text));
    }
    Ok(form)
}

fn unread(error: &MultipartError) -> Failure {
    match error.status() {
        http::StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => malformed(),
    }
}

fn too_large() -> Failure {
    Error::validation("The form is larger than this page takes").into()
}

fn malformed() -> Failure {
    Error::validation("The form could not be read to its end").into()
}
