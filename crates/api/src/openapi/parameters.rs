//! What a caller sends beside the body: parts of the path, the query and headers.

use utoipa::PartialSchema as _;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, Type};
use utoipa::openapi::{RefOr, Required};

use crate::describe::tidy::tidy;
use crate::describe::value;
use crate::frame::route::{Permission, Row};

/// A parameter for each `{name}` in the path.
pub(super) fn path_parameters(path: &str) -> Vec<Parameter> {
    let names = path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    names
        .map(|name| {
            ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .schema(Some(path_value(path, name)))
                .build()
        })
        .collect()
}

/// What can stand for a part of the path: almost everywhere a record's id.
fn path_value(path: &str, name: &str) -> RefOr<Schema> {
    match (path, name) {
        ("/licenses/{id}", _) => value::LicenseName::schema(),
        (_, "session") => value::Segment::schema(),
        _ => value::Id::schema(),
    }
}

pub(super) fn tidy_parameter(mut parameter: Parameter) -> Parameter {
    parameter.schema = parameter.schema.map(tidy);
    parameter
}

/// Headers a caller sends.
pub(super) fn header_parameters(row: &Row) -> Vec<Parameter> {
    let header = |name: &str, required: Required, about: &str, schema: Object| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(required)
            .description(Some(about))
            .schema(Some(schema))
            .build()
    };
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let mut headers = Vec::new();
    let source = || text().enum_values(Some(["console"])).build();
    match row.permission {
        Permission::Console(_) => {
            headers.push(header("x-source", Required::True, "Where the call comes from", source()));
        }
        Permission::Insider(..) => {
            let about = "Where the call comes from: required with a token of the console";
            headers.push(header("x-source", Required::False, about, source()));
        }
        _ => {}
    }
    if row.conditional {
        let about = "Entity tags the caller has: 304 when one still holds";
        headers.push(header("If-None-Match", Required::False, about, text().build()));
    }
    if row.guarded {
        let about = "Entity tags of what may be changed: 412 when none holds";
        headers.push(header("If-Match", Required::False, about, text().build()));
    }
    if row.idempotent {
        let about = "The same key, query and body within 24 hours get the first answer again";
        let key = text().min_length(Some(1)).max_length(Some(255)).pattern(Some("^[!-~]+$"));
        let key = key.build();
        headers.push(header("Idempotency-Key", Required::False, about, key));
    }
    headers
}
