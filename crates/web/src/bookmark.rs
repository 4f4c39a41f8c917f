//! `/app/bookmarks`: what a person keeps at hand, with a word on it.

use axum::response::Response;
use grantor_domain::bookmark::{NewBookmark, Tags};
use grantor_domain::id::BookmarkId;
use grantor_domain::note::Note;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_service::access::Insider;
use grantor_service::bookmark::{self, Content, Marked};
use maud::{Markup, html};

use crate::frame::{Asked, Entered, Outcome, Person, Segment};
use crate::sign_in::next;
use crate::view::{Place, Table, ago, area, badge, card, confirm, empty, field, form, head, pager};

/// Where the list is.
const LIST: &str = "/app/bookmarks";

/// The list, newest first.
pub(crate) async fn list(person: Person, asked: Asked) -> Outcome {
    let found =
        asked.within(bookmark::list(person.app(), insider(&person), asked.page()?).await?)?;
    let heads = ["What", "Note", "Tags", "Kept", "Do"];
    let table = Table::new("Bookmarks", &heads).rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head("Bookmarks", "Licenses and mentions you keep at hand. Only you see them.", html! {}))
        @if found.items.is_empty() {
            (empty("Nothing is kept yet", "Open a license or a mention and press Bookmark.", html! {
                a.button href="/app/licenses" { "Open the licenses" }
            }))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Bookmarks", Place::Bookmarks, body))
}

fn insider(person: &Person) -> Insider {
    Insider::from(&*person.caller)
}

fn row(person: &Person, Marked { bookmark, content }: &Marked) -> Vec<Markup> {
    let (id, kept) = (bookmark.id, &bookmark.kept);
    vec![
        html! { (what(content.as_ref(), kept.target.kind().name())) },
        html! { span.lines { (kept.note.as_str()) } },
        html! { @for tag in kept.tags.as_slice() { span.badge { (tag) } " " } },
        ago(person.now(), bookmark.created_at),
        html! {
            div.row {
                a.button.small.plain href={ (LIST) "/" (id) "/edit" } { "Edit" }
                (confirm(&format!("{LIST}/{id}/remove"), "Remove", "The bookmark goes, with its note.", &[]))
            }
        },
    ]
}

/// What it leads to, as far as that may be seen now.
fn what(content: Option<&Content>, kind: &str) -> Markup {
    html! {
        @match content {
            Some(Content::License(seen)) => {
                a href={ "/app/licenses/" (seen.shown.license.id) } { (seen.shown.license.title.as_str()) }
                p.quiet { "License · " (seen.shown.talent_name) " " (badge(seen.status.name())) }
            }
            Some(Content::Mention(seen)) => {
                a href={ "/app/mentions/" (seen.shown.mention.id) } { (seen.shown.mention.title) }
                p.quiet { "Mention · " (seen.shown.platform_name) " " (badge(seen.shown.mention.verdict.name())) }
            }
            None => {
                (badge("access_lost"))
                p.quiet { "A " (kind) " you may see no longer" }
            }
        }
    }
}

/// Keeps something at hand.
pub(crate) async fn create(person: Person, entered: Entered) -> Outcome {
    entered.readable()?;
    let (kind, id) = (entered.optional("target_type"), entered.optional("target_id"));
    let tags = tags(&entered);
    let new = NewBookmark::parse(kind, id, entered.optional("note"), &tags)?;
    let made = bookmark::create(person.app(), person.context(), insider(&person), new).await;
    let (_, new) = made.map_err(unseen)?;
    let said =
        if new { "It is among your bookmarks" } else { "It was among your bookmarks already" };
    Ok(person.went(back(&entered), said))
}

/// What somebody may not see is as unknown to them as what never was.
fn unseen(error: Error) -> Error {
    match error.kind() {
        ErrorKind::AccessDenied => Error::not_found("What you want to keep"),
        _ => error,
    }
}

fn back(entered: &Entered) -> String {
    next(entered.optional("back").or(Some(LIST)))
}

/// Words between commas.
fn tags(entered: &Entered) -> Vec<String> {
    let words = entered.get("tags").split([',', '\n']).map(str::trim);
    words.filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// The form of note and tags.
pub(crate) async fn edit(person: Person, Segment(id): Segment<BookmarkId>) -> Outcome {
    let found = bookmark::get(person.app(), insider(&person), id).await?;
    let entered = Entered::default()
        .with("note", found.kept.note.as_str())
        .with("tags", found.kept.tags.as_slice().join(", "));
    Ok(draw_edit(&person, id, &entered))
}

/// Changes them.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<BookmarkId>,
    entered: Entered,
) -> Outcome {
    let changed = async {
        let (note, tags) = read(&entered)?;
        bookmark::change(person.app(), person.context(), insider(&person), id, note, tags).await
    };
    match changed.await {
        Ok(()) => Ok(person.went(LIST, "The bookmark was changed")),
        Err(error) if *error.kind() == ErrorKind::NotFound => Err(error.into()),
        Err(error) => Ok(person.again(error, entered, |entered| draw_edit(&person, id, entered))),
    }
}

fn read(entered: &Entered) -> Result<(Note, Tags)> {
    let mut fields = entered.fields();
    let note = fields.take("note", Note::parse(entered.get("note")));
    let tags = fields.take("tags", Tags::parse(&tags(entered)));
    fields.finish()?;
    note.zip(tags).ok_or_else(|| Error::validation("Some fields are not valid"))
}

fn draw_edit(person: &Person, id: BookmarkId, entered: &Entered) -> Response {
    let inside = html! {
        (area("note", "Note", Some("At most 1000 characters."), 4, entered))
        (field("tags", "Tags").hint("Words to group by, with commas between them; at most 20.").of(entered))
    };
    let body = html! {
        (head("Edit a bookmark", "Only you see what you write here.", html! {
            a.button.plain href=(LIST) { "Back to the bookmarks" }
        }))
        (card("Note", form(&format!("{LIST}/{id}/edit"), entered, inside, "Save")))
    };
    person.page("Edit a bookmark", Place::Bookmarks, body)
}

/// Lets go of it.
pub(crate) async fn remove(
    person: Person,
    Segment(id): Segment<BookmarkId>,
    entered: Entered,
) -> Outcome {
    bookmark::delete(person.app(), person.context(), insider(&person), id).await?;
    Ok(person.went(back(&entered), "The bookmark was removed"))
}
