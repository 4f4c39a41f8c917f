//! `/app/logs`: the organization's log.

pub(crate) mod action;
pub(crate) mod detail;
mod export;
mod history;

use grantor_domain::Error;
use grantor_domain::audit::Class;
use grantor_domain::error::Fields;
use grantor_domain::id::LogId;
use grantor_domain::log::{LogFilter, LogParams};
use grantor_domain::saved_view::ViewList;
use grantor_messages::{named, text};
use grantor_service::log::{self, LogRecord};
use maud::{Markup, html};
use uuid::Uuid;

use crate::frame::{Outcome, Params, Person, Segment};
use crate::saved_view;
use crate::view::component::with_query;
use crate::view::list_filter::ListFilters;
use crate::view::time::exact;
use crate::view::{
    NavItem, Table, ago, badge, card, code, empty, facts, head, pager, sentence_case,
};

use self::detail::detail_list;
pub(crate) use self::export::{create_export, download_export, export_form, show_export};
pub(crate) use self::history::{history, history_link};

/// The class that is listed by default: reads would bury changes.
const CHANGES: &str = "audit";
/// Selects both classes.
const ALL: &str = "all";
/// The filter names, as in the domain's errors.
const NAMES: [&str; 6] = ["type", "class", "startDate", "endDate", "action", "search"];

/// The levels to choose from.
pub(crate) fn levels() -> [(&'static str, &'static str); 4] {
    [
        ("", text!("log-any-level")),
        ("INFO", text!("log-level-info")),
        ("WARN", text!("log-level-warning")),
        ("ERROR", text!("log-level-error")),
    ]
}

/// The classes to choose from, the default first.
fn classes() -> [(&'static str, &'static str); 3] {
    [
        (CHANGES, text!("log-category-changes")),
        ("access", text!("log-category-reads")),
        (ALL, text!("log-category-all")),
    ]
}

/// Lists log entries, newest first.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let views = saved_view::bar(&person, ViewList::Logs).await?;
    if let Some(redirect) = views.redirect() {
        return Ok(redirect);
    }
    let mut fields = Fields::default();
    let filter = fields.take_all(read(|name| params.get(name)));
    let page = fields.take_all(params.page());
    fields.finish()?;
    let (filter, page) =
        filter.zip(page).ok_or_else(|| Error::validation("The query is not valid"))?;
    let found = params.in_range(log::list(person.app(), &person.caller, filter, page).await?)?;
    let filters = filters(&person.here, &params).cleared_by(views.all_url());
    let heads = [text!("word-date"), text!("log-event"), text!("log-user"), text!("log-level")];
    let table = Table::new(text!("log-title"), &heads).rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head(text!("log-title"), text!("log-lead"), html! {
            @if !person.is_viewed() { a.button.plain href=(export_url(&params)) { (text!("action-export")) } }
        }))
        (views.show())
        (filters.show())
        @if found.items.is_empty() {
            (empty(text!("log-none-found"), text!("log-none-match"), filters.clear_link()))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(text!("log-title"), NavItem::Logs, body))
}

fn read<'a>(get: impl Fn(&'static str) -> Option<&'a str>) -> Result<LogFilter, Error> {
    LogFilter::parse(LogParams {
        level: get("type"),
        class: Some(get("class").unwrap_or(CHANGES)).filter(|it| *it != ALL),
        start: get("startDate"),
        end: get("endDate"),
        action: get("action"),
        search: get("search"),
    })
}

/// Returns the URL of the export form, prefilled with the current filters.
fn export_url(params: &Params) -> String {
    let mut pairs = url::form_urlencoded::Serializer::new(String::from("/app/logs/export?"));
    for name in NAMES {
        if let Some(value) = params.get(name) {
            pairs.append_pair(name, value);
        }
    }
    pairs.finish().trim_end_matches('?').to_owned()
}

