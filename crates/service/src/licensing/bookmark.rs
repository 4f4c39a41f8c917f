//! Bookmarks of licenses and mentions. They belong to the user, even if an API client created them.
//! The content is only shown while the user may see it.

use grantor_domain::audit::Resource;
use grantor_domain::bookmark::{Bookmark, NewBookmark, Tags, Target, TargetType};
use grantor_domain::id::{BookmarkId, LicenseId, MentionId};
use grantor_domain::note::Note;
use grantor_domain::page::{Listing, Page};
use grantor_domain::scope::Scope;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::bookmark::{self, ListedBookmark};
use grantor_storage::{Tx, license, mention};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::licensing::license::{LicenseRef, LicenseView, resolve};
use crate::log::change::FieldChanges;
use crate::undo::{self, Reverse, changed_since};
use crate::{App, Context};

/// The bookmarked record, as the caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A license.
    License(Box<LicenseView>),
    /// A mention.
    Mention(Box<crate::watching::mention::MentionView>),
}

/// A bookmark with its content.
#[derive(Clone, Debug, PartialEq)]
pub struct BookmarkView {
    /// The bookmark.
    pub bookmark: Bookmark,
    /// The bookmarked record; `None` if the caller may no longer see it.
    pub content: Option<Content>,
}

/// Returns the caller's bookmarks, newest first.
pub async fn list(app: &App, caller: TenantCaller, page: Page) -> Result<Listing<BookmarkView>> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            let listed = bookmark::list(tx, caller.user, caller.reader(), page)?;
            let Listing { page, items, total, .. } = listed;
            Ok(Listing::new(page, fill(tx, caller, items, now)?, total))
        })
        .await
}

/// Creates a bookmark and returns it with `true`. An existing bookmark of the same target is
/// returned unchanged with `false`.
pub async fn create(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    new: NewBookmark,
) -> Result<(BookmarkView, bool)> {
    app.act(context, Create { caller, new }).await
}

/// Returns a bookmark of the caller.
pub async fn get(app: &App, caller: TenantCaller, id: BookmarkId) -> Result<Bookmark> {
    let found = app.store.read(move |tx| Ok::<_, Error>(bookmark::find(tx, caller.user, id)?));
    found.await?.ok_or_else(not_found)
}

/// Returns the caller's bookmark of a target, if there is one.
pub async fn find(app: &App, caller: TenantCaller, target: Target) -> Result<Option<Bookmark>> {
    app.store.read(move |tx| Ok(bookmark::find_by_target(tx, caller.user, target)?)).await
}

/// Changes the note and tags of a bookmark.
pub async fn change(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: BookmarkId,
    note: Note,
    tags: Tags,
) -> Result<()> {
    app.act(context, Change { caller, id, note, tags }).await
}

/// Deletes a bookmark.
pub async fn delete(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: BookmarkId,
) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

/// Whether the caller's scopes allow reading the target.
fn in_scope(caller: TenantCaller, target: Target) -> bool {
    match target {
        Target::License(_) => true,
        Target::Mention(_) => caller.scopes.contains(Scope::MentionRead),
    }
}

/// Loads the content of a page of bookmarks with a few queries.
fn fill(
    tx: &mut Tx<'_>,
    caller: TenantCaller,
    listed: Vec<ListedBookmark>,
    now: Timestamp,
) -> Result<Vec<BookmarkView>> {
    let (mut licenses, mut mentions) = (Vec::<LicenseId>::new(), Vec::<MentionId>::new());
    for it in &listed {
        match it.bookmark.fields.target {
            Target::License(id) if it.role.is_some() => licenses.push(id),
            Target::Mention(id) if in_scope(caller, Target::Mention(id)) => mentions.push(id),
            Target::License(_) | Target::Mention(_) => {}
        }
    }
    let licenses = license::load(tx, &licenses)?.into_iter().map(|it| (it.license.id, it));
    let mut licenses: BTreeMap<_, _> = licenses.collect();
    let mentions = mention::load(tx, &mentions)?.into_iter().map(|it| (it.mention.id, it));
    let mut mentions: BTreeMap<_, _> = mentions.collect();
    let mut views = Vec::with_capacity(listed.len());
    for ListedBookmark { bookmark, role } in listed {
        let content = match bookmark.fields.target {
            Target::License(id) => licenses.remove(&id).zip(role).map(|(shown, role)| {
                Content::License(Box::new(LicenseView::new(shown, role, now)))
            }),
            Target::Mention(id) => {
                let seen = mentions.remove(&id);
                let seen =
                    seen.map(|it| crate::watching::mention::find_visible(tx, caller.reader(), it));
                seen.transpose()?.flatten().map(|it| Content::Mention(Box::new(it)))
            }
        };
        views.push(BookmarkView { bookmark, content });
    }
    Ok(views)
}

fn not_found() -> Error {
    Error::not_found("Bookmark")
}

fn resource(id: BookmarkId) -> Resource {
    Resource { kind: "bookmark", id: Some(id.to_string()), name: None }
}

struct Create {
    caller: TenantCaller,
    new: NewBookmark,
}

impl Act for Create {
    type Permit = Content;
    type Output = (BookmarkView, bool);
    const ACTION: &'static str = "bookmark.create";

