//! OpenAPI 3.1 documents of both APIs, generated from their route tables.

mod parameters;
mod webhooks;

use std::collections::BTreeSet;

use axum::extract::State;
use axum::routing::get;
use axum::{Extension, Router};
use grantor_domain::limit::LimitName;
use grantor_http::RequestInfo;
use http::{HeaderMap, Uri};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, Paths, Ref, RefOr,
    Response, ResponseBuilder, ServerBuilder,
};

use self::parameters::{header_parameters, path_parameters, tidy_parameter};
use crate::frame::api::Api;
use crate::frame::describe::tidy::tidy;
use crate::frame::describe::value;
use crate::frame::document::Document;
use crate::frame::error_response;
use crate::frame::route::{Access, Limit, Route};
use crate::frame::state::ApiState;
use crate::{console, external};

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
    /// Error messages by field name for a validation error, or `limit` and `used` if a plan limit
    /// is reached.
    #[schema(nullable = false)]
    details: Option<std::collections::BTreeMap<String, Detail>>,
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
    /// Error messages by field name for a validation error, or `limit` and `used` if a plan limit
    /// is reached.
    details: std::collections::BTreeMap<String, Detail>,
}

/// Returns the OpenAPI document of an API.
#[must_use]
pub fn document(api: Api, public_url: &str, service_name: &str) -> OpenApi {
    let (title, version, routes) = match api {
        Api::External => ("external API v2", external::VERSION, external::routes(service_name)),
        Api::Console => ("console, admin and legacy API", console::VERSION, console::routes()),
    };
    let server = format!("{public_url}{}", api.prefix());
    describe(api, title, version, &server, routes)
}

fn describe(api: Api, title: &str, version: &str, server: &str, routes: Vec<Route>) -> OpenApi {
    let mut schemas = Vec::new();
    let error = error_schema(api, &mut schemas);
    let mut paths = Paths::new();
    for route in routes {
        let operation = operation(&route, &error);
        let method = http_method(&route.info.method);
        paths.add_path_operation(&route.info.path, vec![method], operation);
        schemas.extend(route.doc.schemas);
    }
    let components = schemas
        .into_iter()
        .fold(ComponentsBuilder::new(), |builder, (name, it)| builder.schema(name, tidy(it)));
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    let basic = HttpBuilder::new().scheme(HttpAuthScheme::Basic).build();
    let components = components
        .security_scheme("bearer", SecurityScheme::Http(bearer))
        .security_scheme("basic", SecurityScheme::Http(basic));
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new().title(title).version(version).description(Some(about(api))).build(),
        )
        .servers(Some([ServerBuilder::new().url(server).build()]))
        .paths(paths)
        .webhooks((api == Api::External).then(webhooks::describe))
        .components(Some(components.build()))
        .build()
}

/// Returns the introduction of an API reference.
fn about(api: Api) -> &'static str {
    match api {
        Api::External => {
            "Lists return `{data, pagination}` with `Link` headers. Errors return `{success: false, \
             error: {code, message, details?, request_id}}`. Rate-limited endpoints return the \
             headers `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`; a 429 \
             also returns `Retry-After`. Send `X-Request-Id` to choose the ID under which a \
             request is logged."
        }
        Api::Console => {
            "Successful requests return `{data, message, status: \"success\"}`. Errors return \
             `{error: {code, message, details}, status: \"error\"}`. Send `x-source: console` with \
             every access token. POST returns 201 and DELETE 204. Changes support \
             `Idempotency-Key`, except below `/auth`."
        }
    }
}

type Schemas = Vec<(String, RefOr<Schema>)>;

fn error_schema(api: Api, schemas: &mut Schemas) -> String {
    fn add<T: ToSchema>(schemas: &mut Schemas) -> String {
        T::schemas(schemas);
        schemas.push((T::name().into_owned(), T::schema()));
        T::name().into_owned()
    }
    match api {
        Api::External => add::<ExternalError>(schemas),
        Api::Console => add::<ConsoleError>(schemas),
    }
}

