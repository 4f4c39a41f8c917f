//! The console's envelope of what went well: `{data, message, status}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use grantor_domain::page::Listing;
use headers::{ETag, HeaderMapExt as _};
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};

use crate::describe::value;
use crate::describe::{Answer, DescribeAnswer, OperationDoc};
use crate::frame::ignored::name_ignored;
use crate::frame::page::{ConsolePagination, console_list};

/// What went well, with what there is to show of it.
#[derive(Serialize, ToSchema)]
struct Success<T> {
    data: T,
    message: &'static str,
    /// Always `success`.
    #[schema(inline, value_type = value::SuccessWord)]
    status: &'static str,
}

/// What went well where there is nothing to show.
#[derive(Serialize, ToSchema)]
struct Message {
    message: &'static str,
    /// Always `success`.
    #[schema(inline, value_type = value::SuccessWord)]
    status: &'static str,
}

/// The answer to a POST: 201.
pub(super) struct Created<T>(pub(super) T, pub(super) &'static str);

/// The answer to a GET, PUT or PATCH: 200.
pub(super) struct Fine<T>(pub(super) T, pub(super) &'static str);

/// An answer with headers of its own.
pub(super) struct Headed<A> {
    answer: A,
    headers: HeaderMap,
}

impl<A> Headed<A> {
    /// With none yet.
    pub(super) fn new(answer: A) -> Self {
        Self { answer, headers: HeaderMap::new() }
    }

    /// Tells which version of the record this is.
    pub(super) fn tagged(mut self, tag: Option<ETag>) -> Self {
        if let Some(tag) = tag {
            self.headers.typed_insert(tag);
        }
        self
    }

    /// Names what of the body nobody can write.
    pub(super) fn ignoring(mut self, names: &[String]) -> Self {
        name_ignored(&mut self.headers, names);
        self
    }
}

impl<A: IntoResponse> IntoResponse for Headed<A> {
    fn into_response(self) -> Response {
        (self.headers, self.answer).into_response()
    }
}

impl<A: DescribeAnswer> DescribeAnswer for Headed<A> {
    fn describe(doc: &mut OperationDoc) {
        A::describe(doc);
    }
}

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

/// What a list of them is called on the wire.
pub(super) trait Plural {
    /// The name.
    const PLURAL: &'static str;
}

/// A page of a list: 200 with the items under their plural name.
pub(super) struct Listed<T>(pub(super) Listing<T>, pub(super) &'static str);

impl<T: Serialize + Plural> IntoResponse for Listed<T> {
    fn into_response(self) -> Response {
        console_list(T::PLURAL, self.1, &self.0)
    }
}

impl<T: ToSchema + Plural> DescribeAnswer for Listed<T> {
    fn describe(doc: &mut OperationDoc) {
        let item = doc.schema::<T>();
        let pagination = doc.schema::<ConsolePagination>();
        let data = ObjectBuilder::new()
            .property(T::PLURAL, ArrayBuilder::new().items(item))
            .property("pagination", pagination)
            .required(T::PLURAL)
            .required("pagination");
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let envelope = ["data", "message", "status"].into_iter().fold(
            ObjectBuilder::new()
                .property("data", data)
                .property("message", text())
                .property("status", text().description(Some("Always `success`."))),
            ObjectBuilder::required,
        );
        let schema = RefOr::T(Schema::from(envelope));
        doc.answers.push(Answer { status: 200, schema });
    }
}

fn describe<T: ToSchema>(doc: &mut OperationDoc, status: u16) {
    let schema = doc.envelope::<Success<T>, T>();
    doc.answers.push(Answer { status, schema });
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
        doc.answers.push(Answer { status: 200, schema });
    }
}

impl DescribeAnswer for Told {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<Message>();
        doc.answers.push(Answer { status: 201, schema });
    }
}
