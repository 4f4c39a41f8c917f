//! Parameters of operations, each with an example.

use serde_json::{Value, json};
use utoipa::PartialSchema as _;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{RefOr, Required};

use super::example::{Examples, snake_case};
use crate::frame::describe::tidy::tidy;
use crate::frame::describe::value;
use crate::frame::route::{Access, Described, RouteInfo};

/// Returns the parameters of an operation in the path, the query and headers.
pub(super) fn all(route: &Described, examples: &Examples) -> Vec<Parameter> {
    let in_path = path_parameters(&route.info.path).into_iter();
    let in_query = route.doc.parameters.iter().cloned().map(tidy_parameter);
    let with_example = |parameter: Parameter| {
        let schema = parameter.schema.as_ref();
        let example = schema.map(|it| examples.parameter(&parameter.name, it));
        ParameterBuilder::from(parameter).example(example).build()
    };
    let mut all: Vec<_> = in_path.chain(in_query).map(with_example).collect();
    all.extend(header_parameters(&route.info));
    all
}

/// Returns a parameter for each `{name}` in the path.
fn path_parameters(path: &str) -> Vec<Parameter> {
    let names = path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    names
        .map(|name| {
            let (schema, about) = path_value(path, name);
            ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .description(Some(about))
                .schema(Some(schema))
                .build()
        })
        .collect()
}

/// Returns the schema and the description of a path parameter. Most are record IDs.
fn path_value(path: &str, name: &str) -> (RefOr<Schema>, String) {
    match (path, name) {
        ("/licenses/{id}" | "/licenses/{id}/versions", _) => {
            let about = "The license's ID, or the external ID that its owner gave it.";
            (value::LicenseName::schema(), about.to_owned())
        }
        ("/metadata/{id}", _) => (value::Id::schema(), "The ID of the license.".to_owned()),
        (_, "session") => {
            let about = "The `otpSession` of the response that announced the code.";
            (value::Segment::schema(), about.to_owned())
        }
        (_, "number") => {
            let about = "The number of the list, as in the receipt.";
            (value::StatusListNumber::schema(), about.to_owned())
        }
        _ => (value::Id::schema(), format!("The ID of the {}.", noun(path, name))),
    }
}

/// What an ID in a path is of: the parameter's own name, or that of the collection before it.
fn noun(path: &str, name: &str) -> String {
    let own = name.trim_end_matches("_id").trim_end_matches("Id");
    if own == "pax" {
        return "PAX".to_owned();
    }
    if own != "id" {
        return snake_case(own).replace('_', " ");
    }
    let before = path.split("/{id}").next().unwrap_or_default();
    let collection = before.rsplit('/').next().unwrap_or_default();
    collection.strip_suffix('s').unwrap_or(collection).to_owned()
}

fn tidy_parameter(mut parameter: Parameter) -> Parameter {
    parameter.schema = parameter.schema.map(tidy);
    parameter
}

/// Returns the header parameters of a route.
fn header_parameters(route: &RouteInfo) -> Vec<Parameter> {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let mut headers = Vec::new();
    let source = || text().enum_values(Some(["console"]));
    match route.access {
        Access::Console(_) => {
            let about = "The source of the request. Always `console`.";
            headers.push(header("x-source", about, source(), json!("console"), Required::True));
        }
        Access::UserOrClient(..) => {
            let about = "The source of the request. Required with a console access token.";
            headers.push(header("x-source", about, source(), json!("console"), Required::False));
        }
        _ => {}
    }
    let tag = json!("\"3-9f86d081884c7d659a2feaa0c55ad015\"");
    if route.if_none_match {
        let about = "The `ETag` of a cached response, or several. If one is current, the response \
                     is 304 without a body.";
        headers.push(header("If-None-Match", about, text(), tag.clone(), Required::False));
    }
    if route.if_match {
        let about = "The `ETag` of the version to change, or several. If none is current, the \
                     response is 412 and nothing changes.";
        headers.push(header("If-Match", about, text(), tag, Required::False));
    }
    if route.idempotent {
        let about = "A unique key of your choice. A retry with the same key and body within 24 \
                     hours returns the first response and changes nothing.";
        let key = text().min_length(Some(1)).max_length(Some(255)).pattern(Some("^[!-~]+$"));
        let example = json!("c0a5b7d2-8f1e-4c3a-9b6d-2e7f4a1c5d80");
        headers.push(header("Idempotency-Key", about, key, example, Required::False));
    }
    headers
}

fn header(
    name: &str,
    about: &str,
    schema: ObjectBuilder,
    example: Value,
    required: Required,
) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(required)
        .description(Some(about))
        .schema(Some(schema))
        .example(Some(example))
        .build()
}
