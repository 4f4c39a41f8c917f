//! The access log: what a known caller looked at.

use axum::extract::Request;
use grantor_domain::audit::{Entry, Level};
use grantor_service::App;
use grantor_service::visit::{self, Looked};
use http::{Method, StatusCode};
use serde_json::json;

use super::caller::Visitor;
use super::request::{RequestInfo, user_agent};
use super::route::Row;

/// The entry of a visit, as far as it is known before it is answered. None where nothing is merely
/// looked at, and where there is no room.
pub(super) fn begin(
    app: &App,
    row: &Row,
    request: &Request,
    info: &RequestInfo,
    visitor: &Visitor,
) -> Option<Entry> {
    let actor = (row.method == Method::GET).then(|| visitor.actor())?;
    let mut origin = info.origin(user_agent(request.headers()));
    origin.scheme = visitor.scheme().unwrap_or(origin.scheme);
    let looked = Looked {
        action: row.action,
        summary: row.summary,
        pattern: &row.path,
        path: request.uri().path(),
    };
    visit::begin(app, &actor, origin, &looked)
}

/// Notes what became of it.
pub(super) fn end(app: &App, entry: Entry, status: StatusCode) {
    let level = if status.is_server_error() {
        Level::Error
    } else if status.is_client_error() {
        Level::Warn
    } else {
        Level::Info
    };
    visit::end(app, entry, level, json!({ "status": status.as_u16() }));
}
