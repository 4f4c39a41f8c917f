//! The access log: reads by authenticated callers.

use axum::extract::Request;
use grantor_domain::audit::{Entry, Level};
use grantor_service::App;
use grantor_service::log::read_access::{self, ReadAccess};
use http::{Method, StatusCode};
use serde_json::json;

use super::caller::Identity;
use super::request::{RequestInfo, user_agent};
use super::route::RouteInfo;

/// Starts a log entry for a read. Returns `None` for other methods and when the log is over its
/// limit.
pub(super) fn begin(
    app: &App,
    route: &RouteInfo,
    request: &Request,
    info: &RequestInfo,
    identity: &Identity,
) -> Option<Entry> {
    let actor = (route.method == Method::GET).then(|| identity.actor())?;
    let mut origin = info.origin(user_agent(request.headers()));
    origin.scheme = identity.scheme().unwrap_or(origin.scheme);
    let access = ReadAccess {
        action: route.action,
        summary: route.summary,
        pattern: &route.path,
        path: request.uri().path(),
    };
    read_access::begin(app, &actor, origin, &access)
}

/// Completes the entry with the response status.
pub(super) fn end(app: &App, entry: Entry, status: StatusCode) {
    let level = if status.is_server_error() {
        Level::Error
    } else if status.is_client_error() {
        Level::Warn
    } else {
        Level::Info
    };
    read_access::end(app, entry, level, json!({ "status": status.as_u16() }));
}
