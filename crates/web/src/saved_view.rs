//! `/app/views`: the views of lists that a person saved, to open them again.

use axum::response::Response;
use grantor_domain::id::SavedViewId;
use grantor_domain::saved_view::{NewView, SavedView, ViewList, ViewName};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::organizations::saved_view;
use maud::{Markup, html};

use crate::frame::{FormData, Identity, Outcome, PageContext, Person, Segment};
use crate::view::saved_view::{ViewBar, url_of};
use crate::view::{
    NavItem, Table, ago, card, checkbox, empty, field, form, head, hidden, undoable,
};

const LIST: &str = "/app/views";

/// Loads the views of a list, for the bar above it. Staff who view the list save none.
pub(crate) async fn bar(ctx: &PageContext, list: ViewList) -> Result<ViewBar> {
    let (views, saves) = match &ctx.identity {
        Identity::Person(caller) => {
            (saved_view::list_of(ctx.app(), caller, list).await?, !ctx.is_viewed())
        }
        Identity::Anonymous | Identity::Staff(_) => (vec![], false),
    };
    Ok(ViewBar::new(list, views, &ctx.here, saves))
}

/// The name of a list.
fn list_label(list: ViewList) -> &'static str {
    match list {
        ViewList::Licenses => text!("saved-view-licenses"),
        ViewList::Catalog => text!("saved-view-catalog"),
        ViewList::Talents => text!("saved-view-talents"),
        ViewList::Mentions => text!("saved-view-mentions"),
        ViewList::Cases => text!("saved-view-cases"),
        ViewList::Requests => text!("saved-view-requests"),
        ViewList::Grants => text!("saved-view-grants"),
        ViewList::Sources => text!("saved-view-sources"),
        ViewList::Logs => text!("saved-view-logs"),
    }
}

/// Lists the person's views.
pub(crate) async fn list(person: Person) -> Outcome {
    let found = saved_view::list(person.app(), &person.caller).await?;
    let heads = [
        text!("word-name"),
        text!("saved-view-of-list"),
        text!("saved-view-opens-first"),
        text!("saved-view-saved-at"),
        "",
    ];
    let table = Table::new(text!("saved-view-list"), &heads).rows(&found, |it| row(&person, it));
    let body = html! {
        (head(text!("saved-view-list"), text!("saved-view-list-lead"), html! {}))
        @if found.is_empty() {
            (empty(text!("saved-view-list-none"), text!("saved-view-list-none-why"), html! {
                a.button href="/app/licenses" { (text!("saved-view-view-licenses")) }
            }))
        } @else { (table.show()) }
    };
    Ok(person.page(text!("saved-view-list"), NavItem::Profile, body))
}

fn row(person: &Person, it: &SavedView) -> Vec<Markup> {
    let path = format!("{LIST}/{}", it.id);
    vec![
        html! { a href=(url_of(it)) { (it.fields.name.as_str()) } },
        html! { (list_label(it.fields.list)) },
        html! { @if it.fields.is_default { (text!("word-yes")) } },
        ago(person.now(), it.created_at),
        html! {
            @if !person.is_viewed() {
                div.row {
                    a.button.small.plain href={ (path) "/edit" } { (text!("action-edit")) }
                    (undoable(&format!("{path}/delete"), text!("action-delete"), &[]))
                }
            }
        },
    ]
}

/// Saves the current filters of a list.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    let made = async {
        entered.check_text()?;
        let (list, name, query) = (entered.get("list"), entered.get("name"), entered.get("query"));
        let new = NewView::parse(list, name, query, entered.has("default", "true"))?;
        saved_view::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(made) => Ok(person.redirect(url_of(&made), text!("saved-view-saved"))),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &FormData) -> Response {
    let inside = html! {
        (hidden("list", entered.get("list"))) (hidden("query", entered.get("query")))
        (fields(entered))
    };
    let body = html! {
        (head(text!("saved-view-save"), "", html! { a.button.plain href=(LIST) { (text!("saved-view-list")) } }))
        (card(text!("saved-view-view"), form(LIST, entered, inside, text!("action-save"))))
    };
    person.page(text!("saved-view-save"), NavItem::Profile, body)
}

fn fields(entered: &FormData) -> Markup {
    html! {
        (field("name", text!("word-name")).required().max_length(50).of(entered))
        (checkbox("default", text!("saved-view-default"), None, entered))
    }
}

/// Shows the form to edit a view.
pub(crate) async fn edit(person: Person, Segment(id): Segment<SavedViewId>) -> Outcome {
    let view = saved_view::get(person.app(), &person.caller, id).await?;
    let mut entered = FormData::default().with("name", view.fields.name.as_str());
    if view.fields.is_default {
        entered = entered.with("default", "true");
    }
    Ok(draw_edit(&person, id, &entered))
}

/// Renames a view, or makes it the first of its list or not.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<SavedViewId>,
    entered: FormData,
) -> Outcome {
    let changed = async {
        let mut fields = entered.fields();
        let name = entered.required(&mut fields, "name");
        let name = fields.take("name", ViewName::parse(name));
        fields.finish()?;
        let name = name.ok_or_else(|| Error::field("name", "is required"))?;
        let is_default = entered.has("default", "true");
        saved_view::change(person.app(), person.context(), person.caller(), id, name, is_default)
            .await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(LIST, text!("saved-view-updated"))),
        Err(error) if *error.kind() == ErrorKind::NotFound => Err(error.into()),
        Err(error) => {
            Ok(person.redisplay(error, entered, |entered| draw_edit(&person, id, entered)))
        }
    }
}

fn draw_edit(person: &Person, id: SavedViewId, entered: &FormData) -> Response {
    let action = format!("{LIST}/{id}/edit");
    let body = html! {
        (head(text!("saved-view-edit"), text!("saved-view-edit-lead"), html! {
            a.button.plain href=(LIST) { (text!("saved-view-list")) }
        }))
        (card(text!("saved-view-view"), form(&action, entered, fields(entered), text!("saved-view-save-changes"))))
    };
    person.page(text!("saved-view-edit"), NavItem::Profile, body)
}

/// Deletes a view.
pub(crate) async fn delete(person: Person, Segment(id): Segment<SavedViewId>) -> Outcome {
    saved_view::delete(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect(LIST, text!("saved-view-deleted")))
}
