//! OpenAPI 3.1 of both APIs, made from their tables.

mod parameters;
mod webhooks;

use std::collections::BTreeSet;

use axum::extract::State;
use axum::routing::get;
use axum::{Extension, Router};
use grantor_domain::limit::LimitName;
use grantor_service::Context;
use grantor_service::limit::Subject;
use http::HeaderMap;
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
use crate::describe::tidy::tidy;
use crate::describe::value;
use crate::document::Documents;
use crate::frame::beside;
use crate::frame::route::{Limit, Permission, Route};
use crate::frame::settings::ApiState;
use crate::frame::surface::Surface;
use crate::{console, external};

/// An error of the external API.
#[derive(Serialize, ToSchema)]
struct ExternalError {
    /// Always false.
    #[schema(inline, value_type = value::False)]
    success: bool,
    error: ExternalErrorBody,
}

/// What went wrong.
#[derive(Serialize, ToSchema)]
struct ExternalErrorBody {
    /// A word for programs.
    code: String,
    /// A sentence for people.
    message: String,
    /// Messages by field, where fields are wrong; limit and used, where a plan allows no more.
    #[schema(nullable = false)]
    details: Option<std::collections::BTreeMap<String, Detail>>,
    /// Names this request in the operator's log.
    request_id: String,
}

/// A message, or a figure.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used: the envelope is written by hand")]
enum Detail {
    Message(String),
    Figure(u64),
}

/// An error of the console API.
#[derive(Serialize, ToSchema)]
struct ConsoleError {
    error: ConsoleErrorBody,
    /// Always `error`.
    #[schema(inline, value_type = value::ErrorWord)]
    status: String,
}

/// What went wrong.
#[derive(Serialize, ToSchema)]
struct ConsoleErrorBody {
    /// A word for programs.
    code: String,
    /// A sentence for people.
    message: String,
    /// Messages by field, where fields are wrong; limit and used, where a plan allows no more.
    details: std::collections::BTreeMap<String, Detail>,
}

/// The document of a surface.
#[must_use]
pub fn document(surface: Surface, public_url: &str, service_name: &str) -> OpenApi {
    let (title, version, routes) = match surface {
        Surface::External => ("external API v2", external::VERSION, external::routes(service_name)),
        Surface::Console => ("console, admin and legacy API", console::VERSION, console::routes()),
    };
    let server = format!("{public_url}{}", surface.prefix());
    describe(surface, title, version, &server, routes)
}

fn describe(
    surface: Surface,
    title: &str,
    version: &str,
    server: &str,
    routes: Vec<Route>,
) -> OpenApi {
    let mut schemas = Vec::new();
    let error = error_schema(surface, &mut schemas);
    let mut paths = Paths::new();
    for route in routes {
        let operation = operation(&route, &error);
        let method = http_method(&route.row.method);
        paths.add_path_operation(&route.row.path, vec![method], operation);
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
            InfoBuilder::new()
                .title(title)
                .version(version)
                .description(Some(about(surface)))
                .build(),
        )
        .servers(Some([ServerBuilder::new().url(server).build()]))
        .paths(paths)
        .webhooks((surface == Surface::External).then(webhooks::describe))
        .components(Some(components.build()))
        .build()
}

/// What holds for every operation.
fn about(surface: Surface) -> &'static str {
    match surface {
        Surface::External => {
            "Lists come as `{data, pagination}` with `Link` headers, errors as `{success: false, \
             error: {code, message, details?, request_id}}`. Limited answers carry \
             `X-RateLimit-Limit`, `-Remaining` and `-Reset`; a 429 also `Retry-After`. Send \
             `X-Request-Id` to find a request again in the operator's log."
        }
        Surface::Console => {
            "What went well comes as `{data, message, status: \"success\"}`, errors as `{error: \
             {code, message, details}, status: \"error\"}`. Calls with an access token also send \
             `x-source: console`. POST answers 201, DELETE 204. Changes heed `Idempotency-Key`, \
             except below `/auth`."
        }
    }
}

type Schemas = Vec<(String, RefOr<Schema>)>;

fn error_schema(surface: Surface, schemas: &mut Schemas) -> String {
    fn add<T: ToSchema>(schemas: &mut Schemas) -> String {
        T::schemas(schemas);
        schemas.push((T::name().into_owned(), T::schema()));
        T::name().into_owned()
    }
    match surface {
        Surface::External => add::<ExternalError>(schemas),
        Surface::Console => add::<ConsoleError>(schemas),
    }
}

