//! The endpoint: who calls, within which bounds, and the headers of the response.

use std::sync::{Arc, OnceLock};

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use grantor_api::frame::action::TOKEN;
use grantor_api::frame::caller::bearer;
use grantor_api::frame::problem::{Problem, ProblemKind};
use grantor_api::{Api, ApiState};
use grantor_domain::audit::Scheme;
use grantor_domain::image::MAX_BYTES;
use grantor_domain::limit::LimitName;
use grantor_domain::scope::Scope;
use grantor_domain::{Error, ErrorKind};
use grantor_http::body::{self, BODY_LIMIT, BodyError};
use grantor_http::execute::{Bounds, check_in_time, execute};
use grantor_http::observe::observe;
use grantor_http::route_metrics::RouteMetrics;
use grantor_http::{HttpState, RequestInfo, Settings};
use grantor_service::App;
use grantor_service::identity::access::{self, ClientCaller};
use grantor_service::log::refusal::{self as refusals, Refused};
use grantor_service::operations::limit::Subject;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use serde::de::IgnoredAny;

use crate::exchange::Exchange;
use crate::refusal::{self, Challenge};
use crate::server::Server;
use crate::{PATH, settings};

/// The maximum size of a body with an image, which is base64.
const IMAGE_BODY_LIMIT: usize = MAX_BYTES.div_ceil(3) * 4 + BODY_LIMIT;
/// How many copies of such a body are in memory at the same time.
const IMAGE_COPIES: usize = 4;

/// The protocol with its tools.
type Service = StreamableHttpService<Arc<Server>, NeverSessionManager>;

/// The state of the endpoint.
pub(crate) struct Endpoint {
    state: ApiState,
    metrics: RouteMetrics,
    service: OnceLock<Service>,
}

