//! OpenAPI from the handlers' own signatures: what a handler takes and gives is what its document
//! says, because both are read from the same types.

pub(crate) mod choice;
mod form;
pub(crate) mod tidy;
pub(crate) mod value;

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::Response;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::openapi::{ContentBuilder, RefOr, Required};
use utoipa::{IntoParams, ToSchema};

use crate::frame::extract::{Json, OptionalJson, Query, Segment, Segments};
use crate::frame::ignored::Known;
use crate::frame::page::{ListBody, Pagination};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// What is known of an operation.
#[derive(Clone, Default)]
pub struct OperationDoc {
    /// Parameters of path and query.
    pub parameters: Vec<Parameter>,
    /// The body it takes.
    pub body: Option<RequestBody>,
    /// What it gives when all is well, as far as that is JSON.
    pub answers: Vec<Answer>,
    /// Other forms of the good answer's body, by content type.
    pub other_forms: Vec<&'static str>,
    /// Whether all being well there is no body: 204.
    pub no_content: bool,
    /// Whether an access token is needed.
    pub signed_in: bool,
    /// Schemas by name that the above refer to.
    pub schemas: BTreeMap<String, RefOr<Schema>>,
}

/// A good answer.
#[derive(Clone)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its body.
    pub schema: RefOr<Schema>,
}

impl OperationDoc {
    /// The schema of an envelope around a `T`, in place: all envelopes of one kind share a name,
    /// so that a reference by it would lead to any of them.
    pub fn envelope<E: ToSchema, T: ToSchema>(&mut self) -> RefOr<Schema> {
        self.schema::<T>();
        E::schema()
    }

    /// Notes a schema and everything it refers to, and gives a reference to it.
    pub fn schema<T: ToSchema>(&mut self) -> RefOr<Schema> {
        let mut found = Vec::new();
        T::schemas(&mut found);
        self.schemas.extend(found);
        self.schemas.insert(T::name().into_owned(), T::schema());
        RefOr::Ref(utoipa::openapi::Ref::from_schema_name(T::name()))
    }
}

/// A body that is one of two.
pub(crate) fn either<A: ToSchema, B: ToSchema>() -> RefOr<Schema> {
    let named = |name| utoipa::openapi::Ref::from_schema_name(name);
    let either = OneOfBuilder::new().item(named(A::name())).item(named(B::name()));
    RefOr::T(Schema::from(either))
}

/// The schemas of both.
pub(crate) fn note_either<A: ToSchema, B: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    A::schemas(schemas);
    B::schemas(schemas);
    schemas.push((A::name().into_owned(), A::schema()));
    schemas.push((B::name().into_owned(), B::schema()));
}

/// Tells that a body is one of two: what it is read into has the members of both.
macro_rules! one_of_two {
    ($body:ident: $one:ident, $other:ident) => {
        impl utoipa::PartialSchema for $body {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                crate::describe::either::<$one, $other>()
            }
        }

        impl utoipa::ToSchema for $body {
            fn schemas(
                schemas: &mut Vec<(
                    String,
                    utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>,
                )>,
            ) {
                crate::describe::note_either::<$one, $other>(schemas);
            }
        }
    };
}
pub(crate) use one_of_two;

/// A part of a handler's signature.
pub trait Describe {
    /// Adds what it means to the operation.
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
    /// The row's path names it.
    fn describe(_: &mut OperationDoc) {}
}

impl<const N: usize> Describe for Segments<N> {
    /// The row's path names them.
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

impl<T: ToSchema> Describe for Known<T> {
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

/// What a handler gives.
pub trait DescribeAnswer {
    /// Adds it to the operation.
    fn describe(doc: &mut OperationDoc);
}

/// An answer whose body is a `T`, however it was put together.
pub struct Replies<T>(pub Response, pub std::marker::PhantomData<T>);

impl<T> Replies<T> {
    /// Says that this answer's body is a `T`.
    pub fn new(response: impl axum::response::IntoResponse) -> Self {
        Self(response.into_response(), std::marker::PhantomData)
    }
}

impl<T> axum::response::IntoResponse for Replies<T> {
    fn into_response(self) -> Response {
        self.0
    }
}

/// An answer whose body is a list of `T` in the external API's envelope.
pub struct Lists<T>(Replies<T>);

impl<T> Lists<T> {
    /// Says that this answer's body is such a list.
    pub fn new(response: impl axum::response::IntoResponse) -> Self {
        Self(Replies::new(response))
    }
}

impl<T> axum::response::IntoResponse for Lists<T> {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

impl<T: ToSchema> DescribeAnswer for Lists<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.schema::<Pagination>();
        let schema = doc.envelope::<ListBody<T>, T>();
        doc.answers.push(Answer { status: 200, schema });
    }
}

impl<T: ToSchema> DescribeAnswer for Replies<T> {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<T>();
        doc.answers.push(Answer { status: 200, schema });
    }
}

impl<T: ToSchema> DescribeAnswer for axum::Json<T> {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<T>();
        doc.answers.push(Answer { status: 200, schema });
    }
}

impl<T: DescribeAnswer> DescribeAnswer for Result<T, Problem> {
    fn describe(doc: &mut OperationDoc) {
        T::describe(doc);
    }
}

/// A handler whose signature can be read.
pub trait Documented<A> {
    /// Adds what the signature says to the operation.
    fn document(&self, doc: &mut OperationDoc);
}

macro_rules! documented {
    ($($part:ident),*) => {
        impl<F, Fut, R, $($part),*> Documented<($($part,)*)> for F
        where
            F: Fn($($part),*) -> Fut,
            Fut: Future<Output = R>,
            R: DescribeAnswer,
            $($part: Describe,)*
        {
            fn document(&self, doc: &mut OperationDoc) {
                $($part::describe(doc);)*
                R::describe(doc);
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
