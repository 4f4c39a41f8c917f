//! Addresses of the catalog's pages about talents and owners. A page has one from the first time
//! that a license is public; after a new name, older addresses lead to the new one.

use std::collections::HashMap;

use grantor_domain::Timestamp;
use grantor_domain::catalog_address::{AddressKind, candidates};
use uuid::Uuid;

use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Result, Tx, only_column};

/// How many subjects one statement looks up.
const AT_ONCE: usize = 20;

/// How many addresses a page keeps, so that new names don't add up.
const MAX_KEPT: i64 = 10;

/// How many pages get their first address in one unit of work.
const AT_START: u32 = 100;

/// A page that has an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressedPage {
    /// The talent or tenant.
    pub subject: Uuid,
    /// The page's current address.
    pub slug: String,
}

/// Returns the page that has or had this address.
pub fn find(tx: &mut Tx<'_>, kind: AddressKind, slug: &str) -> Result<Option<AddressedPage>> {
    tx.find(
        sql!(
            "SELECT c.subject_id, c.slug FROM catalog_addresses a
             JOIN catalog_addresses c ON c.subject_id = a.subject_id
             WHERE a.kind = $1 AND a.slug = $2 AND c.slug IS NOT NULL
             ORDER BY c.number DESC LIMIT 1"
        ),
        params![kind.name(), slug],
        |row| Ok(AddressedPage { subject: row.get("subject_id")?, slug: row.get("slug")? }),
    )
}

/// Returns the current addresses of these talents and tenants.
pub fn list_of(tx: &mut Tx<'_>, subjects: &[Uuid]) -> Result<HashMap<Uuid, String>> {
    let mut found = HashMap::new();
    for chunk in subjects.chunks(AT_ONCE) {
        // The current address comes last and replaces the others.
        found.extend(tx.query(
            sql!(
                "SELECT subject_id, slug FROM catalog_addresses
                 WHERE subject_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
                   $15, $16, $17, $18, $19, $20) AND slug IS NOT NULL
                 ORDER BY number"
            ),
            &padded::<_, AT_ONCE>(chunk),
            |row| Ok((row.get::<Uuid>("subject_id")?, row.get::<String>("slug")?)),
        )?);
    }
    Ok(found)
}

/// Gives a page an address of this name, unless it has one.
pub fn assign(
    tx: &mut Tx<'_>,
    kind: AddressKind,
    subject: Uuid,
    name: &str,
    now: Timestamp,
) -> Result<()> {
    let known = numbered(tx, subject)?;
    let current = known.iter().rev().find_map(|(_, slug)| slug.as_deref());
    let wanted = candidates(name, subject);
    if current.is_some_and(|current| wanted.iter().any(|it| it == current)) {
        return Ok(());
    }
    let next = known.last().map_or(1, |(number, _)| number + 1);
    // A row without an address, and one that becomes current again.
    for (number, slug) in &known {
        if slug.as_ref().is_none_or(|it| wanted.contains(it)) {
            delete(tx, subject, *number)?;
        }
    }
    for slug in wanted {
        if insert(tx, kind, subject, (next, slug.as_str()), now)? {
            break;
        }
    }
    tx.execute(
        sql!("DELETE FROM catalog_addresses WHERE subject_id = $1 AND number <= $2"),
        params![subject, next - MAX_KEPT],
    )?;
    Ok(())
}

/// Gives a page an address of its new name, if it has one.
pub fn rename(
    tx: &mut Tx<'_>,
    kind: AddressKind,
    subject: Uuid,
    name: &str,
    now: Timestamp,
) -> Result<()> {
    if numbered(tx, subject)?.is_empty() { Ok(()) } else { assign(tx, kind, subject, name, now) }
}

/// Gives some of the pages that a migration added their first address. Returns the number of pages.
pub fn name_pages(tx: &mut Tx<'_>, now: Timestamp) -> Result<u64> {
    let mut count = 0;
    for kind in AddressKind::ALL {
        let unnamed: Vec<(Uuid, i64)> = tx.query(
            sql!(
                "SELECT subject_id, number FROM catalog_addresses
                 WHERE kind = $1 AND slug IS NULL LIMIT $2"
            ),
            params![kind.name(), AT_START],
            |row| Ok((row.get("subject_id")?, row.get("number")?)),
        )?;
        for (subject, number) in unnamed {
            match name_of(tx, kind, subject)? {
                Some(name) => assign(tx, kind, subject, &name, now)?,
                None => delete(tx, subject, number)?,
            }
            count += 1;
        }
    }
    Ok(count)
}

/// The addresses of a page with their numbers, oldest first.
fn numbered(tx: &mut Tx<'_>, subject: Uuid) -> Result<Vec<(i64, Option<String>)>> {
    tx.query(
        sql!("SELECT number, slug FROM catalog_addresses WHERE subject_id = $1 ORDER BY number"),
        params![subject],
        |row| Ok((row.get("number")?, row.get("slug")?)),
    )
}

/// False if another page has the address, or if another unit of work has just added one.
fn insert(
    tx: &mut Tx<'_>,
    kind: AddressKind,
    subject: Uuid,
    (number, slug): (i64, &str),
    now: Timestamp,
) -> Result<bool> {
    let added = tx.execute(
        sql!(
            "INSERT INTO catalog_addresses (subject_id, number, kind, slug, created_at)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING"
        ),
        params![subject, number, kind.name(), slug, now],
    )?;
    Ok(added == 1)
}

fn delete(tx: &mut Tx<'_>, subject: Uuid, number: i64) -> Result<()> {
    tx.execute(
        sql!("DELETE FROM catalog_addresses WHERE subject_id = $1 AND number = $2"),
        params![subject, number],
    )?;
    Ok(())
}

fn name_of(tx: &mut Tx<'_>, kind: AddressKind, subject: Uuid) -> Result<Option<String>> {
    match kind {
        AddressKind::Talent => tx.find(
            sql!("SELECT fullname FROM talents WHERE talent_id = $1"),
            params![subject],
            only_column,
        ),
        AddressKind::Owner => tx.find(
            sql!("SELECT name FROM tenants WHERE tenant_id = $1"),
            params![subject],
            only_column,
        ),
    }
}