/// Handles one request.
pub(crate) async fn handle(
    State(endpoint): State<Arc<Endpoint>>,
    Extension(mut info): Extension<RequestInfo>,
    request: Request,
) -> Response {
    info.context.origin.scheme = Scheme::External;
    let (app, method) = (&endpoint.state.app, request.method().clone());
    let checks = admit(app, request.headers(), &info);
    let mut response = match check_in_time(&endpoint.state, checks).await {
        Ok(caller) => endpoint.run(&info, caller.as_deref(), request).await,
        Err(problem) => {
            let mut response = refusal::of_problem(&problem, &info.request_id);
            if response.status() == StatusCode::UNAUTHORIZED {
                Challenge::Invalid.add_to(response.headers_mut(), &app.public_url);
            }
            response
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(standing) = info.context.rate_limit.get()
        && !headers.contains_key("x-ratelimit-limit")
    {
        refusal::set_rate_limit(headers, standing);
    }
    observe(&endpoint.state, &endpoint.metrics, &info, (&method, response.status()));
    response
}

/// Authenticates the caller. Whoever has no access token may search the catalog, as in the API, and
/// counts by address. A token that is sent must be valid.
async fn admit(
    app: &App,
    headers: &HeaderMap,
    info: &RequestInfo,
) -> Result<Option<Arc<ClientCaller>>, Problem> {
    if !headers.contains_key(header::AUTHORIZATION) {
        info.count_address(app, LimitName::Open).await?;
        return Ok(None);
    }
    let found = match bearer(headers) {
        Some(token) => access::external(app, token).await,
        None => Err(Error::new(ErrorKind::Unauthorized, "An access token is required")),
    };
    match found {
        Ok(caller) => Ok(Some(caller)),
        Err(error) => Err(refuse_token(app, info, error).await),
    }
}

/// Counts and logs a token that is not valid, as the API does.
async fn refuse_token(app: &App, info: &RequestInfo, error: Error) -> Problem {
    let counted = info.count_address(app, LimitName::Anonymous).await;
    let problem = Problem::from(counted.err().unwrap_or(error));
    let (_, code) = Api::External.status_and_code(&problem.kind);
    let limited = matches!(problem.kind, ProblemKind::RateLimited(_));
    let summary = "An access token";
    let refused = Refused { action: TOKEN, summary, route: PATH, code, limited };
    refusals::note(app, info.context.origin.clone(), &refused);
    problem
}

impl Endpoint {
    pub(crate) fn new(state: &ApiState) -> Self {
        let metrics = RouteMetrics::new("mcp", PATH);
        Self { state: state.clone(), metrics, service: OnceLock::new() }
    }

    /// Runs a request within its bounds, and counts it unless it called the API.
    async fn run(
        self: &Arc<Self>,
        info: &RequestInfo,
        caller: Option<&ClientCaller>,
        request: Request,
    ) -> Response {
        let failed = |problem: &Problem| refusal::of_problem(problem, &info.request_id);
        let (headers, scopes) = (request.headers(), caller.map(|it| it.scopes));
        let length = body::declared_length(headers);
        let may_check = scopes.is_some_and(|it| it.contains(Scope::MentionRead));
        let is_large = length.is_some_and(|it| it > BODY_LIMIT);
        let bounds = bounds(&self.state.settings, may_check && is_large);
        if length.is_some_and(|it| it > bounds.body_limit) {
            return failed(&BodyError::TooLarge.into());
        }
        let exchange = Exchange::new(info.clone(), headers, scopes);
        let (endpoint, own) = (Arc::clone(self), exchange.clone());
        let handler = move |request| async move { endpoint.answer(&own, request).await };
        let ran = execute(&self.state, &info.context, bounds, request, handler).await;
        let response = ran.unwrap_or_else(|error| failed(&error.into()));
        if let Some(caller) = caller.filter(|_| !exchange.was_called()) {
            let client = Subject::id(caller.client.as_uuid());
            let counted = info.count(&self.state.app, caller.plan.limit(), &client).await;
            return counted.map_or_else(|exceeded| failed(&exceeded.into()), |()| response);
        }
        response
    }

    async fn answer(self: &Arc<Self>, exchange: &Exchange, mut request: Request) -> Response {
        request.extensions_mut().insert(exchange.clone());
        let kind = request.headers().get(header::CONTENT_TYPE);
        let is_json = kind.is_some_and(|it| it.as_bytes().starts_with(b"application/json"));
        if request.method() == Method::POST {
            request = match read(&self.state, request).await {
                Ok(Some(request)) => request,
                Ok(None) => return refusal::not_json(),
                Err(error) => {
                    return refusal::of_problem(&error.into(), &exchange.info().request_id);
                }
            };
        }
        let response = self.service().await.handle(request).await.map(Body::new);
        match exchange.refusal() {
            Some(refusal) => refusal.response(&self.state.app.public_url),
            None => refusal::of_transport(response, is_json).await,
        }
    }

    /// The service of the protocol with its tools. It is built with the first request, from the document
    /// of the API, and not on a thread that answers requests.
    async fn service(self: &Arc<Self>) -> &Service {
        if self.service.get().is_none() {
            let building = Arc::clone(self);
            // A panic would happen again below, where it becomes a response.
            let _ = tokio::task::spawn_blocking(move || drop(building.built().clone())).await;
        }
        self.built()
    }

    fn built(&self) -> &Service {
        self.service.get_or_init(|| {
            let server = Arc::new(Server::new(&self.state));
            let settings = settings::of(&self.state.app.public_url, IMAGE_BODY_LIMIT);
            StreamableHttpService::new(move || Ok(Arc::clone(&server)), Arc::default(), settings)
        })
    }
}

/// The bounds of a request. It has the time in which a call of the API answers, also if its change
/// was stored late. A check needs no more: it waits for a body, memory and a site only so long.
fn bounds(settings: &Settings, with_image: bool) -> Bounds {
    let body_limit = if with_image { IMAGE_BODY_LIMIT } else { BODY_LIMIT };
    let extra_time = settings.answer_time;
    Bounds { body_limit, body_copies: IMAGE_COPIES, extra_time, any_type: true }
}

/// Reads the body within its limits. Returns `None` if it is not JSON.
async fn read(state: &HttpState, request: Request) -> Result<Option<Request>, BodyError> {
    let (parts, body) = request.into_parts();
    let body = body::read(Request::from_parts(parts.clone(), body), state).await?;
    let is_json = serde_json::from_slice::<IgnoredAny>(&body).is_ok();
    Ok(is_json.then(|| Request::from_parts(parts, Body::from(body))))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn no_request_outlives_thirty_seconds() {
        let settings = Settings::default();
        for with_image in [false, true] {
            let time = settings.handler_time + bounds(&settings, with_image).extra_time;
            assert_eq!(time, Duration::from_secs(30));
        }
    }
}
