//! Route definitions. A route has a method, path, access rule, handler and log summary.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use axum::Router;
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{MethodFilter, MethodRouter, on};
use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;
use grantor_http::body::{BODY_LIMIT, ONE_UPLOAD_LIMIT, UPLOAD_LIMIT, UPLOAD_TIME};
use grantor_http::handler::{Answer, AnyHandler};
use http::{Method, Uri};

use super::Web;
use super::action;
use super::failure::{Failure, Outcome};
use super::middleware::{RouteState, handle};

/// Who may open a route, and which rate limit applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everyone, without a rate limit.
    Open,
    /// Everyone, with a rate limit per client address.
    RateLimited(LimitName),
    /// A user whose role and tenant have this right.
    Person(Right),
    /// A staff member whose role has this right.
    Staff(AdminRight),
}

/// One route.
pub(crate) struct Route {
    pub(super) info: RouteInfo,
    handler: AnyHandler<Web>,
}

/// What the middleware needs to know about a route.
#[derive(Clone, Debug)]
pub(super) struct RouteInfo {
    pub(super) method: Method,
    pub(super) path: &'static str,
    pub(super) access: Access,
    pub(super) summary: &'static str,
    /// The action name of a page view in the log.
    pub(super) action: &'static str,
    pub(super) body_limit: usize,
    /// Time on top of the usual timeout.
    pub(super) extra_time: Duration,
    /// What is special about the route.
    specials: Vec<Special>,
}

/// Something special about a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// A form that is submitted again gets the response of the first time.
    RunsOnce,
    /// The form may be sent from anywhere, because its address proves who sends it.
    FromAnywhere,
    /// The page is hidden from staff who view pages as somebody else.
    HiddenInViews,
    /// The handler shows the form again to a caller who has to wait.
    KeepsForm,
}

impl RouteInfo {
    fn new(method: Method, path: &'static str, access: Access, summary: &'static str) -> Self {
        Self {
            method,
            path,
            access,
            summary,
            action: action::of_page(path),
            body_limit: BODY_LIMIT,
            extra_time: Duration::ZERO,
            specials: vec![],
        }
    }

    /// Whether anyone may open the route.
    pub(super) fn is_public(&self) -> bool {
        matches!(self.access, Access::Open | Access::RateLimited(_))
    }

    /// Whether this is special about the route.
    pub(super) fn is(&self, special: Special) -> bool {
        self.specials.contains(&special)
    }
}

/// A page.
pub(crate) fn get<H, T>(
    path: &'static str,
    access: Access,
    handler: H,
    summary: &'static str,
) -> Route
where
    H: Handler<T, Web, Future = Answer>,
    T: 'static,
{
    route(Method::GET, path, access, AnyHandler::new(handler), summary)
}

/// A form action.
pub(crate) fn post<H, T>(
    path: &'static str,
    access: Access,
    handler: H,
    summary: &'static str,
) -> Route
where
    H: Handler<T, Web, Future = Answer>,
    T: 'static,
{
    route(Method::POST, path, access, AnyHandler::new(handler), summary)
}

fn route(
    method: Method,
    path: &'static str,
    access: Access,
    handler: AnyHandler<Web>,
    summary: &'static str,
) -> Route {
    Route { info: RouteInfo::new(method, path, access, summary), handler }
}

