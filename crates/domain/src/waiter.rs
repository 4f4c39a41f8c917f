//! Cancellation of changes whose caller has left. A caller that got the response that nothing was
//! changed must be able to rely on it, so cancellation and commit exclude each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const WAITS: u8 = 0;
const SETTLED: u8 = 1;
const LEFT: u8 = 2;

/// The cancellation state of one request. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Waiter(Arc<AtomicU8>);

impl Waiter {
    /// Cancels the request. Returns true if nothing was or will be committed for it, and false if a
    /// commit has been started, so that the caller must wait for its result.
    #[must_use]
    pub fn leave(&self) -> bool {
        let left = self.0.compare_exchange(WAITS, LEFT, Ordering::AcqRel, Ordering::Acquire);
        left.is_ok() || left == Err(LEFT)
    }

    /// Whether the request was canceled before a commit, so that pending work can be skipped.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.0.load(Ordering::Acquire) == LEFT
    }

    /// Called right before a commit. Returns false if the request was canceled.
    #[must_use]
    pub fn settle(&self) -> bool {
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
