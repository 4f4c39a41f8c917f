//! Forms with pictures: `multipart/form-data` (RFC 7578), read part by part within limits.

use std::time::Duration;

use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request};
use grantor_domain::image::{MAX_AT_ONCE, MAX_BYTES};
use http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

use super::extract::{Json, is_json, too_large};
use super::problem::{Problem, ProblemKind};
use super::route::BODY_LIMIT;
use super::settings::ApiState;

/// How much longer than others a request with pictures may take: each is decoded whole, and they
/// wait for each other.
pub(crate) const PICTURES: Duration = Duration::from_secs(90);

/// The largest form: so many pictures, and the texts beside them.
pub const FORM_LIMIT: usize = MAX_AT_ONCE * MAX_BYTES + BODY_LIMIT;

/// The part that pictures come in; some libraries mark what repeats.
const IMAGES: [&str; 2] = ["images", "images[]"];

/// A form with pictures.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// Names and texts, in their order.
    pub texts: Vec<(String, String)>,
    /// The files of the part `images`, in their order.
    pub images: Vec<Vec<u8>>,
}

/// A JSON body, or a form that says the same and brings pictures.
#[derive(Clone, Debug)]
pub enum JsonOrForm<T> {
    /// JSON.
    Json(T),
    /// A form.
    Form(Form),
}

impl FromRequest<ApiState> for Form {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, Problem> {
        if !is_form(request.headers()) {
            return Err(unsupported("The body must be a form: send multipart/form-data"));
        }
        let reading = async {
            let parts = Multipart::from_request(request, state).await;
            read(parts.map_err(|_| malformed())?).await
        };
        match tokio::time::timeout(state.settings.body_time, reading).await {
            Ok(read) => read,
            Err(_) => {
                Err(Problem::new(ProblemKind::RequestTimeout, "The body did not arrive in time"))
            }
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
            return Err(unsupported("The body must be application/json or multipart/form-data"));
        }
        // The route's own limit is that of pictures.
        DefaultBodyLimit::max(BODY_LIMIT).apply(&mut request);
        Json::from_request(request, state).await.map(|Json(body)| Self::Json(body))
    }
}

async fn read(mut parts: Multipart) -> Result<Form, Problem> {
    let mut form = Form::default();
    let mut room = BODY_LIMIT;
    while let Some(part) = parts.next_field().await.map_err(|error| unread(&error))? {
        let name = part.name().ok_or_else(malformed)?.to_owned();
        if IMAGES.contains(&name.as_str()) {
            read_image(part, &mut form.images).await?;
            continue;
        }
        if part.file_name().is_some() {
            return Err(Problem::field(name, "must be a text: files come as images or images[]"));
        }
        // Each part has its cost, so that a form is not made of countless empty ones.
        room = room.checked_sub(name.len() + 64).ok_or_else(too_large)?;
        let text = take(part, room).await?.ok_or_else(too_large)?;
        room -= text.len();
        let text = String::from_utf8(text).ok().filter(|text| !text.contains('\0'));
        match text {
            Some(text) if !name.contains('\0') => form.texts.push((name, text)),
            _ => return Err(Problem::field(name, "must be UTF-8 without a NUL character")),
        }
    }
    Ok(form)
}

async fn read_image(part: Field<'_>, images: &mut Vec<Vec<u8>>) -> Result<(), Problem> {
    let unnamed = part.file_name().is_none_or(str::is_empty);
    let file = take(part, MAX_BYTES).await?.ok_or_else(|| {
        Problem::new(ProblemKind::PayloadTooLarge, "An image must be at most 10 MiB")
    })?;
    // What browsers send for a field in which no file was chosen.
    if file.is_empty() && unnamed {
        return Ok(());
    }
    if images.len() == MAX_AT_ONCE {
        return Err(Problem::field("images", "must be at most 10 in one request"));
    }
    images.push(file);
    Ok(())
}

/// The whole part; nothing when it is larger than that.
async fn take(mut part: Field<'_>, most: usize) -> Result<Option<Vec<u8>>, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(|error| unread(&error))? {
        if bytes.len() + chunk.len() > most {
            return Ok(None);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Some(bytes))
}

fn unread(error: &MultipartError) -> Problem {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => malformed(),
    }
}

fn malformed() -> Problem {
    Problem::new(ProblemKind::Validation, "The body is not a valid form, or does not end")
}

fn unsupported(message: &'static str) -> Problem {
    Problem::new(ProblemKind::UnsupportedMediaType, message)
}

pub(super) fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = kind.and_then(|it| it.split(';').next()).unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("multipart/form-data")
}
