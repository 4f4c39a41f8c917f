//! The envelope of the external API's authentication endpoints: `{success, data}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::frame::describe::value;
use crate::frame::describe::{DescribeResponse, OperationDoc, ResponseDoc};

/// A successful response.
#[derive(Serialize, ToSchema)]
struct Success<T> {
    /// Always `true`.
    #[schema(inline, value_type = value::True)]
    success: bool,
    data: T,
}

/// A successful response without data.
#[derive(Serialize, ToSchema)]
struct Done {
    /// Always `true`.
    #[schema(inline, value_type = value::True)]
    success: bool,
}

/// A 200 response with data.
pub(super) struct Data<T>(pub(super) T);

/// A 202 response with data.
pub(super) struct Accepted<T>(pub(super) T);

/// A 200 response without data.
pub(super) struct Empty;

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        Json(Success { success: true, data: self.0 }).into_response()
    }
}

impl<T: Serialize> IntoResponse for Accepted<T> {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, Json(Success { success: true, data: self.0 })).into_response()
    }
}

impl IntoResponse for Empty {
    fn into_response(self) -> Response {
        Json(Done { success: true }).into_response()
    }
}

fn describe<T: ToSchema>(doc: &mut OperationDoc, status: u16) {
    let schema = doc.envelope::<Success<T>, T>();
    doc.responses.push(ResponseDoc { status, schema });
}

impl<T: ToSchema> DescribeResponse for Data<T> {
    fn describe(doc: &mut OperationDoc) {
        describe::<T>(doc, 200);
    }
}

impl<T: ToSchema> DescribeResponse for Accepted<T> {
    fn describe(doc: &mut OperationDoc) {
        describe::<T>(doc, 202);
    }
}

impl DescribeResponse for Empty {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<Done>();
        doc.responses.push(ResponseDoc { status: 200, schema });
    }
}
