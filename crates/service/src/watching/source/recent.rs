//! Addresses that this node looked at a short while ago. Somebody who looks at an address and then
//! watches it costs the site one look.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grantor_domain::Timestamp;

use crate::watching::scan::Pace;
use crate::watching::scan::look::Found;

/// How long the result of a look is used: people choose a name and talents meanwhile.
const KEPT_FOR: Duration = Duration::from_mins(10);
/// Results kept; the oldest is dropped first.
const MAX_KEPT: usize = 256;

/// The looks of this node.
#[derive(Debug, Default)]
pub struct Looks {
    pace: Pace,
    recent: Mutex<VecDeque<(Timestamp, Found)>>,
}

impl Looks {
    /// Looks whose requests to a host follow each other at this pace.
    #[must_use]
    pub fn new(pace: Pace) -> Self {
        Self { pace, recent: Mutex::default() }
    }

    /// How fast requests follow each other.
    #[must_use]
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// What was found at an address.
    pub(super) fn find(&self, url: &str, now: Timestamp) -> Option<Found> {
        let recent = self.lock();
        let found = recent.iter().rev().find(|(_, found)| found.url == url);
        found.filter(|(at, _)| now.since(*at) < KEPT_FOR).map(|(_, found)| found.clone())
    }

    /// Keeps what was found at an address.
    pub(super) fn put(&self, found: Found, now: Timestamp) {
        let mut recent = self.lock();
        recent.retain(|(at, known)| now.since(*at) < KEPT_FOR && known.url != found.url);
        if recent.len() == MAX_KEPT {
            recent.pop_front();
        }
        recent.push_back((now, found));
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Timestamp, Found)>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