    /// The caller must be able to see the target.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Content> {
        if !in_scope(self.caller, self.new.target) {
            let message = format!("The token lacks the scope {}", Scope::MentionRead);
            return Err(Error::new(ErrorKind::InsufficientPermissions, message));
        }
        let reader = self.caller.reader();
        match self.new.target {
            Target::License(id) => {
                let (id, role) = resolve(unit.tx, reader, &LicenseRef::Id(id))?;
                let shown = license::find(unit.tx, id)?;
                let shown = shown.ok_or_else(|| Error::not_found("License"))?;
                let seen = LicenseView::new(shown, role, unit.now);
                Ok(Content::License(Box::new(seen)))
            }
            Target::Mention(id) => {
                let found = mention::find(unit.tx, id)?;
                let seen = crate::watching::mention::get_visible(unit.tx, reader, found)?;
                Ok(Content::Mention(Box::new(seen)))
            }
        }
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        content: Content,
    ) -> Result<Done<(BookmarkView, bool)>> {
        let mut bookmark = Bookmark {
            id: unit.ids.at(unit.now),
            user: self.caller.user,
            fields: self.new.clone(),
            created_at: unit.now,
        };
        let new = bookmark::insert(unit.tx, &bookmark)?;
        if !new {
            let first = bookmark::find_by_target(unit.tx, self.caller.user, self.new.target)?;
            bookmark = first.ok_or_else(|| Error::conflict("The bookmark was just deleted"))?;
        }
        let message = if new { "A bookmark was created" } else { "A bookmark already existed" };
        let resource = resource(bookmark.id);
        let view = BookmarkView { bookmark, content: Some(content) };
        Ok(Done::new((view, new), resource, message))
    }
}

struct Change {
    caller: TenantCaller,
    id: BookmarkId,
    note: Note,
    tags: Tags,
}

impl Act for Change {
    type Permit = Bookmark;
    type Output = ();
    const ACTION: &'static str = "bookmark.update";

    /// Another user's bookmark is reported as not found.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Bookmark> {
        bookmark::find(unit.tx, self.caller.user, self.id)?.ok_or_else(not_found)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, before: Bookmark) -> Result<Done<()>> {
        if !bookmark::update(unit.tx, self.caller.user, self.id, &self.note, &self.tags)? {
            return Err(not_found());
        }
        let NewBookmark { note, tags, .. } = before.fields;
        let changes = FieldChanges::default()
            .field("note", note.as_str(), self.note.as_str())
            .field("tags", tags.as_slice().join(", "), self.tags.as_slice().join(", "));
        let done = Done::new((), resource(self.id), "A bookmark was updated").with_changes(changes);
        let (before, after) = ((note, tags), (self.note.clone(), self.tags.clone()));
        let reverse = BookmarkReverse::Changed { id: self.id, before, after };
        Ok(done.undone_by(Reverse::Bookmark(reverse)))
    }
}

struct Delete {
    caller: TenantCaller,
    id: BookmarkId,
}

impl Act for Delete {
    type Permit = Bookmark;
    type Output = ();
    const ACTION: &'static str = "bookmark.delete";

    /// Another user's bookmark is reported as not found.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Bookmark> {
        bookmark::find(unit.tx, self.caller.user, self.id)?.ok_or_else(not_found)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, deleted: Bookmark) -> Result<Done<()>> {
        if !bookmark::delete(unit.tx, self.caller.user, self.id)? {
            return Err(not_found());
        }
        let Bookmark { id, fields: NewBookmark { target, note, tags }, created_at, .. } = deleted;
        let target = (target.kind(), target.as_uuid());
        let reverse = BookmarkReverse::Deleted { id, target, note, tags, created_at };
        let done = Done::new((), resource(self.id), "A bookmark was deleted");
        Ok(done.undone_by(Reverse::Bookmark(reverse)))
    }
}

/// What takes back an act on a bookmark.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum BookmarkReverse {
    /// Restores the note and tags, if they are still those of the change.
    Changed {
        /// The bookmark.
        id: BookmarkId,
        /// The note and tags before.
        before: (Note, Tags),
        /// Those that the change made.
        after: (Note, Tags),
    },
    /// Restores a deleted bookmark, unless there is another one of its target.
    Deleted {
        /// The bookmark.
        id: BookmarkId,
        /// The type and id of what was bookmarked.
        target: (TargetType, Uuid),
        /// The note.
        note: Note,
        /// The tags.
        tags: Tags,
        /// When it was created.
        created_at: Timestamp,
    },
}

impl BookmarkReverse {
    /// Takes the act back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: TenantCaller,
    ) -> Result<Done<()>> {
        match self {
            Self::Changed { id, before: (note, tags), after } => {
                let now = bookmark::find(unit.tx, caller.user, id)?.ok_or_else(changed_since)?;
                if (now.fields.note, now.fields.tags) != after {
                    return Err(changed_since());
                }
                let act = Change { caller, id, note, tags };
                undo::run(unit, &act, "A change of a bookmark was undone")
            }
            Self::Deleted { id, target: (kind, target), note, tags, created_at } => {
                let fields = NewBookmark { target: Target::new(kind, target), note, tags };
                let restored = Bookmark { id, user: caller.user, fields, created_at };
                if !bookmark::insert(unit.tx, &restored)? {
                    return Err(changed_since());
                }
                Ok(Done::new((), resource(id), "A deleted bookmark was restored"))
            }
        }
    }
}
