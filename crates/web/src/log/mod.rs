//! `/app/logs`: who did what, and when.

mod export;

use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::LogId;
use grantor_domain::log::{AskedLogs, LogFilter};
use grantor_service::log::{self, LogRecord};
use maud::{Markup, html};

use crate::frame::{Asked, Outcome, Person, Segment};
use crate::view::filter::{self, exactly, filters, find, one_of};
use crate::view::time::exact;
use crate::view::{Place, Table, ago, badge, card, code, empty, facts, head, pager};

pub(crate) use self::export::{ask, fetch, make, ready};

const LEVELS: [(&str, &str); 4] =
    [("", "Any type"), ("INFO", "Info"), ("WARN", "Warning"), ("ERROR", "Error")];
/// What people look for comes first: what was merely looked at would bury it.
const CLASSES: [(&str, &str); 3] =
    [("audit", "Changes and ways in"), ("access", "What was looked at"), (ALL, "Everything")];
/// Stands for both classes.
const ALL: &str = "all";
/// What narrows the list, by the names the domain refuses it under.
const NAMES: [&str; 6] = ["type", "class", "startDate", "endDate", "action", "search"];

/// The log, newest first.
pub(crate) async fn list(person: Person, asked: Asked) -> Outcome {
    let mut fields = Fields::default();
    let filter = fields.take_all(read(|name| asked.get(name)));
    let page = fields.take_all(asked.page());
    fields.finish()?;
    let (filter, page) =
        filter.zip(page).ok_or_else(|| Error::validation("The query does not read"))?;
    let found = asked.within(log::list(person.app(), &person.caller, filter, page).await?)?;
    let heads = ["When", "What", "Who", "Action", "Type"];
    let table = Table::new("Log", &heads).rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head("Log", "Everything that happened in your organization.", html! {
            a.button.plain href=(export_address(&asked)) { "Export" }
        }))
        (filters("/app/logs", &asked, narrowing(&asked)))
        @if found.items.is_empty() {
            (empty("No entries", "Nothing fits what you asked for.", html! { a.button.plain href="/app/logs" { "Show the whole log" } }))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Log", Place::Logs, body))
}

fn read<'a>(get: impl Fn(&'static str) -> Option<&'a str>) -> Result<LogFilter, Error> {
    LogFilter::parse(AskedLogs {
        level: get("type"),
        class: Some(get("class").unwrap_or(CLASSES[0].0)).filter(|it| *it != ALL),
        start: get("startDate"),
        end: get("endDate"),
        action: get("action"),
        search: get("search"),
    })
}

/// The form of an export, filled with what the list is narrowed by.
fn export_address(asked: &Asked) -> String {
    let mut pairs = url::form_urlencoded::Serializer::new(String::from("/app/logs/export?"));
    for name in NAMES {
        if let Some(value) = asked.get(name) {
            pairs.append_pair(name, value);
        }
    }
    pairs.finish().trim_end_matches('?').to_owned()
}

fn narrowing(asked: &Asked) -> Markup {
    html! {
        (find("search", "Find words", asked))
        (one_of("type", "Type", LEVELS, asked))
        (one_of("class", "Kind", CLASSES, asked))
        (exactly("action", "Action", "team.create", asked))
        (filter::day("startDate", "First day", asked))
        (filter::day("endDate", "Last day", asked))
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
        html! { code { (it.action) } },
        level(it),
    ]
}

fn level(it: &LogRecord) -> Markup {
    badge(&it.level.name().to_ascii_lowercase())
}

/// One entry.
pub(crate) async fn show(person: Person, Segment(id): Segment<LogId>) -> Outcome {
    let it = log::show(person.app(), &person.caller, id).await?;
    let text = |it: &Option<String>| it.clone().unwrap_or_else(|| "–".to_owned());
    let details = &it.details;
    let more = details.as_object().is_some_and(|it| !it.is_empty());
    let pretty = serde_json::to_string_pretty(details).unwrap_or_default();
    let body = html! {
        (head(&it.message, "", html! { a.button.plain href="/app/logs" { "Back to the log" } }))
        (card("Entry", facts(&[
            ("When", html! { time datetime=(it.at) { (exact(it.at)) } }),
            ("Type", level(&it)),
            ("Action", html! { code { (it.action) } }),
            ("Who", html! { (it.actor_name) @if let Some(id) = it.actor_id { " " code { (id) } } }),
            ("About", html! { (it.resource_type.replace('_', " ")) " " (it.resource_name.as_deref().unwrap_or_default()) }),
            ("Its id", html! { code { (text(&it.resource_id)) } }),
            ("Address", html! { code { (text(&it.address)) } }),
            ("Program", html! { (text(&it.user_agent)) }),
            ("Took", html! { (it.duration_micros / 1_000) " ms" }),
            ("Request", html! { code { (text(&it.request_id)) } }),
            ("Kept as", html! { (it.class.name()) }),
            ("Entry", html! { code { (it.id) } }),
        ])))
        @if more { (card("Details", code("Details", &pretty))) }
    };
    Ok(person.page(&it.message, Place::Logs, body))
}
