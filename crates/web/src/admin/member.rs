//! `/app/admin/members`: staff members.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::admin::{AdminRight, AdminRole};
use grantor_domain::email::Email;
use grantor_domain::id::AdminId;
use grantor_domain::page::Listing;
use grantor_domain::person::FullName;
use grantor_domain::team::MemberStatus;
use grantor_messages::text;
use grantor_service::operations::admin::{self, Changes, ListedAdmin};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Segment, Staff};
use crate::view::export::export_links;
use crate::view::field::error_summary;
use crate::view::label::role;
use crate::view::rich::rich;
use crate::view::{
    NavItem, Table, ago, badge, card, confirm, field, form, head, pager, post_button, select,
};

/// Lists staff and pending invitations.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let found = params.in_range(admin::members(staff.app(), params.page()?).await?)?;
    Ok(draw(&staff, &found, &FormData::default()))
}

fn draw(staff: &Staff, found: &Listing<ListedAdmin>, entered: &FormData) -> Response {
    let manages = staff.may(AdminRight::ManageMembers);
    let title = text!("admin-staff");
    let heads = [
        text!("word-name"),
        text!("word-email"),
        text!("admin-role"),
        text!("word-status"),
        text!("admin-added"),
        "",
    ];
    let table = Table::new(title, &heads).rows(&found.items, |it| row(staff, it));
    let body = html! {
        (head(title, text!("admin-staff-lead"), html! {
            @if manages { a.button href="/app/admin/members/new" { (text!("admin-staff-invite")) } }
            (export_links("/app/admin/export/staff", &staff.here))
        }))
        (error_summary(entered))
        (table.show()) (pager(found, &staff.here))
    };
    staff.page(title, NavItem::AdminMembers, body)
}

fn row(staff: &Staff, member: &ListedAdmin) -> Vec<Markup> {
    let changed = member.admin.filter(|_| staff.may(AdminRight::ManageMembers));
    vec![
        html! {
            strong { (member.fullname) }
            @if member.admin == Some(staff.caller.admin) { " " span.quiet { (text!("admin-staff-you")) } }
        },
        html! { (member.email) },
        html! { @if let Some(id) = changed { (role_form(id, member)) } @else { (role(member.role.name())) } },
        badge(&member.status),
        ago(staff.now(), member.created_at),
        html! { @if let Some(id) = changed { (status_button(id, &member.status)) } },
    ]
}

fn role_form(id: AdminId, member: &ListedAdmin) -> Markup {
    html! {
        form.row method="post" action={ "/app/admin/members/" (id) "/role" } {
            select.short name="role" aria-label=(text!("admin-staff-role-of", name = &member.fullname)) {
                @for (value, label) in AdminRole::ALL.map(|it| (it.name(), role(it.name()))) {
                    option value=(value) selected[value == member.role.name()] { (label) }
                }
            }
            button.small.plain {
                (rich!("admin-staff-role-change", what = html! {
                    span.hidden { " " (text!("admin-staff-role-change-what", name = &member.fullname)) }
                }))
            }
        }
    }
}

fn status_button(id: AdminId, status: &str) -> Markup {
    let action = format!("/app/admin/members/{id}/status");
    if status == MemberStatus::Active.name() {
        let question = text!("admin-staff-suspend-question");
        return confirm(&action, text!("admin-suspend"), question, &[("status", "inactive")]);
    }
    post_button(&action, text!("admin-reactivate"), &[("status", "active")])
}

/// Changes a staff member's role.
pub(crate) async fn set_role(
    staff: Staff,
    Segment(id): Segment<AdminId>,
    params: Params,
    entered: FormData,
) -> Outcome {
    let role = entered.get("role").parse::<AdminRole>().map_err(|it| Error::field("role", it));
    let changes = role.map(|it| Changes { role: Some(it), status: None });
    change(staff, id, changes, params, entered, text!("admin-staff-role-changed")).await
}

/// Suspends or reactivates a staff member.
pub(crate) async fn set_status(
    staff: Staff,
    Segment(id): Segment<AdminId>,
    params: Params,
    entered: FormData,
) -> Outcome {
    let status = entered.get("status").parse::<MemberStatus>();
    let status = status.map_err(|it| Error::field("status", it));
    let changes = status.map(|it| Changes { role: None, status: Some(it) });
    change(staff, id, changes, params, entered, text!("admin-staff-changed")).await
}

/// Changes a staff member. An error is shown above the list.
async fn change(
    staff: Staff,
    id: AdminId,
    changes: Result<Changes, Error>,
    params: Params,
    entered: FormData,
    message: &str,
) -> Outcome {
    let changed =
        async { admin::change(staff.app(), staff.context(), staff.caller(), id, changes?).await };
    match changed.await {
        Ok(_) => Ok(staff.redirect("/app/admin/members", message)),
        Err(error) => {
            let found = params.in_range(admin::members(staff.app(), params.page()?).await?)?;
            Ok(staff.redisplay(error, entered, |entered| draw(&staff, &found, entered)))
        }
    }
}

/// Shows the invitation form.
pub(crate) async fn new_form(staff: Staff) -> Response {
    draw_invitation(&staff, &FormData::default().with("role", AdminRole::Admin.name()))
}

/// Invites a staff member.
pub(crate) async fn invite(staff: Staff, entered: FormData) -> Outcome {
    let invited = async {
        let (email, fullname, role) = read(&entered)?;
        admin::invite(staff.app(), staff.context(), &staff.caller, email, fullname, role).await
    };
    match invited.await {
        Ok(_) => Ok(staff.redirect("/app/admin/members", text!("admin-staff-invited"))),
        Err(error) => {
            Ok(staff.redisplay(error, entered, |entered| draw_invitation(&staff, entered)))
        }
    }
}

fn read(entered: &FormData) -> Result<(Email, FullName, AdminRole), Error> {
    let mut fields = entered.fields();
    let email = entered.required(&mut fields, "email");
    let fullname = entered.required(&mut fields, "fullname");
    let email = fields.take("email", Email::parse(email));
    let fullname = fields.take("fullname", FullName::parse(fullname));
    let role = fields.take("role", AdminRole::parse_invited(entered.optional("role")));
    fields.finish()?;
    let (Some(email), Some(fullname), Some(role)) = (email, fullname, role) else {
        return Err(Error::validation("Some fields are not valid"));
    };
    Ok((email, fullname, role))
}

fn draw_invitation(staff: &Staff, entered: &FormData) -> Response {
    let roles = AdminRole::INVITED.map(|it| (it.name(), role(it.name())));
    let inside = html! {
        (field("fullname", text!("admin-staff-full-name")).required().max_length(100).of(entered))
        (field("email", text!("word-email")).kind("email").required().of(entered))
        (select("role", text!("admin-role"), Some(text!("admin-staff-role-hint")), &roles, entered))
    };
    let body = html! {
        (head(text!("admin-staff-invite"), text!("admin-staff-invite-lead"), html! {}))
        (card(text!("admin-staff-invitation"), form("/app/admin/members/new", entered, inside, text!("admin-staff-send"))))
    };
    staff.page(text!("admin-staff-invite"), NavItem::AdminMembers, body)
}
