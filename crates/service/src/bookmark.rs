//! Bookmarks: licenses and mentions that a person keeps at hand. They are the person's, whichever
//! API client of theirs made them; what they lead to is shown as far as it may be seen now.

use grantor_domain::audit::Resource;
use grantor_domain::bookmark::{Bookmark, NewBookmark, Tags, Target};
use grantor_domain::id::{BookmarkId, LicenseId, MentionId};
use grantor_domain::note::Note;
use grantor_domain::page::{Listing, Page};
use grantor_domain::scope::Scope;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::bookmark::{self, Kept};
use grantor_storage::{Tx, license, mention};
use std::collections::BTreeMap;

use crate::access::Insider;
use crate::act::{Act, Desk, Done};
use crate::license::{Named, resolve};
use crate::{App, Context};

/// What a bookmark leads to, as the caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A license.
    License(Box<crate::license::Seen>),
    /// A mention.
    Mention(Box<crate::mention::Seen>),
}

/// A bookmark as its owner sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Marked {
    /// The bookmark.
    pub bookmark: Bookmark,
    /// What it leads to; nothing when the caller sees it no longer.
    pub content: Option<Content>,
}

/// The caller's bookmarks, newest first.
pub async fn list(app: &App, caller: Insider, page: Page) -> Result<Listing<Marked>> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            let kept = bookmark::list(tx, caller.user, caller.reader(), page)?;
            let Listing { page, items, total, .. } = kept;
            Ok(Listing::new(page, fill(tx, caller, items, now)?, total))
        })
        .await
}

/// Keeps a target at hand. True beside it when it was not before; else the first bookmark stays as
/// it is.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Insider,
    new: NewBookmark,
) -> Result<(Marked, bool)> {
    app.act(context, Create { caller, new }).await
}

/// The caller's bookmark of this id.
pub async fn get(app: &App, caller: Insider, id: BookmarkId) -> Result<Bookmark> {
    let found = app.store.read(move |tx| Ok::<_, Error>(bookmark::get(tx, caller.user, id)?));
    found.await?.ok_or_else(unknown)
}

/// The caller's bookmark of this target, if they keep it.
pub async fn find(app: &App, caller: Insider, target: Target) -> Result<Option<Bookmark>> {
    app.store.read(move |tx| Ok(bookmark::find(tx, caller.user, target)?)).await
}

/// Changes what the caller says of what they keep.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Insider,
    id: BookmarkId,
    note: Note,
    tags: Tags,
) -> Result<()> {
    app.act(context, Change { caller, id, note, tags }).await
}

/// Lets go of a bookmark.
pub async fn delete(app: &App, context: &Context, caller: Insider, id: BookmarkId) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

/// Whether this token shows such content at all: bookmarks lead nobody around a scope.
fn in_scope(caller: Insider, target: Target) -> bool {
    match target {
        Target::License(_) => true,
        Target::Mention(_) => caller.scopes.contains(Scope::MentionRead),
    }
}

/// Adds what each bookmark leads to, in a few reads for the whole page.
fn fill(tx: &mut Tx<'_>, caller: Insider, kept: Vec<Kept>, now: Timestamp) -> Result<Vec<Marked>> {
    let (mut licenses, mut mentions) = (Vec::<LicenseId>::new(), Vec::<MentionId>::new());
    for it in &kept {
        match it.bookmark.kept.target {
            Target::License(id) if it.role.is_some() => licenses.push(id),
            Target::Mention(id) if in_scope(caller, Target::Mention(id)) => mentions.push(id),
            Target::License(_) | Target::Mention(_) => {}
        }
    }
    let licenses = license::load(tx, &licenses)?.into_iter().map(|it| (it.license.id, it));
    let mut licenses: BTreeMap<_, _> = licenses.collect();
    let mentions = mention::load(tx, &mentions)?.into_iter().map(|it| (it.mention.id, it));
    let mut mentions: BTreeMap<_, _> = mentions.collect();
    let mut marked = Vec::with_capacity(kept.len());
    for Kept { bookmark, role } in kept {
        let content = match bookmark.kept.target {
            Target::License(id) => licenses.remove(&id).zip(role).map(|(shown, role)| {
                Content::License(Box::new(crate::license::see(shown, role, now)))
            }),
            Target::Mention(id) => {
                let seen = mentions.remove(&id);
                let seen = seen.map(|it| crate::mention::look(tx, caller.reader(), it));
                seen.transpose()?.flatten().map(|it| Content::Mention(Box::new(it)))
            }
        };
        marked.push(Marked { bookmark, content });
    }
    Ok(marked)
}

fn unknown() -> Error {
    Error::not_found("Bookmark")
}

fn resource(id: BookmarkId) -> Resource {
    Resource { kind: "bookmark", id: Some(id.to_string()), name: None }
}

struct Create {
    caller: Insider,
    new: NewBookmark,
}

impl Act for Create {
    type Grant = Content;
    type Output = (Marked, bool);
    const ACTION: &'static str = "bookmark.create";

    /// Only what one sees can be kept.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Content> {
        if !in_scope(self.caller, self.new.target) {
            let message = format!("The token lacks the scope {}", Scope::MentionRead);
            return Err(Error::new(ErrorKind::InsufficientPermissions, message));
        }
        let reader = self.caller.reader();
        match self.new.target {
            Target::License(id) => {
                let (id, role) = resolve(desk.tx, reader, &Named::Id(id))?;
                let shown = license::find(desk.tx, id)?;
                let shown = shown.ok_or_else(|| Error::not_found("License"))?;
                let seen = crate::license::see(shown, role, desk.now);
                Ok(Content::License(Box::new(seen)))
            }
            Target::Mention(id) => {
                let found = mention::find(desk.tx, id)?;
                let seen = crate::mention::see(desk.tx, reader, found)?;
                Ok(Content::Mention(Box::new(seen)))
            }
        }
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, content: Content) -> Result<Done<(Marked, bool)>> {
        let mut bookmark = Bookmark {
            id: desk.ids.at(desk.now),
            user: self.caller.user,
            kept: self.new.clone(),
            created_at: desk.now,
        };
        let new = bookmark::insert(desk.tx, &bookmark)?;
        if !new {
            let first = bookmark::find(desk.tx, self.caller.user, self.new.target)?;
            bookmark = first.ok_or_else(|| Error::conflict("The bookmark was just deleted"))?;
        }
        let message = if new { "A bookmark was made" } else { "A bookmark was there already" };
        let resource = resource(bookmark.id);
        let marked = Marked { bookmark, content: Some(content) };
        Ok(Done::new((marked, new), resource, message))
    }
}

struct Change {
    caller: Insider,
    id: BookmarkId,
    note: Note,
    tags: Tags,
}

impl Act for Change {
    type Grant = ();
    type Output = ();
    const ACTION: &'static str = "bookmark.update";

    /// A bookmark of somebody else is as unknown as one that never was.
    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<()>> {
        if !bookmark::update(desk.tx, self.caller.user, self.id, &self.note, &self.tags)? {
            return Err(unknown());
        }
        Ok(Done::new((), resource(self.id), "A bookmark was changed"))
    }
}

struct Delete {
    caller: Insider,
    id: BookmarkId,
}

impl Act for Delete {
    type Grant = ();
    type Output = ();
    const ACTION: &'static str = "bookmark.delete";

    /// A bookmark of somebody else is as unknown as one that never was.
    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<()>> {
        if !bookmark::delete(desk.tx, self.caller.user, self.id)? {
            return Err(unknown());
        }
        Ok(Done::new((), resource(self.id), "A bookmark was deleted"))
    }
}
