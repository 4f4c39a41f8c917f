//! `/app/admin/licenses`: everybody's licenses, without their terms and fees.

use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::license::LicenseStatus;
use grantor_domain::search::SearchQuery;
use grantor_service::license::Shown;
use grantor_service::staff::{self, LicenseFilter};
use maud::{Markup, html};

use super::{license_types, named, owner};
use crate::frame::{Asked, Outcome, Staff};
use crate::view::filter::{filters, find, kept, pick};
use crate::view::words;
use crate::view::{Place, Table, ago, badge, day, empty, head, pager};

/// All of them.
pub(crate) async fn list(staff: Staff, asked: Asked) -> Outcome {
    let found =
        asked.within(staff::licenses(staff.app(), read_filter(&asked)?, asked.page()?).await?)?;
    let heads = ["Name", "Talent", "Type", "Status", "Organization", "Pictures", "Ends", "Changed"];
    let table = Table::new("Licenses", &heads).rows(&found.items, |it| row(&staff, it));
    let body = html! {
        (head("Licenses", "What everybody has licensed: no terms, no fees.", html! {}))
        (filters("/app/admin/licenses", &asked, html! {
            (find("search", "Find a name", &asked))
            (pick("type", "Type", "Every type", license_types(), &asked))
            (pick("status", "Status", "Every status", named(LicenseStatus::ALL.map(LicenseStatus::name)), &asked))
            (kept("organizationId", &asked))
        }))
        @if asked.get("organizationId").is_some() { p.quiet { "Of one organization only." } }
        @if found.items.is_empty() { (none(&asked)) } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page("Licenses", Place::AdminLicenses, body))
}

fn read_filter(asked: &Asked) -> Result<LicenseFilter, Error> {
    let mut fields = Fields::default();
    let tenant = asked.get("organizationId");
    let search = SearchQuery::parse(asked.get("search").unwrap_or_default());
    let filter = LicenseFilter {
        search: fields.take("search", search).flatten(),
        tenant: tenant.and_then(|it| fields.take("organizationId", it.parse())),
        license_type: asked.get("type").and_then(|it| fields.take("type", it.parse())),
        status: asked.get("status").and_then(|it| fields.take("status", it.parse())),
    };
    fields.finish()?;
    Ok(filter)
}

fn row(staff: &Staff, (shown, status): &(Shown, LicenseStatus)) -> Vec<Markup> {
    let license = &shown.license;
    vec![
        html! { strong { (license.title.as_str()) } },
        html! { (shown.talent_name) },
        html! { (words(license.license_type.key())) },
        badge(status.name()),
        owner(license.tenant, &shown.owner_name),
        html! { (license.image_count) },
        license.expires_at.map_or_else(|| html! { span.quiet { "never" } }, day),
        ago(staff.now(), license.updated_at),
    ]
}

fn none(asked: &Asked) -> Markup {
    if asked.narrows() {
        return empty(
            "No such license",
            "Ask for less, or for another name.",
            html! {
                a.button.plain href="/app/admin/licenses" { "Show all" }
            },
        );
    }
    empty(
        "No licenses yet",
        "They appear as agencies and talents record them.",
        html! {
            a.button.plain href="/app/admin" { "See the organizations" }
        },
    )
}
