//! Bookmarks: what somebody keeps at hand, and whether they still see it.

use grantor_domain::bookmark::{Bookmark, NewBookmark, Tags, Target, TargetType};
use grantor_domain::id::{BookmarkId, UserId};
use grantor_domain::note::Note;
use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::PermissionRole;

use crate::license::reader::{Reader, from_rank};
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// A bookmark, and what its owner is to the license where it leads to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The bookmark.
    pub bookmark: Bookmark,
    /// The role on the license; nothing when that is not to be seen, and for a mention.
    pub role: Option<PermissionRole>,
}

/// Adds a bookmark, unless its owner has one of this target: of many who race, one adds it. True
/// when this is the one.
pub fn insert(tx: &mut Tx<'_>, bookmark: &Bookmark) -> Result<bool> {
    let NewBookmark { target, note, tags } = &bookmark.kept;
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

/// The bookmark somebody has of this target.
pub fn find(tx: &mut Tx<'_>, user: UserId, target: Target) -> Result<Option<Bookmark>> {
    tx.find(
        sql!(
            "SELECT bookmark_id, user_id, target_type, target_id, note, tags, created_at
             FROM bookmarks WHERE user_id = $1 AND target_type = $2 AND target_id = $3"
        ),
        params![user, target.kind().name(), target.as_uuid()],
        read,
    )
}

/// Somebody's bookmark of this id.
pub fn get(tx: &mut Tx<'_>, user: UserId, id: BookmarkId) -> Result<Option<Bookmark>> {
    tx.find(
        sql!(
            "SELECT bookmark_id, user_id, target_type, target_id, note, tags, created_at
             FROM bookmarks WHERE bookmark_id = $1 AND user_id = $2"
        ),
        params![id, user],
        read,
    )
}

/// Writes what somebody says of what they keep. False when they have none of this id.
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

/// Takes somebody's bookmark away. False when they have none of this id.
pub fn delete(tx: &mut Tx<'_>, user: UserId, id: BookmarkId) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM bookmarks WHERE bookmark_id = $1 AND user_id = $2"),
        params![id, user],
    )?;
    Ok(deleted == 1)
}

/// Somebody's bookmarks, newest first, each with what the reader is to its license.
pub fn list(tx: &mut Tx<'_>, user: UserId, reader: Reader, page: Page) -> Result<Listing<Kept>> {
    let total: Option<i64> =
        tx.find(sql!("SELECT count(*) FROM bookmarks WHERE user_id = $1"), params![user], |row| {
            row.get(0)
        })?;
    let [one, other] = reader.ids();
    let items = tx.query(
        sql!(
            "SELECT b.bookmark_id, b.user_id, b.target_type, b.target_id, b.note, b.tags,
               b.created_at,
               (SELECT max(r.role) FROM license_readers r
                WHERE b.target_type = 'license' AND r.license_id = b.target_id
                  AND r.reader_id IN ($2, $3))
             FROM (
               SELECT bookmark_id, user_id, target_type, target_id, note, tags, created_at
               FROM bookmarks WHERE user_id = $1
               ORDER BY created_at DESC, bookmark_id DESC LIMIT $4 OFFSET $5
             ) b
             ORDER BY b.created_at DESC, b.bookmark_id DESC"
        ),
        params![user, one, other, page.size(), page.offset()],
        |row| {
            let role = row.get::<Option<i64>>(7)?.map(from_rank).transpose()?;
            Ok(Kept { bookmark: read(row)?, role })
        },
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("a bookmark: {what}"))
}

fn read(row: &Row<'_>) -> Result<Bookmark> {
    let kind = row.get::<String>(2)?.parse::<TargetType>().map_err(fault)?;
    let note = row.get::<Option<String>>(4)?.unwrap_or_default();
    let tags: Tags = serde_json::from_str(&row.get::<String>(5)?).map_err(fault)?;
    let target = Target::new(kind, row.get(3)?);
    let kept = NewBookmark { target, note: Note::parse(&note).map_err(fault)?, tags };
    Ok(Bookmark { id: row.get(0)?, user: row.get(1)?, kept, created_at: row.get(6)? })
}
