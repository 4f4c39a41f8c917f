//! `/app/logs`: the organization's log.

pub(crate) mod action;
mod export;

use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::LogId;
use grantor_domain::log::{LogFilter, LogParams};
use grantor_service::log::{self, LogRecord};
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Person, Segment};
use crate::view::component::with_query;
use crate::view::filter::{self, filters, one_of, pick, search_box};
use crate::view::time::exact;
use crate::view::{
    NavItem, Table, ago, badge, card, code, empty, facts, head, pager, sentence_case,
};

pub(crate) use self::export::{create_export, download_export, export_form, show_export};

pub(crate) const LEVELS: [(&str, &str); 4] =
    [("", "Any level"), ("INFO", "Info"), ("WARN", "Warning"), ("ERROR", "Error")];
/// Changes come first and are the default: reads would bury them.
const CLASSES: [(&str, &str); 3] =
    [("audit", "Changes and sign-ins"), ("access", "Reads"), (ALL, "Everything")];
/// Selects both classes.
const ALL: &str = "all";
/// The filter names, as in the domain's errors.
const NAMES: [&str; 6] = ["type", "class", "startDate", "endDate", "action", "search"];

/// Lists log entries, newest first.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let mut fields = Fields::default();
    let filter = fields.take_all(read(|name| params.get(name)));
    let page = fields.take_all(params.page());
    fields.finish()?;
    let (filter, page) =
        filter.zip(page).ok_or_else(|| Error::validation("The query is not valid"))?;
    let found = params.in_range(log::list(person.app(), &person.caller, filter, page).await?)?;
    let heads = ["Date", "Event", "User", "Action", "Level"];
    let table = Table::new("Logs", &heads).rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head("Logs", "What people, API clients and the system did in your organization.", html! {
            a.button.plain href=(export_url(&params)) { "Export" }
        }))
        (filters("/app/logs", &params, filter_fields(&params)))
        @if found.items.is_empty() {
            (empty("No log entries found", "No entries match your filters.", html! { a.button.plain href="/app/logs" { "Clear filters" } }))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Logs", NavItem::Logs, body))
}

fn read<'a>(get: impl Fn(&'static str) -> Option<&'a str>) -> Result<LogFilter, Error> {
    LogFilter::parse(LogParams {
        level: get("type"),
        class: Some(get("class").unwrap_or(CLASSES[0].0)).filter(|it| *it != ALL),
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

fn filter_fields(params: &Params) -> Markup {
    html! {
        (search_box("search", "Search", params))
        (one_of("type", "Level", LEVELS, params))
        (one_of("class", "Category", CLASSES, params))
        (pick("action", "Action", "Any action", action::choices(params.get("action")), params))
        (filter::day("startDate", "Start date", params))
        (filter::day("endDate", "End date", params))
    }
}

fn row(person: &Person, it: &LogRecord) -> Vec<Markup> {
    vec![
        ago(person.now(), it.at),
        html! {
            a href={ "/app/logs/" (it.id) } { (it.message) }
            @if let Some(name) = &it.resource_name { p.quiet { (name) } }
        },
        html! { (it.actor_name) },
        // Selecting an action shows all entries with it.
        html! {
            a href=(with_query(&person.here, "action", &it.action)) { (action::label(&it.action)) }
        },
        level(it),
    ]
}

/// Returns the label of a resource type.
pub(crate) fn resource_label(kind: &str) -> String {
    let label = match kind {
        "admin" => "Staff member",
        "client" => "API client",
        "keys" => "Key ring",
        "mail_template" => "Email template",
        "pax" => "Ingest key",
        "pod" => "Scanner",
        kind => return sentence_case(kind),
    };
    label.to_owned()
}

/// Returns the label of a class, as in the filter.
fn class_label(name: &str) -> &str {
    CLASSES.iter().find(|(it, _)| *it == name).map_or(name, |(_, label)| label)
}

fn level(it: &LogRecord) -> Markup {
    badge(&it.level.name().to_ascii_lowercase())
}

/// Shows a log entry.
pub(crate) async fn show(person: Person, Segment(id): Segment<LogId>) -> Outcome {
    let it = log::get(person.app(), &person.caller, id).await?;
    let text = |it: &Option<String>| it.clone().unwrap_or_else(|| "–".to_owned());
    let details = &it.details;
    let more = details.as_object().is_some_and(|it| !it.is_empty());
    let pretty = serde_json::to_string_pretty(details).unwrap_or_default();
    let body = html! {
        (head(&it.message, "", html! { a.button.plain href="/app/logs" { "Back to logs" } }))
        (card("Details", facts(&[
            ("Date", html! { time datetime=(it.at) { (exact(it.at)) } }),
            ("Level", level(&it)),
            ("Action", html! { (action::label(&it.action)) " " code.quiet { (it.action) } }),
            ("User", html! { (it.actor_name) @if let Some(id) = it.actor_id { " " code { (id) } } }),
            ("Resource", html! { (resource_label(&it.resource_type)) " " (it.resource_name.as_deref().unwrap_or_default()) }),
            ("Resource ID", html! { code { (text(&it.resource_id)) } }),
            ("IP address", html! { code { (text(&it.address)) } }),
            ("User agent", html! { (text(&it.user_agent)) }),
            ("Duration", html! { (it.duration_micros / 1_000) " ms" }),
            ("Request ID", html! { code { (text(&it.request_id)) } }),
            ("Category", html! { (class_label(it.class.name())) }),
            ("Entry ID", html! { code { (it.id) } }),
        ])))
        @if more { (card("Data", code("Data", &pretty))) }
    };
    Ok(person.page(&it.message, NavItem::Logs, body))
}
