//! The envelope of the external API's authentication endpoints: `{success, data}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::describe::value;
use crate::describe::{Answer, DescribeAnswer, OperationDoc};

/// What went well, with what there is to show of it.
#[derive(Serialize, ToSchema)]
struct Success<T> {
    /// Always true.
    #[schema(inline, value_type = value::True)]
    success: bool,
    data: T,
}

/// What went well where there is nothing to show.
#[derive(Serialize, ToSchema)]
struct Done {
    /// Always true.
    #[schema(inline, value_type = value::True)]
    success: bool,
}

/// All is well: 200.
pub(super) struct Fine<T>(pub(super) T);

/// It will be seen to: 202.
pub(super) struct Accepted<T>(pub(super) T);

/// All is well and there is nothing to show: 200.
pub(super) struct Nothing;

impl<T: Serialize> IntoResponse for Fine<T> {
    fn into_response(self) -> Response {
        Json(Success { success: true, data: self.0 }).into_response()
    }
}

impl<T: Serialize> IntoResponse for Accepted<T> {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, Json(Success { success: true, data: self.0 })).into_response()
    }
}

impl IntoResponse for Nothing {
    fn into_response(self) -> Response {
        Json(Done { success: true }).into_response()
    }
}

fn describe<T: ToSchema>(doc: &mut OperationDoc, status: u16) {
    let schema = doc.envelope::<Success<T>, T>();
    doc.answers.push(Answer { status, schema });
}

impl<T: ToSchema> DescribeAnswer for Fine<T> {
    fn describe(doc: &mut OperationDoc) {
        describe::<T>(doc, 200);
    }
}

impl<T: ToSchema> DescribeAnswer for Accepted<T> {
    fn describe(doc: &mut OperationDoc) {
        describe::<T>(doc, 202);
    }
}

impl DescribeAnswer for Nothing {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<Done>();
        doc.answers.push(Answer { status: 200, schema });
    }
}
