//! The console's envelope of what went well: `{data, message, status}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use grantor_domain::page::Listing;
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::describe::{Answer, DescribeAnswer, OperationDoc};
use crate::frame::page::{ConsolePagination, console_list};

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

/// The answer to a PATCH that has nothing to return: 200.
pub(super) struct Said(pub(super) &'static str);

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

impl IntoResponse for Said {
    fn into_response(self) -> Response {
        Json(Message { message: self.0, status: "success" }).into_response()
    }
}

impl IntoResponse for Told {
    fn into_response(self) -> Response {
        let body = Message { message: self.0, status: "success" };
        (StatusCode::CREATED, Json(body)).into_response()
    }
}

/// The answer to a DELETE: 204 without a body.
pub(super) struct Gone;

impl IntoResponse for Gone {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl DescribeAnswer for Gone {
    fn describe(doc: &mut OperationDoc) {
        doc.no_content = true;
    }
}

/// A page of a list: 200 with the items under their plural name.
pub(super) struct Listed<T> {
    pub(super) plural: &'static str,
    pub(super) message: &'static str,
    pub(super) listing: Listing<T>,
}

impl<T: Serialize> IntoResponse for Listed<T> {
    fn into_response(self) -> Response {
        console_list(self.plural, self.message, &self.listing)
    }
}

/// The pages of the console; the items stand under their plural name.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used: the plural names the field")]
struct ListOf<T> {
    items: Vec<T>,
    pagination: ConsolePagination,
}

/// A page of the console in its envelope.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used: the plural names the field")]
struct SuccessList<T> {
    #[schema(inline)]
    data: ListOf<T>,
    message: String,
    /// Always `success`.
    status: String,
}

impl<T: ToSchema> DescribeAnswer for Listed<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.schema::<ConsolePagination>();
        let schema = doc.envelope::<SuccessList<T>, T>();
        doc.answer = Some(Answer { status: 200, schema });
    }
}

fn describe<T: ToSchema>(doc: &mut OperationDoc, status: u16) {
    let schema = doc.envelope::<Success<T>, T>();
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

impl DescribeAnswer for Said {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<Message>();
        doc.answer = Some(Answer { status: 200, schema });
    }
}

impl DescribeAnswer for Told {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<Message>();
        doc.answer = Some(Answer { status: 201, schema });
    }
}
