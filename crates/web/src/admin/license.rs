//! `/app/admin/licenses`: all licenses, without their terms and fees.

use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::license::LicenseStatus;
use grantor_domain::search::SearchQuery;
use grantor_messages::text;
use grantor_service::licensing::license::LicenseRecord;
use grantor_service::operations::staff::{self, LicenseFilter};
use maud::{Markup, html};

use super::{named, owner};
use crate::frame::{Outcome, Params, Staff};
use crate::license::{type_label, types};
use crate::view::export::export_links;
use crate::view::filter::{filters, hidden_param, pick, search_box};
use crate::view::{NavItem, Table, ago, badge, day, empty, head, pager};

/// Lists licenses.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let found = params
        .in_range(staff::licenses(staff.app(), read_filter(&params)?, params.page()?).await?)?;
    let title = text!("admin-licenses");
    let heads = [
        text!("word-name"),
        text!("admin-license-talent"),
        text!("word-type"),
        text!("word-status"),
        text!("admin-organization"),
        text!("admin-license-images"),
        text!("admin-license-ends"),
        text!("word-updated"),
    ];
    let statuses = named(LicenseStatus::ALL.map(LicenseStatus::name));
    let table = Table::new(title, &heads).rows(&found.items, |it| row(&staff, it));
    let body = html! {
        (head(title, text!("admin-licenses-lead"), export_links("/app/admin/export/licenses", &staff.here)))
        (filters("/app/admin/licenses", &params, html! {
            (search_box("search", text!("admin-search-name"), &params))
            (pick("type", text!("word-type"), text!("admin-any-type"), types(), &params))
            (pick("status", text!("word-status"), text!("admin-any-status"), statuses, &params))
            (hidden_param("organizationId", &params))
        }))
        @if params.get("organizationId").is_some() { p.quiet { (text!("admin-one-organization")) } }
        @if found.items.is_empty() { (none(&params)) } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page(title, NavItem::AdminLicenses, body))
}

pub(crate) fn read_filter(params: &Params) -> Result<LicenseFilter, Error> {
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
        license.expires_at.map_or_else(|| html! { span.quiet { (text!("admin-never")) } }, day),
        ago(staff.now(), license.updated_at),
    ]
}

fn none(params: &Params) -> Markup {
    if params.has_filters() {
        return empty(
            text!("admin-licenses-none-found"),
            text!("admin-fewer-filters"),
            html! {
                a.button.plain href="/app/admin/licenses" { (text!("admin-clear-filters")) }
            },
        );
    }
    empty(
        text!("admin-licenses-none"),
        text!("admin-licenses-none-why"),
        html! {
            a.button.plain href="/app/admin/organizations" { (text!("admin-organizations-view")) }
        },
    )
}
