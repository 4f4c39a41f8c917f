//! Schemas of error responses.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use crate::frame::api::Api;
use crate::frame::describe::value;

/// An error response.
#[derive(Serialize, ToSchema)]
struct ExternalError {
    /// Always `false`.
    #[schema(inline, value_type = value::False)]
    success: bool,
    error: ExternalErrorBody,
}

/// The error.
#[derive(Serialize, ToSchema)]
struct ExternalErrorBody {
    /// A machine-readable error code.
    code: String,
    /// A human-readable error message.
    message: String,
    /// Error messages by field name for a validation error, or facts about a conflict, such as
    /// `limit` and `used` if a plan limit is reached.
    #[schema(nullable = false)]
    details: Option<BTreeMap<String, Detail>>,
    /// The request ID, which the operator can look up in the server's log.
    request_id: String,
}

/// A message or a number.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used: the envelope is written by hand")]
enum Detail {
    Message(String),
    Figure(u64),
}

/// An error response.
#[derive(Serialize, ToSchema)]
struct ConsoleError {
    error: ConsoleErrorBody,
    /// Always `error`.
    #[schema(inline, value_type = value::ErrorWord)]
    status: String,
}

/// The error.
#[derive(Serialize, ToSchema)]
struct ConsoleErrorBody {
    /// A machine-readable error code.
    code: String,
    /// A human-readable error message.
    message: String,
    /// Error messages by field name for a validation error, or facts about a conflict, such as
    /// `limit` and `used` if a plan limit is reached.
    details: BTreeMap<String, Detail>,
}

type Schemas = Vec<(String, RefOr<Schema>)>;

/// Registers the schema of an API's errors, and returns its name.
pub(super) fn register(api: Api, schemas: &mut Schemas) -> Cow<'static, str> {
    fn add<T: ToSchema>(schemas: &mut Schemas) -> Cow<'static, str> {
        T::schemas(schemas);
        schemas.push((T::name().into_owned(), T::schema()));
        T::name()
    }
    match api {
        Api::External => add::<ExternalError>(schemas),
        Api::Console => add::<ConsoleError>(schemas),
    }
}
