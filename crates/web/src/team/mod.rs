//! `/app/teams`: teams and their members.

mod member;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::id::TeamId;
use grantor_domain::role::Right;
use grantor_domain::team::TeamName;
use grantor_service::organizations::team::{self, Member, Team, TeamMembers};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::view::field::error_summary;
use crate::view::{
    NavItem, Table, ago, badge, card, confirm, empty, field, form, head, pager, sentence_case,
};

pub(crate) use self::member::{change, edit, invitation, invite, remove};

/// Lists teams.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found = params.in_range(team::list(person.app(), &person.caller, params.page()?).await?)?;
    let add = html! { a.button href="/app/teams/new" { "New team" } };
    let table =
        Table::new("Teams", &["Name", "Members", "Created"]).rows(&found.items, |it: &Team| {
            vec![
                html! { a href={ "/app/teams/" (it.id) } { (it.name) } },
                html! { (it.member_count) },
                ago(person.now(), it.created_at),
            ]
        });
    let body = html! {
        (head("Teams", "Talents and platforms belong to teams. Team leads manage the ones in their teams.", add.clone()))
        @if found.items.is_empty() {
            (empty("No teams yet", "Create a team and invite people to join.", add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Teams", NavItem::Teams, body))
}

/// Shows the form for a new team.
pub(crate) async fn new_form(person: Person) -> Response {
    draw_new(&person, &FormData::default())
}

/// Creates a team.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    let made = async {
        let mut fields = entered.fields();
        let name = entered.required(&mut fields, "name");
        let name = fields.take("name", TeamName::parse(name));
        fields.finish()?;
        let name = name.ok_or_else(|| Error::field("name", "is required"))?;
        team::create(person.app(), person.context(), person.caller(), name).await
    };
    match made.await {
        Ok(made) => Ok(person.redirect(format!("/app/teams/{}", made.id), "Team created")),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &FormData) -> Response {
    let inside =
        field("name", "Name").required().max_length(50).hint("2 to 50 characters.").of(entered);
    let body = html! {
        (head("New team", "You'll be the team's first member.", html! {}))
        (card("Team", form("/app/teams/new", entered, inside, "Create team")))
    };
    person.page("New team", NavItem::Teams, body)
}

/// Shows a team and its members.
pub(crate) async fn show(person: Person, Segment(id): Segment<TeamId>) -> Outcome {
    let roll = team::members(person.app(), &person.caller, id).await?;
    Ok(draw(&person, &roll, &FormData::default()))
}

/// Shows the page again with the error of an action.
async fn refuse(person: &Person, id: TeamId, error: Error) -> Outcome {
    let roll = team::members(person.app(), &person.caller, id).await?;
    Ok(person.redisplay(error, FormData::default(), |entered| draw(person, &roll, entered)))
}

fn draw(
    person: &Person,
    TeamMembers { team, members, invited }: &TeamMembers,
    entered: &FormData,
) -> Response {
    let manages = person.may(Right::ManageTeams);
    let here = format!("/app/teams/{}", team.id);
    let mut rows: Vec<_> = members.iter().map(|it| row(person, &here, it, manages)).collect();
    rows.extend(invited.iter().map(|it| {
        let action = format!("{here}/members/{}/remove", it.id);
        vec![
            html! { (it.fullname) p.quiet { (it.email) } },
            html! { (sentence_case(&it.role)) },
            badge("pending"),
            html! { "expires " (ago(person.now(), it.expires_at)) },
            html! { @if manages { (confirm(&action, "Revoke", "The invitation link will stop working.", &[])) } },
        ]
    }));
    let heads = ["Member", "Role", "Status", "Joined", ""];
    let body = html! {
        (head(&team.name, "", html! {
            @if manages {
                a.button.small href={ (here) "/invite" } { "Invite member" }
                (confirm(&format!("{here}/delete"), "Delete", "The team's talents will no longer have a team. You can't delete a team that has platforms.", &[]))
            }
        }))
        (error_summary(entered))
        (Table::new("Members", &heads).rows(rows, |it| it).show())
    };
    person.page(&team.name, NavItem::Teams, body)
}

fn row(person: &Person, here: &str, it: &Member, manages: bool) -> Vec<Markup> {
    let url = format!("{here}/members/{}", it.user);
    vec![
        html! {
            @if manages { a href=(url) { (it.fullname) } } @else { (it.fullname) }
            p.quiet { (it.email) }
        },
        html! { (sentence_case(it.role.name())) },
        badge(if it.active { "active" } else { "inactive" }),
        ago(person.now(), it.joined_at),
        html! {
            @if manages {
                (confirm(&format!("{url}/remove"), "Remove", "If this is the member's only team, the member will also leave the organization and be signed out.", &[]))
            }
        },
    ]
}

/// Deletes a team.
pub(crate) async fn delete(person: Person, Segment(id): Segment<TeamId>) -> Outcome {
    match team::delete(person.app(), person.context(), person.caller(), id).await {
        Ok(()) => Ok(person.redirect("/app/teams", "Team deleted")),
        Err(error) => refuse(&person, id, error).await,
    }
}
