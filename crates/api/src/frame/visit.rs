//! The access log: what a known caller looked at.

use axum::extract::Request;
use grantor_domain::audit::{Class, Entry, Level, Resource};
use grantor_domain::id::TenantId;
use grantor_service::App;
use http::{Method, StatusCode};
use serde_json::json;
use uuid::Uuid;

use super::caller::Visitor;
use super::request::{RequestInfo, user_agent};
use super::route::Row;

const MAX_RESOURCE_ID: usize = 128;

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
    if !app.visits.has_room(actor.tenant().map_or(Uuid::nil(), TenantId::as_uuid)) {
        return None;
    }
    let (noun, verb) = names(row.handler);
    let mut origin = info.origin(user_agent(request.headers()));
    origin.scheme = visitor.scheme().unwrap_or(origin.scheme);
    Some(Entry {
        id: app.ids.next(),
        tenant: actor.tenant(),
        at: app.clock.now(),
        class: Class::Access,
        level: Level::Info,
        action: format!("{noun}.{verb}").into(),
        message: row.summary.to_owned(),
        actor,
        resource: Resource {
            kind: noun,
            id: looked_at(&row.path, request.uri().path()),
            name: None,
        },
        license: None,
        origin,
        duration: std::time::Duration::ZERO,
        details: json!({}),
    })
}

/// Notes what became of it.
pub(super) fn end(app: &App, mut visit: Entry, status: StatusCode) {
    visit.duration = app.clock.monotonic().saturating_sub(visit.origin.started);
    visit.details = json!({ "status": status.as_u16() });
    if status.is_server_error() {
        visit.level = Level::Error;
    } else if status.is_client_error() {
        visit.level = Level::Warn;
    }
    app.visits.note(visit);
}

/// A handler is named as the log names actions: by the noun of its file and its verb.
fn names(handler: &'static str) -> (&'static str, &'static str) {
    let plain = handler.split('<').next().unwrap_or(handler);
    let mut parts = plain.rsplit("::");
    let verb = parts.next().filter(|it| is_word(it)).unwrap_or("read");
    let noun = parts.next().filter(|it| is_word(it)).unwrap_or("request");
    (noun, verb)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_lowercase() || it == b'_')
}

/// The id in the path that stands last. Counted from the end: the path may have a prefix.
fn looked_at(pattern: &str, path: &str) -> Option<String> {
    let place = pattern.rsplit('/').position(|it| it.starts_with('{'))?;
    let id = path.rsplit('/').nth(place)?;
    Some(id.chars().take(MAX_RESOURCE_ID).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_handlers_name_is_the_actions() {
        assert_eq!(names("grantor_api::external::license::list"), ("license", "list"));
        assert_eq!(names("grantor_api::console::log::list<a::b::C>"), ("log", "list"));
        assert_eq!(names("it::{{closure}}"), ("it", "read"));
        assert_eq!(names(""), ("request", "read"));
    }

    #[test]
    fn the_last_id_is_what_was_looked_at() {
        let found = |pattern, path| looked_at(pattern, path);
        assert_eq!(found("/licenses/{id}/mentions", "/licenses/7/mentions"), Some("7".into()));
        assert_eq!(found("/talent/{talentId}", "/v1.0.1/talent/8"), Some("8".into()));
        assert_eq!(found("/licenses", "/licenses"), None);
    }
}
