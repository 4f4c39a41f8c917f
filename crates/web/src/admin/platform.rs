//! `/app/admin/platforms`: all platforms.

use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::error::Fields;
use grantor_messages::text;
use grantor_service::operations::staff::{self, ListedPlatform, PlatformFilter};
use maud::{Markup, html};

use super::{label, owner};
use crate::frame::{Outcome, Params, Staff};
use crate::view::component::with_query;
use crate::view::export::export_links;
use crate::view::filter::{filters, hidden_param, search_box};
use crate::view::{NavItem, Table, ago, badge, empty, head, pager};

/// Lists platforms.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let found = params
        .in_range(staff::platforms(staff.app(), read_filter(&params)?, params.page()?).await?)?;
    let title = text!("admin-platforms");
    let heads = [
        text!("word-name"),
        text!("admin-platform-domain"),
        text!("word-type"),
        text!("word-status"),
        text!("admin-organization"),
        text!("admin-added"),
        "",
    ];
    let table = Table::new(title, &heads).rows(&found.items, |it| row(&staff, it));
    let body = html! {
        (head(title, text!("admin-platforms-lead"), export_links("/app/admin/export/platforms", &staff.here)))
        (filters("/app/admin/platforms", &params, html! {
            (search_box("search", text!("admin-platforms-search"), &params))
            (hidden_param("organizationId", &params))
        }))
        @if params.get("organizationId").is_some() { p.quiet { (text!("admin-one-organization")) } }
        @if found.items.is_empty() { (none(&params)) } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page(title, NavItem::AdminPlatforms, body))
}

pub(crate) fn read_filter(params: &Params) -> Result<PlatformFilter, Error> {
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
        html! { (label("admin-platform-type", platform.kind.name())) },
        badge(platform.status().name()),
        owner(platform.tenant, owner_name),
        ago(staff.now(), platform.created_at),
        html! {
            @if let Some(pod) = pod {
                a href={ "/app/admin/pods/" (pod) } aria-label=(text!("admin-platform-scanner-of", name = platform.name.as_str())) { (text!("admin-platform-scanner")) }
            } @else if staff.may(AdminRight::ManagePods) {
                a href=(new) aria-label=(text!("admin-scanner-new-for", name = platform.name.as_str())) { (text!("admin-scanner-new")) }
            }
        },
    ]
}

fn none(params: &Params) -> Markup {
    if params.has_filters() {
        return empty(
            text!("admin-platforms-none-found"),
            text!("admin-platforms-none-found-why"),
            html! {
                a.button.plain href="/app/admin/platforms" { (text!("admin-clear-filters")) }
            },
        );
    }
    empty(
        text!("admin-platforms-none"),
        text!("admin-platforms-none-why"),
        html! {
            a.button.plain href="/app/admin/organizations" { (text!("admin-organizations-view")) }
        },
    )
}
