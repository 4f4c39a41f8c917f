//! Rate-limited requests: a caller is logged once a minute per route, with the number of further
//! refusals.

use std::collections::HashMap;

use grantor_domain::audit::Origin;

use crate::operations::limit::Subject;

/// Pairs of caller and route tracked per minute.
const MAX_CALLERS: usize = 1_000;

/// Rate-limited requests of one minute.
#[derive(Debug, Default)]
pub(super) struct Limited {
    minute: u64,
    callers: HashMap<(Option<Subject>, String), (Origin, u64)>,
    /// Counts of earlier minutes that are not written yet.
    counted: Vec<(Origin, u64)>,
    /// Refusals of callers that were not tracked.
    dropped: u64,
}

impl Limited {
    /// Whether this is the caller's first refusal on the route in this minute. If not, counts it.
    pub(super) fn is_first(&mut self, origin: &Origin, route: &str, minute: u64) -> bool {
        self.advance(minute);
        let key = (origin.address.map(Subject::address), route.to_owned());
        if let Some((_, more)) = self.callers.get_mut(&key) {
            *more += 1;
            return false;
        }
        if self.callers.len() >= MAX_CALLERS {
            self.dropped += 1;
            return false;
        }
        let origin = Origin { user_agent: None, request_id: None, ..origin.clone() };
        self.callers.insert(key, (origin, 0));
        true
    }

    fn advance(&mut self, minute: u64) {
        if self.minute != minute {
            self.minute = minute;
            let over = self.callers.drain().map(|(_, it)| it).filter(|(_, more)| *more > 0);
            self.counted.extend(over);
        }
    }

    /// Takes the number of unlogged refusals of earlier minutes: by caller, and of untracked
    /// callers.
    pub(super) fn take(&mut self, minute: u64) -> (Vec<(Origin, u64)>, u64) {
        self.advance(minute);
        (std::mem::take(&mut self.counted), std::mem::take(&mut self.dropped))
    }
}
