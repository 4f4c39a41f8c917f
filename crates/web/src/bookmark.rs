//! `/app/bookmarks`: a user's bookmarked licenses and mentions.

use axum::response::Response;
use grantor_domain::bookmark::{NewBookmark, Tags, TargetType};
use grantor_domain::id::{BookmarkId, LicenseId};
use grantor_domain::note::Note;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::bookmark::{self, BookmarkView, Content};
use maud::{Markup, html};

use crate::export;
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::sign_in::next;
use crate::thumbnail::{self, Thumbnails};
use crate::view::rich::rich;
use crate::view::{
    NavItem, Table, ago, area, badge, card, field, form, head, lesson, pager, undoable,
};

const LIST: &str = "/app/bookmarks";

/// Lists bookmarks, newest first.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found = params
        .in_range(bookmark::list(person.app(), tenant_caller(&person), params.page()?).await?)?;
    let licenses =
        found.items.iter().filter_map(|it| it.content.as_ref()).map(|it| subject_of(it).0);
    let thumbnails = thumbnail::of_licenses(&person, licenses).await?;
    let heads = [
        text!("bookmark-item"),
        text!("bookmark-note"),
        text!("bookmark-tags"),
        text!("bookmark-added-at"),
        "",
    ];
    let table = Table::new(text!("bookmark-list"), &heads)
        .rows(&found.items, |it| row(&person, it, &thumbnails));
    let body = html! {
        (head(text!("bookmark-list"), text!("bookmark-list-lead"), export::links(&person, "bookmarks")))
        @if found.items.is_empty() {
            (lesson(text!("bookmark-list-none"), text!("bookmark-list-none-why"), &[
                text!("bookmark-lesson-add"),
                text!("bookmark-lesson-note"),
            ], html! {
                a.button href="/app/licenses" { (text!("bookmark-view-licenses")) } " "
                a.button.plain href="/app/catalog" { (text!("bookmark-browse-catalog")) }
            }))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(text!("bookmark-list"), NavItem::Bookmarks, body))
}

/// The license of a bookmarked item, and the name of its talent.
fn subject_of(content: &Content) -> (LicenseId, &str) {
    match content {
        Content::License(seen) => (seen.shown.license.id, &seen.shown.talent_name),
        Content::Mention(seen) => (seen.shown.license, &seen.shown.talent_name),
    }
}

fn tenant_caller(person: &Person) -> TenantCaller {
    TenantCaller::from(&*person.caller)
}

fn row(
    person: &Person,
    BookmarkView { bookmark, content }: &BookmarkView,
    thumbnails: &Thumbnails<LicenseId>,
) -> Vec<Markup> {
    let (id, kept) = (bookmark.id, &bookmark.fields);
    let item = what(content.as_ref(), kept.target.kind());
    vec![
        match content.as_ref().map(subject_of) {
            Some((license, talent)) => thumbnails.beside(license, talent, item),
            None => item,
        },
        html! { span.lines { (kept.note.as_str()) } },
        html! { @for tag in kept.tags.as_slice() { span.badge { (tag) } " " } },
        ago(person.now(), bookmark.created_at),
        html! {
            @if !person.is_viewed() {
                div.row {
                    a.button.small.plain href={ (LIST) "/" (id) "/edit" } { (text!("action-edit")) }
                    (undoable(&format!("{LIST}/{id}/remove"), text!("action-remove"), &[]))
                }
            }
        },
    ]
}

/// Links to the bookmarked item, if the user can still see it.
fn what(content: Option<&Content>, kind: TargetType) -> Markup {
    html! {
        @match content {
            Some(Content::License(seen)) => {
                a href={ "/app/licenses/" (seen.shown.license.id) } { (seen.shown.license.title.as_str()) }
                p.quiet { (rich!("bookmark-license", talent = &seen.shown.talent_name, status = badge(seen.status.name()))) }
            }
            Some(Content::Mention(seen)) => {
                a href={ "/app/mentions/" (seen.shown.mention.id) } { (seen.shown.mention.title) }
                p.quiet { (rich!("bookmark-mention", place = &seen.place, verdict = badge(seen.shown.mention.verdict.name()))) }
            }
            None => {
                (badge("access_lost"))
                p.quiet {
                    @match kind {
                        TargetType::License => (text!("bookmark-lost-license")),
                        TargetType::Mention => (text!("bookmark-lost-mention")),
                    }
                }
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
    let message = if new { text!("bookmark-added") } else { text!("bookmark-known") };
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
        Ok(()) => Ok(person.redirect(LIST, text!("bookmark-updated"))),
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
        (area("note", text!("bookmark-note"), Some(text!("bookmark-note-hint")), 4, entered))
        (field("tags", text!("bookmark-tags")).hint(text!("bookmark-tags-hint")).of(entered))
    };
    let body = html! {
        (head(text!("bookmark-edit"), text!("bookmark-edit-lead"), html! {
            a.button.plain href=(LIST) { (text!("bookmark-back")) }
        }))
        (card(text!("bookmark-details"), form(&format!("{LIST}/{id}/edit"), entered, inside, text!("bookmark-save"))))
    };
    person.page(text!("bookmark-edit"), NavItem::Bookmarks, body)
}

/// Removes a bookmark.
pub(crate) async fn remove(
    person: Person,
    Segment(id): Segment<BookmarkId>,
    entered: FormData,
) -> Outcome {
    bookmark::delete(person.app(), person.context(), tenant_caller(&person), id).await?;
    Ok(person.redirect(back(&entered), text!("bookmark-removed")))
}
