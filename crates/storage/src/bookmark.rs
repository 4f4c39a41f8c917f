//! Bookmarks, and whether their owners can still see the bookmarked license or mention.

use grantor_domain::bookmark::{Bookmark, NewBookmark, Tags, Target, TargetType};
use grantor_domain::id::{BookmarkId, UserId};
use grantor_domain::note::Note;
use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::PermissionRole;

use crate::license::reader::{Reader, from_rank};
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// A bookmark, and the owner's role on the license that it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBookmark {
    /// The bookmark.
    pub bookmark: Bookmark,
    /// The role on the license; `None` if the license is not visible, and for mentions.
    pub role: Option<PermissionRole>,
}

/// Inserts a bookmark unless the user already has one of this target. Returns whether it was
/// inserted; only one of several concurrent calls inserts it.
pub fn insert(tx: &mut Tx<'_>, bookmark: &Bookmark) -> Result<bool> {
    let NewBookmark { target, note, tags } = &bookmark.fields;
    let tags = serde_json::to_string(tags).map_err(fault)?;
    let added = tx.execute(
        sql!(
            "INSERT INTO bookmarks (bookmark_id, user_id, target_type, target_id, note, tags,
               created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (user_id, target_type, target_id) DO NOTHING"
        ),
        params![
            bookmark.id,
            bookmark.user,
            target.kind().name(),
            target.as_uuid(),
            Some(note.as_str()).filter(|it| !it.is_empty()),
            tags,
            bookmark.created_at,
        ],
    )?;
    Ok(added == 1)
}

/// Returns a user's bookmark of this target.
pub fn find_by_target(tx: &mut Tx<'_>, user: UserId, target: Target) -> Result<Option<Bookmark>> {
    tx.find(
        sql!(
            "SELECT bookmark_id, user_id, target_type, target_id, note, tags, created_at
             FROM bookmarks WHERE user_id = $1 AND target_type = $2 AND target_id = $3"
        ),
        params![user, target.kind().name(), target.as_uuid()],
        read,
    )
}

/// Returns a user's bookmark with this id.
pub fn find(tx: &mut Tx<'_>, user: UserId, id: BookmarkId) -> Result<Option<Bookmark>> {
    tx.find(
        sql!(
            "SELECT bookmark_id, user_id, target_type, target_id, note, tags, created_at
             FROM bookmarks WHERE bookmark_id = $1 AND user_id = $2"
        ),
        params![id, user],
        read,
    )
}

/// Updates note and tags. False if the user has no bookmark with this id.
pub fn update(
    tx: &mut Tx<'_>,
    user: UserId,
    id: BookmarkId,
    note: &Note,
    tags: &Tags,
) -> Result<bool> {
    let tags = serde_json::to_string(tags).map_err(fault)?;
    let note = Some(note.as_str()).filter(|it| !it.is_empty());
    let updated = tx.execute(
        sql!("UPDATE bookmarks SET note = $3, tags = $4 WHERE bookmark_id = $1 AND user_id = $2"),
        params![id, user, note, tags],
    )?;
    Ok(updated == 1)
}

/// Deletes a user's bookmark. False if there is none with this id.
pub fn delete(tx: &mut Tx<'_>, user: UserId, id: BookmarkId) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM bookmarks WHERE bookmark_id = $1 AND user_id = $2"),
        params![id, user],
    )?;
    Ok(deleted == 1)
}

/// Lists a user's bookmarks, newest first, each with the reader's role on its license.
pub fn list(
    tx: &mut Tx<'_>,
    user: UserId,
    reader: Reader,
    page: Page,
) -> Result<Listing<ListedBookmark>> {
    let total: Option<i64> =
        tx.find(sql!("SELECT count(*) FROM bookmarks WHERE user_id = $1"), params![user], |row| {
            only_column(row)
        })?;
    let [one, other] = reader.ids();
    let items = tx.query(
        sql!(
            "SELECT b.bookmark_id, b.user_id, b.target_type, b.target_id, b.note, b.tags,
               b.created_at,
               (SELECT max(r.role) FROM license_readers r
                WHERE b.target_type = 'license' AND r.license_id = b.target_id
                  AND r.reader_id IN ($2, $3)) AS role
             FROM (
               SELECT bookmark_id, user_id, target_type, target_id, note, tags, created_at
               FROM bookmarks WHERE user_id = $1
               ORDER BY created_at DESC, bookmark_id DESC LIMIT $4 OFFSET $5
             ) b
             ORDER BY b.created_at DESC, b.bookmark_id DESC"
        ),
        params![user, one, other, page.size(), page.offset()],
        |row| {
            let role = row.get::<Option<i64>>("role")?.map(from_rank).transpose()?;
            Ok(ListedBookmark { bookmark: read(row)?, role })
        },
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("invalid bookmark: {what}"))
}

fn read(row: &Row<'_>) -> Result<Bookmark> {
    let kind = row.get::<String>("target_type")?.parse::<TargetType>().map_err(fault)?;
    let note = row.get::<Option<String>>("note")?.unwrap_or_default();
    let tags: Tags = serde_json::from_str(&row.get::<String>("tags")?).map_err(fault)?;
    let target = Target::new(kind, row.get("target_id")?);
    let fields = NewBookmark { target, note: Note::parse(&note).map_err(fault)?, tags };
    Ok(Bookmark {
        id: row.get("bookmark_id")?,
        user: row.get("user_id")?,
        fields,
        created_at: row.get("created_at")?,
    })
}
