//! Route tables. A route has a method, path, access rule, rate limit, handler and summary; its
//! parameters and responses are derived from the handler's signature.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, MethodRouter, on};
use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;
use grantor_domain::scope::Scope;
use grantor_http::body::BODY_LIMIT;
use grantor_http::handler::{Answer, AnyHandler};
use http::Method;

use super::action;
use super::api::Api;
use super::describe::{Documented, OperationDoc};
use super::middleware::{self, RouteState};
use super::problem::{Problem, ProblemKind};
use super::state::ApiState;

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anyone.
    Public,
    /// A console user whose role and tenant have this right.
    Console(Right),
    /// A console user with any role. Paths below `/auth/` don't require `x-source` (contract
    /// section 3).
    Account,
    /// A staff member whose role has this right.
    Admin(AdminRight),
    /// An API client whose token has this scope.
    External(Scope),
    /// An API client whose token has this scope and whose creator's role has this right.
    ExternalWithRight(Scope, Right),
    /// A console user with this right, or an API client with this scope whose creator has the
    /// right. Only one route accepts tokens of both audiences (contract section 3).
    UserOrClient(Right, Scope),
}

/// How requests to a route are rate limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Not limited. Responses have no rate-limit headers.
    Unlimited,
    /// By client address.
    Address(LimitName),
    /// By client address, without rate-limit headers in responses.
    Quiet(LimitName),
    /// By the service with this limit, because only it can identify the caller.
    Service(LimitName),
    /// By authenticated caller, with the limit of the caller's API.
    Caller,
}

/// An entry of a route table.
pub struct Route {
    /// The route's properties.
    pub info: RouteInfo,
    doc: LazyDoc,
    handler: AnyHandler<ApiState>,
}

/// What the API reference says about a route.
#[derive(Clone)]
pub struct Described {
    /// The route's properties.
    pub info: RouteInfo,
    pub(crate) doc: LazyDoc,
}

/// What a handler's signature says, derived when a document is built: a router needs none of it.
type LazyDoc = Arc<LazyLock<OperationDoc>>;

/// The properties of a route.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub struct RouteInfo {
    /// The method.
    pub method: Method,
    /// The path below the API's prefix, with `{name}` for each parameter.
    pub path: String,
    /// Who may call the route.
    pub access: Access,
    /// How requests are rate limited.
    pub limit: Limit,
    /// A short summary, for the API reference and the log.
    pub summary: &'static str,
    /// What the route does, in whole sentences, for the API reference.
    pub about: &'static str,
    /// The action name of a read in the log.
    pub action: &'static str,
    /// Whether the route supports `Idempotency-Key`.
    pub idempotent: bool,
    /// Whether the route supports `If-None-Match`, for the API reference.
    pub if_none_match: bool,
    /// Whether the route supports `If-Match`, for the API reference.
    pub if_match: bool,
    /// The maximum size of the request body.
    pub body_limit: usize,
    /// The time added to the default handler timeout.
    pub extra_time: Duration,
    /// Errors specific to the route and when they occur, for the API reference.
    pub errors: &'static [(ProblemKind, &'static str)],
    /// Headers of the successful response that its type doesn't imply, for the API reference.
    pub headers: &'static [&'static str],
    /// Limits that the service counts in addition, for the API reference.
    pub more_limits: &'static [LimitName],
    /// The security scheme of a route that checks credentials itself, for the API reference.
    pub security: Option<&'static str>,
    /// Whether responses follow OAuth 2.0 instead of the API's envelope.
    pub oauth: bool,
}

/// Creates a route. All arguments are required, so that no route lacks an access rule or a limit.
pub fn route<H, T, A>(
    method: Method,
    path: impl Into<String>,
    access: Access,
    limit: Limit,
    handler: H,
    summary: &'static str,
) -> Route
where
    H: Handler<T, ApiState, Future = Answer> + Documented<A>,
    T: 'static,
{
    let info = RouteInfo::new(method, path.into(), access, limit, summary);
    Route { info, doc: Arc::new(LazyLock::new(H::document)), handler: AnyHandler::new(handler) }
}

