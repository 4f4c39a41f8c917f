//! `/app/teams`: who works together, and on what.

mod member;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::id::TeamId;
use grantor_domain::role::Right;
use grantor_domain::team::TeamName;
use grantor_service::team::{self, Member, Roll, Team};
use maud::{Markup, html};

use crate::frame::{Asked, Entered, Outcome, Person, Segment};
use crate::view::field::wrongs;
use crate::view::{Place, Table, ago, badge, card, confirm, empty, field, form, head, pager};

pub(crate) use self::member::{change, edit, invitation, invite, remove};

/// All of them.
pub(crate) async fn list(person: Person, asked: Asked) -> Outcome {
    let found = asked.within(team::list(person.app(), &person.caller, asked.page()?).await?)?;
    let add = html! { a.button href="/app/teams/new" { "New team" } };
    let table =
        Table::new("Teams", &["Name", "Members", "Made"]).rows(&found.items, |it: &Team| {
            vec![
                html! { a href={ "/app/teams/" (it.id) } { (it.name) } },
                html! { (it.member_count) },
                ago(person.now(), it.created_at),
            ]
        });
    let body = html! {
        (head("Teams", "Talents and platforms belong to teams; who leads one looks after them.", add.clone()))
        @if found.items.is_empty() {
            (empty("No teams yet", "Make a team and invite people into it.", add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Teams", Place::Teams, body))
}

/// The form of a new one.
pub(crate) async fn blank(person: Person) -> Response {
    draw_new(&person, &Entered::default())
}

/// Makes one.
pub(crate) async fn create(person: Person, entered: Entered) -> Outcome {
    let made = async {
        let mut fields = entered.fields();
        let name = entered.required(&mut fields, "name");
        let name = fields.take("name", TeamName::parse(name));
        fields.finish()?;
        let name = name.ok_or_else(|| Error::field("name", "is required"))?;
        team::create(person.app(), person.context(), person.caller(), name).await
    };
    match made.await {
        Ok(made) => Ok(person.went(format!("/app/teams/{}", made.id), "The team was made")),
        Err(error) => Ok(person.again(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &Entered) -> Response {
    let inside =
        field("name", "Name").required().longest(50).hint("2 to 50 characters.").of(entered);
    let body = html! {
        (head("New team", "You are its first member.", html! {}))
        (card("Team", form("/app/teams/new", entered, inside, "Make the team")))
    };
    person.page("New team", Place::Teams, body)
}

/// One of them, and who is in it.
pub(crate) async fn show(person: Person, Segment(id): Segment<TeamId>) -> Outcome {
    let roll = team::members(person.app(), &person.caller, id).await?;
    Ok(draw(&person, &roll, &Entered::default()))
}

/// The page, after something was asked that cannot be.
async fn refuse(person: &Person, id: TeamId, error: Error) -> Outcome {
    let roll = team::members(person.app(), &person.caller, id).await?;
    Ok(person.again(error, Entered::default(), |entered| draw(person, &roll, entered)))
}

fn draw(person: &Person, Roll { team, members, invited }: &Roll, entered: &Entered) -> Response {
    let manages = person.may(Right::ManageTeams);
    let here = format!("/app/teams/{}", team.id);
    let mut rows: Vec<_> = members.iter().map(|it| row(person, &here, it, manages)).collect();
    rows.extend(invited.iter().map(|it| {
        let action = format!("{here}/members/{}/remove", it.id);
        vec![
            html! { (it.fullname) p.quiet { (it.email) } },
            html! { (it.role.replace('_', " ")) },
            badge("pending"),
            html! { "ends " (ago(person.now(), it.expires_at)) },
            html! { @if manages { (confirm(&action, "Withdraw", "The link in the mail stops working.", &[])) } },
        ]
    }));
    let heads = ["Who", "Role", "Status", "Since", ""];
    let body = html! {
        (head(&team.name, "", html! {
            @if manages {
                a.button.small href={ (here) "/invite" } { "Invite somebody" }
                (confirm(&format!("{here}/delete"), "Delete", "Talents of the team belong to none then. A team with platforms cannot be deleted.", &[]))
            }
        }))
        (wrongs(entered))
        (Table::new("Members", &heads).rows(rows, |it| it).show())
    };
    person.page(&team.name, Place::Teams, body)
}

fn row(person: &Person, here: &str, it: &Member, manages: bool) -> Vec<Markup> {
    let address = format!("{here}/members/{}", it.user);
    vec![
        html! {
            @if manages { a href=(address) { (it.fullname) } } @else { (it.fullname) }
            p.quiet { (it.email) }
        },
        html! { (it.role.name().replace('_', " ")) },
        badge(if it.active { "active" } else { "inactive" }),
        ago(person.now(), it.joined_at),
        html! {
            @if manages {
                (confirm(&format!("{address}/remove"), "Remove", "Who is in no other team leaves the organization, and is signed out at once.", &[]))
            }
        },
    ]
}

/// Deletes one.
pub(crate) async fn delete(person: Person, Segment(id): Segment<TeamId>) -> Outcome {
    match team::delete(person.app(), person.context(), person.caller(), id).await {
        Ok(()) => Ok(person.went("/app/teams", "The team is gone")),
        Err(error) => refuse(&person, id, error).await,
    }
}