fn operation(route: &Route, error: &str) -> Operation {
    let info = &route.info;
    let mut builder = OperationBuilder::new()
        .tag(tag(&info.path))
        .summary(Some(info.summary))
        .operation_id(Some(operation_id(&info.method, &info.path)))
        .parameters(Some(path_parameters(&info.path)))
        .parameters(Some(route.doc.parameters.iter().cloned().map(tidy_parameter)))
        .parameters(Some(header_parameters(info)))
        .request_body(route.doc.body.clone());
    for success in &route.doc.responses {
        let description = success_description(success.status);
        let mut response = json_response(description, tidy(success.schema.clone()));
        if let Some(media_type) = route.doc.media_type
            && let Some(content) = response.content.shift_remove("application/json")
        {
            response.content.insert(media_type.to_owned(), content);
        }
        for media_type in &route.doc.other_media_types {
            response.content.insert((*media_type).to_owned(), ContentBuilder::new().build().into());
        }
        let unlimited = matches!(info.limit, Limit::Unlimited | Limit::Quiet(_));
        let response = if unlimited { response } else { with_rate_limit_headers(response) };
        builder = builder.response(success.status.to_string(), response);
    }
    if route.doc.no_content {
        let response = ResponseBuilder::new().description(success_description(204)).build();
        builder = builder.response("204", response);
    }
    if info.if_none_match {
        let unchanged = ResponseBuilder::new().description("Not modified").build();
        builder = builder.response("304", unchanged);
    }
    if route.doc.signed_in {
        // In OpenAPI 3.1, HTTP schemes can list the scopes a token needs.
        let scopes = match info.access {
            Access::External(scope)
            | Access::ExternalWithRight(scope, _)
            | Access::UserOrClient(_, scope) => vec![scope.name()],
            _ => vec![],
        };
        builder = builder.security(SecurityRequirement::new("bearer", scopes));
    }
    if let Some(scheme) = info.security {
        let scopes: [&str; 0] = [];
        builder = builder.security(SecurityRequirement::new(scheme, scopes));
    }
    errors(route)
        .into_iter()
        .fold(builder, |builder, (status, description)| {
            let schema = RefOr::Ref(Ref::from_schema_name(error));
            builder.response(status, json_response(description, schema))
        })
        .build()
}

/// Returns all documented response statuses of a route.
#[must_use]
pub fn statuses(route: &Route) -> BTreeSet<u16> {
    let success = route.doc.responses.iter().map(|it| it.status);
    let failed = errors(route).into_iter().filter_map(|(status, _)| status.parse().ok());
    let mut statuses: BTreeSet<u16> = success.chain(failed).collect();
    statuses.extend(route.doc.no_content.then_some(204));
    statuses.extend(route.info.if_none_match.then_some(304));
    statuses
}

/// Returns the errors of an operation: general ones that follow from its signature and properties,
/// and those specific to the route.
fn errors(route: &Route) -> Vec<(&'static str, &'static str)> {
    let info = &route.info;
    let mut errors = vec![
        ("400", "A value is missing or not valid"),
        ("413", "The request body is too large"),
        ("500", "Internal server error"),
        ("503", "Temporarily unavailable"),
    ];
    let has_parameters = info.path.contains('{');
    if let Some(body) = &route.doc.body {
        errors.push(("408", "The request body was not received in time"));
        let form = body.content.contains_key("multipart/form-data");
        let wrong = if form {
            "The content type of the request body is not supported"
        } else {
            "The request body is not JSON"
        };
        errors.push(("415", wrong));
    }
    if route.doc.signed_in {
        errors.push(("401", "The access token is missing, expired or not valid"));
        errors.push(("403", "The caller's role or tenant type does not allow this"));
    } else {
        errors.push(("403", "HTTPS is required"));
    }
    if has_parameters {
        errors.push(("404", "Not found"));
    }
    if info.limit != Limit::Unlimited {
        errors.push(("429", "Too many requests"));
    }
    if info.if_match {
        errors.push(("412", "The record has changed since it was read"));
    }
    if info.idempotent {
        errors.push(("409", "A request with this idempotency key is still in progress"));
        errors.push(("422", "The idempotency key was already used with another body or query"));
    }
    // A description specific to the route replaces the general one.
    errors.retain(|(status, _)| info.errors.iter().all(|(specific, _)| specific != status));
    errors.extend_from_slice(info.errors);
    errors
}

