//! `/app/logs/records/{record}`: what became of one record.

use grantor_domain::role::Right;
use grantor_messages::text;
use grantor_service::log::{self, LogRecord};
use maud::{Markup, html};
use uuid::Uuid;

use super::detail::detail_list;
use super::{action, resource_label};
use crate::frame::{Outcome, Params, Person, Segment};
use crate::view::{NavItem, Table, ago, empty, head, pager};

/// A link to the history of a record, for those who may read the log.
pub(crate) fn history_link(person: &Person, record: &str) -> Markup {
    html! {
        @if person.may(Right::ReadLogs) {
            p { a href={ "/app/logs/records/" (record) } { (text!("log-history-link")) } }
        }
    }
}

/// Lists the changes of a record, newest first.
pub(crate) async fn history(
    person: Person,
    Segment(record): Segment<Uuid>,
    params: Params,
) -> Outcome {
    let found = log::history_of(person.app(), &person.caller, record, params.page()?).await?;
    let found = params.in_range(found)?;
    let title = title(&found.items);
    let heads =
        [text!("word-date"), text!("log-user"), text!("log-history-what"), text!("log-details")];
    let table = Table::new(text!("log-history"), &heads).rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head(&title, text!("log-history-lead"), html! {
            a.button.plain href="/app/logs" { (text!("log-all")) }
        }))
        @if found.items.is_empty() {
            (empty(text!("log-history-empty"), text!("log-history-empty-why"), html! {}))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(&title, NavItem::Logs, body))
}

fn title(items: &[LogRecord]) -> String {
    let Some(newest) = items.first() else { return text!("log-history").to_owned() };
    let kind = resource_label(&newest.resource_type);
    match &newest.resource_name {
        Some(name) => text!("log-history-of", name = name),
        None => text!("log-history-of-kind", kind = kind),
    }
}

fn row(person: &Person, it: &LogRecord) -> Vec<Markup> {
    let (event, label) = (action::event(it), action::label(&it.action));
    vec![
        ago(person.now(), it.at),
        html! { (it.actor_name) },
        html! {
            a href={ "/app/logs/" (it.id) } { (event) }
            @if event != label { p.quiet { (label) } }
        },
        detail_list(&it.details),
    ]
}
