//! `/app/admin/licenses`: all licenses, without their terms and fees.

use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::license::LicenseStatus;
use grantor_domain::search::SearchQuery;
use grantor_service::licensing::license::LicenseRecord;
use grantor_service::operations::staff::{self, LicenseFilter};
use maud::{Markup, html};

use super::{named, owner};
use crate::frame::{Outcome, Params, Staff};
use crate::license::{type_label, types};
use crate::view::filter::{filters, hidden_param, pick, search_box};
use crate::view::{NavItem, Table, ago, badge, day, empty, head, pager};

/// Lists licenses.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let found = params
        .in_range(staff::licenses(staff.app(), read_filter(&params)?, params.page()?).await?)?;
    let heads = ["Name", "Talent", "Type", "Status", "Organization", "Images", "Ends", "Updated"];
    let table = Table::new("Licenses", &heads).rows(&found.items, |it| row(&staff, it));
    let body = html! {
        (head("Licenses", "All licenses on this server. Terms and fees are hidden.", html! {}))
        (filters("/app/admin/licenses", &params, html! {
            (search_box("search", "Search by name", &params))
            (pick("type", "Type", "Any type", types(), &params))
            (pick("status", "Status", "Any status", named(LicenseStatus::ALL.map(LicenseStatus::name)), &params))
            (hidden_param("organizationId", &params))
        }))
        @if params.get("organizationId").is_some() { p.quiet { "Showing one organization." } }
        @if found.items.is_empty() { (none(&params)) } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page("Licenses", NavItem::AdminLicenses, body))
}

fn read_filter(params: &Params) -> Result<LicenseFilter, Error> {
    let mut fields = Fields::default();
    let tenant = params.get("organizationId");
    let search = SearchQuery::parse(params.get("search").unwrap_or_default());
    let filter = LicenseFilter {
        search: fields.take("search", search).flatten(),
        tenant: tenant.and_then(|it| fields.take("organizationId", it.parse())),
        license_type: params.get("type").and_then(|it| fields.take("type", it.parse())),
        status: params.get("status").and_then(|it| fields.take("status", it.parse())),
    };
    fields.finish()?;
    Ok(filter)
}

fn row(staff: &Staff, (shown, status): &(LicenseRecord, LicenseStatus)) -> Vec<Markup> {
    let license = &shown.license;
    vec![
        html! { strong { (license.title.as_str()) } },
        html! { (shown.talent_name) },
        html! { (type_label(license.license_type)) },
        badge(status.name()),
        owner(license.tenant, &shown.owner_name),
        html! { (license.image_count) },
        license.expires_at.map_or_else(|| html! { span.quiet { "never" } }, day),
        ago(staff.now(), license.updated_at),
    ]
}

fn none(params: &Params) -> Markup {
    if params.has_filters() {
        return empty(
            "No licenses found",
            "Try another name or fewer filters.",
            html! {
                a.button.plain href="/app/admin/licenses" { "Clear filters" }
            },
        );
    }
    empty(
        "No licenses yet",
        "Licenses appear here when agencies and talents create them.",
        html! {
            a.button.plain href="/app/admin" { "View organizations" }
        },
    )
}
