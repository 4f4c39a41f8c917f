//! Which entries of the log have which tenant, scheme, action, level, class and word.
//!
//! Each entry gets a number a moment after it was written, in the order of time, and each term the set
//! of the numbers that have it. Entries never change: the terms of one are made again from its row when
//! it is deleted. Whoever asks looks at the entries without a number themselves, so that every answer is
//! that of its own moment.

mod find;
mod fold;
mod term;
mod times;

use grantor_domain::Timestamp;

pub(super) use self::find::{Selection, Wanted};
pub(crate) use self::fold::forget;
pub use self::fold::{fold, is_any_fresh};
use crate::{Result, Tx};

/// How many entries a rebuild takes at a time.
const REBUILD: u32 = 1_000;

/// Puts in all there are, those of this moment too: after a restore.
pub(crate) fn rebuild(tx: &mut Tx<'_>) -> Result<()> {
    while fold(tx, Timestamp::from_micros(i64::MAX), REBUILD)? > 0 {}
    Ok(())
}
