//! `/app/admin`, `/app/admin/organizations/{id}`: all organizations.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::error::Fields;
use grantor_domain::id::TenantId;
use grantor_domain::organization::{OrganizationStatus, Plan};
use grantor_domain::role::TenantType;
use grantor_service::operations::staff::{self, ListedTenant, TenantFilter};
use grantor_service::organizations::suspension::{TenantChanges, change_tenant};
use maud::{Markup, html};

use super::{named, owner};
use crate::frame::{FormData, Outcome, Params, Segment, Staff};
use crate::view::filter::{filters, pick, search_box};
use crate::view::{
    NavItem, Table, ago, badge, card, confirm, empty, facts, form, head, pager, post_button, select,
};

/// Lists organizations.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let found = params
        .in_range(staff::tenants(staff.app(), read_filter(&params)?, params.page()?).await?)?;
    let heads = ["Name", "Type", "Plan", "Status", "Users", "Created"];
    let table = Table::new("Organizations", &heads).rows(&found.items, |it| row(&staff, it));
    let body = html! {
        (head("Organizations", "All organizations and individuals on this server.", html! {}))
        (filters("/app/admin", &params, html! {
            (search_box("search", "Search by name", &params))
            (pick("type", "Type", "Any type", named(TenantType::ALL.map(TenantType::name)), &params))
            (pick("status", "Status", "Any status", named(OrganizationStatus::ALL.map(OrganizationStatus::name)), &params))
            (pick("plan", "Plan", "Any plan", named(Plan::ALL.map(Plan::name)), &params))
        }))
        @if found.items.is_empty() { (none(&params)) } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page("Organizations", NavItem::AdminOrganizations, body))
}

fn read_filter(params: &Params) -> Result<TenantFilter, Error> {
    let mut fields = Fields::default();
    let filter = TenantFilter {
        search: params.get("search").and_then(|it| fields.take("search", staff::search(it))),
        kind: params.get("type").and_then(|it| fields.take("type", it.parse())),
        status: params.get("status").and_then(|it| fields.take("status", it.parse())),
        plan: params.get("plan").and_then(|it| fields.take("plan", it.parse())),
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

fn none(params: &Params) -> Markup {
    if params.has_filters() {
        return empty(
            "No organizations found",
            "Try another name or fewer filters.",
            html! {
                a.button.plain href="/app/admin" { "Clear filters" }
            },
        );
    }
    empty(
        "No organizations yet",
        "Organizations appear here when they sign up.",
        html! {
            a.button.plain href="/app/sign-up" { "Open sign-up page" }
        },
    )
}

/// Shows an organization.
pub(crate) async fn show(staff: Staff, Segment(id): Segment<TenantId>) -> Outcome {
    let found = staff::tenant(staff.app(), id).await?;
    let entered = FormData::default().with("plan", found.tenant.plan.name());
    Ok(draw(&staff, &found, &entered))
}

fn draw(staff: &Staff, found: &ListedTenant, entered: &FormData) -> Response {
    let ListedTenant { tenant, member_count } = found;
    let link = |page: &str| format!("/app/admin/{page}organizationId={}", tenant.id);
    let body = html! {
        (head(&tenant.name, "", html! { a.button.plain href="/app/admin" { "All organizations" } }))
        div.split {
            (card("Details", facts(&[
                ("Status", badge(tenant.status.name())),
                ("Plan", html! { (tenant.plan.name()) }),
                ("Type", html! { (tenant.kind.name()) }),
                ("Description", html! { (tenant.description.as_deref().unwrap_or("–")) }),
                ("Users", html! { (member_count) }),
                ("Created", ago(staff.now(), tenant.created_at)),
                ("ID", html! { code { (tenant.id) } }),
                ("Links", html! {
                    p { a href=(link("licenses?")) { "Licenses" } }
                    p { a href=(link("platforms?")) { "Platforms" } }
                    p { a href=(link("logs?scheme=console&")) { "Logs" } }
                }),
            ])))
            div {
                @if staff.may(AdminRight::SetPlan) { (card("Plan", plan_form(tenant.id, entered))) }
                @if staff.may(AdminRight::Suspend) { (card("Access", access(tenant.id, tenant.status))) }
            }
        }
    };
    staff.page(&tenant.name, NavItem::AdminOrganizations, body)
}

fn plan_form(id: TenantId, entered: &FormData) -> Markup {
    let plans: Vec<_> = named(Plan::ALL.map(Plan::name)).collect();
    let hint = "The organization isn't charged, and any paid subscription ends.";
    let inside = select("plan", "Plan", Some(hint), &plans, entered);
    form(&format!("/app/admin/organizations/{id}/plan"), entered, inside, "Change plan")
}

fn access(id: TenantId, status: OrganizationStatus) -> Markup {
    let action = format!("/app/admin/organizations/{id}/status");
    match status {
        OrganizationStatus::Active => html! {
            p { "Users and API clients have access." }
            (confirm(&action, "Suspend", "Users and API clients will lose access until you reactivate the organization.", &[("status", "suspended")]))
        },
        OrganizationStatus::Suspended => html! {
            p { "Users and API clients have no access." }
            (post_button(&action, "Reactivate", &[("status", "active")]))
        },
    }
}

/// Suspends or reactivates an organization.
pub(crate) async fn set_status(
    staff: Staff,
    Segment(id): Segment<TenantId>,
    entered: FormData,
) -> Outcome {
    let status = entered.get("status").parse::<OrganizationStatus>();
    let status = status.map_err(|it| Error::field("status", it))?;
    let changes = TenantChanges { status: Some(status), plan: None };
    change_tenant(staff.app(), staff.context(), id, changes).await?;
    let message = match status {
        OrganizationStatus::Active => "Organization reactivated",
        OrganizationStatus::Suspended => "Organization suspended",
    };
    Ok(staff.redirect(format!("/app/admin/organizations/{id}"), message))
}

/// Changes an organization's plan.
pub(crate) async fn set_plan(
    staff: Staff,
    Segment(id): Segment<TenantId>,
    entered: FormData,
) -> Outcome {
    let changed = async {
        let plan = entered.get("plan").parse::<Plan>().map_err(|it| Error::field("plan", it))?;
        let changes = TenantChanges { status: None, plan: Some(plan) };
        change_tenant(staff.app(), staff.context(), id, changes).await
    };
    match changed.await {
        Ok(_) => Ok(staff.redirect(format!("/app/admin/organizations/{id}"), "Plan changed")),
        Err(error) => {
            let found = staff::tenant(staff.app(), id).await?;
            Ok(staff.redisplay(error, entered, |entered| draw(&staff, &found, entered)))
        }
    }
}
