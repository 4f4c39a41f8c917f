//! Reads request bodies within their size and time limits.

use std::time::Duration;

use axum::RequestExt as _;
use axum::body::Bytes;
use axum::extract::multipart::MultipartError;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Multipart, Request};
use grantor_domain::image::{MAX_AT_ONCE, MAX_BYTES};
use http::{HeaderMap, StatusCode, header};

use crate::execute::Bounds;
use crate::state::HttpState;

/// The default maximum size of a request body.
pub const BODY_LIMIT: usize = 1024 * 1024;
/// The maximum size of a form with images: all images plus the text fields.
pub const UPLOAD_LIMIT: usize = MAX_AT_ONCE * MAX_BYTES + BODY_LIMIT;
/// The maximum size of a form with one image.
pub const ONE_UPLOAD_LIMIT: usize = MAX_BYTES + BODY_LIMIT;
/// The extra time for a request with images, which are decoded one after another.
pub const UPLOAD_TIME: Duration = Duration::from_secs(90);

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// It is compressed: a few bytes could expand to any size.
    Compressed,
    /// It is larger than the route allows.
    TooLarge,
    /// It ended early.
    Incomplete,
    /// It is not a valid multipart form.
    Malformed,
    /// It did not arrive in time.
    TimedOut,
}

impl From<MultipartError> for BodyError {
    fn from(error: MultipartError) -> Self {
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Self::TooLarge,
            _ => Self::Malformed,
        }
    }
}

/// Sets the maximum size of the body. Unless the route says otherwise, only multipart forms may be
/// larger than [`BODY_LIMIT`].
pub(crate) fn limit(request: &mut Request, bounds: Bounds) {
    let may_be_large = bounds.any_type || is_multipart(request.headers());
    let limit = bounds.body_limit;
    let limit = if may_be_large { limit } else { limit.min(BODY_LIMIT) };
    DefaultBodyLimit::max(limit).apply(request);
}

/// Reads the whole body, within the route's size limit and the time limit.
pub async fn read(request: Request, state: &HttpState) -> Result<Bytes, BodyError> {
    let coding = request.headers().get(header::CONTENT_ENCODING);
    if coding.is_some_and(|it| !it.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(BodyError::Compressed);
    }
    let reading = request.with_limited_body().extract::<Bytes, _>();
    match tokio::time::timeout(state.settings.body_time, reading).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)))) => {
            Err(BodyError::TooLarge)
        }
        Ok(Err(_)) => Err(BodyError::Incomplete),
        Err(_) => Err(BodyError::TimedOut),
    }
}

/// Reads a multipart form, within the route's size limit and the time limit.
pub async fn read_multipart<T, E, F>(
    request: Request,
    state: &HttpState,
    read: impl FnOnce(Multipart) -> F,
) -> Result<T, E>
where
    E: From<BodyError>,
    F: Future<Output = Result<T, E>>,
{
    let reading = async {
        let parts = Multipart::from_request(request, state).await;
        read(parts.map_err(|_| BodyError::Malformed)?).await
    };
    let outcome = tokio::time::timeout(state.settings.body_time, reading).await;
    outcome.unwrap_or_else(|_| Err(BodyError::TimedOut.into()))
}

/// Whether the body is a multipart form.
#[must_use]
pub fn is_multipart(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = kind.and_then(|it| it.split(';').next()).unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("multipart/form-data")
}

/// Returns the declared length of the body.
#[must_use]
pub fn declared_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
