//! Who can see which license, in the order of every list, and how many each reader sees.
//!
//! A reader is an organization, a person, or everybody. Everyone with a permission has a row, also
//! while the license is a draft; everybody has one only while it is public. A caller reads as their
//! organization and as themself; few have permissions as themself, so the common page is one read
//! of one index. The licenses that an organization owns form a separate list with its own reader
//! id, because others may have shared any number of theirs with it.

mod count;
mod page;
mod total;

use std::collections::{BTreeMap, HashMap};

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseId, TenantId, UserId};
use grantor_domain::license::{License, LicenseStatus};
use grantor_domain::permission::PermissionRole;
use uuid::Uuid;

pub use self::page::{may_be_short, page, short_page};
pub use self::total::{Totals, totals};
use super::index;
use crate::permission::Holders;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// The reader id for public licenses.
pub const EVERYBODY: Uuid = Uuid::nil();

/// Number of rows in which public licenses are counted.
const SHARDS: u8 = 16;

/// Whose list is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The list of public licenses.
    Everybody,
    /// The licenses that a tenant owns, without those shared with it.
    Owner(TenantId),
    /// The licenses visible to a user who acts in a tenant: the tenant's and their own.
    Caller {
        /// The tenant.
        tenant: TenantId,
        /// The user.
        user: UserId,
    },
}

impl Reader {
    /// The reader ids whose rows count, the one with the most rows first.
    #[must_use]
    pub fn ids(self) -> [Uuid; 2] {
        match self {
            Self::Everybody => [EVERYBODY; 2],
            Self::Owner(tenant) => [owner(tenant); 2],
            Self::Caller { tenant, user } => [tenant.as_uuid(), user.as_uuid()],
        }
    }

    /// The tenant that reads.
    #[must_use]
    pub fn tenant(self) -> Option<TenantId> {
        match self {
            Self::Everybody => None,
            Self::Owner(tenant) | Self::Caller { tenant, .. } => Some(tenant),
        }
    }
}

/// The reader id for the licenses that a tenant owns: the tenant's id with UUID version 8
/// ("custom") instead of 7, which no record has. The migration `own_and_verified` does the same in
/// SQL.
fn owner(tenant: TenantId) -> Uuid {
    let mut bytes = tenant.as_uuid().into_bytes();
    bytes[6] = 0x80 | (bytes[6] & 0x0f);
    Uuid::from_bytes(bytes)
}

/// A license in a list, with enough data to show it from the render cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The license.
    pub id: LicenseId,
    /// The license's version.
    pub version: u32,
    /// The reader's role.
    pub role: PermissionRole,
    /// The stored status.
    pub status: LicenseStatus,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
}

impl Entry {
    /// The status at this time.
    #[must_use]
    pub fn status_at(&self, now: Timestamp) -> LicenseStatus {
        let lapses = matches!(self.status, LicenseStatus::Private | LicenseStatus::Public);
        let ended = self.expires_at.is_some_and(|it| it <= now);
        if lapses && ended { LicenseStatus::Expired } else { self.status }
    }
}

/// An entry with its sort keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sortable {
    pub(super) entry: Entry,
    pub(super) updated_at: Timestamp,
    pub(super) title: String,
}

impl Sortable {
    /// The entry of the license's owner.
    pub(super) fn of(license: &License) -> Self {
        let License { id, version, status, expires_at, .. } = *license;
        let entry = Entry { id, version, role: PermissionRole::Licensor, status, expires_at };
        Self { entry, updated_at: license.updated_at, title: license.title.as_str().to_owned() }
    }
}

/// Returns the license's entry in a caller's list, with their highest role on it.
pub fn find(tx: &mut Tx<'_>, reader: Reader, id: LicenseId) -> Result<Option<Entry>> {
    Ok(find_sortable(tx, reader, id)?.map(|it| it.entry))
}

