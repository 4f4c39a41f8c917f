//! Submitted form data with its errors. A refused form is rendered again from it, so that no input
//! is lost.

use std::collections::BTreeMap;

use axum::extract::multipart::Field;
use axum::extract::{FromRequest, Multipart, Request};
use grantor_domain::error::Fields;
use grantor_domain::image::{ImageFile, MAX_AT_ONCE, MAX_BYTES, error_of_file};
use grantor_domain::{Error, ErrorKind};
use grantor_http::body::{self, BodyError};
use grantor_messages::text;

use super::Web;
use super::failure::Failure;
use super::field_errors::{ErrorItem, FieldError, FieldErrors};
use super::pairs::{Pair, pairs};

/// How much of the name of a file is shown.
const NAME_SHOWN: usize = 100;

/// The values of a form.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormData {
    values: Vec<(String, String)>,
    /// Uploaded images. A redisplayed form cannot select them again.
    files: Vec<Vec<u8>>,
    /// The names of the files, as the browser gives them.
    file_names: Vec<String>,
    /// Why the images were rejected. The rest of the form is still read.
    file_error: Option<String>,
    /// Fields that are not valid text, with their errors. They are redisplayed but never used.
    text_errors: BTreeMap<String, String>,
    errors: FieldErrors,
    message: Option<String>,
}

impl FormData {
    /// Adds an initial value.
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.values.push((name.to_owned(), value.into()));
        self
    }

    /// Adds each of the values.
    pub(crate) fn with_all<T: Into<String>>(
        mut self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        self.values.extend(values.into_iter().map(|it| (name.to_owned(), it.into())));
        self
    }

    /// Adds the values of another form for all fields that are empty here, but not for these.
    pub(crate) fn or(mut self, other: &Self, but: &[&str]) -> Self {
        self.values.retain(|(_, value)| !value.is_empty());
        let is_open = |name: &str| {
            !but.contains(&name) && !self.values.iter().any(|(known, _)| known == name)
        };
        let added = other.pairs().filter(|(name, _)| is_open(name));
        let added: Vec<_> =
            added.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        self.values.extend(added);
        self
    }

    /// Returns the value, or an empty string if it is absent or not valid text.
    pub(crate) fn get(&self, name: &str) -> &str {
        if self.text_errors.contains_key(name) { "" } else { self.raw(name) }
    }

    /// Returns the value as typed, even if it is invalid.
    pub(crate) fn raw(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(it, _)| it == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// Returns an error collector that already contains the fields that are not valid text.
    pub(crate) fn fields(&self) -> Fields {
        let errors = self.text_errors.iter();
        errors.fold(Fields::default(), |fields, (name, message)| fields.with(name, message))
    }

    /// Fails if any field is not valid text, for handlers that don't collect field errors.
    pub(crate) fn check_text(&self) -> Result<(), Error> {
        self.fields().finish()
    }

    /// Returns the trimmed value, or `None` if it is empty.
    pub(crate) fn optional(&self, name: &str) -> Option<&str> {
        Some(self.get(name).trim()).filter(|it| !it.is_empty())
    }

    /// Returns the trimmed value and records an error if it is empty.
    pub(crate) fn required(&self, fields: &mut Fields, name: &str) -> &str {
        self.optional(name).unwrap_or_else(|| {
            fields.add(name, "is required");
            ""
        })
    }

    /// Returns every value of a name, such as the checked boxes of a group.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.pairs().filter(move |(it, _)| *it == name).map(|(_, value)| value)
    }

    /// Returns the non-empty lines of a text.
    pub(crate) fn lines<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.get(name).lines().map(str::trim).filter(|it| !it.is_empty())
    }

    /// Returns whether a box is checked.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|it| it == value)
    }

    /// Takes the uploaded images.
    pub(crate) fn take_files(&mut self) -> Result<Vec<Vec<u8>>, Error> {
        match &self.file_error {
            Some(reason) => Err(Error::field("images", reason)),
            None => Ok(std::mem::take(&mut self.files)),
        }
    }

    /// Gives the uploaded images their names, so that errors say which one they are about.
    pub(crate) fn named(&self, files: Vec<Vec<u8>>) -> Vec<ImageFile> {
        let names = self.file_names.iter().map(|it| Some(it.clone()).filter(|it| !it.is_empty()));
        let names = names.chain(std::iter::repeat(None));
        files.into_iter().zip(names).map(|(bytes, name)| ImageFile { name, bytes }).collect()
    }

    /// Returns the name of the first uploaded file, if it has one.
    pub(crate) fn file_name(&self) -> Option<&str> {
        self.file_names.first().map(String::as_str).filter(|it| !it.is_empty())
    }

    /// Returns every valid pair, for the domain's form parsers.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let read = self.values.iter().filter(|(name, _)| !self.text_errors.contains_key(name));
        read.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Attaches the error the form was refused with.
    pub(crate) fn with_error(mut self, error: &Error) -> Self {
        self.errors = FieldErrors::new(error.field_errors());
        self.message = Some(match error.kind() {
            ErrorKind::Validation if !self.errors.is_empty() => {
                text!("locale-fix-fields").to_owned()
            }
            _ => crate::view::label::error(error.message()),
        });
        self
    }

    /// Registers a rendered field and returns its error.
    pub(crate) fn register(&self, name: &str, label: &str) -> Option<FieldError> {
        self.errors.register(name, label)
    }

    /// Returns the label of a field.
    pub(crate) fn label(&self, name: &str) -> String {
        self.errors.label(name)
    }

    /// Returns all field errors, for the summary.
    pub(crate) fn errors(&self) -> Vec<ErrorItem> {
        self.errors.all()
    }

    /// Returns whether any field has an error, which then gets the focus.
    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Returns the message for the whole form.
    pub(crate) fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}

