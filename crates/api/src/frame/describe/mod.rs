//! OpenAPI generation from handler signatures: the document is derived from the same types that
//! parse requests and render responses.

pub(crate) mod choice;
mod form;
pub(crate) mod tidy;
pub(crate) mod value;

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::{AppendHeaders, Response};
use grantor_domain::page::Listing;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::openapi::{ContentBuilder, RefOr, Required};
use utoipa::{IntoParams, ToSchema};

use crate::frame::extract::{Json, OptionalJson, Query, Segment, Segments};
use crate::frame::ignored_fields::{JsonWithIgnored, add_ignored_header};
use crate::frame::page::{ListBody, Pagination, links};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The documentation of an operation.
#[derive(Clone, Default)]
pub struct OperationDoc {
    /// Query parameters.
    pub parameters: Vec<Parameter>,
    /// The request body.
    pub body: Option<RequestBody>,
    /// Successful JSON responses.
    pub responses: Vec<ResponseDoc>,
    /// Other media types of the successful response.
    pub other_media_types: Vec<&'static str>,
    /// The media type of the successful response, if it is not JSON.
    pub media_type: Option<&'static str>,
    /// Whether a successful response has no body (204).
    pub no_content: bool,
    /// Whether an access token is required.
    pub signed_in: bool,
    /// Headers of the successful response.
    pub headers: Vec<&'static str>,
    /// The schemas that the operation refers to, by name.
    pub schemas: BTreeMap<String, RefOr<Schema>>,
}

/// A successful response.
#[derive(Clone)]
pub struct ResponseDoc {
    /// The status.
    pub status: u16,
    /// The schema of the body.
    pub schema: RefOr<Schema>,
}

impl OperationDoc {
    /// Returns the inline schema of an envelope around `T`. A reference would be ambiguous, because
    /// all envelopes share one name.
    pub fn envelope<E: ToSchema, T: ToSchema>(&mut self) -> RefOr<Schema> {
        self.schema::<T>();
        E::schema()
    }

    /// Registers a schema with all schemas it refers to, and returns a reference to it.
    pub fn schema<T: ToSchema>(&mut self) -> RefOr<Schema> {
        let mut found = Vec::new();
        T::schemas(&mut found);
        self.schemas.extend(found);
        self.schemas.insert(T::name().into_owned(), T::schema());
        RefOr::Ref(utoipa::openapi::Ref::from_schema_name(T::name()))
    }
}

/// Returns a schema that is one of two.
pub(crate) fn either<A: ToSchema, B: ToSchema>() -> RefOr<Schema> {
    let named = |name| utoipa::openapi::Ref::from_schema_name(name);
    let either = OneOfBuilder::new().item(named(A::name())).item(named(B::name()));
    RefOr::T(Schema::from(either))
}

/// Registers the schemas of both variants.
pub(crate) fn register_either<A: ToSchema, B: ToSchema>(
    schemas: &mut Vec<(String, RefOr<Schema>)>,
) {
    A::schemas(schemas);
    B::schemas(schemas);
    schemas.push((A::name().into_owned(), A::schema()));
    schemas.push((B::name().into_owned(), B::schema()));
}

/// Documents a body as one of two schemas. The parsed type has the fields of both.
macro_rules! one_of_two {
    ($body:ident: $one:ident, $other:ident) => {
        impl utoipa::PartialSchema for $body {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                crate::frame::describe::either::<$one, $other>()
            }
        }

        impl utoipa::ToSchema for $body {
            fn schemas(
                schemas: &mut Vec<(
                    String,
                    utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>,
                )>,
            ) {
                crate::frame::describe::register_either::<$one, $other>(schemas);
            }
        }
    };
}
pub(crate) use one_of_two;

/// A part of a handler's signature.
pub trait Describe {
    /// Adds its documentation to the operation.
    fn describe(doc: &mut OperationDoc);
}

impl Describe for State<ApiState> {
    fn describe(_: &mut OperationDoc) {}
}

impl Describe for http::HeaderMap {
    fn describe(_: &mut OperationDoc) {}
}

impl Describe for http::Uri {
    fn describe(_: &mut OperationDoc) {}
}

impl Describe for Segment {
    /// Documented by the route's path.
    fn describe(_: &mut OperationDoc) {}
}

impl<const N: usize> Describe for Segments<N> {
    /// Documented by the route's path.
    fn describe(_: &mut OperationDoc) {}
}

impl<T: IntoParams> Describe for Query<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.parameters.extend(T::into_params(|| Some(ParameterIn::Query)));
    }
}

