//! `/app/teams`: teams and their members.

mod member;
mod show;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::id::TeamId;
use grantor_domain::team::TeamName;
use grantor_messages::text;
use grantor_service::organizations::team::{self, Team};
use maud::html;

use crate::export;
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::view::{NavItem, Table, ago, card, field, form, head, lesson, pager};

pub(crate) use self::member::{change, edit, invitation, invite, remove};
use self::show::refuse;
pub(crate) use self::show::show;

/// Lists teams.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found = params.in_range(team::list(person.app(), &person.caller, params.page()?).await?)?;
    let add = html! {
        @if !person.is_viewed() { a.button href="/app/teams/new" { (text!("team-new")) } }
    };
    let heads = [text!("word-name"), text!("team-members"), text!("word-created")];
    let table = Table::new(text!("team-list"), &heads).rows(&found.items, |it: &Team| {
        vec![
            html! { a href={ "/app/teams/" (it.id) } { (it.name) } },
            html! { (it.member_count) },
            ago(person.now(), it.created_at),
        ]
    });
    let body = html! {
        (head(text!("team-list"), text!("team-list-lead"), html! { (add) (export::links(&person, "teams")) }))
        @if found.items.is_empty() {
            (lesson(text!("team-none"), text!("team-none-why"), &[
                text!("team-step-create"),
                text!("team-step-role"),
                text!("team-step-choose"),
            ], add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(text!("team-list"), NavItem::Teams, body))
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
        Ok(made) => Ok(person.redirect(format!("/app/teams/{}", made.id), text!("team-created"))),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &FormData) -> Response {
    let name = field("name", text!("word-name")).required().max_length(50);
    let inside = name.hint(text!("team-name-hint")).of(entered);
    let body = html! {
        (head(text!("team-new"), text!("team-new-lead"), html! {}))
        (card(text!("team-card"), form("/app/teams/new", entered, inside, text!("team-create"))))
    };
    person.page(text!("team-new"), NavItem::Teams, body)
}

/// Deletes a team.
pub(crate) async fn delete(person: Person, Segment(id): Segment<TeamId>) -> Outcome {
    match team::delete(person.app(), person.context(), person.caller(), id).await {
        Ok(()) => Ok(person.redirect("/app/teams", text!("team-deleted"))),
        Err(error) => refuse(&person, id, error).await,
    }
}
