//! `/app/admin/platforms`: everybody's platforms.

use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::error::Fields;
use grantor_service::staff::{self, ListedPlatform, PlatformFilter};
use maud::{Markup, html};

use super::owner;
use crate::frame::{Asked, Outcome, Staff};
use crate::view::filter::{filters, find, kept};
use crate::view::part::with_query;
use crate::view::{Place, Table, ago, badge, empty, head, pager};

/// All of them.
pub(crate) async fn list(staff: Staff, asked: Asked) -> Outcome {
    let found =
        asked.within(staff::platforms(staff.app(), read_filter(&asked)?, asked.page()?).await?)?;
    let heads = ["Name", "Domain", "Type", "Status", "Organization", "Since", ""];
    let table = Table::new("Platforms", &heads).rows(&found.items, |it| row(&staff, it));
    let body = html! {
        (head("Platforms", "Every site that asked to be watched.", html! {}))
        (filters("/app/admin/platforms", &asked, html! {
            (find("search", "Find a name or a domain", &asked))
            (kept("organizationId", &asked))
        }))
        @if asked.get("organizationId").is_some() { p.quiet { "Of one organization only." } }
        @if found.items.is_empty() { (none(&asked)) } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page("Platforms", Place::AdminPlatforms, body))
}

fn read_filter(asked: &Asked) -> Result<PlatformFilter, Error> {
    let mut fields = Fields::default();
    let tenant = asked.get("organizationId");
    let filter = PlatformFilter {
        search: asked.get("search").and_then(|it| fields.take("search", staff::search(it))),
        tenant: tenant.and_then(|it| fields.take("organizationId", it.parse())),
    };
    fields.finish()?;
    Ok(filter)
}

fn row(staff: &Staff, ListedPlatform { platform, owner_name }: &ListedPlatform) -> Vec<Markup> {
    let domain = platform.domain.as_str();
    let pod = with_query("/app/admin/pods/new", "search", domain);
    let pod = with_query(&pod, "platform", &platform.id.to_string());
    vec![
        html! { strong { (platform.name.as_str()) } },
        html! { code { (domain) } },
        html! { (platform.kind.name()) },
        badge(platform.status().name()),
        owner(platform.tenant, owner_name),
        ago(staff.now(), platform.created_at),
        html! {
            @if staff.may(AdminRight::ManagePods) {
                a href=(pod) aria-label={ "New pod for " (platform.name.as_str()) } { "New pod" }
            }
        },
    ]
}

fn none(asked: &Asked) -> Markup {
    if asked.narrows() {
        return empty(
            "No such platform",
            "Try another part of its name or domain.",
            html! {
                a.button.plain href="/app/admin/platforms" { "Show all" }
            },
        );
    }
    empty(
        "No platforms yet",
        "Organizations add the sites they run; then pods can watch them.",
        html! {
            a.button.plain href="/app/admin" { "See the organizations" }
        },
    )
}
