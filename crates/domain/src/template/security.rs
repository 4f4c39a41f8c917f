//! Mails about the security of an account.

use super::kind::Row;
use super::variable::{GREETING, may, must};

pub(super) const NEW_DEVICE: Row = (
    "new_device",
    "A notice that somebody signed in from a new device",
    &[
        GREETING,
        may("email", "ada@example.com"),
        may("device", "Firefox on Windows"),
        may("address", "203.0.113.7"),
        may("time", "2026-02-01 09:30 UTC"),
        may("link", "https://grantor.example/app/profile"),
    ],
);

pub(super) const SECOND_FACTOR_CHANGED: Row = (
    "second_factor_changed",
    "A notice that a person's second factors changed",
    &[
        GREETING,
        may("email", "ada@example.com"),
        may("change", "An authenticator app was set up."),
        may("link", "https://grantor.example/app/profile/security"),
    ],
);

pub(super) const SECOND_FACTOR_RESET: Row = (
    "second_factor_reset",
    "A notice that staff removed a person's second factors",
    &[
        GREETING,
        may("email", "ada@example.com"),
        may("reason", "You lost your phone and asked us for help."),
        may("link", "https://grantor.example/app/sign-in"),
    ],
);

pub(super) const STAFF_VIEWED: Row = (
    "staff_viewed",
    "A notice that staff viewed an organization as one of its people",
    &[
        GREETING,
        may("organization", "Loopwell Media"),
        may("person", "Maya Chen"),
        may("role", "team member"),
        may("reason", "You asked us why a license is missing in your list."),
        may("minutes", "30"),
        may("start", "Feb 1, 2026, 09:30 UTC"),
        may("end", "Feb 1, 2026, 10:00 UTC"),
        may("log", "Every page that staff opens is in your log. Search it for “staff”."),
        must("link", "https://grantor.example/app/logs"),
    ],
);
