//! The access log: reads by authenticated callers.

use axum::extract::Request;
use grantor_domain::audit::Entry;
use grantor_http::RequestInfo;
use grantor_service::App;
use grantor_service::log::read_access::{self, ReadAccess};
use http::Method;

use super::caller::Identity;
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
    let mut origin = info.context.origin.clone();
    origin.scheme = identity.scheme().unwrap_or(origin.scheme);
    let access = ReadAccess {
        action: route.action,
        summary: route.summary,
        pattern: &route.path,
        path: request.uri().path(),
        tenant: None,
    };
    read_access::begin(app, &actor, origin, &access)
}
