//! `/app/admin`, `/app/admin/organizations/{id}`: everybody's organizations.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::error::Fields;
use grantor_domain::id::TenantId;
use grantor_domain::organization::{OrganizationStatus, Plan};
use grantor_domain::role::TenantType;
use grantor_service::staff::{self, ListedTenant, TenantFilter};
use grantor_service::suspension::{TenantChanges, change_tenant};
use maud::{Markup, html};

use super::{named, owner};
use crate::frame::{Asked, Entered, Outcome, Segment, Staff};
use crate::view::filter::{filters, find, pick};
use crate::view::{
    Place, Table, ago, badge, card, confirm, empty, facts, form, head, pager, select, send,
};

/// All of them.
pub(crate) async fn list(staff: Staff, asked: Asked) -> Outcome {
    let found =
        asked.within(staff::tenants(staff.app(), read_filter(&asked)?, asked.page()?).await?)?;
    let heads = ["Name", "Type", "Plan", "Status", "Accounts", "Since"];
    let table = Table::new("Organizations", &heads).rows(&found.items, |it| row(&staff, it));
    let body = html! {
        (head("Organizations", "Everybody who has an account here.", html! {}))
        (filters("/app/admin", &asked, html! {
            (find("search", "Find a name", &asked))
            (pick("type", "Type", "Every type", named(TenantType::ALL.map(TenantType::name)), &asked))
            (pick("status", "Status", "Every status", named(OrganizationStatus::ALL.map(OrganizationStatus::name)), &asked))
            (pick("plan", "Plan", "Every plan", named(Plan::ALL.map(Plan::name)), &asked))
        }))
        @if found.items.is_empty() { (none(&asked)) } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page("Organizations", Place::AdminOrganizations, body))
}

fn read_filter(asked: &Asked) -> Result<TenantFilter, Error> {
    let mut fields = Fields::default();
    let filter = TenantFilter {
        search: asked.get("search").and_then(|it| fields.take("search", staff::search(it))),
        kind: asked.get("type").and_then(|it| fields.take("type", it.parse())),
        status: asked.get("status").and_then(|it| fields.take("status", it.parse())),
        plan: asked.get("plan").and_then(|it| fields.take("plan", it.parse())),
    };
    fields.finish()?;
    Ok(filter)
}

fn row(staff: &Staff, ListedTenant { tenant, member_count }: &ListedTenant) -> Vec<Markup> {
    vec![
        owner(tenant.id, &tenant.name),
        html! { (tenant.kind.name()) },
        html! { (tenant.plan.name()) },
        badge(tenant.status.name()),
        html! { (member_count) },
        ago(staff.now(), tenant.created_at),
    ]
}

fn none(asked: &Asked) -> Markup {
    if asked.narrows() {
        return empty(
            "No such organization",
            "Ask for less, or for another part of the name.",
            html! {
                a.button.plain href="/app/admin" { "Show all" }
            },
        );
    }
    empty(
        "Nobody is here yet",
        "The first organization appears when somebody signs up.",
        html! {
            a.button.plain href="/app/sign-up" { "See the sign-up page" }
        },
    )
}

/// One.
pub(crate) async fn show(staff: Staff, Segment(id): Segment<TenantId>) -> Outcome {
    let found = staff::tenant(staff.app(), id).await?;
    let entered = Entered::default().with("plan", found.tenant.plan.name());
    Ok(draw(&staff, &found, &entered))
}

fn draw(staff: &Staff, found: &ListedTenant, entered: &Entered) -> Response {
    let ListedTenant { tenant, member_count } = found;
    let of = |page: &str| format!("/app/admin/{page}organizationId={}", tenant.id);
    let body = html! {
        (head(&tenant.name, "", html! { a.button.plain href="/app/admin" { "All organizations" } }))
        div.split {
            (card("Record", facts(&[
                ("Status", badge(tenant.status.name())),
                ("Plan", html! { (tenant.plan.name()) }),
                ("Type", html! { (tenant.kind.name()) }),
                ("About", html! { (tenant.description.as_deref().unwrap_or("–")) }),
                ("Accounts", html! { (member_count) }),
                ("Since", ago(staff.now(), tenant.created_at)),
                ("Id", html! { code { (tenant.id) } }),
                ("More", html! {
                    p { a href=(of("licenses?")) { "Its licenses" } }
                    p { a href=(of("platforms?")) { "Its platforms" } }
                    p { a href=(of("logs?scheme=console&")) { "Its log" } }
                }),
            ])))
            div {
                @if staff.may(AdminRight::SetPlan) { (card("Plan", plan_form(tenant.id, entered))) }
                @if staff.may(AdminRight::Suspend) { (card("Access", access(tenant.id, tenant.status))) }
            }
        }
    };
    staff.page(&tenant.name, Place::AdminOrganizations, body)
}

fn plan_form(id: TenantId, entered: &Entered) -> Markup {
    let plans: Vec<_> = named(Plan::ALL.map(Plan::name)).collect();
    let hint = "No card pays for it: a subscription they pay for ends.";
    let inside = select("plan", "Plan", Some(hint), &plans, entered);
    form(&format!("/app/admin/organizations/{id}/plan"), entered, inside, "Set the plan")
}

fn access(id: TenantId, status: OrganizationStatus) -> Markup {
    let action = format!("/app/admin/organizations/{id}/status");
    match status {
        OrganizationStatus::Active => html! {
            p { "Its people and API clients can act." }
            (confirm(&action, "Suspend", "Its people and API clients are locked out at once, until you let them act again.", &[("status", "suspended")]))
        },
        OrganizationStatus::Suspended => html! {
            p { "Its people and API clients are locked out." }
            (send(&action, "Let them act again", &[("status", "active")]))
        },
    }
}

/// Suspends it, or lets it act again.
pub(crate) async fn set_status(
    staff: Staff,
    Segment(id): Segment<TenantId>,
    entered: Entered,
) -> Outcome {
    let status = entered.get("status").parse::<OrganizationStatus>();
    let status = status.map_err(|it| Error::field("status", it))?;
    let changes = TenantChanges { status: Some(status), plan: None };
    change_tenant(staff.app(), staff.context(), id, changes).await?;
    let said = match status {
        OrganizationStatus::Active => "The organization can act again",
        OrganizationStatus::Suspended => "The organization is suspended",
    };
    Ok(staff.went(format!("/app/admin/organizations/{id}"), said))
}

/// Puts it on another plan.
pub(crate) async fn set_plan(
    staff: Staff,
    Segment(id): Segment<TenantId>,
    entered: Entered,
) -> Outcome {
    let changed = async {
        let plan = entered.get("plan").parse::<Plan>().map_err(|it| Error::field("plan", it))?;
        let changes = TenantChanges { status: None, plan: Some(plan) };
        change_tenant(staff.app(), staff.context(), id, changes).await
    };
    match changed.await {
        Ok(_) => Ok(staff
            .went(format!("/app/admin/organizations/{id}"), "The organization has another plan")),
        Err(error) => {
            let found = staff::tenant(staff.app(), id).await?;
            Ok(staff.again(error, entered, |entered| draw(&staff, &found, entered)))
        }
    }
}
