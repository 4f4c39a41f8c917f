//! The table of routes. A row says method, path, permission, limit, handler and a sentence; what
//! it takes and gives is read from the handler's own signature.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, MethodRouter, on};
use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;
use grantor_domain::scope::Scope;
use http::Method;

use super::action;
use super::pass::Pass;
use super::problem::{Problem, ProblemKind};
use super::settings::ApiState;
use super::surface::Surface;
use crate::describe::{Documented, OperationDoc};

/// The largest body a route takes unless its row says otherwise.
pub const BODY_LIMIT: usize = 1024 * 1024;

/// Who may come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Everybody.
    Public,
    /// A person signed in to the console whose role and tenant have this right.
    Console(Right),
    /// A person signed in to the console, whatever their role. Addresses below /auth/ ask for no
    /// x-source (contract section 3).
    Account,
    /// A member of the operator's staff whose role has this right.
    Admin(AdminRight),
    /// An API client whose token has this scope.
    External(Scope),
    /// The same, for what not everybody in a tenant may do: the client acts as the person who made
    /// it, so that person's role must have this right too.
    ExternalAct(Scope, Right),
    /// Either of a person with this right and an API client with this scope whose maker has it: the
    /// only address that takes tokens of both audiences (contract section 3).
    Insider(Right, Scope),
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Nothing; such answers carry no rate-limit headers.
    Unlimited,
    /// Requests of one address.
    Address(LimitName),
    /// The same, for answers that carry no rate-limit headers.
    Quiet(LimitName),
    /// What the service counts itself, because only it knows whose request it is.
    Service,
    /// Requests of whoever is signed in, by the figure of their API.
    Caller,
}

/// One row.
pub struct Route {
    /// What the frame needs to know.
    pub row: Row,
    pub(crate) doc: OperationDoc,
    framed: Box<dyn FnOnce(Pass) -> MethodRouter<ApiState>>,
}

/// What the frame needs to know of a route.
#[derive(Clone, Debug)]
pub struct Row {
    /// The method.
    pub method: Method,
    /// The path below the surface's prefix, `{name}` for a part that varies.
    pub path: String,
    /// Who may come in.
    pub permission: Permission,
    /// What is counted.
    pub limit: Limit,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// The log's name of a read.
    pub action: &'static str,
    /// Whether it heeds `Idempotency-Key`.
    pub idempotent: bool,
    /// Whether it heeds `If-None-Match`, for the document.
    pub conditional: bool,
    /// Whether it heeds `If-Match`, for the document.
    pub guarded: bool,
    /// The largest body it takes.
    pub body_limit: usize,
    /// How much longer than others it may take.
    pub patience: Duration,
    /// Refusals of its own, for the document: a status and when.
    pub refusals: &'static [(&'static str, &'static str)],
    /// How a caller who is nobody's user shows itself, for the document.
    pub security: Option<&'static str>,
}

/// Makes a row. Every argument is required: a route without a permission or a limit is none.
pub fn route<H, T, A>(
    method: Method,
    path: impl Into<String>,
    permission: Permission,
    limit: Limit,
    handler: H,
    summary: &'static str,
) -> Route
where
    H: Handler<T, ApiState> + Documented<A>,
    T: 'static,
{
    let mut doc = OperationDoc::default();
    handler.document(&mut doc);
    let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
    let framed = move |pass: Pass| {
        let limit = DefaultBodyLimit::max(pass.row().body_limit);
        // Around the route and not around the handler: the frame is compiled once, not for each.
        on(filter, handler)
            .route_layer(limit)
            .route_layer(from_fn_with_state(pass, super::pass::pass))
    };
    let path = path.into();
    let action = action::of_read(&path);
    let row = Row {
        method,
        path,
        permission,
        limit,
        summary,
        action,
        idempotent: false,
        conditional: false,
        guarded: false,
        body_limit: BODY_LIMIT,
        patience: Duration::ZERO,
        refusals: &[],
        security: None,
    };
    Route { row, doc, framed: Box::new(framed) }
}

impl Route {
    /// Heeds `Idempotency-Key`.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.row.idempotent = true;
        self
    }

    /// Heeds `If-None-Match`, which the document tells.
    #[must_use]
    pub fn conditional(mut self) -> Self {
        self.row.conditional = true;
        self
    }

    /// Heeds `If-Match`, which the document tells.
    #[must_use]
    pub fn guarded(mut self) -> Self {
        self.row.guarded = true;
        self
    }

    /// Refuses for reasons of its own, which the document tells.
    #[must_use]
    pub fn refuses(mut self, refusals: &'static [(&'static str, &'static str)]) -> Self {
        self.row.refusals = refusals;
        self
    }

    /// Is entered by this scheme, which the document tells.
    #[must_use]
    pub fn entered_by(mut self, scheme: &'static str) -> Self {
        self.row.security = Some(scheme);
        self
    }

    /// Lets a caller wait so much longer than others.
    #[must_use]
    pub fn patience(mut self, longer: Duration) -> Self {
        self.row.patience = longer;
        self
    }

    /// Takes bodies up to this size.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.row.body_limit = bytes;
        self
    }
}

/// What every answer outside the table counts as: unknown paths and methods.
fn outside(path: &str) -> Row {
    Row {
        method: Method::GET,
        path: path.to_owned(),
        permission: Permission::Public,
        limit: Limit::Address(LimitName::Anonymous),
        summary: "",
        action: action::UNNAMED,
        idempotent: false,
        conditional: false,
        guarded: false,
        body_limit: BODY_LIMIT,
        patience: Duration::ZERO,
        refusals: &[],
        security: None,
    }
}

/// The surface's router: each route in its frame, and what answers when none fits.
pub(crate) fn build(surface: Surface, state: &ApiState, routes: Vec<Route>) -> Router {
    let mut paths = BTreeMap::<String, MethodRouter<ApiState>>::new();
    for Route { row, framed, .. } in routes {
        let path = row.path.clone();
        let known = paths.remove(&path).unwrap_or_default();
        paths.insert(path, known.merge(framed(Pass::new(surface, state, row))));
    }
    let mut router = Router::new();
    for (path, handler) in paths {
        router = router.route(&path, handler);
    }
    let answer = |kind, message, name| {
        let pass = Pass::new(surface, state, outside(name));
        always(Problem::new(kind, message)).layer(from_fn_with_state(pass, super::pass::pass))
    };
    let wrong = "This method is not allowed here";
    let unknown = "There is nothing at this address";
    router
        .method_not_allowed_fallback(answer(ProblemKind::MethodNotAllowed, wrong, "wrong method"))
        .fallback(answer(ProblemKind::NotFound, unknown, "unknown path"))
        .with_state(state.clone())
}

fn always(problem: Problem) -> impl Handler<((),), ApiState> {
    move || async move { problem }
}
