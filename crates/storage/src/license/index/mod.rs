//! Which licenses have which word, reader, type and status.
//!
//! Each license has a number, in the order of creation, and each term the set of the numbers that have
//! it, kept as bits. A list that is filtered or searched is the intersection of a few sets: its total
//! is exact and any page of it is found at once, whatever the store holds.
//!
//! A change only notes that the license is stale; a worker sets the bits a moment later, for many at a
//! time. Whoever looks up a set looks at the stale licenses themselves, so that every answer is that of
//! its own moment.

mod find;
mod fold;
mod term;

use grantor_domain::id::LicenseId;
use uuid::Uuid;

pub(crate) use self::find::{Selection, Wanted};
pub use self::fold::fold;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// How many licenses a rebuild takes at a time.
const REBUILD: u32 = 1_000;

/// Notes that a license is to be looked at again: its words, its type, its status or who sees it
/// changed, or it was deleted.
pub fn mark(tx: &mut Tx<'_>, id: LicenseId) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO license_stale (license_id, mark) VALUES ($1, 1)
             ON CONFLICT (license_id) DO UPDATE SET mark = license_stale.mark + 1"
        ),
        params![id],
    )?;
    Ok(())
}

/// Whether any license waits for its bits.
pub fn is_any_stale(tx: &mut Tx<'_>) -> Result<bool> {
    let found = tx.find(sql!("SELECT 1 FROM license_stale LIMIT 1"), params![], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Makes all of it anew: after a restore.
pub(crate) fn rebuild(tx: &mut Tx<'_>) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO license_stale (license_id, mark)
             SELECT license_id, 1 FROM licenses WHERE deleted_at IS NULL"
        ),
        params![],
    )?;
    let mut after = LicenseId::from(Uuid::nil());
    while let Some(last) = fold(tx, after, REBUILD)? {
        after = last;
    }
    Ok(())
}
