//! `/app/admin/logs`: all log entries, one area at a time.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::audit::{Class, Scheme};
use grantor_domain::error::Fields;
use grantor_domain::log::{LogFilter, LogParams};
use grantor_domain::page::{Listing, Page};
use grantor_messages::text;
use grantor_service::log::{self, LogRecord, StaffLogQuery};
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Staff};
use crate::log::detail::detail_list;
use crate::log::{action, levels, milliseconds, resource_label};
use crate::view::component::with_query;
use crate::view::list_filter::ListFilters;
use crate::view::rich::rich;
use crate::view::time::exact;
use crate::view::{NavItem, Table, ago, badge, empty, facts, head, pager, tabs};

/// Lists the entries of one area, by default the console.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let (read, page) = read(&params)?;
    let found = params.in_range(log::list_all(staff.app(), read, page).await?)?;
    Ok(draw(&staff, &params, &found))
}

fn scheme(params: &Params) -> &str {
    params.get("scheme").unwrap_or(Scheme::Console.name())
}

/// The value of the filter that shows changes and reads alike.
const BOTH: &str = "all";

/// The categories. Reads outnumber changes by far, so changes are shown unless asked otherwise.
fn classes() -> [(&'static str, &'static str); 3] {
    [
        ("", text!("admin-log-category-changes")),
        (Class::Access.name(), text!("admin-log-category-reads")),
        (BOTH, text!("admin-log-category-all")),
    ]
}

/// The category to list: changes by default, `None` for all. An action is one or the other itself.
fn class(params: &Params) -> Option<&str> {
    match params.get("class") {
        None if params.get("action").is_some() => None,
        None => Some(Class::Audit.name()),
        Some(BOTH) => None,
        class => class,
    }
}

fn read(params: &Params) -> Result<(StaffLogQuery, Page), Error> {
    let mut fields = Fields::default();
    let scheme = fields.take("scheme", scheme(params).parse::<Scheme>());
    let tenant = params.get("organizationId");
    let tenant = tenant.and_then(|it| fields.take("organizationId", it.parse()));
    let filter = fields.take_all(LogFilter::parse(LogParams {
        level: params.get("type"),
        class: class(params),
        start: params.get("startDate"),
        end: params.get("endDate"),
        action: params.get("action"),
        search: params.get("search"),
    }));
    let page = fields.take_all(params.page());
    fields.finish()?;
    let (Some(scheme), Some(filter), Some(page)) = (scheme, filter, page) else {
        return Err(Error::validation("The query is not valid"));
    };
    Ok((StaffLogQuery { scheme, tenant, filter }, page))
}

fn draw(staff: &Staff, params: &Params, found: &Listing<LogRecord>) -> Response {
    let here = with_query(&staff.here, "scheme", "");
    let schemes = Scheme::ALL
        .map(|it| (with_query(&here, "scheme", it.name()), it.name(), scheme(params) == it.name()));
    // An invalid action must not list everything.
    let is_refused = params.raw("action") != params.get("action");
    let body = html! {
        (head(text!("admin-logs"), text!("admin-logs-lead"), html! {}))
        (tabs(text!("admin-log-area"), &schemes.map(|(url, name, current)| (url, label(name), current))))
        (filters(&staff.here, params).show())
        @if params.get("organizationId").is_some() {
            p.quiet {
                (text!("admin-one-organization")) " "
                a href=(unfiltered(params)) { (text!("admin-clear-filters")) }
            }
        }
        @if found.items.is_empty() || is_refused { (none()) } @else {
            (table(staff, found)) (pager(found, &staff.here))
        }
    };
    staff.page(text!("admin-logs"), NavItem::AdminLogs, body)
}

fn label(scheme: &str) -> &'static str {
    match scheme {
        "admin" => text!("admin-log-area-admin"),
        "console" => text!("admin-log-area-console"),
        "external" => text!("admin-log-area-external"),
        _ => text!("admin-log-area-system"),
    }
}

/// The address of the area without filters.
fn unfiltered(params: &Params) -> String {
    format!("/app/admin/logs?scheme={}", scheme(params))
}

fn filters<'a>(here: &'a str, params: &'a Params) -> ListFilters<'a> {
    let [(_, any_level), levels @ ..] = levels();
    let [(_, changes), classes @ ..] = classes();
    let actions = action::staff_choices(params.get("action"));
    ListFilters::new("/app/admin/logs", here, params)
        .cleared_by(unfiltered(params))
        .keep("scheme")
        .keep("organizationId")
        .search(text!("admin-log-search"))
        .pick("type", text!("admin-log-level"), any_level, levels)
        .pick("class", text!("admin-log-category"), changes, classes)
        .pick("action", text!("admin-log-action"), text!("log-any-action"), actions)
        .day("startDate", text!("admin-log-start-date"))
        .day("endDate", text!("admin-log-end-date"))
}

fn none() -> Markup {
    empty(
        text!("admin-logs-none"),
        text!("admin-logs-none-why"),
        html! {
            a.button.plain href="/app/admin/logs" { (text!("admin-clear-filters")) }
        },
    )
}

fn table(staff: &Staff, found: &Listing<LogRecord>) -> Markup {
    let heads = [
        text!("word-date"),
        text!("admin-log-level"),
        text!("admin-log-event"),
        text!("admin-log-user"),
        text!("admin-log-resource"),
    ];
    Table::new(text!("admin-logs"), &heads).rows(&found.items, |it| row(staff, it)).show()
}

fn row(staff: &Staff, record: &LogRecord) -> Vec<Markup> {
    vec![
        ago(staff.now(), record.at),
        badge(&record.level.name().to_ascii_lowercase()),
        html! {
            p { (action::event(record)) } code { (record.action) }
            (detail_list(&record.details)) (more(record))
        },
        html! { (record.actor_name) },
        html! {
            p { (resource_label(&record.resource_type)) }
            @if let Some(name) = &record.resource_name { p.quiet { (name) } }
            @if let Some(tenant) = record.tenant { p { (super::owner(tenant, text!("admin-log-organization"))) } }
        },
    ]
}

/// The collapsed details of an entry.
fn more(record: &LogRecord) -> Markup {
    let or_dash = |it: Option<&str>| html! { (it.unwrap_or("–")) };
    let of = text!("admin-log-details-of", action = &record.action, time = exact(record.at));
    html! {
        details.more {
            summary { (rich!("admin-log-details", of = html! { span.hidden { " " (of) } })) }
            (facts(&[
                (text!("admin-log-time"), html! { (exact(record.at)) }),
                (text!("admin-log-resource-id"), html! { code { (record.resource_id.as_deref().unwrap_or("–")) } }),
                (text!("admin-log-user-id"), html! { code { (record.actor_id.map(|it| it.to_string()).unwrap_or_default()) } }),
                (text!("admin-log-ip-address"), or_dash(record.address.as_deref())),
                (text!("admin-log-user-agent"), or_dash(record.user_agent.as_deref())),
                (text!("admin-log-duration"), html! { (milliseconds(record.duration_micros)) }),
                (text!("admin-log-request-id"), html! { code { (record.request_id.as_deref().unwrap_or("–")) } }),
                (text!("admin-log-data"), html! { code { (record.details.to_string()) } }),
            ]))
        }
    }
}
