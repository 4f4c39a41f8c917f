//! `/app/bookmarks`: a user's bookmarked licenses and mentions.

use axum::response::Response;
use grantor_domain::bookmark::{NewBookmark, Tags};
use grantor_domain::id::BookmarkId;
use grantor_domain::note::Note;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::bookmark::{self, BookmarkView, Content};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::sign_in::next;
use crate::view::{
    NavItem, Table, ago, area, badge, card, confirm, empty, field, form, head, pager,
};

const LIST: &str = "/app/bookmarks";

/// Lists bookmarks, newest first.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found = params
        .in_range(bookmark::list(person.app(), tenant_caller(&person), params.page()?).await?)?;
    let heads = ["Item", "Note", "Tags", "Added", ""];
    let table = Table::new("Bookmarks", &heads).rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head("Bookmarks", "Licenses and mentions you saved. Only you can see them.", html! {}))
        @if found.items.is_empty() {
            (empty("No bookmarks yet", "Open a license or a mention and select Bookmark.", html! {
                a.button href="/app/licenses" { "View licenses" }
            }))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Bookmarks", NavItem::Bookmarks, body))
}

fn tenant_caller(person: &Person) -> TenantCaller {
    TenantCaller::from(&*person.caller)
}

fn row(person: &Person, BookmarkView { bookmark, content }: &BookmarkView) -> Vec<Markup> {
    let (id, kept) = (bookmark.id, &bookmark.fields);
    vec![
        html! { (what(content.as_ref(), kept.target.kind().name())) },
        html! { span.lines { (kept.note.as_str()) } },
        html! { @for tag in kept.tags.as_slice() { span.badge { (tag) } " " } },
        ago(person.now(), bookmark.created_at),
        html! {
            div.row {
                a.button.small.plain href={ (LIST) "/" (id) "/edit" } { "Edit" }
                (confirm(&format!("{LIST}/{id}/remove"), "Remove", "The bookmark and its note will be deleted.", &[]))
            }
        },
    ]
}

/// Links to the bookmarked item, if the user can still see it.
fn what(content: Option<&Content>, kind: &str) -> Markup {
    html! {
        @match content {
            Some(Content::License(seen)) => {
                a href={ "/app/licenses/" (seen.shown.license.id) } { (seen.shown.license.title.as_str()) }
                p.quiet { "License · " (seen.shown.talent_name) " " (badge(seen.status.name())) }
            }
            Some(Content::Mention(seen)) => {
                a href={ "/app/mentions/" (seen.shown.mention.id) } { (seen.shown.mention.title) }
                p.quiet { "Mention · " (seen.shown.place()) " " (badge(seen.shown.mention.verdict.name())) }
            }
            None => {
                (badge("access_lost"))
                p.quiet { "You no longer have access to this " (kind) }
            }
        }
    }
}

/// Adds a bookmark.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    entered.check_text()?;
    let (kind, id) = (entered.optional("target_type"), entered.optional("target_id"));
    let tags = tags(&entered);
    let new = NewBookmark::parse(kind, id, entered.optional("note"), &tags)?;
    let made = bookmark::create(person.app(), person.context(), tenant_caller(&person), new).await;
    let (_, new) = made.map_err(denied_as_not_found)?;
    let message = if new { "Bookmark added" } else { "Already in your bookmarks" };
    Ok(person.redirect(back(&entered), message))
}

/// Reports an invisible item as not found, so that its existence isn't revealed.
fn denied_as_not_found(error: Error) -> Error {
    match error.kind() {
        ErrorKind::AccessDenied => Error::not_found("Item"),
        _ => error,
    }
}

fn back(entered: &FormData) -> String {
    next(entered.optional("back").or(Some(LIST)))
}

/// Splits tags at commas and line breaks.
fn tags(entered: &FormData) -> Vec<String> {
    let words = entered.get("tags").split([',', '\n']).map(str::trim);
    words.filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// Shows the form to edit a bookmark.
pub(crate) async fn edit(person: Person, Segment(id): Segment<BookmarkId>) -> Outcome {
    let found = bookmark::get(person.app(), tenant_caller(&person), id).await?;
    let entered = FormData::default()
        .with("note", found.fields.note.as_str())
        .with("tags", found.fields.tags.as_slice().join(", "));
    Ok(draw_edit(&person, id, &entered))
}

/// Saves changes.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<BookmarkId>,
    entered: FormData,
) -> Outcome {
    let changed = async {
        let (note, tags) = read(&entered)?;
        bookmark::change(person.app(), person.context(), tenant_caller(&person), id, note, tags)
            .await
    };
    match changed.await {
        Ok(()) => Ok(person.redirect(LIST, "Bookmark updated")),
        Err(error) if *error.kind() == ErrorKind::NotFound => Err(error.into()),
        Err(error) => {
            Ok(person.redisplay(error, entered, |entered| draw_edit(&person, id, entered)))
        }
    }
}

fn read(entered: &FormData) -> Result<(Note, Tags)> {
    let mut fields = entered.fields();
    let note = fields.take("note", Note::parse(entered.get("note")));
    let tags = fields.take("tags", Tags::parse(&tags(entered)));
    fields.finish()?;
    note.zip(tags).ok_or_else(|| Error::validation("Some fields are not valid"))
}

fn draw_edit(person: &Person, id: BookmarkId, entered: &FormData) -> Response {
    let inside = html! {
        (area("note", "Note", Some("Up to 1,000 characters."), 4, entered))
        (field("tags", "Tags").hint("Separate tags with commas. Up to 20.").of(entered))
    };
    let body = html! {
        (head("Edit bookmark", "Only you can see your notes.", html! {
            a.button.plain href=(LIST) { "Back to bookmarks" }
        }))
        (card("Details", form(&format!("{LIST}/{id}/edit"), entered, inside, "Save changes")))
    };
    person.page("Edit bookmark", NavItem::Bookmarks, body)
}

/// Removes a bookmark.
pub(crate) async fn remove(
    person: Person,
    Segment(id): Segment<BookmarkId>,
    entered: FormData,
) -> Outcome {
    bookmark::delete(person.app(), person.context(), tenant_caller(&person), id).await?;
    Ok(person.redirect(back(&entered), "Bookmark removed"))
}