fn operation(route: &Route, error: &str) -> Operation {
    let row = &route.row;
    let mut builder = OperationBuilder::new()
        .tag(tag(&row.path))
        .summary(Some(row.summary))
        .operation_id(Some(operation_id(&row.method, &row.path)))
        .parameters(Some(path_parameters(&row.path)))
        .parameters(Some(route.doc.parameters.iter().cloned().map(tidy_parameter)))
        .parameters(Some(header_parameters(row)))
        .request_body(route.doc.body.clone());
    for answer in &route.doc.answers {
        let mut response = json_response(row.summary, tidy(answer.schema.clone()));
        for form in &route.doc.other_forms {
            response.content.insert((*form).to_owned(), ContentBuilder::new().build().into());
        }
        let bare = matches!(row.limit, Limit::Unlimited | Limit::Quiet(_));
        let response = if bare { response } else { limited(response) };
        builder = builder.response(answer.status.to_string(), response);
    }
    if route.doc.no_content {
        builder = builder.response("204", ResponseBuilder::new().description(row.summary).build());
    }
    if row.conditional {
        let unchanged = ResponseBuilder::new().description("The caller has it already").build();
        builder = builder.response("304", unchanged);
    }
    if route.doc.signed_in {
        // The roles of OpenAPI 3.1: what the token must be good for.
        let scopes = match row.permission {
            Permission::External(scope)
            | Permission::ExternalAct(scope, _)
            | Permission::Insider(_, scope) => vec![scope.name()],
            _ => vec![],
        };
        builder = builder.security(SecurityRequirement::new("bearer", scopes));
    }
    if let Some(scheme) = row.security {
        let scopes: [&str; 0] = [];
        builder = builder.security(SecurityRequirement::new(scheme, scopes));
    }
    refusals(route)
        .into_iter()
        .fold(builder, |builder, (status, description)| {
            let schema = RefOr::Ref(Ref::from_schema_name(error));
            builder.response(status, json_response(description, schema))
        })
        .build()
}

/// Every status that the document tells of a route.
#[must_use]
pub fn statuses(route: &Route) -> BTreeSet<u16> {
    let good = route.doc.answers.iter().map(|it| it.status);
    let refused = refusals(route).into_iter().filter_map(|(status, _)| status.parse().ok());
    let mut statuses: BTreeSet<u16> = good.chain(refused).collect();
    statuses.extend(route.doc.no_content.then_some(204));
    statuses.extend(route.row.conditional.then_some(304));
    statuses
}

/// Why an operation may be refused: what its signature and its row tell, and what the row adds.
fn refusals(route: &Route) -> Vec<(&'static str, &'static str)> {
    let row = &route.row;
    let mut refusals = vec![
        ("400", "A value does not fit"),
        ("413", "The body is too large"),
        ("500", "A fault of ours"),
        ("503", "Not available right now"),
    ];
    let varies = row.path.contains('{');
    if let Some(body) = &route.doc.body {
        refusals.push(("408", "The body did not arrive in time"));
        let form = body.content.contains_key("multipart/form-data");
        let wrong =
            if form { "The body is of a type not named here" } else { "The body is not JSON" };
        refusals.push(("415", wrong));
    }
    if route.doc.signed_in {
        refusals.push(("401", "No valid access token"));
        refusals.push(("403", "The role or the kind of tenant does not reach so far"));
    } else {
        refusals.push(("403", "Plain HTTP, where HTTPS is required"));
    }
    if varies {
        refusals.push(("404", "There is no such record"));
    }
    if row.limit != Limit::Unlimited {
        refusals.push(("429", "Too many requests"));
    }
    if row.guarded {
        refusals.push(("412", "The record has changed since it was read"));
    }
    if row.idempotent {
        refusals.push(("409", "A request with this idempotency key is still under way"));
        refusals.push(("422", "The idempotency key came before with another body or query"));
    }
    // A reason of the row's own is told instead of the general one.
    refusals.retain(|(status, _)| row.refusals.iter().all(|(own, _)| own != status));
    refusals.extend_from_slice(row.refusals);
    refusals
}

/// The figures of the limit, on every answer.
fn limited(mut response: Response) -> Response {
    for (name, about) in [
        ("X-RateLimit-Limit", "Requests that pass in the window"),
        ("X-RateLimit-Remaining", "Requests left in it"),
        ("X-RateLimit-Reset", "When it closes, in Unix seconds"),
    ] {
        let number = ObjectBuilder::new().schema_type(Type::Integer).build();
        let header = HeaderBuilder::new().schema(Some(number)).description(Some(about)).build();
        response.headers.insert(name.to_owned(), RefOr::T(header));
    }
    response
}

/// What an operation is filed under: the first part of its path.
fn tag(path: &str) -> &str {
    let first = path.split('/').find(|part| !part.is_empty()).unwrap_or("other");
    first.trim_start_matches('.')
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
    Extension(context): Extension<Context>,
    headers: HeaderMap,
) -> axum::response::Response {
    show(Surface::External, &state, &context, &headers).await
}

async fn show_console(
    State(state): State<ApiState>,
    Extension(context): Extension<Context>,
    headers: HeaderMap,
) -> axum::response::Response {
    show(Surface::Console, &state, &context, &headers).await
}

async fn show(
    surface: Surface,
    state: &ApiState,
    context: &Context,
    headers: &HeaderMap,
) -> axum::response::Response {
    if let Some(address) = context.origin.address {
        let counted = state.app.limiter.hit(LimitName::Open, &Subject::address(address)).await;
        if let Err(refused) = counted {
            return beside::refused(&refused.into(), headers);
        }
    }
    Documents::openapi(state, surface).answer(headers, "public, max-age=300")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Two types of one name would silently become one in the document.
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
