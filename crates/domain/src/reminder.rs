//! Reminders before a license or grant ends: 30 days, 7 days and 1 day before (contract-2 section
//! 21, "Events").

use std::time::Duration;

use crate::Timestamp;

/// How many days before the end reminders are due, the earliest first.
const DAYS: [u64; 3] = [30, 7, 1];

/// The next reminder after `now`. Reminders that would have been due before are left out.
#[must_use]
pub fn next(end: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    let end = end?;
    DAYS.into_iter().map(|days| end.minus(day(days))).find(|due| *due > now)
}

/// Which reminder is to be given now, by its days before the end: the last that was due. `None` if
/// it is too late for any.
#[must_use]
pub fn current(end: Timestamp, now: Timestamp) -> Option<u64> {
    let due = |days: &u64| end.minus(day(*days)) <= now;
    DAYS.into_iter().rev().find(due).filter(|_| now < end)
}

const fn day(count: u64) -> Duration {
    Duration::from_hours(24 * count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reminder_is_due_once_and_past_ones_are_left_out() {
        let end = Timestamp::from_secs(1_800_000_000);
        let before = |days| end.minus(day(days));
        assert_eq!(next(Some(end), before(60)), Some(before(30)));
        assert_eq!(next(Some(end), before(30)), Some(before(7)));
        assert_eq!(next(Some(end), before(5)), Some(before(1)));
        assert_eq!(next(Some(end), before(1)), None);
        assert_eq!(next(None, before(60)), None);
        assert_eq!(current(end, before(40)), None);
        assert_eq!(current(end, before(30)), Some(30));
        assert_eq!(current(end, before(5)), Some(7), "late, but not as if 30 days were left");
        assert_eq!(current(end, end), None);
    }
}
