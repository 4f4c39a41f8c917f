//! `/app/admin/organizations`, `/app/admin/organizations/{id}`: all organizations.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::error::Fields;
use grantor_domain::id::TenantId;
use grantor_domain::organization::{OrganizationStatus, Plan};
use grantor_domain::role::TenantType;
use grantor_messages::text;
use grantor_service::operations::people::{self, People};
use grantor_service::operations::staff::{self, ListedTenant, TenantFilter};
use grantor_service::organizations::suspension::{TenantChanges, change_tenant};
use maud::{Markup, html};

use super::people::people_card;
use super::{named, owner};
use crate::frame::{FormData, Outcome, Params, Segment, Staff};
use crate::view::export::export_links;
use crate::view::filter::{filters, pick, search_box};
use crate::view::label::tenant_type;
use crate::view::{
    NavItem, Table, ago, badge, card, confirm, empty, facts, form, head, pager, post_button, select,
};

/// Lists organizations.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let found = params
        .in_range(staff::find_tenants(staff.app(), read_filter(&params)?, params.page()?).await?)?;
    let title = text!("admin-organizations");
    let heads = [
        text!("word-name"),
        text!("word-type"),
        text!("admin-plan"),
        text!("word-status"),
        text!("admin-organization-users"),
        text!("word-created"),
    ];
    let types = TenantType::ALL.map(|it| (it.name(), tenant_type(it)));
    let statuses = named(OrganizationStatus::ALL.map(OrganizationStatus::name));
    let table = Table::new(title, &heads).rows(&found.items, |it| row(&staff, it));
    let body = html! {
        (head(title, text!("admin-organizations-lead"), export_links("/app/admin/export/organizations", &staff.here)))
        (filters("/app/admin/organizations", &params, html! {
            (search_box("search", text!("admin-organizations-search"), &params))
            (pick("type", text!("word-type"), text!("admin-any-type"), types, &params))
            (pick("status", text!("word-status"), text!("admin-any-status"), statuses, &params))
            (pick("plan", text!("admin-plan"), text!("admin-organization-any-plan"), plans(), &params))
        }))
        @if found.items.is_empty() { (none(&params)) } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page(title, NavItem::AdminOrganizations, body))
}

/// The plans to choose from. Their names are the same in all languages.
fn plans() -> [(&'static str, &'static str); 4] {
    Plan::ALL.map(|it| (it.name(), it.name()))
}

pub(crate) fn read_filter(params: &Params) -> Result<TenantFilter, Error> {
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
        html! { (tenant_type(tenant.kind)) },
        html! { (tenant.plan.name()) },
        badge(tenant.status.name()),
        html! { (member_count) },
        ago(staff.now(), tenant.created_at),
    ]
}

fn none(params: &Params) -> Markup {
    if params.has_filters() {
        return empty(
            text!("admin-organizations-none-found"),
            text!("admin-fewer-filters"),
            html! {
                a.button.plain href="/app/admin/organizations" { (text!("admin-clear-filters")) }
            },
        );
    }
    empty(
        text!("admin-organizations-none"),
        text!("admin-organizations-none-why"),
        html! {
            a.button.plain href="/app/sign-up" { (text!("admin-organizations-sign-up")) }
        },
    )
}

/// Shows an organization with its people.
pub(crate) async fn show(staff: Staff, Segment(id): Segment<TenantId>, params: Params) -> Outcome {
    let found = staff::tenant(staff.app(), id).await?;
    let mut people = people::list(staff.app(), id, params.page()?).await?;
    people.members = params.in_range(people.members)?;
    let entered = FormData::default().with("plan", found.tenant.plan.name());
    Ok(draw(&staff, &found, &people, &entered))
}

fn draw(staff: &Staff, found: &ListedTenant, people: &People, entered: &FormData) -> Response {
    let ListedTenant { tenant, member_count } = found;
    let link = |page: &str| format!("/app/admin/{page}organizationId={}", tenant.id);
    let body = html! {
        (head(&tenant.name, "", html! {
            a.button.plain href="/app/admin/organizations" { (text!("admin-organizations-all")) }
        }))
        div.split {
            (card(text!("admin-details"), facts(&[
                (text!("word-status"), badge(tenant.status.name())),
                (text!("admin-plan"), html! { (tenant.plan.name()) }),
                (text!("word-type"), html! { (tenant_type(tenant.kind)) }),
                (text!("word-description"), html! { (tenant.description.as_deref().unwrap_or("–")) }),
                (text!("admin-organization-users"), html! { (member_count) }),
                (text!("word-created"), ago(staff.now(), tenant.created_at)),
                (text!("admin-organization-id"), html! { code { (tenant.id) } }),
                (text!("admin-organization-links"), html! {
                    p { a href=(link("licenses?")) { (text!("admin-licenses")) } }
                    p { a href=(link("platforms?")) { (text!("admin-platforms")) } }
                    p { a href=(link("logs?scheme=console&")) { (text!("admin-logs")) } }
                    @if staff.may(AdminRight::ResetFactors) {
                        p { a href="/app/admin/second-factor" { (text!("admin-factor-title")) } }
                    }
                }),
            ])))
            div {
                @if staff.may(AdminRight::SetPlan) { (card(text!("admin-plan"), plan_form(tenant.id, entered))) }
                @if staff.may(AdminRight::Suspend) { (card(text!("admin-organization-access"), access(tenant.id, tenant.status))) }
            }
        }
        (people_card(staff, found, people))
    };
    staff.page(&tenant.name, NavItem::AdminOrganizations, body)
}

fn plan_form(id: TenantId, entered: &FormData) -> Markup {
    let hint = text!("admin-organization-plan-hint");
    let inside = select("plan", text!("admin-plan"), Some(hint), &plans(), entered);
    let action = format!("/app/admin/organizations/{id}/plan");
    form(&action, entered, inside, text!("admin-organization-plan-change"))
}

fn access(id: TenantId, status: OrganizationStatus) -> Markup {
    let action = format!("/app/admin/organizations/{id}/status");
    match status {
        OrganizationStatus::Active => html! {
            p { (text!("admin-organization-access-open")) }
            (confirm(&action, text!("admin-suspend"), text!("admin-organization-suspend-question"), &[("status", "suspended")]))
        },
        OrganizationStatus::Suspended => html! {
            p { (text!("admin-organization-access-closed")) }
            (post_button(&action, text!("admin-reactivate"), &[("status", "active")]))
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
        OrganizationStatus::Active => text!("admin-organization-reactivated"),
        OrganizationStatus::Suspended => text!("admin-organization-suspended"),
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
        Ok(_) => {
            let to = format!("/app/admin/organizations/{id}");
            Ok(staff.redirect(to, text!("admin-organization-plan-changed")))
        }
        Err(error) => {
            let found = staff::tenant(staff.app(), id).await?;
            let people = people::list(staff.app(), id, Params::default().page()?).await?;
            Ok(staff.redisplay(error, entered, |entered| draw(&staff, &found, &people, entered)))
        }
    }
}