impl FromRequest<Web> for FormData {
    type Rejection = Failure;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Failure> {
        if body::is_multipart(request.headers()) {
            return body::read_multipart(request, web, read_parts).await;
        }
        let body = body::read(request, web).await?;
        let mut form = Self::default();
        pairs(&body).for_each(|it| form.push(it));
        Ok(form)
    }
}

impl FormData {
    fn push(&mut self, Pair { name, text, error }: Pair) {
        if let Some(error) = error {
            self.text_errors.insert(name.clone(), error.to_owned());
        }
        self.values.push((name, text));
    }

    async fn push_file(&mut self, mut part: Field<'_>) -> Result<(), Failure> {
        let name: String = part.file_name().unwrap_or_default().chars().take(NAME_SHOWN).collect();
        let mut bytes = Vec::new();
        while let Some(chunk) = part.chunk().await.map_err(BodyError::from)? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                self.file_error.get_or_insert_with(|| too_large(&name));
                bytes.clear();
            }
            if self.file_error.is_none() {
                bytes.extend_from_slice(&chunk);
            }
        }
        // Browsers send an empty file without a name when none was chosen.
        let is_chosen = !bytes.is_empty() || !name.is_empty();
        if is_chosen && self.file_error.is_none() {
            self.files.push(bytes);
            self.file_names.push(name);
        }
        if self.files.len() > MAX_AT_ONCE {
            self.file_error = Some("must be at most 10 per upload".to_owned());
            self.files.clear();
        }
        Ok(())
    }
}

fn too_large(name: &str) -> String {
    match name {
        "" => "must be at most 10 MiB each".to_owned(),
        name => error_of_file(name, "must be at most 10 MiB"),
    }
}

async fn read_parts(mut parts: Multipart) -> Result<FormData, Failure> {
    let mut form = FormData::default();
    while let Some(part) = parts.next_field().await.map_err(BodyError::from)? {
        let name = part.name().ok_or(BodyError::Malformed)?.to_owned();
        if part.file_name().is_some() {
            form.push_file(part).await?;
            continue;
        }
        let text = part.bytes().await.map_err(BodyError::from)?;
        form.push(Pair::read(name.as_bytes(), &text));
    }
    Ok(form)
}