pub(super) fn find_sortable(
    tx: &mut Tx<'_>,
    reader: Reader,
    id: LicenseId,
) -> Result<Option<Sortable>> {
    let [one, other] = reader.ids();
    // Two lookups by key, because an IN list with an order would need temporary tables.
    let rows = tx.query(
        sql!(
            "SELECT license_id, version, role, status, expires_at, updated_at, title
             FROM license_readers WHERE reader_id = $2 AND license_id = $1
             UNION ALL
             SELECT license_id, version, role, status, expires_at, updated_at, title
             FROM license_readers WHERE reader_id = $3 AND license_id = $1"
        ),
        params![id, one, other],
        read_sortable,
    )?;
    Ok(rows.into_iter().max_by_key(|it| rank(it.entry.role)))
}

pub(super) fn read_sortable(row: &Row<'_>) -> Result<Sortable> {
    Ok(Sortable { entry: read(row)?, updated_at: row.get("updated_at")?, title: row.get("title")? })
}

fn read(row: &Row<'_>) -> Result<Entry> {
    Ok(Entry {
        id: row.get("license_id")?,
        version: row.get("version")?,
        role: from_rank(row.get("role")?)?,
        status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
        expires_at: row.get("expires_at")?,
    })
}

/// A reader's row before a change.
pub(super) struct Before {
    role: PermissionRole,
    status: LicenseStatus,
}

/// Returns the rows of all readers of this license.
pub(super) fn list(tx: &mut Tx<'_>, id: LicenseId) -> Result<BTreeMap<Uuid, Before>> {
    let rows = tx.query(
        sql!("SELECT reader_id, role, status FROM license_readers WHERE license_id = $1"),
        params![id],
        read_before,
    )?;
    Ok(rows.into_iter().collect())
}

/// The readers of those of these licenses that have any.
pub(super) fn list_ids(tx: &mut Tx<'_>, licenses: &[Uuid]) -> Result<HashMap<Uuid, Vec<Uuid>>> {
    let rows = tx.query(
        sql!("SELECT license_id, reader_id FROM license_readers WHERE license_id = ANY($1)"),
        params![licenses],
        |row| Ok((row.get("license_id")?, row.get("reader_id")?)),
    )?;
    let mut found = HashMap::<_, Vec<_>>::new();
    for (license, reader) in rows {
        found.entry(license).or_default().push(reader);
    }
    Ok(found)
}

fn read_before(row: &Row<'_>) -> Result<(Uuid, Before)> {
    let status = row.get::<String>("status")?.parse().map_err(Error::Fault)?;
    Ok((row.get("reader_id")?, Before { role: from_rank(row.get("role")?)?, status }))
}

