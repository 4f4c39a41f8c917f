//! The table of pages. A row says method, path, who may come in, handler and a sentence.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{MethodFilter, MethodRouter, on};
use grantor_domain::admin::AdminRight;
use grantor_domain::image::{MAX_AT_ONCE, MAX_BYTES};
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;
use http::Method;

use super::Web;
use super::action;
use super::failure::{Failure, Outcome};
use super::pass::{Pass, pass};

/// The largest form without pictures.
pub(super) const FORM: usize = 1024 * 1024;
/// The largest form with pictures.
const PICTURES: usize = MAX_AT_ONCE * MAX_BYTES + FORM;
/// How much longer pictures may take.
const PICTURE_TIME: Duration = Duration::from_secs(90);

/// Who may come in, and what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Everybody. Pages that only explain count nothing.
    Open,
    /// Everybody; requests of one address are counted.
    Counted(LimitName),
    /// A person whose role and tenant have this right.
    Person(Right),
    /// A member of staff whose role has this right.
    Staff(AdminRight),
}

/// One row.
pub(crate) struct Row {
    pub(super) told: Told,
    framed: Box<dyn FnOnce(Pass) -> MethodRouter<Web>>,
}

/// What the frame needs to know of a page.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) method: Method,
    pub(super) path: &'static str,
    pub(super) entry: Entry,
    pub(super) summary: &'static str,
    /// The log's name of a page.
    pub(super) action: &'static str,
    pub(super) body_limit: usize,
    /// How much longer than others it may take.
    pub(super) patience: Duration,
    /// Whether the same form sent again gets the same answer.
    pub(super) once: bool,
}

/// A page.
pub(crate) fn get<H, T>(path: &'static str, entry: Entry, handler: H, summary: &'static str) -> Row
where
    H: Handler<T, Web>,
    T: 'static,
{
    row(Method::GET, path, entry, handler, summary)
}

/// What a form is sent to.
pub(crate) fn post<H, T>(path: &'static str, entry: Entry, handler: H, summary: &'static str) -> Row
where
    H: Handler<T, Web>,
    T: 'static,
{
    row(Method::POST, path, entry, handler, summary)
}

fn row<H, T>(
    method: Method,
    path: &'static str,
    entry: Entry,
    handler: H,
    summary: &'static str,
) -> Row
where
    H: Handler<T, Web>,
    T: 'static,
{
    let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
    let framed = move |it: Pass| {
        let limit = DefaultBodyLimit::max(it.told().body_limit);
        // Around the route and not around the handler: the frame is compiled once, not for each.
        on(filter, handler).route_layer(limit).route_layer(from_fn_with_state(it, pass))
    };
    let action = action::of_page(path);
    let (body_limit, patience, once) = (FORM, Duration::ZERO, false);
    let told = Told { method, path, entry, summary, action, body_limit, patience, once };
    Row { told, framed: Box::new(framed) }
}

impl Row {
    /// Its address, if it can be looked at.
    pub(crate) fn page(&self) -> Option<&'static str> {
        (self.told.method == Method::GET).then_some(self.told.path)
    }

    /// Takes a form with pictures.
    pub(crate) fn with_pictures(mut self) -> Self {
        self.told.body_limit = PICTURES;
        self.told.patience = PICTURE_TIME;
        self
    }

    /// Makes something once for each form that was drawn: see `once.rs`.
    pub(crate) fn once(mut self) -> Self {
        self.told.once = true;
        self
    }

    /// Lets somebody wait so much longer than others.
    pub(crate) fn patience(mut self, longer: Duration) -> Self {
        self.told.patience = longer;
        self
    }
}

/// Every page in its frame, and what stands where there is none.
pub(crate) fn build(web: &Web, rows: Vec<Row>) -> Router {
    let mut paths = BTreeMap::<&'static str, MethodRouter<Web>>::new();
    for Row { told, framed } in rows {
        let known = paths.remove(told.path).unwrap_or_default();
        paths.insert(told.path, known.merge(framed(Pass::new(web, told))));
    }
    let nothing = get("/app/{*rest}", Entry::Open, nothing, "");
    let other = (nothing.framed)(Pass::new(web, nothing.told));
    paths.insert("/app/{*rest}", other);
    let router = paths.into_iter().fold(Router::new(), |router, (path, it)| router.route(path, it));
    let told = get("wrong method", Entry::Open, elsewhere, "").told;
    let wrong = elsewhere.layer(from_fn_with_state(Pass::new(web, told), pass));
    router.method_not_allowed_fallback(wrong).with_state(web.clone())
}

/// What only takes forms cannot be looked at, as by reloading the page that a form led to.
/// Where only a form is sent to, somebody who opens the address goes on at the start.
async fn elsewhere(method: Method) -> Outcome {
    match method {
        Method::GET | Method::HEAD => Ok(Redirect::to("/app").into_response()),
        _ => Err(Failure::nothing()),
    }
}

async fn nothing() -> Failure {
    Failure::nothing()
}
