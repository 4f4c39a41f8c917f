//! The routes of the external API that tools call, inside the server. A call passes the same
//! middleware as a request from outside, with the caller's access token, address and request ID.

use axum::Router;
use axum::body::{Body, to_bytes};
use grantor_api::ApiState;
use grantor_api::frame::route::{Access, Route};
use grantor_domain::Error;
use grantor_domain::scope::Scope;
use grantor_http::RequestInfo;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::exchange::Exchange;
use crate::refusal::Challenge;

/// The maximum size of a response of the API.
const MAX_RESPONSE: usize = 64 * 1024 * 1024;

/// Why a tool call failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments are not valid, or the tool cannot do what it is asked to.
    Own(Box<Error>),
    /// The API refused the call; its error.
    Api(StatusCode, Value),
    /// The access token is missing or not sufficient; the error of the API.
    Token(Challenge, Value),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Own(Box::new(error))
    }
}

/// A call of a route.
pub(crate) struct Call {
    /// The path of the route, with `{name}` for each parameter.
    pub(crate) route: &'static str,
    pub(crate) request: Request<Body>,
}

/// The routes that tools call.
pub(crate) struct ApiRoutes {
    router: Router,
    /// The method, the path and the scope of each.
    scopes: Vec<(Method, String, Option<Scope>)>,
}

impl ApiRoutes {
    pub(crate) fn new(state: &ApiState, routes: Vec<Route>) -> Self {
        let infos = routes.iter().map(|it| &it.info);
        let scopes = infos.map(|it| (it.method.clone(), it.path.clone(), scope_of(it.access)));
        let scopes = scopes.collect();
        Self { router: grantor_api::external_router(state, routes), scopes }
    }

    /// Returns the scope that a route requires.
    pub(crate) fn scope(&self, method: &Method, path: &str) -> Option<Scope> {
        let mut routes = self.scopes.iter();
        routes.find(|it| it.0 == *method && it.1 == path).and_then(|it| it.2)
    }

    /// Calls the API as the caller of the exchange and returns the body of a successful response.
    pub(crate) async fn call(&self, exchange: &Exchange, call: Call) -> Result<Value, Failure> {
        let Call { route, mut request } = call;
        let scope = self.scope(request.method(), route);
        let headers = request.headers_mut();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(authorization) = exchange.authorization() {
            headers.insert(header::AUTHORIZATION, authorization.clone());
        }
        // The span is that of the whole request, which ends it.
        let info = RequestInfo { span: None, ..exchange.info().clone() };
        request.extensions_mut().insert(info);
        exchange.set_called();
        let Ok(response) = self.router.clone().oneshot(request).await;
        let wait = retry_after(response.headers());
        let (status, body) = (response.status(), response.into_body());
        let body = to_bytes(body, MAX_RESPONSE).await;
        let body = body.map_err(|error| Error::internal(error.to_string()))?;
        let mut body: Value = serde_json::from_slice(&body)
            .map_err(|error| Error::internal(format!("{status} without JSON: {error}")))?;
        if status.is_success() {
            return Ok(body);
        }
        let mut error = body["error"].take();
        // Models see the result of a call, but not the headers of the response.
        if let (Some(error), Some(wait)) = (error.as_object_mut(), wait) {
            error.insert("retry_after".to_owned(), json!(wait));
        }
        Err(match (status, scope) {
            (StatusCode::UNAUTHORIZED, _) if exchange.authorization().is_some() => {
                Failure::Token(Challenge::Invalid, error)
            }
            (StatusCode::UNAUTHORIZED, _) => Failure::Token(Challenge::Missing(scope), error),
            (StatusCode::FORBIDDEN, Some(scope)) if exchange.lacks(scope) => {
                Failure::Token(Challenge::Scope(scope), error)
            }
            _ => Failure::Api(status, error),
        })
    }

    /// Refuses a caller whose access token lacks the scope of a route, before it is called.
    pub(crate) fn require_scope(
        &self,
        exchange: &Exchange,
        method: &Method,
        path: &str,
    ) -> Result<(), Failure> {
        let Some(scope) = self.scope(method, path).filter(|it| exchange.lacks(*it)) else {
            return Ok(());
        };
        let error = json!({
            "code": "INSUFFICIENT_PERMISSIONS",
            "message": format!("The token lacks the scope {scope}"),
            "request_id": exchange.info().request_id,
        });
        Err(Failure::Token(Challenge::Scope(scope), error))
    }
}

/// Returns how many seconds to wait before the call is repeated.
fn retry_after(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::RETRY_AFTER)?.to_str().ok()?.parse().ok()
}

fn scope_of(access: Access) -> Option<Scope> {
    match access {
        Access::External(scope)
        | Access::ExternalWithRight(scope, _)
        | Access::UserOrClient(_, scope) => Some(scope),
        Access::Public | Access::Console(_) | Access::Account | Access::Admin(_) => None,
    }
}