/// Updates the rows of a license for these holders, and the counts. Readers are processed in the
/// order of their ids, so that two units cannot deadlock. The license is marked for indexing if its
/// readers or its status changed.
pub fn set(tx: &mut Tx<'_>, license: &License, holders: &Holders) -> Result<()> {
    let before = list(tx, license.id)?;
    renew(tx, license)?;
    let after = visible(license, holders.roles());
    // Usually the readers are unchanged and one statement suffices.
    if before.len() == after.len()
        && before
            .iter()
            .all(|(reader, it)| it.status == license.status && after.get(reader) == Some(&it.role))
    {
        return Ok(());
    }
    let mut deltas = BTreeMap::<(Uuid, &'static str), i64>::new();
    for (reader, Before { status, .. }) in &before {
        if !after.contains_key(reader) {
            delete(tx, *reader, license.id)?;
            *deltas.entry((*reader, status.name())).or_default() -= 1;
        }
    }
    for (reader, role) in &after {
        put(tx, *reader, *role, license)?;
        if let Some(Before { status, .. }) = before.get(reader) {
            *deltas.entry((*reader, status.name())).or_default() -= 1;
        }
        *deltas.entry((*reader, license.status.name())).or_default() += 1;
    }
    deltas.retain(|_, change| *change != 0);
    if !deltas.is_empty() {
        index::mark(tx, license.id)?;
    }
    for ((reader, status), change) in deltas {
        count(tx, reader, license.id, status, change)?;
    }
    Ok(())
}

/// Updates the row of one reader of a license, and its counts, if the others are unchanged. `None`
/// removes the row.
pub fn set_one(
    tx: &mut Tx<'_>,
    license: &License,
    reader: Uuid,
    role: Option<PermissionRole>,
) -> Result<()> {
    let before = tx.find(
        sql!(
            "SELECT reader_id, role, status FROM license_readers
             WHERE reader_id = $1 AND license_id = $2"
        ),
        params![reader, license.id],
        read_before,
    )?;
    match role {
        Some(role) => put(tx, reader, role, license)?,
        None => delete(tx, reader, license.id)?,
    }
    let old = before.map(|(_, Before { status, .. })| status);
    let new = role.map(|_| license.status);
    if old == new {
        return Ok(());
    }
    index::mark(tx, license.id)?;
    for (status, change) in [(old, -1), (new, 1)] {
        if let Some(status) = status {
            count(tx, reader, license.id, status.name(), change)?;
        }
    }
    Ok(())
}

/// Removes a license from every list.
pub fn remove(tx: &mut Tx<'_>, license: &License) -> Result<()> {
    for (reader, Before { status, .. }) in list(tx, license.id)? {
        delete(tx, reader, license.id)?;
        count(tx, reader, license.id, status.name(), -1)?;
    }
    index::mark(tx, license.id)
}

fn visible(
    license: &License,
    holders: &BTreeMap<Uuid, PermissionRole>,
) -> BTreeMap<Uuid, PermissionRole> {
    let mut seen = holders.clone();
    seen.insert(owner(license.tenant), PermissionRole::Licensor);
    if license.status == LicenseStatus::Public {
        seen.insert(EVERYBODY, PermissionRole::Viewer);
    }
    seen
}

/// Updates the license's data in all its rows.
fn renew(tx: &mut Tx<'_>, license: &License) -> Result<()> {
    tx.send(
        sql!(
            "UPDATE license_readers SET license_type = $2, title = $3, expires_at = $4,
               version = $5, updated_at = $6
             WHERE license_id = $1"
        ),
        params![
            license.id,
            license.license_type.key(),
            license.title.as_str(),
            license.expires_at,
            license.version,
            license.updated_at,
        ],
    )
}

fn put(tx: &mut Tx<'_>, reader: Uuid, role: PermissionRole, license: &License) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO license_readers (reader_id, license_id, role, status, license_type, title,
               expires_at, version, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (reader_id, license_id) DO UPDATE
             SET role = $3, status = $4, license_type = $5, title = $6, expires_at = $7,
               version = $8, updated_at = $9"
        ),
        params![
            reader,
            license.id,
            rank(role),
            license.status.name(),
            license.license_type.key(),
            license.title.as_str(),
            license.expires_at,
            license.version,
            license.updated_at,
        ],
    )
}

fn delete(tx: &mut Tx<'_>, reader: Uuid, id: LicenseId) -> Result<()> {
    tx.send(
        sql!("DELETE FROM license_readers WHERE reader_id = $1 AND license_id = $2"),
        params![reader, id],
    )
}

fn count(
    tx: &mut Tx<'_>,
    reader: Uuid,
    license: LicenseId,
    status: &str,
    change: i64,
) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO reader_counts (reader_id, status, shard, total) VALUES ($1, $2, $3, $4)
             ON CONFLICT (reader_id, status, shard) DO UPDATE
             SET total = reader_counts.total + $4"
        ),
        params![reader, status, shard(reader, license), change],
    )
}

/// The shard in which a license is counted. Public licenses have several, because otherwise changes
/// of all tenants would wait for one row. A license keeps its shard for life.
fn shard(reader: Uuid, license: LicenseId) -> i64 {
    let last = license.as_uuid().into_bytes()[15];
    if reader == EVERYBODY { i64::from(last % SHARDS) } else { 0 }
}

/// The rank of a role, lowest first, so that the highest role can be found by comparison.
fn rank(role: PermissionRole) -> i64 {
    role as i64
}

pub(crate) fn from_rank(rank: i64) -> Result<PermissionRole> {
    let at = usize::try_from(rank).ok();
    let role = at.and_then(|it| PermissionRole::ALL.get(it)).copied();
    role.ok_or_else(|| Error::Fault(format!("invalid role rank {rank}")))
}
