//! `/app/admin/logs`: everybody's log, of one surface at a time.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::audit::{Class, Level, Scheme};
use grantor_domain::error::Fields;
use grantor_domain::log::{AskedLogs, LogFilter};
use grantor_domain::page::{Listing, Page};
use grantor_service::log::{self, AskedByStaff, LogRecord};
use maud::{Markup, html};

use super::{capital, named};
use crate::frame::{Asked, Outcome, Staff};
use crate::view::filter::{day, exactly, filters, find, kept, pick};
use crate::view::part::with_query;
use crate::view::time::exact;
use crate::view::{Place, Table, ago, badge, empty, facts, head, pager, tabs};

/// The entries of one surface; the console's where none is named.
pub(crate) async fn list(staff: Staff, asked: Asked) -> Outcome {
    let (read, page) = read(&asked)?;
    let found = asked.within(log::list_all(staff.app(), read, page).await?)?;
    Ok(draw(&staff, &asked, &found))
}

fn scheme(asked: &Asked) -> &str {
    asked.get("scheme").unwrap_or(Scheme::Console.name())
}

fn read(asked: &Asked) -> Result<(AskedByStaff, Page), Error> {
    let mut fields = Fields::default();
    let scheme = fields.take("scheme", scheme(asked).parse::<Scheme>());
    let tenant = asked.get("organizationId");
    let tenant = tenant.and_then(|it| fields.take("organizationId", it.parse()));
    let filter = fields.take_all(LogFilter::parse(AskedLogs {
        level: asked.get("type"),
        class: asked.get("class"),
        start: asked.get("startDate"),
        end: asked.get("endDate"),
        action: asked.get("action"),
        search: asked.get("search"),
    }));
    let page = fields.take_all(asked.page());
    fields.finish()?;
    let (Some(scheme), Some(filter), Some(page)) = (scheme, filter, page) else {
        return Err(Error::validation("The query does not read"));
    };
    Ok((AskedByStaff { scheme, tenant, filter }, page))
}

fn draw(staff: &Staff, asked: &Asked, found: &Listing<LogRecord>) -> Response {
    let here = with_query(&staff.here, "scheme", "");
    let ways = Scheme::ALL
        .map(|it| (with_query(&here, "scheme", it.name()), it.name(), scheme(asked) == it.name()));
    let body = html! {
        (head("Log", "Who did what, and when.", html! {}))
        (tabs("Surface", &ways.map(|(address, name, here)| (address, word(name), here))))
        (filters(&format!("/app/admin/logs?scheme={}", scheme(asked)), asked, fields(asked)))
        @if asked.get("organizationId").is_some() { p.quiet { "Of one organization only." } }
        @if found.items.is_empty() { (none()) } @else {
            (table(staff, found)) (pager(found, &staff.here))
        }
    };
    staff.page("Log", Place::AdminLogs, body)
}

fn word(scheme: &str) -> &'static str {
    match scheme {
        "admin" => "Staff",
        "console" => "Console",
        "external" => "External API",
        _ => "System",
    }
}

fn fields(asked: &Asked) -> Markup {
    html! {
        input type="hidden" name="scheme" value=(scheme(asked));
        (kept("organizationId", asked))
        (find("search", "Find in message, resource or user", asked))
        (pick("type", "Level", "Every level", named(Level::ALL.map(Level::name)), asked))
        (pick("class", "Kind", "Changes and looks", [(Class::Audit.name(), "Changes"), (Class::Access.name(), "Looks")], asked))
        (exactly("action", "Action", "Action, such as team.create", asked))
        (day("startDate", "From", asked))
        (day("endDate", "To", asked))
    }
}

fn none() -> Markup {
    empty(
        "No such entry",
        "Ask for less, or look at another surface.",
        html! {
            a.button.plain href="/app/admin/logs" { "Show all" }
        },
    )
}

fn table(staff: &Staff, found: &Listing<LogRecord>) -> Markup {
    Table::new("Log", &["When", "Level", "What", "Who", "About"])
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
            p { (capital(&super::words(&record.resource_type))) }
            @if let Some(name) = &record.resource_name { p.quiet { (name) } }
            @if let Some(tenant) = record.tenant { p { (super::owner(tenant, "Its organization")) } }
        },
    ]
}

/// The rest of an entry, on demand.
fn more(record: &LogRecord) -> Markup {
    let text = |it: Option<&str>| html! { (it.unwrap_or("–")) };
    html! {
        details.more {
            summary { "Details" span.hidden { " of " (record.action) " at " (exact(record.at)) } }
            (facts(&[
                ("Exactly", html! { (exact(record.at)) }),
                ("Resource", html! { code { (record.resource_id.as_deref().unwrap_or("–")) } }),
                ("User", html! { code { (record.actor_id.map(|it| it.to_string()).unwrap_or_default()) } }),
                ("From", text(record.address.as_deref())),
                ("With", text(record.user_agent.as_deref())),
                ("Took", html! { (record.duration_micros / 1_000) " ms" }),
                ("Request", html! { code { (record.request_id.as_deref().unwrap_or("–")) } }),
                ("More", html! { code { (record.details.to_string()) } }),
            ]))
        }
    }
}
