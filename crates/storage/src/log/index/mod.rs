//! The bitmap index of the log, by tenant, scheme, action, level, class and word.
//!
//! Each entry gets a number shortly after it was written, in time order, and each term has the set
//! of the numbers of its entries. Entries never change, so the terms of a deleted entry are
//! computed from its row. Queries also read the entries that are not indexed yet, so every result
//! is current.

mod find;
mod term;
mod times;
mod update;

use grantor_domain::Timestamp;

pub(super) use self::find::{LogQuery, Selection};
pub(crate) use self::update::forget;
pub use self::update::{has_fresh, update};
use crate::{Result, Tx};

/// How many entries a rebuild indexes at a time.
const REBUILD: u32 = 1_000;

/// Indexes all entries, after a restore.
pub(crate) fn rebuild(tx: &mut Tx<'_>) -> Result<()> {
    while update(tx, Timestamp::from_micros(i64::MAX), REBUILD)? > 0 {}
    Ok(())
}
