//! Whether somebody still waits for a change. A caller who was told that nothing happened must be
//! able to rely on it, so that the end of the waiting and the commit exclude each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const WAITS: u8 = 0;
const SETTLED: u8 = 1;
const LEFT: u8 = 2;

/// Who waits for the changes of one request. Clones are the same one.
#[derive(Clone, Debug, Default)]
pub struct Waiter(Arc<AtomicU8>);

impl Waiter {
    /// Ends the waiting. True when nothing was or will be stored for it; false when a change is
    /// stored already or about to be, so that its answer must be heard.
    #[must_use]
    pub fn leave(&self) -> bool {
        let left = self.0.compare_exchange(WAITS, LEFT, Ordering::AcqRel, Ordering::Acquire);
        left.is_ok() || left == Err(LEFT)
    }

    /// Whether the waiting ended before anything was stored: what has not begun need not.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.0.load(Ordering::Acquire) == LEFT
    }

    /// Asked right before a commit: false when nobody waits for it any more.
    pub(crate) fn settle(&self) -> bool {
        let settled = self.0.compare_exchange(WAITS, SETTLED, Ordering::AcqRel, Ordering::Acquire);
        settled.is_ok() || settled == Err(SETTLED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_and_storing_exclude_each_other() {
        let (gone, stored) = (Waiter::default(), Waiter::default());
        assert!(gone.leave() && gone.leave() && gone.has_left());
        assert!(!gone.settle());
        assert!(stored.settle() && stored.settle());
        assert!(!stored.leave() && !stored.has_left());
    }
}
