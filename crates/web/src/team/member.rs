//! Who is in a team.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::id::{TeamId, UserId};
use grantor_domain::person::FullName;
use grantor_domain::role::Role;
use grantor_domain::team::MemberStatus;
use grantor_service::team::{self, Changes, Invitee, Member};
use maud::html;

use super::refuse;
use crate::frame::{Entered, Outcome, Person, Segment, Segments};
use crate::view::{Place, card, field, form, head, select};

const ROLES: [(&str, &str); 4] = [
    (Role::TeamMember.name(), "Team member: reads"),
    (Role::TeamLead.name(), "Team lead: looks after what is their teams'"),
    (Role::OrganizationUser.name(), "Organization user: looks after everything"),
    (Role::OrganizationAdmin.name(), "Organization admin: may do all"),
];
const STATUSES: [(&str, &str); 2] =
    [("active", "Active"), ("inactive", "Inactive: cannot sign in")];

/// The form of an invitation.
pub(crate) async fn invitation(person: Person, Segment(id): Segment<TeamId>) -> Outcome {
    team::members(person.app(), &person.caller, id).await?;
    Ok(draw_invitation(&person, id, &Entered::default().with("role", Role::TeamMember.name())))
}

/// Invites somebody.
pub(crate) async fn invite(
    person: Person,
    Segment(id): Segment<TeamId>,
    entered: Entered,
) -> Outcome {
    let invited = async {
        let invitee = read(&entered)?;
        team::invite(person.app(), person.context(), person.caller(), id, invitee).await
    };
    match invited.await {
        Ok(_) => Ok(person.went(format!("/app/teams/{id}"), "The invitation is on its way")),
        Err(error) => {
            Ok(person.again(error, entered, |entered| draw_invitation(&person, id, entered)))
        }
    }
}

fn read(entered: &Entered) -> Result<Invitee, Error> {
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

fn draw_invitation(person: &Person, id: TeamId, entered: &Entered) -> Response {
    let inside = html! {
        div.two {
            (field("firstname", "First name").required().longest(49).of(entered))
            (field("lastname", "Last name").required().longest(49).of(entered))
        }
        (field("email", "Email").kind("email").required().of(entered))
        (select("role", "Role", Some("Who is in the organization already keeps the role they have."), &ROLES, entered))
    };
    let body = html! {
        (head("Invite somebody", "They get a mail with a link, and choose a password.", html! {}))
        (card("Invitation", form(&format!("/app/teams/{id}/invite"), entered, inside, "Send")))
    };
    person.page("Invite somebody", Place::Teams, body)
}

async fn find(person: &Person, team: TeamId, id: UserId) -> Result<Member, Error> {
    let roll = team::members(person.app(), &person.caller, team).await?;
    let found = roll.members.into_iter().find(|it| it.user == id);
    found.ok_or_else(|| Error::not_found("Member"))
}

/// The form of somebody who is in it.
pub(crate) async fn edit(person: Person, Segments(team, id): Segments<TeamId, UserId>) -> Outcome {
    let member = find(&person, team, id).await?;
    let entered = Entered::default()
        .with("role", member.role.name())
        .with("status", if member.active { "active" } else { "inactive" });
    Ok(draw(&person, team, &member, &entered))
}

/// Gives somebody another role or status.
pub(crate) async fn change(
    person: Person,
    Segments(team, id): Segments<TeamId, UserId>,
    entered: Entered,
) -> Outcome {
    let member = find(&person, team, id).await?;
    let changed = async {
        let mut fields = entered.fields();
        let role = fields.take("role", Role::parse_member(entered.get("role")));
        let status = fields.take("status", entered.get("status").parse::<MemberStatus>());
        fields.finish()?;
        let changes = Changes { role, status };
        team::change(person.app(), person.context(), person.caller(), team, id, changes).await
    };
    match changed.await {
        Ok(_) => Ok(person.went(format!("/app/teams/{team}"), "The member was changed")),
        Err(error) => {
            Ok(person.again(error, entered, |entered| draw(&person, team, &member, entered)))
        }
    }
}

fn draw(person: &Person, team: TeamId, member: &Member, entered: &Entered) -> Response {
    let inside = html! {
        (select("role", "Role", Some("In the whole organization."), &ROLES, entered))
        (select("status", "Status", None, &STATUSES, entered))
    };
    let action = format!("/app/teams/{team}/members/{}", member.user);
    let body = html! {
        (head(&member.fullname, &member.email, html! {}))
        (card("What they may do", form(&action, entered, inside, "Save")))
    };
    person.page(&member.fullname, Place::Teams, body)
}

/// Removes somebody, or withdraws an invitation: the ids of both have one form.
pub(crate) async fn remove(
    person: Person,
    Segments(team, id): Segments<TeamId, UserId>,
) -> Outcome {
    let removed = team::remove(person.app(), person.context(), person.caller(), team, id.as_uuid());
    match removed.await {
        Ok(()) => Ok(person.went(format!("/app/teams/{team}"), "They are no longer in the team")),
        Err(error) => refuse(&person, team, error).await,
    }
}
