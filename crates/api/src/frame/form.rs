//! Forms with images: `multipart/form-data` (RFC 7578), parsed part by part within limits.

use std::time::Duration;

use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request};
use grantor_domain::image::{MAX_AT_ONCE, MAX_BYTES};
use http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

use super::extract::{Json, body_timeout, is_json, too_large};
use super::problem::{Problem, ProblemKind};
use super::route::BODY_LIMIT;
use super::settings::ApiState;

/// The extra time for a request with images, which are decoded one after another.
pub(crate) const UPLOAD_TIME: Duration = Duration::from_secs(90);

/// The maximum size of a form: all images plus the text fields.
pub const FORM_LIMIT: usize = MAX_AT_ONCE * MAX_BYTES + BODY_LIMIT;

/// The field names for images. Some libraries append `[]` to repeated fields.
const IMAGES: [&str; 2] = ["images", "images[]"];

/// A form with images.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// Names and values of the text fields, in order.
    pub texts: Vec<(String, String)>,
    /// The files of the `images` field, in order.
    pub images: Vec<Vec<u8>>,
}

/// A JSON body, or a form with the same fields plus images.
#[derive(Clone, Debug)]
pub enum JsonOrForm<T> {
    /// A JSON body.
    Json(T),
    /// A form.
    Form(Form),
}

impl FromRequest<ApiState> for Form {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        if !is_form(request.headers()) {
            return Err(unsupported("The request body must be multipart/form-data"));
        }
        let reading = async {
            let parts = Multipart::from_request(request, state).await;
            read(parts.map_err(|_| malformed())?).await
        };
        match tokio::time::timeout(state.settings.body_time, reading).await {
            Ok(read) => read,
            Err(_) => Err(body_timeout()),
        }
    }
}

impl<T: DeserializeOwned> FromRequest<ApiState> for JsonOrForm<T> {
    type Rejection = Problem;

    async fn from_request(mut request: Request, state: &ApiState) -> Result<Self, Problem> {
        if is_form(request.headers()) {
            return Form::from_request(request, state).await.map(Self::Form);
        }
        let typed = request.headers().contains_key(header::CONTENT_TYPE);
        if typed && !is_json(request.headers()) {
            let message = "The request body must be application/json or multipart/form-data";
            return Err(unsupported(message));
        }
        // The route's limit is for uploads; JSON gets the default limit.
        DefaultBodyLimit::max(BODY_LIMIT).apply(&mut request);
        Json::from_request(request, state).await.map(|Json(body)| Self::Json(body))
    }
}

async fn read(mut parts: Multipart) -> Result<Form, Problem> {
    let mut form = Form::default();
    let mut remaining = BODY_LIMIT;
    while let Some(part) = parts.next_field().await.map_err(|error| read_error(&error))? {
        let name = part.name().ok_or_else(malformed)?.to_owned();
        if IMAGES.contains(&name.as_str()) {
            read_image(part, &mut form.images).await?;
            continue;
        }
        if part.file_name().is_some() {
            return Err(Problem::field(name, "must be text; send files as images or images[]"));
        }
        // Each part has a minimum cost, which limits the number of empty parts.
        remaining = remaining.checked_sub(name.len() + 64).ok_or_else(too_large)?;
        let text = take(part, remaining).await?.ok_or_else(too_large)?;
        remaining -= text.len();
        let text = String::from_utf8(text).ok().filter(|text| !text.contains('\0'));
        match text {
            Some(text) if !name.contains('\0') => form.texts.push((name, text)),
            _ => return Err(Problem::field(name, "must be valid UTF-8 without NUL characters")),
        }
    }
    Ok(form)
}

async fn read_image(part: Field<'_>, images: &mut Vec<Vec<u8>>) -> Result<(), Problem> {
    let unnamed = part.file_name().is_none_or(str::is_empty);
    let file = take(part, MAX_BYTES).await?.ok_or_else(|| {
        Problem::new(ProblemKind::PayloadTooLarge, "An image must be at most 10 MiB")
    })?;
    // Browsers send an empty part if no file was selected.
    if file.is_empty() && unnamed {
        return Ok(());
    }
    if images.len() == MAX_AT_ONCE {
        return Err(Problem::field("images", "must be at most 10 in one request"));
    }
    images.push(file);
    Ok(())
}

/// Reads the whole part. Returns `None` if it is larger than `max` bytes.
async fn take(mut part: Field<'_>, max: usize) -> Result<Option<Vec<u8>>, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(|error| read_error(&error))? {
        if bytes.len() + chunk.len() > max {
            return Ok(None);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Some(bytes))
}

fn read_error(error: &MultipartError) -> Problem {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => malformed(),
    }
}

fn malformed() -> Problem {
    let message = "The request body is not a valid multipart form, or is incomplete";
    Problem::new(ProblemKind::Validation, message)
}

fn unsupported(message: &'static str) -> Problem {
    Problem::new(ProblemKind::UnsupportedMediaType, message)
}

pub(super) fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = kind.and_then(|it| it.split(';').next()).unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("multipart/form-data")
}