/// Adds the rate-limit headers.
fn with_rate_limit_headers(mut response: Response) -> Response {
    for (name, about) in [
        ("X-RateLimit-Limit", "The maximum number of requests in the current window"),
        ("X-RateLimit-Remaining", "The number of requests left in the current window"),
        ("X-RateLimit-Reset", "When the current window resets, in Unix seconds"),
    ] {
        let number = ObjectBuilder::new().schema_type(Type::Integer).build();
        let header = HeaderBuilder::new().schema(Some(number)).description(Some(about)).build();
        response.headers.insert(name.to_owned(), RefOr::T(header));
    }
    response
}

/// Returns the tag of an operation: the first segment of its path.
fn tag(path: &str) -> &str {
    let first = path.split('/').find(|part| !part.is_empty()).unwrap_or("other");
    first.trim_start_matches('.')
}

/// The description of a successful response.
fn success_description(status: u16) -> &'static str {
    match status {
        201 => "Created",
        202 => "Accepted",
        204 => "No content",
        _ => "OK",
    }
}

fn json_response(description: &str, schema: RefOr<Schema>) -> Response {
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description(description).content("application/json", content).build()
}

fn operation_id(method: &http::Method, path: &str) -> String {
    let text = format!("{} {path}", method.as_str().to_lowercase());
    let words = text.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| !it.is_empty());
    words.collect::<Vec<_>>().join("_")
}

fn http_method(method: &http::Method) -> HttpMethod {
    match method.as_str() {
        "POST" => HttpMethod::Post,
        "PUT" => HttpMethod::Put,
        "PATCH" => HttpMethod::Patch,
        "DELETE" => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

pub(crate) fn router(state: &ApiState) -> Router {
    Router::new()
        .route("/openapi/external.json", get(show_external))
        .route("/openapi/console.json", get(show_console))
        .with_state(state.clone())
}

async fn show_external(
    State(state): State<ApiState>,
    Extension(info): Extension<RequestInfo>,
    uri: Uri,
    headers: HeaderMap,
) -> axum::response::Response {
    show(Api::External, &state, &info, &uri, &headers).await
}

async fn show_console(
    State(state): State<ApiState>,
    Extension(info): Extension<RequestInfo>,
    uri: Uri,
    headers: HeaderMap,
) -> axum::response::Response {
    show(Api::Console, &state, &info, &uri, &headers).await
}

async fn show(
    api: Api,
    state: &ApiState,
    info: &RequestInfo,
    uri: &Uri,
    headers: &HeaderMap,
) -> axum::response::Response {
    match info.count_address(&state.app, LimitName::Open).await {
        Ok(()) => cached(state, api).response(headers, "public, max-age=300"),
        Err(exceeded) => error_response(uri, &info.request_id, exceeded),
    }
}

/// Returns the cached document of an API.
pub(crate) fn cached(state: &ApiState, api: Api) -> &Document {
    let documents = &state.caches.documents;
    let cached = match api {
        Api::External => &documents.external,
        Api::Console => &documents.console,
    };
    let app = &state.app;
    cached.get_or_init(|| Document::new(&document(api, &app.public_url, &app.service_name)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Two types with the same name would silently become one schema.
    #[test]
    fn no_two_schemas_share_a_name() {
        for routes in [external::routes("grantor"), console::routes()] {
            let mut known = BTreeMap::new();
            for route in routes {
                for (name, schema) in route.doc.schemas {
                    let text = serde_json::to_string(&schema).unwrap();
                    let first = known.entry(name.clone()).or_insert_with(|| text.clone());
                    assert_eq!(*first, text, "{name}");
                }
            }
        }
    }
}
