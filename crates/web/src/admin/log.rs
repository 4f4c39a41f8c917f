//! `/app/admin/logs`: all log entries, one area at a time.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::audit::{Class, Scheme};
use grantor_domain::error::Fields;
use grantor_domain::log::{LogFilter, LogParams};
use grantor_domain::page::{Listing, Page};
use grantor_service::log::{self, LogRecord, StaffLogQuery};
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Staff};
use crate::log::{LEVELS, resource_label};
use crate::view::component::with_query;
use crate::view::filter::{day, filters, hidden_param, one_of, pick, search_box, text_box};
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

fn read(params: &Params) -> Result<(StaffLogQuery, Page), Error> {
    let mut fields = Fields::default();
    let scheme = fields.take("scheme", scheme(params).parse::<Scheme>());
    let tenant = params.get("organizationId");
    let tenant = tenant.and_then(|it| fields.take("organizationId", it.parse()));
    let filter = fields.take_all(LogFilter::parse(LogParams {
        level: params.get("type"),
        class: params.get("class"),
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
    let body = html! {
        (head("Logs", "All activity on this server.", html! {}))
        (tabs("Area", &schemes.map(|(url, name, current)| (url, label(name), current))))
        (filters(&format!("/app/admin/logs?scheme={}", scheme(params)), params, fields(params)))
        @if params.get("organizationId").is_some() { p.quiet { "Showing one organization." } }
        @if found.items.is_empty() { (none()) } @else {
            (table(staff, found)) (pager(found, &staff.here))
        }
    };
    staff.page("Logs", NavItem::AdminLogs, body)
}

fn label(scheme: &str) -> &'static str {
    match scheme {
        "admin" => "Staff",
        "console" => "Console",
        "external" => "External API",
        _ => "System",
    }
}

fn fields(params: &Params) -> Markup {
    html! {
        input type="hidden" name="scheme" value=(scheme(params));
        (hidden_param("organizationId", params))
        (search_box("search", "Search message, resource or user", params))
        (one_of("type", "Level", LEVELS, params))
        (pick("class", "Category", "Any category", [(Class::Audit.name(), "Changes and sign-ins"), (Class::Access.name(), "Reads")], params))
        (text_box("action", "Action", "Action, such as team.create", params))
        (day("startDate", "Start date", params))
        (day("endDate", "End date", params))
    }
}

fn none() -> Markup {
    empty(
        "No log entries found",
        "Try fewer filters or another area.",
        html! {
            a.button.plain href="/app/admin/logs" { "Clear filters" }
        },
    )
}

fn table(staff: &Staff, found: &Listing<LogRecord>) -> Markup {
    Table::new("Logs", &["Date", "Level", "Event", "User", "Resource"])
        .rows(&found.items, |it| row(staff, it))
        .show()
}

fn row(staff: &Staff, record: &LogRecord) -> Vec<Markup> {
    vec![
        ago(staff.now(), record.at),
        badge(&record.level.name().to_ascii_lowercase()),
        html! { p { (record.message) } code { (record.action) } (more(record)) },
        html! { (record.actor_name) },
        html! {
            p { (resource_label(&record.resource_type)) }
            @if let Some(name) = &record.resource_name { p.quiet { (name) } }
            @if let Some(tenant) = record.tenant { p { (super::owner(tenant, "View organization")) } }
        },
    ]
}

/// The collapsed details of an entry.
fn more(record: &LogRecord) -> Markup {
    let text = |it: Option<&str>| html! { (it.unwrap_or("–")) };
    html! {
        details.more {
            summary { "Details" span.hidden { " of " (record.action) " at " (exact(record.at)) } }
            (facts(&[
                ("Exact time", html! { (exact(record.at)) }),
                ("Resource ID", html! { code { (record.resource_id.as_deref().unwrap_or("–")) } }),
                ("User ID", html! { code { (record.actor_id.map(|it| it.to_string()).unwrap_or_default()) } }),
                ("IP address", text(record.address.as_deref())),
                ("User agent", text(record.user_agent.as_deref())),
                ("Duration", html! { (record.duration_micros / 1_000) " ms" }),
                ("Request ID", html! { code { (record.request_id.as_deref().unwrap_or("–")) } }),
                ("Data", html! { code { (record.details.to_string()) } }),
            ]))
        }
    }
}
