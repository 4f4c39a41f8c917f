//! `/app/admin/platforms`: all platforms.

use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::error::Fields;
use grantor_service::operations::staff::{self, ListedPlatform, PlatformFilter};
use maud::{Markup, html};

use super::owner;
use crate::frame::{Outcome, Params, Staff};
use crate::view::component::with_query;
use crate::view::filter::{filters, hidden_param, search_box};
use crate::view::{NavItem, Table, ago, badge, empty, head, pager};

/// Lists platforms.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let found = params
        .in_range(staff::platforms(staff.app(), read_filter(&params)?, params.page()?).await?)?;
    let heads = ["Name", "Domain", "Type", "Status", "Organization", "Added", ""];
    let table = Table::new("Platforms", &heads).rows(&found.items, |it| row(&staff, it));
    let body = html! {
        (head("Platforms", "All platforms on this server.", html! {}))
        (filters("/app/admin/platforms", &params, html! {
            (search_box("search", "Search by name or domain", &params))
            (hidden_param("organizationId", &params))
        }))
        @if params.get("organizationId").is_some() { p.quiet { "Showing one organization." } }
        @if found.items.is_empty() { (none(&params)) } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page("Platforms", NavItem::AdminPlatforms, body))
}

fn read_filter(params: &Params) -> Result<PlatformFilter, Error> {
    let mut fields = Fields::default();
    let tenant = params.get("organizationId");
    let filter = PlatformFilter {
        search: params.get("search").and_then(|it| fields.take("search", staff::search(it))),
        tenant: tenant.and_then(|it| fields.take("organizationId", it.parse())),
    };
    fields.finish()?;
    Ok(filter)
}

fn row(staff: &Staff, listed: &ListedPlatform) -> Vec<Markup> {
    let ListedPlatform { platform, owner_name, pod } = listed;
    let domain = platform.domain.as_str();
    let new = with_query("/app/admin/pods/new", "search", domain);
    let new = with_query(&new, "platform", &platform.id.to_string());
    vec![
        html! { strong { (platform.name.as_str()) } },
        html! { code { (domain) } },
        html! { (platform.kind.name()) },
        badge(platform.status().name()),
        owner(platform.tenant, owner_name),
        ago(staff.now(), platform.created_at),
        html! {
            @if let Some(pod) = pod {
                a href={ "/app/admin/pods/" (pod) } aria-label={ "View scanner of " (platform.name.as_str()) } { "View scanner" }
            } @else if staff.may(AdminRight::ManagePods) {
                a href=(new) aria-label={ "New scanner for " (platform.name.as_str()) } { "New scanner" }
            }
        },
    ]
}

fn none(params: &Params) -> Markup {
    if params.has_filters() {
        return empty(
            "No platforms found",
            "Try another name or domain.",
            html! {
                a.button.plain href="/app/admin/platforms" { "Clear filters" }
            },
        );
    }
    empty(
        "No platforms yet",
        "Platforms appear here when organizations add their sites.",
        html! {
            a.button.plain href="/app/admin" { "View organizations" }
        },
    )
}
