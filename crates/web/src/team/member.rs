//! Team members and invitations.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::id::{TeamId, UserId};
use grantor_domain::person::FullName;
use grantor_domain::role::Role;
use grantor_domain::team::MemberStatus;
use grantor_messages::text;
use grantor_service::organizations::team::{self, Changes, Invitee, Member};
use maud::html;

use super::refuse;
use crate::frame::{FormData, Outcome, Person, Segment, Segments};
use crate::view::{NavItem, card, field, form, head, select};

/// The roles with what each may do.
fn roles() -> [(&'static str, &'static str); 4] {
    [
        (Role::TeamMember.name(), text!("team-role-member")),
        (Role::TeamLead.name(), text!("team-role-lead")),
        (Role::OrganizationUser.name(), text!("team-role-user")),
        (Role::OrganizationAdmin.name(), text!("team-role-admin")),
    ]
}

fn statuses() -> [(&'static str, &'static str); 2] {
    [("active", text!("team-status-active")), ("inactive", text!("team-status-cannot-sign-in"))]
}

/// Shows the invitation form.
pub(crate) async fn invitation(person: Person, Segment(id): Segment<TeamId>) -> Outcome {
    team::members(person.app(), &person.caller, id).await?;
    Ok(draw_invitation(&person, id, &FormData::default().with("role", Role::TeamMember.name())))
}

/// Invites a member.
pub(crate) async fn invite(
    person: Person,
    Segment(id): Segment<TeamId>,
    entered: FormData,
) -> Outcome {
    let invited = async {
        let invitee = read(&entered)?;
        team::invite(person.app(), person.context(), person.caller(), id, invitee).await
    };
    match invited.await {
        Ok(_) => Ok(person.redirect(format!("/app/teams/{id}"), text!("team-invited"))),
        Err(error) => {
            Ok(person.redisplay(error, entered, |entered| draw_invitation(&person, id, entered)))
        }
    }
}

fn read(entered: &FormData) -> Result<Invitee, Error> {
    let mut fields = entered.fields();
    let first = entered.required(&mut fields, "firstname");
    let last = entered.required(&mut fields, "lastname");
    let email = entered.required(&mut fields, "email");
    let fullname = FullName::parse_parts(first, last, &mut fields);
    let email = fields.take("email", Email::parse(email));
    let role = fields.take("role", Role::parse_member(entered.get("role")));
    fields.finish()?;
    let (Some(email), Some(fullname), Some(role)) = (email, fullname, role) else {
        return Err(Error::validation("Some fields are not valid"));
    };
    Ok(Invitee { email, fullname, role })
}

fn draw_invitation(person: &Person, id: TeamId, entered: &FormData) -> Response {
    let inside = html! {
        div.two {
            (field("firstname", text!("team-first-name")).required().max_length(49).of(entered))
            (field("lastname", text!("team-last-name")).required().max_length(49).of(entered))
        }
        (field("email", text!("word-email")).kind("email").required().of(entered))
        (select("role", text!("team-role"), Some(text!("team-invite-role-hint")), &roles(), entered))
    };
    let body = html! {
        (head(text!("team-invite"), text!("team-invite-lead"), html! {}))
        (card(text!("team-invitation"), form(&format!("/app/teams/{id}/invite"), entered, inside, text!("team-invite-send"))))
    };
    person.page(text!("team-invite"), NavItem::Teams, body)
}

async fn get_member(person: &Person, team: TeamId, id: UserId) -> Result<Member, Error> {
    let roll = team::members(person.app(), &person.caller, team).await?;
    let found = roll.members.into_iter().find(|it| it.user == id);
    found.ok_or_else(|| Error::not_found("Member"))
}

/// Shows the form to edit a member.
pub(crate) async fn edit(person: Person, Segments(team, id): Segments<TeamId, UserId>) -> Outcome {
    let member = get_member(&person, team, id).await?;
    let entered = FormData::default()
        .with("role", member.role.name())
        .with("status", if member.active { "active" } else { "inactive" });
    Ok(draw(&person, team, &member, &entered))
}

/// Saves a member's role and status.
pub(crate) async fn change(
    person: Person,
    Segments(team, id): Segments<TeamId, UserId>,
    entered: FormData,
) -> Outcome {
    let member = get_member(&person, team, id).await?;
    let changed = async {
        let mut fields = entered.fields();
        let role = fields.take("role", Role::parse_member(entered.get("role")));
        let status = fields.take("status", entered.get("status").parse::<MemberStatus>());
        fields.finish()?;
        let changes = Changes { role, status };
        team::change(person.app(), person.context(), person.caller(), team, id, changes).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(format!("/app/teams/{team}"), text!("team-member-updated"))),
        Err(error) => {
            Ok(person.redisplay(error, entered, |entered| draw(&person, team, &member, entered)))
        }
    }
}

fn draw(person: &Person, team: TeamId, member: &Member, entered: &FormData) -> Response {
    let inside = html! {
        (select("role", text!("team-role"), Some(text!("team-role-hint")), &roles(), entered))
        (select("status", text!("word-status"), None, &statuses(), entered))
    };
    let action = format!("/app/teams/{team}/members/{}", member.user);
    let body = html! {
        (head(&member.fullname, &member.email, html! {}))
        (card(text!("team-role-and-status"), form(&action, entered, inside, text!("team-save"))))
    };
    person.page(&member.fullname, NavItem::Teams, body)
}

/// Removes a member or withdraws an invitation; both kinds of IDs have the same format.
pub(crate) async fn remove(
    person: Person,
    Segments(team, id): Segments<TeamId, UserId>,
) -> Outcome {
    let removed = team::remove(person.app(), person.context(), person.caller(), team, id.as_uuid());
    match removed.await {
        Ok(()) => Ok(person.redirect(format!("/app/teams/{team}"), text!("team-removed"))),
        Err(error) => refuse(&person, team, error).await,
    }
}
