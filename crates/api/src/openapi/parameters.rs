//! Path and header parameters of operations.

use utoipa::PartialSchema as _;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, Type};
use utoipa::openapi::{RefOr, Required};

use crate::frame::describe::tidy::tidy;
use crate::frame::describe::value;
use crate::frame::route::{Access, RouteInfo};

/// Returns a parameter for each `{name}` in the path.
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

/// Returns the schema of a path parameter. Most are record IDs.
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

/// Returns the header parameters of a route.
pub(super) fn header_parameters(route: &RouteInfo) -> Vec<Parameter> {
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
    match route.access {
        Access::Console(_) => {
            headers.push(header("x-source", Required::True, "The source of the request", source()));
        }
        Access::UserOrClient(..) => {
            let about = "The source of the request. Required with a console access token";
            headers.push(header("x-source", Required::False, about, source()));
        }
        _ => {}
    }
    if route.if_none_match {
        let about = "Entity tags of cached responses. Returns 304 if one is current";
        headers.push(header("If-None-Match", Required::False, about, text().build()));
    }
    if route.if_match {
        let about = "Entity tags of the versions to change. Returns 412 if none is current";
        headers.push(header("If-Match", Required::False, about, text().build()));
    }
    if route.idempotent {
        let about = "A unique key. A retry with the same key within 24 hours returns the first \
                     response";
        let key = text().min_length(Some(1)).max_length(Some(255)).pattern(Some("^[!-~]+$"));
        let key = key.build();
        headers.push(header("Idempotency-Key", Required::False, about, key));
    }
    headers
}
