//! `/app/admin/members`: the operator's staff.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::admin::{AdminRight, AdminRole};
use grantor_domain::email::Email;
use grantor_domain::id::AdminId;
use grantor_domain::page::Listing;
use grantor_domain::person::FullName;
use grantor_domain::team::MemberStatus;
use grantor_service::admin::{self, Changes, Listed};
use maud::{Markup, html};

use super::named;
use crate::frame::{Asked, Entered, Outcome, Segment, Staff};
use crate::view::field::wrongs;
use crate::view::{
    Place, Table, ago, badge, card, confirm, field, form, head, pager, select, send,
};

/// All of them, and who is invited.
pub(crate) async fn list(staff: Staff, asked: Asked) -> Outcome {
    let found = asked.within(admin::members(staff.app(), asked.page()?).await?)?;
    Ok(draw(&staff, &found, &Entered::default()))
}

fn draw(staff: &Staff, found: &Listing<Listed>, entered: &Entered) -> Response {
    let manages = staff.may(AdminRight::ManageMembers);
    let heads = ["Name", "Email", "Role", "Status", "Since", ""];
    let table = Table::new("Staff", &heads).rows(&found.items, |it| row(staff, it));
    let body = html! {
        (head("Staff", "Who runs this service.", html! {
            @if manages { a.button href="/app/admin/members/new" { "Invite" } }
        }))
        (wrongs(entered))
        (table.show()) (pager(found, &staff.here))
    };
    staff.page("Staff", Place::AdminMembers, body)
}

fn row(staff: &Staff, member: &Listed) -> Vec<Markup> {
    let changed = member.admin.filter(|_| staff.may(AdminRight::ManageMembers));
    vec![
        html! {
            strong { (member.fullname) }
            @if member.admin == Some(staff.caller.admin) { " " span.quiet { "(you)" } }
        },
        html! { (member.email) },
        html! { @if let Some(id) = changed { (role_form(id, member)) } @else { (super::words(member.role.name())) } },
        badge(&member.status),
        ago(staff.now(), member.created_at),
        html! { @if let Some(id) = changed { (status_button(id, &member.status)) } },
    ]
}

fn role_form(id: AdminId, member: &Listed) -> Markup {
    html! {
        form.row method="post" action={ "/app/admin/members/" (id) "/role" } {
            select.short name="role" aria-label={ "Role of " (member.fullname) } {
                @for (value, word) in named(AdminRole::ALL.map(AdminRole::name)) {
                    option value=(value) selected[value == member.role.name()] { (word) }
                }
            }
            button.small.plain { "Set" span.hidden { " the role of " (member.fullname) } }
        }
    }
}

fn status_button(id: AdminId, status: &str) -> Markup {
    let action = format!("/app/admin/members/{id}/status");
    if status == MemberStatus::Active.name() {
        let why = "They are signed out everywhere at once, and cannot come in again.";
        return confirm(&action, "Suspend", why, &[("status", "inactive")]);
    }
    send(&action, "Activate", &[("status", "active")])
}

/// Gives somebody another role.
pub(crate) async fn set_role(
    staff: Staff,
    Segment(id): Segment<AdminId>,
    asked: Asked,
    entered: Entered,
) -> Outcome {
    let role = entered.get("role").parse::<AdminRole>().map_err(|it| Error::field("role", it));
    let changes = role.map(|it| Changes { role: Some(it), status: None });
    change(staff, id, changes, asked, entered, "The role was changed").await
}

/// Suspends somebody, or lets them come in again.
pub(crate) async fn set_status(
    staff: Staff,
    Segment(id): Segment<AdminId>,
    asked: Asked,
    entered: Entered,
) -> Outcome {
    let status = entered.get("status").parse::<MemberStatus>();
    let status = status.map_err(|it| Error::field("status", it));
    let changes = status.map(|it| Changes { role: None, status: Some(it) });
    change(staff, id, changes, asked, entered, "The member of staff was changed").await
}

/// Changes somebody. What is refused is said above the list.
async fn change(
    staff: Staff,
    id: AdminId,
    changes: Result<Changes, Error>,
    asked: Asked,
    entered: Entered,
    said: &str,
) -> Outcome {
    let changed =
        async { admin::change(staff.app(), staff.context(), staff.caller(), id, changes?).await };
    match changed.await {
        Ok(_) => Ok(staff.went("/app/admin/members", said)),
        Err(error) => {
            let found = asked.within(admin::members(staff.app(), asked.page()?).await?)?;
            Ok(staff.again(error, entered, |entered| draw(&staff, &found, entered)))
        }
    }
}

/// The form of an invitation.
pub(crate) async fn blank(staff: Staff) -> Response {
    draw_invitation(&staff, &Entered::default().with("role", AdminRole::Admin.name()))
}

/// Invites somebody.
pub(crate) async fn invite(staff: Staff, entered: Entered) -> Outcome {
    let invited = async {
        let (email, fullname, role) = read(&entered)?;
        admin::invite(staff.app(), staff.context(), &staff.caller, email, fullname, role).await
    };
    match invited.await {
        Ok(_) => Ok(staff.went("/app/admin/members", "The invitation is on its way")),
        Err(error) => Ok(staff.again(error, entered, |entered| draw_invitation(&staff, entered))),
    }
}

fn read(entered: &Entered) -> Result<(Email, FullName, AdminRole), Error> {
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

fn draw_invitation(staff: &Staff, entered: &Entered) -> Response {
    let roles: Vec<_> = named(AdminRole::INVITED.map(AdminRole::name)).collect();
    let inside = html! {
        (field("fullname", "Full name").required().longest(100).of(entered))
        (field("email", "Email").kind("email").required().of(entered))
        (select("role", "Role", Some("Support reads; an Admin also runs pods, mails and plans."), &roles, entered))
    };
    let body = html! {
        (head("Invite staff", "They get a mail that lets them in.", html! {}))
        (card("Invitation", form("/app/admin/members/new", entered, inside, "Send")))
    };
    staff.page("Invite staff", Place::AdminMembers, body)
}
