//! Tags of licenses and talents.

use std::collections::HashMap;

use grantor_domain::Timestamp;
use grantor_domain::id::{TagId, TenantId};
use grantor_domain::tag::{Tag, TagKey, TaggedKind};
use uuid::Uuid;

use crate::license::index;
use crate::record_index::{self, RecordKind};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// Sorts after every text that begins with the one before it.
const AFTER_ALL: char = '\u{10FFFF}';

/// A tag of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTag {
    /// The tenant whose tag it is.
    pub tenant: TenantId,
    /// The tag as it was first typed.
    pub name: String,
    /// The tag without differences in case and spacing.
    pub key: String,
}

/// Returns the tags of those of these records that have any, each list in alphabetical order.
pub fn list_of(
    tx: &mut Tx<'_>,
    kind: TaggedKind,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Vec<StoredTag>>> {
    let mut found: HashMap<Uuid, Vec<StoredTag>> = HashMap::new();
    let rows = tx.query(
        sql!(
            "SELECT r.record_id, t.tenant_id, t.name, t.name_key
             FROM record_tags r JOIN tags t ON t.tag_id = r.tag_id
             WHERE r.kind = $1 AND r.record_id = ANY($2)"
        ),
        params![kind.name(), ids],
        |row| {
            let (tenant, name, key) =
                (row.get("tenant_id")?, row.get("name")?, row.get("name_key")?);
            Ok((row.get("record_id")?, StoredTag { tenant, name, key }))
        },
    )?;
    for (id, tag) in rows {
        found.entry(id).or_default().push(tag);
    }
    for tags in found.values_mut() {
        tags.sort_by(|one, other| one.key.cmp(&other.key));
    }
    Ok(found)
}

/// Returns the keys of the tags of one record.
pub(crate) fn keys_of(tx: &mut Tx<'_>, kind: TaggedKind, id: Uuid) -> Result<Vec<String>> {
    let mut found = list_of(tx, kind, &[id])?;
    Ok(found.remove(&id).unwrap_or_default().into_iter().map(|it| it.key).collect())
}

/// Lists a tenant's tags that begin with this text, in alphabetical order.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    beginning: &str,
    at_most: u32,
) -> Result<Vec<String>> {
    let until = format!("{beginning}{AFTER_ALL}");
    tx.query(
        sql!(
            "SELECT name FROM tags WHERE tenant_id = $1 AND name_key >= $2 AND name_key < $3
             ORDER BY name_key LIMIT $4"
        ),
        params![tenant, beginning, until, at_most],
        only_column,
    )
}

/// Counts a tenant's tags, which are bounded.
pub fn count(tx: &mut Tx<'_>, tenant: TenantId) -> Result<u64> {
    let found: Option<i64> =
        tx.find(sql!("SELECT count(*) FROM tags WHERE tenant_id = $1"), params![tenant], |row| {
            only_column(row)
        })?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Returns the tenant's tag with this key, and its name.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, key: &TagKey) -> Result<Option<(TagId, String)>> {
    tx.find(
        sql!("SELECT tag_id, name FROM tags WHERE tenant_id = $1 AND name_key = $2"),
        params![tenant, key.as_str()],
        |row| Ok((row.get("tag_id")?, row.get("name")?)),
    )
}

/// Inserts a tag. The tenant must be claimed, and have no tag with the same key.
pub fn insert(
    tx: &mut Tx<'_>,
    id: TagId,
    tenant: TenantId,
    tag: &Tag,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO tags (tag_id, tenant_id, name, name_key, created_at)
             VALUES ($1, $2, $3, $4, $5)"
        ),
        params![id, tenant, tag.as_str(), tag.key().as_str(), now],
    )?;
    Ok(())
}

/// Puts a tag on a record. False if the record has it already.
pub fn add(tx: &mut Tx<'_>, kind: TaggedKind, record: Uuid, tag: TagId) -> Result<bool> {
    let added = tx.execute(
        sql!(
            "INSERT INTO record_tags (kind, record_id, tag_id) VALUES ($1, $2, $3)
             ON CONFLICT (kind, record_id, tag_id) DO NOTHING"
        ),
        params![kind.name(), record, tag],
    )?;
    mark(tx, kind, record)?;
    Ok(added == 1)
}

/// Takes a tag off a record, and deletes the tag if no other record has it. False if the record does
/// not have it.
pub fn remove(tx: &mut Tx<'_>, kind: TaggedKind, record: Uuid, tag: TagId) -> Result<bool> {
    let removed = tx.execute(
        sql!("DELETE FROM record_tags WHERE kind = $1 AND record_id = $2 AND tag_id = $3"),
        params![kind.name(), record, tag],
    )?;
    tx.execute(
        sql!(
            "DELETE FROM tags WHERE tag_id = $1
               AND NOT EXISTS (SELECT 1 FROM record_tags r WHERE r.tag_id = $1)"
        ),
        params![tag],
    )?;
    mark(tx, kind, record)?;
    Ok(removed == 1)
}

/// Takes all tags off a record that is deleted. The tenant must be claimed.
pub fn remove_all(tx: &mut Tx<'_>, kind: TaggedKind, record: Uuid) -> Result<()> {
    let tags: Vec<TagId> = tx.query(
        sql!("SELECT tag_id FROM record_tags WHERE kind = $1 AND record_id = $2"),
        params![kind.name(), record],
        only_column,
    )?;
    for tag in tags {
        remove(tx, kind, record, tag)?;
    }
    Ok(())
}

/// Marks a record for indexing.
fn mark(tx: &mut Tx<'_>, kind: TaggedKind, record: Uuid) -> Result<()> {
    match kind {
        TaggedKind::License => index::mark(tx, record.into()),
        TaggedKind::Talent => record_index::mark(tx, RecordKind::Talent, record),
    }
}
