//! Mail: what is sent, and when a failed attempt is tried again.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A mail as it waits in the queue. Its text may hold a code, so it is sealed there.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// The receiver.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// What every reader can show.
    pub text: String,
    /// The same with form, where there is one.
    pub html: Option<String>,
}

/// Waits after each failed attempt; after the last one the mail is given up.
pub const RETRY_DELAYS: [Duration; 7] = [
    Duration::from_secs(10),
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(8),
    Duration::from_hours(24),
];

/// How long to wait after so many failed attempts; none when it is time to give up.
#[must_use]
pub fn retry_delay(failed_attempts: u32) -> Option<Duration> {
    let index = usize::try_from(failed_attempts).ok()?.checked_sub(1)?;
    RETRY_DELAYS.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedule_ends() {
        assert_eq!(retry_delay(1), Some(Duration::from_secs(10)));
        assert_eq!(retry_delay(7), Some(Duration::from_hours(24)));
        assert_eq!(retry_delay(8), None);
    }
}
