//! The envelope of successful console responses: `{data, message, status}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use grantor_domain::page::Listing;
use headers::{ETag, HeaderMapExt as _};
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};

use crate::frame::describe::choice::described;
use crate::frame::describe::value;
use crate::frame::describe::{DescribeResponse, OperationDoc, ResponseDoc};
use crate::frame::ignored_fields::add_ignored_header;
use crate::frame::page::{ConsolePagination, console_list};

/// A successful response.
#[derive(Serialize, ToSchema)]
struct Success<T> {
    data: T,
    /// A message for the user.
    message: &'static str,
    /// Always `success`.
    #[schema(inline, value_type = value::SuccessWord)]
    status: &'static str,
}

/// A successful response without data.
#[derive(Serialize, ToSchema)]
struct Message {
    /// A message for the user.
    message: &'static str,
    /// Always `success`.
    #[schema(inline, value_type = value::SuccessWord)]
    status: &'static str,
}

/// A 201 response with data and a message.
pub(super) struct Created<T>(pub(super) T, pub(super) &'static str);

/// A 200 response with data and a message.
pub(super) struct Data<T>(pub(super) T, pub(super) &'static str);

/// A response with additional headers.
pub(super) struct WithHeaders<A> {
    response: A,
    headers: HeaderMap,
}

impl<A> WithHeaders<A> {
    /// Creates a response without additional headers.
    pub(super) fn new(response: A) -> Self {
        Self { response, headers: HeaderMap::new() }
    }

    /// Adds the entity tag of the record.
    pub(super) fn etag(mut self, tag: Option<ETag>) -> Self {
        if let Some(tag) = tag {
            self.headers.typed_insert(tag);
        }
        self
    }

    /// Lists the ignored fields of the request body.
    pub(super) fn ignored_fields(mut self, names: &[String]) -> Self {
        add_ignored_header(&mut self.headers, names);
        self
    }
}

impl<A: IntoResponse> IntoResponse for WithHeaders<A> {
    fn into_response(self) -> Response {
        (self.headers, self.response).into_response()
    }
}

impl<A: DescribeResponse> DescribeResponse for WithHeaders<A> {
    fn describe(doc: &mut OperationDoc) {
        doc.headers.push("X-Ignored-Fields");
        A::describe(doc);
    }
}

/// A 201 response with only a message.
pub(super) struct CreatedMessage(pub(super) &'static str);

/// A 200 response with only a message.
pub(super) struct OkMessage(pub(super) &'static str);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let body = Success { data: self.0, message: self.1, status: "success" };
        (StatusCode::CREATED, Json(body)).into_response()
    }
}

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        Json(Success { data: self.0, message: self.1, status: "success" }).into_response()
    }
}

impl IntoResponse for OkMessage {
    fn into_response(self) -> Response {
        Json(Message { message: self.0, status: "success" }).into_response()
    }
}

impl IntoResponse for CreatedMessage {
    fn into_response(self) -> Response {
        let body = Message { message: self.0, status: "success" };
        (StatusCode::CREATED, Json(body)).into_response()
    }
}

/// A 204 response.
pub(super) struct NoContent;

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl DescribeResponse for NoContent {
    fn describe(doc: &mut OperationDoc) {
        doc.no_content = true;
    }
}

/// The name of a list of records in responses.
pub(super) trait Plural {
    /// The plural name.
    const PLURAL: &'static str;
}

/// A 200 response with a page of a list. The items are under their plural name.
pub(super) struct PageOf<T>(pub(super) Listing<T>, pub(super) &'static str);

impl<T: Serialize + Plural> IntoResponse for PageOf<T> {
    fn into_response(self) -> Response {
        console_list(T::PLURAL, self.1, &self.0)
    }
}

impl<T: ToSchema + Plural> DescribeResponse for PageOf<T> {
    fn describe(doc: &mut OperationDoc) {
        let item = doc.schema::<T>();
        let pagination = doc.schema::<ConsolePagination>();
        let data = ObjectBuilder::new()
            .property(T::PLURAL, ArrayBuilder::new().items(item))
            .property("pagination", pagination)
            .required(T::PLURAL)
            .required("pagination");
        let message = ObjectBuilder::new().schema_type(Type::String);
        let message = message.description(Some("A message for the user."));
        let envelope = ["data", "message", "status"].into_iter().fold(
            ObjectBuilder::new()
                .property("data", data)
                .property("message", message)
                .property("status", described::<value::SuccessWord>("Always `success`.")),
            ObjectBuilder::required,
        );
        let schema = RefOr::T(Schema::from(envelope));
        doc.responses.push(ResponseDoc { status: 200, schema });
    }
}

fn describe<T: ToSchema>(doc: &mut OperationDoc, status: u16) {
    let schema = doc.envelope::<Success<T>, T>();
    doc.responses.push(ResponseDoc { status, schema });
}

impl<T: ToSchema> DescribeResponse for Created<T> {
    fn describe(doc: &mut OperationDoc) {
        describe::<T>(doc, 201);
    }
}

impl<T: ToSchema> DescribeResponse for Data<T> {
    fn describe(doc: &mut OperationDoc) {
        describe::<T>(doc, 200);
    }
}

impl DescribeResponse for OkMessage {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<Message>();
        doc.responses.push(ResponseDoc { status: 200, schema });
    }
}

impl DescribeResponse for CreatedMessage {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<Message>();
        doc.responses.push(ResponseDoc { status: 201, schema });
    }
}
