//! The bitmap index of licenses, by word, reader, type and status.
//!
//! Each license has a number in the order of creation, and each term has the set of the numbers of
//! its licenses. A filtered or searched list is the intersection of a few sets: its total is exact
//! and any page is found quickly, however large the store is.
//!
//! A change only marks the license as stale; a worker updates the index shortly after, for many
//! licenses at a time. Queries check the stale licenses themselves, so every result is current.

mod expiring;
mod find;
mod term;
mod update;

use grantor_domain::id::LicenseId;
use uuid::Uuid;

pub use self::expiring::count_expiring;
pub(crate) use self::find::{IndexQuery, Selection};
pub use self::update::update;
use crate::bitmap::term::WORDS;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, meta};

/// The name under which the version of the words is stored that the index has.
const META: &str = "license_index_words";

/// How many licenses a rebuild indexes at a time.
const REBUILD: u32 = 1_000;

/// Marks a license for indexing, because its words, type, status or readers changed or it was
/// deleted.
pub fn mark(tx: &mut Tx<'_>, id: LicenseId) -> Result<()> {
    tx.send(
        sql!(
            "INSERT INTO license_stale (license_id, mark) VALUES ($1, 1)
             ON CONFLICT (license_id) DO UPDATE SET mark = license_stale.mark + 1"
        ),
        params![id],
    )
}

/// Whether any license is marked for indexing.
pub fn has_stale(tx: &mut Tx<'_>) -> Result<bool> {
    let found = tx.find(sql!("SELECT 1 FROM license_stale LIMIT 1"), params![], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Marks all licenses for indexing if the index has the words of another version of the server.
pub fn mark_outdated(tx: &mut Tx<'_>) -> Result<()> {
    if meta::find(tx, META)?.as_deref() == Some(WORDS) {
        return Ok(());
    }
    // Of many nodes one does it, without the time limit of a unit.
    tx.lock_schema()?;
    mark_all(tx)?;
    meta::put(tx, META, WORDS)
}

/// Rebuilds the index, after a restore.
pub(crate) fn rebuild(tx: &mut Tx<'_>) -> Result<()> {
    mark_all(tx)?;
    let mut after = LicenseId::from(Uuid::nil());
    while let Some(last) = update(tx, after, REBUILD)? {
        after = last;
    }
    Ok(())
}

fn mark_all(tx: &mut Tx<'_>) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO license_stale (license_id, mark)
             SELECT license_id, 1 FROM licenses WHERE deleted_at IS NULL
             ON CONFLICT (license_id) DO NOTHING"
        ),
        params![],
    )?;
    Ok(())
}
