//! Mails and their retry schedule.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A queued mail. Its text may contain a one-time code, so it is encrypted in the queue.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// The recipient.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The plain-text body.
    pub text: String,
    /// The HTML body, if any.
    pub html: Option<String>,
    /// The link that unsubscribes from emails like this one with one click, for notifications.
    #[serde(default)]
    pub unsubscribe: Option<String>,
    /// Where answers go, for letters that a person sends.
    #[serde(default)]
    pub reply_to: Option<String>,
}

/// The waits after each failed attempt; after the last one the mail is given up.
pub const RETRY_DELAYS: [Duration; 7] = [
    Duration::from_secs(10),
    Duration::from_mins(1),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(8),
    Duration::from_hours(24),
];

/// The wait after the given number of failed attempts, or `None` to give up.
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