impl<T: ToSchema> Describe for Json<T> {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<T>();
        let content = ContentBuilder::new().schema(Some(schema)).build();
        doc.body = Some(
            RequestBodyBuilder::new()
                .content("application/json", content)
                .required(Some(Required::True))
                .build(),
        );
    }
}

impl<T: ToSchema> Describe for JsonWithIgnored<T> {
    fn describe(doc: &mut OperationDoc) {
        Json::<T>::describe(doc);
    }
}

impl<T: ToSchema> Describe for OptionalJson<T> {
    fn describe(doc: &mut OperationDoc) {
        Json::<T>::describe(doc);
        if let Some(body) = &mut doc.body {
            body.required = Some(Required::False);
        }
    }
}

/// A handler's response.
pub trait DescribeResponse {
    /// Adds its documentation to the operation.
    fn describe(doc: &mut OperationDoc);
}

/// A response that was built by hand and is documented as a `T`.
pub struct ResponseOf<T>(pub Response, pub std::marker::PhantomData<T>);

impl<T> ResponseOf<T> {
    /// Declares that the response body is a `T`.
    pub fn new(response: impl axum::response::IntoResponse) -> Self {
        Self(response.into_response(), std::marker::PhantomData)
    }

    /// Lists the ignored fields of the request body in `X-Ignored-Fields`.
    pub(crate) fn ignoring(mut self, names: &[String]) -> Self {
        add_ignored_header(self.0.headers_mut(), names);
        self
    }
}

impl<T> axum::response::IntoResponse for ResponseOf<T> {
    fn into_response(self) -> Response {
        self.0
    }
}

/// A 201 response with a new record.
pub struct Created<T>(pub T);

impl<T: serde::Serialize> axum::response::IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (http::StatusCode::CREATED, axum::Json(self.0)).into_response()
    }
}

impl<T: ToSchema> DescribeResponse for Created<T> {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<T>();
        doc.responses.push(ResponseDoc { status: 201, schema });
    }
}

/// A response that is documented as a list of `T` in the external API's envelope.
pub struct ListOf<T>(ResponseOf<T>);

impl<T> ListOf<T> {
    /// Declares that the response body is a list of `T`.
    pub fn new(response: impl axum::response::IntoResponse) -> Self {
        Self(ResponseOf::new(response))
    }
}

impl<T: serde::Serialize> ListOf<T> {
    /// Responds with a page of the list at a URL, and with links to its other pages.
    pub(crate) fn page(listing: Listing<T>, uri: &http::Uri) -> Self {
        let links = AppendHeaders(links(&listing, uri));
        Self::new((links, axum::Json(ListBody::from(listing))))
    }
}

impl<T> axum::response::IntoResponse for ListOf<T> {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

impl<T: ToSchema> DescribeResponse for ListOf<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.headers.push("Link");
        doc.schema::<Pagination>();
        let schema = doc.envelope::<ListBody<T>, T>();
        doc.responses.push(ResponseDoc { status: 200, schema });
    }
}

impl<T: ToSchema> DescribeResponse for ResponseOf<T> {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<T>();
        doc.responses.push(ResponseDoc { status: 200, schema });
    }
}

impl<T: ToSchema> DescribeResponse for axum::Json<T> {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<T>();
        doc.responses.push(ResponseDoc { status: 200, schema });
    }
}

impl DescribeResponse for Problem {
    /// Errors are documented by rule.
    fn describe(_: &mut OperationDoc) {}
}

impl<T: DescribeResponse> DescribeResponse for Result<T, Problem> {
    fn describe(doc: &mut OperationDoc) {
        T::describe(doc);
    }
}

/// A handler that can be documented from its signature.
pub trait Documented<A> {
    /// Derives the operation's documentation from the signature.
    fn document() -> OperationDoc;
}

macro_rules! documented {
    ($($part:ident),*) => {
        impl<F, Fut, R, $($part),*> Documented<($($part,)*)> for F
        where
            F: Fn($($part),*) -> Fut,
            Fut: Future<Output = R>,
            R: DescribeResponse,
            $($part: Describe,)*
        {
            fn document() -> OperationDoc {
                let mut doc = OperationDoc::default();
                $($part::describe(&mut doc);)*
                R::describe(&mut doc);
                doc
            }
        }
    };
}

documented!();
documented!(A1);
documented!(A1, A2);
documented!(A1, A2, A3);
documented!(A1, A2, A3, A4);
documented!(A1, A2, A3, A4, A5);
documented!(A1, A2, A3, A4, A5, A6);
