//! Requests beyond a limit: a caller who goes on is in the log once a minute for each route, with how
//! many more there were.

use std::collections::HashMap;

use grantor_domain::audit::Origin;

use crate::limit::Subject;

/// Callers and routes that are told apart in a minute.
const MOST: usize = 1_000;

/// What limits refused in one minute.
#[derive(Debug, Default)]
pub(super) struct Limited {
    minute: u64,
    callers: HashMap<(Option<Subject>, String), (Origin, u64)>,
    /// Of the minutes before, not yet written.
    counted: Vec<(Origin, u64)>,
    /// Refusals of callers there was no room for.
    dropped: u64,
}

impl Limited {
    /// Whether this is the first refusal of a caller at a route in its minute; if not, it is counted.
    pub(super) fn is_first(&mut self, origin: &Origin, route: &str, minute: u64) -> bool {
        self.begin(minute);
        let key = (origin.address.map(Subject::address), route.to_owned());
        if let Some((_, more)) = self.callers.get_mut(&key) {
            *more += 1;
            return false;
        }
        if self.callers.len() >= MOST {
            self.dropped += 1;
            return false;
        }
        let origin = Origin { user_agent: None, request_id: None, ..origin.clone() };
        self.callers.insert(key, (origin, 0));
        true
    }

    fn begin(&mut self, minute: u64) {
        if self.minute != minute {
            self.minute = minute;
            let over = self.callers.drain().map(|(_, it)| it).filter(|(_, more)| *more > 0);
            self.counted.extend(over);
        }
    }

    /// How many were left out in the minutes before this one: of each caller, and of those there was
    /// no room for.
    pub(super) fn take(&mut self, minute: u64) -> (Vec<(Origin, u64)>, u64) {
        self.begin(minute);
        (std::mem::take(&mut self.counted), std::mem::take(&mut self.dropped))
    }
}
