//! The access log: reads by authenticated callers.

use grantor_domain::audit::{Entry, Level};
use grantor_service::App;
use grantor_service::log::read_access;
use http::StatusCode;
use serde_json::json;

/// Completes the entry of a read with the response status.
pub fn end(app: &App, entry: Entry, status: StatusCode) {
    let level = if status.is_server_error() {
        Level::Error
    } else if status.is_client_error() {
        Level::Warn
    } else {
        Level::Info
    };
    read_access::end(app, entry, level, json!({ "status": status.as_u16() }));
}
