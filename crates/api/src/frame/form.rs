//! Forms with images: `multipart/form-data` (RFC 7578), parsed part by part within limits.

use axum::extract::multipart::Field;
use axum::extract::{FromRequest, Multipart, Request};
use grantor_domain::image::{ImageFile, MAX_AT_ONCE, MAX_BYTES};
use grantor_http::body::{BODY_LIMIT, BodyError, is_multipart, read_multipart};
use http::header;
use serde::de::DeserializeOwned;

use super::extract::{Json, is_json};
use super::problem::{Problem, ProblemKind};
use super::state::ApiState;

/// The field names for images. Some libraries append `[]` to repeated fields; a form that takes
/// one image calls it `image`.
const IMAGES: [&str; 3] = ["images", "images[]", "image"];

/// How much of the name of a file errors show.
const NAME_SHOWN: usize = 100;

/// A form with images.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// Names and values of the text fields, in order.
    pub texts: Vec<(String, String)>,
    /// The files of the `images` field, in order.
    pub images: Vec<ImageFile>,
}

/// A JSON body, or a form with the same fields plus images.
#[derive(Clone, Debug)]
pub enum JsonOrForm<T> {
    /// A JSON body.
    Json(T),
    /// A form.
    Form(Form),
}

/// A JSON body, or a form with one image in the field `image`.
#[derive(Clone, Debug)]
pub struct JsonOrImage<T>(pub JsonOrForm<T>);

impl<T: DeserializeOwned> FromRequest<ApiState> for JsonOrImage<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        if is_multipart(request.headers()) {
            let form = read_multipart(request, state, |parts| read(parts, ONE)).await?;
            return Ok(Self(JsonOrForm::Form(form)));
        }
        JsonOrForm::from_request(request, state).await.map(Self)
    }
}

impl FromRequest<ApiState> for Form {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        if !is_multipart(request.headers()) {
            return Err(unsupported("The request body must be multipart/form-data"));
        }
        read_multipart(request, state, |parts| read(parts, SEVERAL)).await
    }
}

impl<T: DeserializeOwned> FromRequest<ApiState> for JsonOrForm<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        if is_multipart(request.headers()) {
            return Form::from_request(request, state).await.map(Self::Form);
        }
        let typed = request.headers().contains_key(header::CONTENT_TYPE);
        if typed && !is_json(request.headers()) {
            let message = "The request body must be application/json or multipart/form-data";
            return Err(unsupported(message));
        }
        Json::from_request(request, state).await.map(|Json(body)| Self::Json(body))
    }
}

/// How messages name the field for images.
#[derive(Clone, Copy)]
struct FieldName {
    name: &'static str,
    /// Where files belong.
    hint: &'static str,
}

const SEVERAL: FieldName =
    FieldName { name: "images", hint: "must be text; send files as images or images[]" };
const ONE: FieldName =
    FieldName { name: "image", hint: "must be text; send the picture in the field image" };

async fn read(mut parts: Multipart, field: FieldName) -> Result<Form, Problem> {
    let mut form = Form::default();
    let mut remaining = BODY_LIMIT;
    while let Some(part) = parts.next_field().await.map_err(BodyError::from)? {
        let name = part.name().ok_or(BodyError::Malformed)?.to_owned();
        if IMAGES.contains(&name.as_str()) {
            read_image(part, &mut form.images, field.name).await?;
            continue;
        }
        if part.file_name().is_some() {
            return Err(Problem::field(name, field.hint));
        }
        // Each part has a minimum cost, which limits the number of empty parts.
        remaining = remaining.checked_sub(name.len() + 64).ok_or(BodyError::TooLarge)?;
        let text = take(part, remaining).await?.ok_or(BodyError::TooLarge)?;
        remaining -= text.len();
        let text = String::from_utf8(text).ok().filter(|text| !text.contains('\0'));
        match text {
            Some(text) if !name.contains('\0') => form.texts.push((name, text)),
            _ => return Err(Problem::field(name, "must be valid UTF-8 without NUL characters")),
        }
    }
    Ok(form)
}

async fn read_image(
    part: Field<'_>,
    images: &mut Vec<ImageFile>,
    name: &'static str,
) -> Result<(), Problem> {
    let file_name = part.file_name().filter(|it| !it.is_empty());
    let file_name = file_name.map(|it| it.chars().take(NAME_SHOWN).collect::<String>());
    let bytes = take(part, MAX_BYTES).await?.ok_or_else(|| {
        Problem::new(ProblemKind::PayloadTooLarge, "An image must be at most 10 MiB")
    })?;
    // Browsers send an empty part if no file was selected.
    if bytes.is_empty() && file_name.is_none() {
        return Ok(());
    }
    if images.len() == MAX_AT_ONCE {
        return Err(Problem::field(name, "must be at most 10 in one request"));
    }
    images.push(ImageFile { name: file_name, bytes });
    Ok(())
}

/// Reads the whole part. Returns `None` if it is larger than `max` bytes.
async fn take(mut part: Field<'_>, max: usize) -> Result<Option<Vec<u8>>, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(BodyError::from)? {
        if bytes.len() + chunk.len() > max {
            return Ok(None);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Some(bytes))
}

fn unsupported(message: &'static str) -> Problem {
    Problem::new(ProblemKind::UnsupportedMediaType, message)
}
