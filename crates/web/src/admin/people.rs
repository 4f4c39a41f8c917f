//! The people of an organization, with what staff can do to help them.

use grantor_domain::admin::AdminRight;
use grantor_domain::id::{InvitationId, TenantId, UserId};
use grantor_domain::organization::OrganizationStatus;
use grantor_messages::text;
use grantor_service::identity::reset;
use grantor_service::operations::people::{self, Invitation, People, StaffPerson};
use grantor_service::operations::staff::ListedTenant;
use maud::{Markup, html};

use crate::frame::{Outcome, Segments, Staff};
use crate::view::component::with_query;
use crate::view::label::role;
use crate::view::rich::rich;
use crate::view::{Table, ago, badge, card, pager};

/// The address of an organization's page.
pub(super) fn page_of(tenant: TenantId) -> String {
    format!("/app/admin/organizations/{tenant}")
}

/// The people and the pending invitations of an organization.
pub(super) fn people_card(staff: &Staff, found: &ListedTenant, people: &People) -> Markup {
    let title = text!("admin-people");
    let heads = [
        text!("word-name"),
        text!("word-email"),
        text!("admin-role"),
        text!("word-status"),
        text!("admin-people-joined"),
        "",
    ];
    let table = Table::new(title, &heads).rows(&people.members.items, |it| row(staff, found, it));
    html! {
        (card(title, html! { (table.show()) (pager(&people.members, &staff.here)) }))
        @if !people.invitations.is_empty() { (invitations(staff, found.tenant.id, people)) }
    }
}

fn row(staff: &Staff, found: &ListedTenant, person: &StaffPerson) -> Vec<Markup> {
    let status = if person.active { "active" } else { "inactive" };
    let page = format!("{}/people/{}", page_of(found.tenant.id), person.user);
    let open = person.active && found.tenant.status == OrganizationStatus::Active;
    vec![
        html! { strong { (person.fullname) } },
        html! { (person.email) },
        html! { (role(person.role.name())) },
        badge(status),
        ago(staff.now(), person.joined_at),
        html! {
            div.row {
                @if staff.may(AdminRight::HelpPeople) {
                    form.inline method="post" action={ (page) "/reset" } {
                        button.small.plain {
                            (rich!("admin-people-reset", to = html! {
                                span.hidden { " " (text!("admin-people-reset-to", name = &person.fullname)) }
                            }))
                        }
                    }
                }
                @if staff.may(AdminRight::ResetFactors) {
                    a.button.small.plain href=(with_query("/app/admin/second-factor", "email", &person.email)) {
                        (rich!("admin-people-factor", whom = html! {
                            span.hidden { " " (text!("admin-people-factor-of", name = &person.fullname)) }
                        }))
                    }
                }
                @if open && staff.may(AdminRight::ViewAs) {
                    a.button.small.plain href={ (page) "/view" } {
                        (rich!("admin-people-view", whom = html! {
                            span.hidden { " " (person.fullname) }
                        }))
                    }
                }
            }
        },
    ]
}

fn invitations(staff: &Staff, tenant: TenantId, people: &People) -> Markup {
    let title = text!("admin-people-invitations");
    let heads = [
        text!("word-name"),
        text!("word-email"),
        text!("admin-role"),
        text!("admin-people-invitation-sent"),
        text!("admin-people-invitation-expires"),
        "",
    ];
    let table =
        Table::new(title, &heads).rows(&people.invitations, |it| invitation_row(staff, tenant, it));
    card(title, table.show())
}

fn invitation_row(staff: &Staff, tenant: TenantId, it: &Invitation) -> Vec<Markup> {
    let resend = format!("{}/invitations/{}/resend", page_of(tenant), it.id);
    let talent = || text!("admin-people-talent").to_owned();
    let role = if it.kind == "talent" { talent() } else { role(&it.role) };
    vec![
        html! { (it.fullname) },
        html! { (it.email) },
        html! { (role) },
        ago(staff.now(), it.created_at),
        ago(staff.now(), it.expires_at),
        html! {
            @if staff.may(AdminRight::HelpPeople) {
                form.inline method="post" action=(resend) {
                    button.small.plain {
                        (rich!("admin-people-resend", to = html! {
                            span.hidden { " " (text!("admin-people-resend-to", email = &it.email)) }
                        }))
                    }
                }
            }
        },
    ]
}

/// Sends an invitation again.
pub(crate) async fn resend(
    staff: Staff,
    Segments(tenant, id): Segments<TenantId, InvitationId>,
) -> Outcome {
    people::resend_invitation(staff.app(), staff.context(), tenant, id).await?;
    Ok(staff.redirect(page_of(tenant), text!("admin-people-resent")))
}

/// Mails a person what they need to choose a new password.
pub(crate) async fn send_reset(
    staff: Staff,
    Segments(tenant, user): Segments<TenantId, UserId>,
) -> Outcome {
    reset::send_to_member(staff.app(), staff.context(), tenant, user).await?;
    Ok(staff.redirect(page_of(tenant), text!("admin-people-reset-sent")))
}
