//! `GET /metadata/{id}`, and the formats in which it and `GET /licenses/{id}` say what a license
//! offers.

use std::marker::PhantomData;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use grantor_domain::rights::{RightsFormat, Statement};
use grantor_domain::{Error, Result, Timestamp};
use grantor_http::rights::{declare_license, requested};
use grantor_service::licensing::{catalog, rights};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::catalog::PublicLicense;
use super::path_id;
use crate::frame::describe::value;
use crate::frame::describe::{DescribeResponse, OperationDoc, ResponseDoc};
use crate::frame::etag;
use crate::frame::extract::{Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The media type of the license itself.
const JSON: &str = "application/json";
/// The response depends on what the client accepts.
pub(super) const VARY: (HeaderName, &str) = (header::VARY, "accept");

/// The format.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct FormatParams {
    /// The format: the license itself, or what it offers as ODRL 2.2, RSL 1.0, schema.org data or
    /// plain text. By default the one that the Accept header prefers, or `json`.
    #[param(inline, value_type = Option<value::RightsFormatName>)]
    format: Option<String>,
}

/// A `T` as JSON, or what a license offers in another format.
pub(super) struct Negotiated<T>(Response, PhantomData<T>);

impl<T> Negotiated<T> {
    pub(super) fn new(response: impl IntoResponse) -> Self {
        Self(response.into_response(), PhantomData)
    }
}

impl<T> IntoResponse for Negotiated<T> {
    fn into_response(self) -> Response {
        self.0
    }
}

impl<T: ToSchema> DescribeResponse for Negotiated<T> {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<T>();
        doc.responses.push(ResponseDoc { status: 200, schema });
        doc.other_media_types.extend(RightsFormat::ALL.map(RightsFormat::media_type));
    }
}

pub(super) async fn show(
    State(state): State<ApiState>,
    headers: HeaderMap,
    Segment(id): Segment,
    Query(params): Query<FormatParams>,
) -> Result<Negotiated<PublicLicense>, Problem> {
    let format = format(params.format.as_deref(), &headers)?;
    let entry = catalog::entry(&state.app, path_id(&id)?).await?;
    let statement = rights::of_entry(&state.app, &entry);
    let (name, kind, body) = if let Some(format) = format {
        let text = format.render(&statement, state.app.clock.now());
        (format.name(), format.content_type(), text.into_bytes())
    } else {
        let body = serde_json::to_vec(&PublicLicense::from(entry.record));
        ("json", JSON, body.map_err(|error| Error::internal(error.to_string()))?)
    };
    let tag = etag::strong(&[name, &etag::hash(&body)]);
    let cached = (header::CACHE_CONTROL, "public, max-age=60");
    let mut response = ([(header::CONTENT_TYPE, kind), cached, VARY], body).into_response();
    declare_license(response.headers_mut(), &statement);
    Ok(Negotiated::new(etag::conditional(&headers, tag, response)))
}

/// Returns the requested format; `None` for JSON.
pub(super) fn format(name: Option<&str>, headers: &HeaderMap) -> Result<Option<RightsFormat>> {
    requested(name, headers, JSON)
}

/// Returns what a license offers to a caller who may see it. The tag consists of these parts, the
/// format and a hash.
pub(super) fn respond<T>(
    request: &HeaderMap,
    format: RightsFormat,
    (statement, now): (&Statement, Timestamp),
    tag: impl FnOnce(&str) -> Option<headers::ETag>,
) -> Negotiated<T> {
    let text = format.render(statement, now);
    let tag = tag(&format!("{format}-{}", etag::hash(text.as_bytes())));
    let kind = HeaderValue::from_static(format.content_type());
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(VARY.0, HeaderValue::from_static(VARY.1));
    Negotiated::new(etag::conditional(request, tag, response))
}
