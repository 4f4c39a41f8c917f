//! The console's envelope of what went well: `{data, message, status}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::describe::{Answer, DescribeAnswer, OperationDoc};

/// What went well, with what there is to show of it.
#[derive(Serialize, ToSchema)]
struct Success<T> {
    data: T,
    message: &'static str,
    /// Always `success`.
    status: &'static str,
}

/// What went well where there is nothing to show.
#[derive(Serialize, ToSchema)]
struct Message {
    message: &'static str,
    /// Always `success`.
    status: &'static str,
}

/// The answer to a POST: 201.
pub(super) struct Created<T>(pub(super) T, pub(super) &'static str);

/// The answer to a GET, PUT or PATCH: 200.
pub(super) struct Fine<T>(pub(super) T, pub(super) &'static str);

/// The answer to a POST that has nothing to return: 201.
pub(super) struct Told(pub(super) &'static str);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let body = Success { data: self.0, message: self.1, status: "success" };
        (StatusCode::CREATED, Json(body)).into_response()
    }
}

impl<T: Serialize> IntoResponse for Fine<T> {
    fn into_response(self) -> Response {
        Json(Success { data: self.0, message: self.1, status: "success" }).into_response()
    }
}

impl IntoResponse for Told {
    fn into_response(self) -> Response {
        let body = Message { message: self.0, status: "success" };
        (StatusCode::CREATED, Json(body)).into_response()
    }
}

fn describe<T: ToSchema>(doc: &mut OperationDoc, status: u16) {
    // The envelope's schema refers to its content's but does not bring it along.
    doc.schema::<T>();
    let schema = doc.schema::<Success<T>>();
    doc.answer = Some(Answer { status, schema });
}

impl<T: ToSchema> DescribeAnswer for Created<T> {
    fn describe(doc: &mut OperationDoc) {
        describe::<T>(doc, 201);
    }
}

impl<T: ToSchema> DescribeAnswer for Fine<T> {
    fn describe(doc: &mut OperationDoc) {
        describe::<T>(doc, 200);
    }
}

impl DescribeAnswer for Told {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<Message>();
        doc.answer = Some(Answer { status: 201, schema });
    }
}
