//! How long to wait, as people say it.

use std::time::Duration;

/// The time in words, rounded up, such as `2 minutes`, `1 hour` or `3 days`. At least a minute.
#[must_use]
pub fn in_words(wait: Duration) -> String {
    let minutes = wait.as_secs().div_ceil(60).max(1);
    let (count, unit) = match minutes {
        1..=59 => (minutes, "minute"),
        60..=2_880 => (minutes.div_ceil(60), "hour"),
        _ => (minutes.div_ceil(24 * 60), "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// A short time in words, rounded up, such as `42 seconds`. At least a second.
#[must_use]
pub fn in_seconds(wait: Duration) -> String {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    match seconds {
        0 | 1 => "1 second".to_owned(),
        _ => format!("{seconds} seconds"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_rounded_up() {
        const MINUTE: u64 = 60;
        for (seconds, expected) in [
            (0, "1 minute"),
            (1, "1 minute"),
            (61, "2 minutes"),
            (59 * MINUTE, "59 minutes"),
            (60 * MINUTE, "1 hour"),
            (121 * MINUTE, "3 hours"),
            (48 * 60 * MINUTE, "48 hours"),
            (72 * 60 * MINUTE, "3 days"),
        ] {
            assert_eq!(in_words(Duration::from_secs(seconds)), expected, "{seconds}");
        }
    }

    #[test]
    fn a_short_wait_is_in_seconds() {
        for (millis, expected) in
            [(0, "1 second"), (1_000, "1 second"), (1_001, "2 seconds"), (60_000, "60 seconds")]
        {
            assert_eq!(in_seconds(Duration::from_millis(millis)), expected, "{millis}");
        }
    }
}
