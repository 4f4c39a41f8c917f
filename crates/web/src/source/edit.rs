//! The form to edit a source.

use axum::response::Response;
use grantor_domain::id::SourceId;
use grantor_domain::source::{SourceName, SourcePatch};
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::watching::source::{self, ListedSource};
use maud::html;

use super::frequencies;
use super::talents::{self, Choice, is_search};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{NavItem, card, field, form, head, hidden, select};

/// Shows the form to edit a source.
pub(crate) async fn edit(person: Person, Segment(id): Segment<SourceId>) -> Outcome {
    let caller = (&*person.caller).into();
    let found = source::get_to_change(person.app(), person.context(), caller, id).await?;
    let talents = &found.source.talents;
    let entered = FormData::default()
        .with("name", found.source.name.as_str())
        .with("frequency", found.source.frequency.name())
        .with("watch", if talents.is_all() { "all" } else { "some" })
        .with_all("talents", talents.as_slice().iter().map(ToString::to_string));
    let choice = Choice::load(&person, &entered).await?;
    Ok(draw(&person, &found, &choice, &entered))
}

/// Saves changes, or searches for talents to choose from.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<SourceId>,
    entered: FormData,
) -> Outcome {
    let found = source::get(person.app(), person.caller.tenant, id).await?;
    if is_search(&entered) {
        let choice = Choice::load(&person, &entered).await?;
        return Ok(draw(&person, &found, &choice, &entered));
    }
    let changed = async {
        let patch = read(&entered, &found)?;
        let caller = (&*person.caller).into();
        source::change(person.app(), person.context(), caller, id, patch).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(format!("/app/sources/{id}"), text!("source-updated"))),
        Err(error) => {
            let choice = Choice::load(&person, &entered).await?;
            Ok(person.redisplay(error, entered, |it| draw(&person, &found, &choice, it)))
        }
    }
}

fn read(entered: &FormData, it: &ListedSource) -> Result<SourcePatch> {
    let mut fields = entered.fields();
    let name = entered.required(&mut fields, "name");
    let name = fields.take("name", SourceName::parse(name));
    let frequency = fields.take("frequency", entered.get("frequency").parse());
    let talents = talents::read(entered, &mut fields, Some(&it.source.talents));
    fields.finish()?;
    if name.is_none() || frequency.is_none() || talents.is_none() {
        return Err(Error::validation("Some fields are not valid"));
    }
    Ok(SourcePatch { name, frequency, status: None, talents, expected: None })
}

fn draw(person: &Person, it: &ListedSource, choice: &Choice, entered: &FormData) -> Response {
    let id = it.source.id;
    let inside = html! {
        (field("name", text!("source-name")).required().max_length(120).of(entered))
        @if it.feed.push_only { (hidden("frequency", it.source.frequency.name())) }
        @else { (select("frequency", text!("source-how-often"), None, &frequencies(), entered)) }
        (choice.fields(entered))
    };
    let body = html! {
        (head(text!("source-edit-title"), &it.source.url, html! {
            a.button.plain href={ "/app/sources/" (id) } { (text!("source-back")) }
        }))
        (card(text!("source-title"), form(&format!("/app/sources/{id}/edit"), entered, inside, text!("source-save-changes"))))
    };
    person.page(text!("source-edit-title"), NavItem::Sources, body)
}
