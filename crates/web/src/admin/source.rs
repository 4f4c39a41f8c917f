//! `/app/admin/sources`: the sources of all organizations, which staff can stop. Where scripts
//! run, the list refreshes every few seconds.

use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::id::SourceId;
use grantor_domain::source::StaffSourceQuery;
use grantor_messages::text;
use grantor_service::watching::source::{self, StaffSource};
use maud::{Markup, html};

use super::owner;
use crate::frame::{Outcome, Params, Segment, Staff};
use crate::source::{next_scan, state_badge, state_words, what_is_read};
use crate::view::export::export_links;
use crate::view::filter::{filters, one_of};
use crate::view::live::live_list;
use crate::view::{NavItem, Table, confirm, empty, head, pager, post_button, tabs};

const PAGE: &str = "/app/admin/sources";

fn states() -> [(&'static str, &'static str); 3] {
    [
        ("", text!("admin-sources-any")),
        ("true", text!("admin-sources-stopped")),
        ("false", text!("admin-sources-not-stopped")),
    ]
}

/// Lists all sources, newest first.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let stopped = params.get("stopped").map(str::parse::<bool>).transpose();
    let stopped = stopped.map_err(|_| Error::field("stopped", "must be one of true, false"))?;
    let failing = params.get("failing").is_some();
    let query = StaffSourceQuery { page: params.page()?, stopped, failing };
    let found = params.in_range(source::list_all(staff.app(), query).await?)?;
    let manages = staff.may(AdminRight::ManagePods);
    let title = text!("admin-sources");
    let heads = [
        text!("admin-source"),
        text!("admin-organization"),
        text!("admin-source-read"),
        text!("admin-source-state"),
        text!("admin-source-next"),
        "",
    ];
    let table = Table::new(title, &heads).keyed_rows(
        &found.items,
        |it| it.listed.source.id,
        |it| row(&staff, it),
    );
    let words = (text!("admin-source-new"), text!("admin-sources-new"));
    let question = text!("admin-sources-stop-question");
    let body = html! {
        (head(title, text!("admin-sources-lead"), html! {
            @if manages && !found.items.is_empty() {
                (confirm("/app/admin/sources/stop", text!("admin-sources-stop-all"), question, &[]))
            }
            (export_links("/app/admin/export/sources", &staff.here))
        }))
        (tabs(title, &[
            (PAGE.to_owned(), text!("word-all"), !failing),
            (format!("{PAGE}?failing=true"), text!("admin-sources-unreadable"), failing),
        ]))
        @if !failing { (filters(PAGE, &params, one_of("stopped", text!("admin-sources-stopped"), states(), &params))) }
        @if found.items.is_empty() { (none(&params)) }
        @else {
            (live_list(&staff, "sources", words, &found, table.show()))
            (pager(&found, &staff.here))
        }
    };
    Ok(staff.page(title, NavItem::AdminSources, body))
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
                @if source.stopped.is_some() { (post_button(&action("resume"), text!("admin-source-resume"), &[])) }
                @else { (post_button(&action("stop"), text!("admin-source-stop"), &[])) }
            }
        },
    ]
}

fn none(params: &Params) -> Markup {
    if params.has_filters() {
        let clear = html! { a.button.plain href=(PAGE) { (text!("admin-clear-filters")) } };
        let why = text!("admin-sources-none-found-why");
        return empty(text!("admin-sources-none-found"), why, clear);
    }
    let next = html! {
        a.button.plain href="/app/admin/organizations" { (text!("admin-organizations-view")) }
    };
    empty(text!("admin-sources-none"), text!("admin-sources-none-why"), next)
}

/// Stops a source. Its organization cannot resume it.
pub(crate) async fn stop(staff: Staff, Segment(id): Segment<SourceId>) -> Outcome {
    source::stop(staff.app(), staff.context(), id).await?;
    Ok(staff.redirect(PAGE, text!("admin-source-was-stopped")))
}

/// Resumes a source that staff stopped.
pub(crate) async fn resume(staff: Staff, Segment(id): Segment<SourceId>) -> Outcome {
    source::resume(staff.app(), staff.context(), id).await?;
    Ok(staff.redirect(PAGE, text!("admin-source-was-resumed")))
}

/// Stops all sources.
pub(crate) async fn stop_all(staff: Staff) -> Outcome {
    let stopped = source::stop_all(staff.app(), staff.context()).await?;
    let message = text!("admin-sources-were-stopped", count = stopped);
    Ok(staff.redirect(PAGE, &message))
}