impl Route {
    /// Returns the path if the route is a page.
    pub(crate) fn page_path(&self) -> Option<&'static str> {
        (self.info.method == Method::GET).then_some(self.info.path)
    }

    /// Returns who may open the route.
    #[cfg(test)]
    pub(crate) fn access(&self) -> Access {
        self.info.access
    }

    /// Returns the path if the route is a form.
    pub(crate) fn form_path(&self) -> Option<&'static str> {
        (self.info.method == Method::POST).then_some(self.info.path)
    }

    /// Accepts image uploads.
    pub(crate) fn with_images(mut self) -> Self {
        self.info.body_limit = UPLOAD_LIMIT;
        self.info.extra_time = UPLOAD_TIME;
        self
    }

    /// Accepts one image.
    pub(crate) fn with_image(mut self) -> Self {
        self.info.body_limit = ONE_UPLOAD_LIMIT;
        self.info.extra_time = UPLOAD_TIME;
        self
    }

    /// Marks a form that must not run twice, because its response shows a secret or because it cannot be
    /// taken back: see `replay.rs`.
    pub(crate) fn runs_once(mut self) -> Self {
        self.info.specials.push(Special::RunsOnce);
        self
    }

    /// Accepts the form from other sites and from programs. The handler must not rely on cookies.
    pub(crate) fn accepts_foreign_forms(mut self) -> Self {
        self.info.specials.push(Special::FromAnywhere);
        self
    }

    /// Hides a page from staff who view pages as somebody else: it is about the person, not about
    /// the organization.
    pub(crate) fn hidden_in_views(mut self) -> Self {
        self.info.specials.push(Special::HiddenInViews);
        self
    }

    /// Runs the handler also for a caller who has to wait, so that it shows the form again. It must
    /// do nothing else if the context is limited.
    pub(crate) fn keeps_form_when_limited(mut self) -> Self {
        self.info.specials.push(Special::KeepsForm);
        self
    }

    /// Adds time to the usual timeout.
    pub(crate) fn extra_time(mut self, extra: Duration) -> Self {
        self.info.extra_time = extra;
        self
    }
}

/// Builds the router, including the fallbacks for unknown paths and methods.
pub(crate) fn build(web: &Web, routes: Vec<Route>) -> Router {
    let mut paths = BTreeMap::<&'static str, MethodRouter<Web>>::new();
    let unknown = get("/app/{*rest}", Access::Open, unknown, "");
    for Route { info, handler } in routes.into_iter().chain([unknown]) {
        let path = info.path;
        let known = paths.remove(path).unwrap_or_default();
        let filter = MethodFilter::try_from(info.method.clone()).unwrap_or(MethodFilter::GET);
        let layer = from_fn_with_state(RouteState::new(web, info), handle);
        // Layers wrap the route, not the handler, so that the middleware is compiled only once.
        paths.insert(path, known.merge(on(filter, handler).route_layer(layer)));
    }
    let slashed = with_slash(paths.keys().copied());
    let router = paths.into_iter().fold(Router::new(), |router, (path, it)| router.route(path, it));
    let router = slashed
        .iter()
        .fold(router, |router, path| router.route(path, on(MethodFilter::GET, without_slash)));
    let info = get("wrong method", Access::Open, wrong_method, "").info;
    let fallback = wrong_method.layer(from_fn_with_state(RouteState::new(web, info), handle));
    router.method_not_allowed_fallback(fallback).with_state(web.clone())
}

/// Opening a path that only accepts forms, such as by reloading, leads to the dashboard.
async fn wrong_method(method: Method) -> Outcome {
    match method {
        Method::GET | Method::HEAD => Ok(Redirect::to("/app").into_response()),
        _ => Err(Failure::not_found()),
    }
}

/// The paths of pages with a slash at the end, which lead to the pages. Below `/app/` the route for
/// unknown paths does that.
fn with_slash<'a>(pages: impl Iterator<Item = &'a str>) -> Vec<String> {
    let pages: BTreeSet<_> = pages.collect();
    let has_own = |it: &str| it.ends_with('/') || it.starts_with("/app/");
    let slashed = pages.iter().filter(|it| !has_own(it)).map(|it| format!("{it}/"));
    slashed.filter(|it| !pages.contains(it.as_str())).collect()
}

/// Leads to the same address without slashes at the end of its path.
async fn without_slash(uri: Uri) -> Redirect {
    let query = uri.query().map(|it| format!("?{it}")).unwrap_or_default();
    Redirect::permanent(&format!("{}{query}", uri.path().trim_end_matches('/')))
}

async fn unknown(uri: Uri) -> Outcome {
    if uri.path().ends_with('/') {
        return Ok(without_slash(uri).await.into_response());
    }
    Err(Failure::not_found())
}