impl RouteInfo {
    fn new(
        method: Method,
        path: String,
        access: Access,
        limit: Limit,
        summary: &'static str,
    ) -> Self {
        let action = action::of_read(&path);
        Self {
            method,
            path,
            access,
            limit,
            summary,
            about: "",
            action,
            idempotent: false,
            if_none_match: false,
            if_match: false,
            body_limit: BODY_LIMIT,
            extra_time: Duration::ZERO,
            errors: &[],
            headers: &[],
            more_limits: &[],
            security: None,
            oauth: false,
        }
    }
}

impl Route {
    /// Supports `Idempotency-Key`.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.info.idempotent = true;
        self
    }

    /// Documents support for `If-None-Match`.
    #[must_use]
    pub fn if_none_match(mut self) -> Self {
        self.info.if_none_match = true;
        self
    }

    /// Documents support for `If-Match`.
    #[must_use]
    pub fn if_match(mut self) -> Self {
        self.info.if_match = true;
        self
    }

    /// Documents what the route does, in whole sentences.
    #[must_use]
    pub fn about(mut self, text: &'static str) -> Self {
        self.info.about = text;
        self
    }

    /// Documents errors specific to the route and when they occur.
    #[must_use]
    pub fn errors(mut self, errors: &'static [(ProblemKind, &'static str)]) -> Self {
        self.info.errors = errors;
        self
    }

    /// Documents headers of the successful response that its type doesn't imply.
    #[must_use]
    pub fn headers(mut self, names: &'static [&'static str]) -> Self {
        self.info.headers = names;
        self
    }

    /// Documents limits that the service counts in addition.
    #[must_use]
    pub fn more_limits(mut self, names: &'static [LimitName]) -> Self {
        self.info.more_limits = names;
        self
    }

    /// Returns what the API reference says about the route.
    #[must_use]
    pub fn described(&self) -> Described {
        Described { info: self.info.clone(), doc: Arc::clone(&self.doc) }
    }

    /// Documents the security scheme of a route that checks credentials itself.
    #[must_use]
    pub fn security_scheme(mut self, scheme: &'static str) -> Self {
        self.info.security = Some(scheme);
        self
    }

    /// Responds as OAuth 2.0 defines it. Clients authenticate with Basic or in the form.
    #[must_use]
    pub fn oauth(mut self) -> Self {
        self.info.oauth = true;
        self.info.body_limit = super::oauth::FORM_LIMIT;
        self
    }

    /// Adds time to the default handler timeout.
    #[must_use]
    pub fn extra_time(mut self, time: Duration) -> Self {
        self.info.extra_time = time;
        self
    }

    /// Sets the maximum size of the request body.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.info.body_limit = bytes;
        self
    }
}

/// Returns the properties of the fallback for unknown paths and methods.
fn fallback_info(path: &str) -> RouteInfo {
    let limit = Limit::Address(LimitName::Anonymous);
    let info = RouteInfo::new(Method::GET, path.to_owned(), Access::Public, limit, "");
    RouteInfo { action: action::UNNAMED, ..info }
}

/// Builds the router of an API, with fallbacks for unknown paths and methods.
pub(crate) fn build(api: Api, state: &ApiState, routes: Vec<Route>) -> Router {
    let mut paths = BTreeMap::<String, MethodRouter<ApiState>>::new();
    for Route { info, handler, .. } in routes {
        let (path, method) = (info.path.clone(), info.method.clone());
        let known = paths.remove(&path).unwrap_or_default();
        let filter = MethodFilter::try_from(method).unwrap_or(MethodFilter::GET);
        let layer = from_fn_with_state(RouteState::new(api, state, info), middleware::handle);
        // Layered around the route, not the handler, so that the middleware is compiled only once.
        paths.insert(path, known.merge(on(filter, handler).route_layer(layer)));
    }
    let mut router = Router::new();
    for (path, handler) in paths {
        router = router.route(&path, handler);
    }
    let fallback = |kind, message, name| {
        let route = RouteState::new(api, state, fallback_info(name));
        always(Problem::new(kind, message)).layer(from_fn_with_state(route, middleware::handle))
    };
    let wrong = "This method is not allowed for this URL";
    let unknown = "No endpoint exists at this URL";
    router
        .method_not_allowed_fallback(fallback(ProblemKind::MethodNotAllowed, wrong, "wrong method"))
        .fallback(fallback(ProblemKind::NotFound, unknown, "unknown path"))
        .with_state(state.clone())
}

fn always(problem: Problem) -> impl Handler<((),), ApiState> {
    move || async move { problem }
}
