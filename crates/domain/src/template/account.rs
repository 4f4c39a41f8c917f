//! Mails about accounts, invitations and payments.

use super::kind::Row;
use super::variable::{
    ACCEPT, ACCEPT_TOKEN, BILL, CODE, DAYS, GREETING, INVITER, MINUTES, ORGANIZATION, TOKEN, may,
    must,
};

pub(super) const REGISTRATION: Row =
    ("registration", "The code to complete a registration", &[GREETING, CODE, MINUTES]);

pub(super) const PASSWORD_RESET: Row = (
    "password_reset",
    "The code and link to reset a password",
    &[GREETING, CODE, must("link", "https://grantor.example/app/reset?token=0123456789"), MINUTES],
);

pub(super) const MAGIC_LINK: Row = (
    "magic_link",
    "A magic link and code to sign in without a password",
    &[GREETING, must("link", "https://grantor.example/app/magic?token=0123456789"), CODE, MINUTES],
);

pub(super) const NO_ACCOUNT: Row = (
    "no_account",
    "A notice that no account has this email address",
    &[GREETING, may("purpose", "to sign in"), may("link", "https://grantor.example")],
);

pub(super) const PASSWORD_CHANGED: Row = (
    "password_changed",
    "A notice that a password was changed",
    &[GREETING, may("email", "ada@example.com")],
);

pub(super) const SIGN_IN_WARNING: Row = (
    "sign_in_warning",
    "A warning about failed sign-ins",
    &[GREETING, may("email", "ada@example.com"), may("link", "https://grantor.example/app/forgot")],
);

pub(super) const TEAM_INVITATION: Row = (
    "team_invitation",
    "An invitation to a team",
    &[GREETING, INVITER, ORGANIZATION, may("team", "Rights"), ACCEPT_TOKEN, ACCEPT, DAYS],
);

pub(super) const TALENT_INVITATION: Row = (
    "talent_invitation",
    "An invitation to claim a talent record",
    &[GREETING, INVITER, ORGANIZATION, ACCEPT_TOKEN, ACCEPT, DAYS],
);

pub(super) const LICENSE_SHARED: Row = (
    "license_shared",
    "A notice that a license was shared with this email address",
    &[
        GREETING,
        INVITER,
        ORGANIZATION,
        may("license", "Winter campaign"),
        may("role", "viewer"),
        ACCEPT_TOKEN,
        ACCEPT,
        DAYS,
    ],
);

pub(super) const ADMIN_INVITATION: Row = (
    "admin_invitation",
    "An invitation to join the staff",
    &[GREETING, INVITER, may("role", "Support_Admin"), ACCEPT_TOKEN, ACCEPT, DAYS],
);

pub(super) const ADMIN_TOKEN: Row = (
    "admin_token",
    "A one-time sign-in token for staff",
    &[
        GREETING,
        TOKEN,
        may("link", "https://grantor.example/app/admin/sign-in"),
        MINUTES,
        may("email", "ada@example.com"),
    ],
);

pub(super) const WEBHOOK_DISABLED: Row = (
    "webhook_disabled",
    "A notice that a webhook was disabled",
    &[
        GREETING,
        may("url", "https://brand.example/hooks"),
        may("host", "brand.example"),
        may("reason", "Every delivery to this URL has failed for five days."),
        may("link", "https://grantor.example/app/webhooks/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
);

pub(super) const PAYMENT_DECLINED: Row = (
    "payment_declined",
    "A notice that a payment was declined",
    &[GREETING, BILL, may("date", "Feb 1, 2026")],
);

pub(super) const SUBSCRIPTION_ENDED: Row = (
    "subscription_ended",
    "A notice that a subscription ended after failed payments",
    &[GREETING, BILL],
);
