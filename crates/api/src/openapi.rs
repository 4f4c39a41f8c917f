//! OpenAPI 3.1 documents of both APIs, generated from their route tables.

mod about;
mod envelope;
mod error;
mod example;
mod flatten;
mod group;
mod header;
mod parameters;
mod security;
mod success;
mod webhooks;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::slice;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::extract::State;
use axum::routing::get;
use axum::{Extension, Router};
use grantor_domain::limit::{LimitName, Limits};
use grantor_http::RequestInfo;
use http::{HeaderMap, Uri};
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{
    Components, ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder, Paths, RefOr,
    ServerBuilder,
};

use self::error::SharedResponses;
use self::example::Examples;
use crate::frame::api::Api;
use crate::frame::describe::tidy::tidy;
use crate::frame::document::Document;
use crate::frame::error_response;
use crate::frame::oauth;
use crate::frame::route::{Described, Route};
use crate::frame::state::ApiState;
use crate::{console, external};

/// Returns the OpenAPI document of an API, with the default rate limits.
#[must_use]
pub fn document(api: Api, public_url: &str, service_name: &str) -> OpenApi {
    document_with(api, public_url, service_name, &Limits::default())
}

fn document_with(api: Api, public_url: &str, service_name: &str, limits: &Limits) -> OpenApi {
    let (title, version, routes) = match api {
        Api::External => ("external API v2", external::VERSION, external::routes(service_name)),
        Api::Console => ("console, admin and legacy API", console::VERSION, console::routes()),
    };
    let routes: Vec<Described> = routes.iter().map(Route::described).collect();
    let mut parts = Parts::new(api, &routes, limits);
    let paths = parts.paths(&routes);
    let webhooks = (api == Api::External).then(|| webhooks::describe(&parts.examples));
    let server = format!("{public_url}{}", api.prefix());
    let info = InfoBuilder::new().title(title).version(version).description(Some(about::api(api)));
    OpenApiBuilder::new()
        .info(info.build())
        .servers(Some([ServerBuilder::new().url(server).build()]))
        .tags(Some(group::tags(api)))
        .paths(paths)
        .webhooks(webhooks)
        .components(Some(parts.components(public_url)))
        .build()
}

/// Returns the part of an API's document that is about one route.
#[must_use]
pub fn document_of(api: Api, route: &Described) -> OpenApi {
    let limits = Limits::default();
    let mut parts = Parts::new(api, slice::from_ref(route), &limits);
    let paths = parts.paths(slice::from_ref(route));
    OpenApiBuilder::new().paths(paths).components(Some(parts.components(""))).build()
}

/// What the operations of a document have in common.
struct Parts<'a> {
    api: Api,
    limits: &'a Limits,
    /// The name of the schema of errors.
    error: Cow<'static, str>,
    schemas: BTreeMap<String, RefOr<Schema>>,
    examples: Examples,
    shared: SharedResponses,
}

impl<'a> Parts<'a> {
    fn new(api: Api, routes: &[Described], limits: &'a Limits) -> Self {
        let mut schemas = Vec::new();
        let error = envelope::register(api, &mut schemas);
        for route in routes {
            schemas.extend(route.info.oauth.then(oauth::named_error_schema));
            let of_route = route.doc.schemas.iter();
            schemas.extend(of_route.map(|(name, schema)| (name.clone(), schema.clone())));
        }
        let mut schemas: BTreeMap<_, _> =
            schemas.into_iter().map(|(name, schema)| (name, tidy(schema))).collect();
        flatten::flatten(&mut schemas);
        let (examples, shared) = (Examples::new(&schemas), SharedResponses::default());
        Self { api, limits, error, schemas, examples, shared }
    }

    fn paths(&mut self, routes: &[Described]) -> Paths {
        let mut paths = Paths::new();
        for route in routes {
            let method = http_method(&route.info.method);
            let operation = self.operation(route);
            paths.add_path_operation(&route.info.path, vec![method], operation);
        }
        paths
    }

    fn operation(&mut self, route: &Described) -> Operation {
        let info = &route.info;
        let builder = OperationBuilder::new()
            .tag(group::tag(self.api, &info.path))
            .summary(Some(info.summary))
            .description(Some(about::describe(info, self.limits)))
            .operation_id(Some(operation_id(&info.method, &info.path)))
            .parameters(Some(parameters::all(route, &self.examples)))
            .request_body(route.doc.body.clone().map(|it| self.with_examples(it)));
        let responses = success::responses(&self.examples, route);
        let builder = responses
            .into_iter()
            .fold(builder, |builder, (status, response)| builder.response(status, response));
        let responses = error::responses(self, route);
        let builder = responses
            .into_iter()
            .fold(builder, |builder, (status, response)| builder.response(status, response));
        let ways = security::security(route);
        ways.into_iter().fold(builder, OperationBuilder::security).build()
    }

    fn with_examples(&self, mut body: RequestBody) -> RequestBody {
        for (kind, content) in &mut body.content {
            // Files have no example, and client generators ignore that of a form with files.
            if kind != "multipart/form-data"
                && let RefOr::T(content) = content
                && let Some(schema) = &content.schema
            {
                content.example = Some(self.examples.request(schema));
            }
        }
        body
    }

    fn components(self, public_url: &str) -> Components {
        let mut components = ComponentsBuilder::new();
        for (name, schema) in self.schemas {
            components = components.schema(name, schema);
        }
        for (name, response) in self.shared.into_components() {
            components = components.response(name, response);
        }
        for (name, header) in header::components() {
            components = components.header(name, header);
        }
        for (name, scheme) in security::schemes(self.api, public_url) {
            components = components.security_scheme(name, scheme);
        }
        components.build()
    }
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
        Ok(()) => built(state, api).await.response(headers, "public, max-age=300"),
        Err(exceeded) => error_response(uri, &info.request_id, exceeded),
    }
}

/// The document of an API as JSON. Blocks while it is built, which happens once.
#[must_use]
pub fn json(state: &ApiState, api: Api) -> Bytes {
    cached(state, api).plain()
}

/// Returns the document of an API. It is built when somebody first asks for it, because building takes
/// a tenth of a second and much memory, and not on a thread that answers requests.
async fn built(state: &ApiState, api: Api) -> &Document {
    if cache(state, api).get().is_none() {
        let building = state.clone();
        // A panic would happen again below, where it becomes a response.
        let _ = tokio::task::spawn_blocking(move || drop(json(&building, api))).await;
    }
    cached(state, api)
}

fn cached(state: &ApiState, api: Api) -> &Document {
    let app = &state.app;
    cache(state, api).get_or_init(|| {
        let limits = app.limiter.limits();
        Document::new(&document_with(api, &app.public_url, &app.service_name, limits))
    })
}

fn cache(state: &ApiState, api: Api) -> &OnceLock<Document> {
    let documents = &state.caches.documents;
    match api {
        Api::External => &documents.external,
        Api::Console => &documents.console,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two types with the same name would silently become one schema.
    #[test]
    fn no_two_schemas_share_a_name() {
        for routes in [external::routes("grantor"), console::routes()] {
            let mut known = BTreeMap::new();
            for route in routes {
                for (name, schema) in &route.described().doc.schemas {
                    let text = serde_json::to_string(schema).unwrap();
                    let first = known.entry(name.clone()).or_insert_with(|| text.clone());
                    assert_eq!(*first, text, "{name}");
                }
            }
        }
    }
}
