//! `/app/admin/sources`: the sources of all organizations, which staff can stop. Where scripts
//! run, the list refreshes every few seconds.

use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::id::SourceId;
use grantor_domain::source::StaffSourceQuery;
use grantor_service::watching::source::{self, StaffSource};
use maud::{Markup, html};

use super::owner;
use crate::frame::{Outcome, Params, Segment, Staff};
use crate::source::{next_scan, state_badge, state_words, what_is_read};
use crate::view::filter::{filters, one_of};
use crate::view::{NavItem, Table, confirm, empty, head, pager, pluralize, post_button};

const PAGE: &str = "/app/admin/sources";

const STATES: [(&str, &str); 3] =
    [("", "Stopped or not"), ("true", "Stopped"), ("false", "Not stopped")];

/// Lists all sources, newest first.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let stopped = params.get("stopped").map(str::parse::<bool>).transpose();
    let stopped = stopped.map_err(|_| Error::field("stopped", "must be one of true, false"))?;
    let query = StaffSourceQuery { page: params.page()?, stopped };
    let found = params.in_range(source::list_all(staff.app(), query).await?)?;
    let manages = staff.may(AdminRight::ManagePods);
    let heads = ["Source", "Organization", "What is read", "State", "Next scan", ""];
    let table = Table::new("Sources", &heads).rows(&found.items, |it| row(&staff, it));
    let question = "No source of any organization will be scanned until you resume it.";
    let body = html! {
        (head("Sources", "The addresses that organizations watch.", html! {
            @if manages && !found.items.is_empty() {
                (confirm("/app/admin/sources/stop", "Stop all", question, &[]))
            }
        }))
        (filters(PAGE, &params, one_of("stopped", "Stopped", STATES, &params)))
        @if found.items.is_empty() { (none(&params)) }
        @else { div data-live="sources" { (table.show()) } (pager(&found, &staff.here)) }
    };
    Ok(staff.page("Sources", NavItem::AdminSources, body))
}

fn row(staff: &Staff, StaffSource { listed, tenant_name }: &StaffSource) -> Vec<Markup> {
    let (now, source) = (staff.now(), &listed.source);
    let action = |verb: &str| format!("{PAGE}/{}/{verb}", source.id);
    vec![
        html! { strong { (source.name.as_str()) } p.quiet { (source.url) } },
        owner(source.tenant, tenant_name),
        html! { (what_is_read(listed)) },
        html! { (state_badge(listed)) p.quiet { (state_words(now, listed)) } },
        next_scan(now, listed),
        html! {
            @if staff.may(AdminRight::ManagePods) {
                @if source.stopped.is_some() { (post_button(&action("resume"), "Resume", &[])) }
                @else { (post_button(&action("stop"), "Stop", &[])) }
            }
        },
    ]
}

fn none(params: &Params) -> Markup {
    if params.has_filters() {
        let clear = html! { a.button.plain href=(PAGE) { "Clear filters" } };
        return empty("No sources found", "No sources match your filters.", clear);
    }
    let next = html! { a.button.plain href="/app/admin" { "View organizations" } };
    empty("No sources yet", "Sources appear here when organizations watch addresses.", next)
}

/// Stops a source. Its organization cannot resume it.
pub(crate) async fn stop(staff: Staff, Segment(id): Segment<SourceId>) -> Outcome {
    source::stop(staff.app(), staff.context(), id).await?;
    Ok(staff.redirect(PAGE, "Source stopped"))
}

/// Resumes a source that staff stopped.
pub(crate) async fn resume(staff: Staff, Segment(id): Segment<SourceId>) -> Outcome {
    source::resume(staff.app(), staff.context(), id).await?;
    Ok(staff.redirect(PAGE, "Source resumed"))
}

/// Stops all sources.
pub(crate) async fn stop_all(staff: Staff) -> Outcome {
    let stopped = source::stop_all(staff.app(), staff.context()).await?;
    let message = match stopped {
        0 => "No sources changed".to_owned(),
        _ => format!("{} stopped", pluralize(stopped, "source")),
    };
    Ok(staff.redirect(PAGE, &message))
}