fn filters<'a>(here: &'a str, params: &'a Params) -> ListFilters<'a> {
    let [(_, any_level), levels @ ..] = levels();
    let [(_, changes), classes @ ..] = classes();
    ListFilters::new("/app/logs", here, params)
        .search(text!("action-search"))
        .pick("type", text!("log-level"), any_level, levels)
        .pick("class", text!("log-category"), changes, classes)
        .pick(
            "action",
            text!("log-action"),
            text!("log-any-action"),
            action::choices(params.get("action")),
        )
        .day("startDate", text!("log-start-date"))
        .day("endDate", text!("log-end-date"))
}

fn row(person: &Person, it: &LogRecord) -> Vec<Markup> {
    vec![
        ago(person.now(), it.at),
        html! {
            a href={ "/app/logs/" (it.id) } { (action::event(it)) }
            @if let Some(name) = &it.resource_name { p.quiet { (name) } }
            (detail_list(&it.details))
        },
        html! { (it.actor_name) },
        level(it),
    ]
}

/// Returns the label of a resource type.
pub(crate) fn resource_label(kind: &str) -> String {
    named("log-resource", kind).map_or_else(|| sentence_case(kind), str::to_owned)
}

/// Returns the label of a class, as in the filter.
fn class_label(name: &str) -> &str {
    classes().into_iter().find(|(it, _)| *it == name).map_or(name, |(_, label)| label)
}

/// The action, with a link to all entries with it.
fn action_link(it: &LogRecord) -> Markup {
    let reads = it.class == Class::Access;
    let list = if reads { "/app/logs?class=access" } else { "/app/logs" };
    let url = with_query(list, "action", &it.action);
    html! { a href=(url) { (action::label(&it.action)) } " " code.quiet { (it.action) } }
}

fn level(it: &LogRecord) -> Markup {
    badge(&it.level.name().to_ascii_lowercase())
}

/// A duration in milliseconds.
pub(crate) fn milliseconds(micros: i64) -> String {
    text!("log-milliseconds", count = (micros / 1_000).to_string())
}

/// Shows a log entry.
pub(crate) async fn show(person: Person, Segment(id): Segment<LogId>) -> Outcome {
    let it = log::get(person.app(), &person.caller, id).await?;
    let or_dash = |it: &Option<String>| it.clone().unwrap_or_else(|| "–".to_owned());
    let details = &it.details;
    let more = details.as_object().is_some_and(|it| !it.is_empty());
    let pretty = serde_json::to_string_pretty(details).unwrap_or_default();
    let event = action::event(&it);
    let body = html! {
        (head(&event, "", html! {
            a.button.plain href="/app/logs" { (text!("log-back")) }
        }))
        (card(text!("log-details"), facts(&[
            (text!("word-date"), html! { time datetime=(it.at) { (exact(it.at)) } }),
            (text!("log-level"), level(&it)),
            (text!("log-action"), action_link(&it)),
            (text!("log-user"), html! { (it.actor_name) }),
            (text!("log-resource"), html! { (resource_label(&it.resource_type)) " " (it.resource_name.as_deref().unwrap_or_default()) }),
            (text!("log-details"), detail_list(details)),
            (text!("log-ip-address"), html! { code { (or_dash(&it.address)) } }),
            (text!("log-user-agent"), html! { (or_dash(&it.user_agent)) }),
            (text!("log-duration"), html! { (milliseconds(it.duration_micros)) }),
            (text!("log-category"), html! { (class_label(it.class.name())) }),
        ])))
        @if let Some(record) = it.resource_id.as_deref().and_then(|it| it.parse::<Uuid>().ok()) {
            (history_link(&person, &record.to_string()))
        }
        details.more {
            summary { (text!("log-for-developers")) }
            (facts(&[
                (text!("log-entry-id"), html! { code { (it.id) } }),
                (text!("log-resource-id"), html! { code { (or_dash(&it.resource_id)) } }),
                (text!("log-user-id"), html! { code { (or_dash(&it.actor_id.map(|it| it.to_string()))) } }),
                (text!("log-request-id"), html! { code { (or_dash(&it.request_id)) } }),
            ]))
            @if more { (code(text!("log-data"), &pretty)) }
        }
    };
    Ok(person.page(&event, NavItem::Logs, body))
}
