//! What each kind of mail is for, what it can say and what it says by itself.

use super::variable::{
    ACCEPT, BILL, CODE, DAYS, GREETING, INVITER, MINUTES, ORGANIZATION, TOKEN, Variable, may, must,
};

/// A kind's name, what it is for, its values, its subject and its body.
pub(super) type Row = (&'static str, &'static str, &'static [Variable], &'static str, &'static str);

pub(super) const REGISTRATION: Row = (
    "registration",
    "The code that ends a registration",
    &[GREETING, CODE, MINUTES],
    "{{code}} is your Grantor code",
    "{{greeting}}

enter this code to finish your registration:

{{code}}

It works for {{minutes}} minutes, and only once. Nobody of ours will ever ask you for it.

If this was not you, do nothing: without the code nothing happens.

Grantor",
);

pub(super) const PASSWORD_RESET: Row = (
    "password_reset",
    "The code and the link that let a person choose another password",
    &[GREETING, CODE, must("link", "https://grantor.example/app/reset?token=0123456789"), MINUTES],
    "{{code}} is your Grantor code",
    "{{greeting}}

enter this code to choose another password:

{{code}}

It works for {{minutes}} minutes, and only once. Nobody of ours will ever ask you for it.

Or open this page, which works a little longer and needs no code:

[Choose another password]({{link}})

If this was not you, do nothing: without this mail nothing happens.

Grantor",
);

pub(super) const MAGIC_LINK: Row = (
    "magic_link",
    "A way in without a password",
    &[GREETING, must("link", "https://grantor.example/app/magic?token=0123456789"), CODE, MINUTES],
    "Your way into Grantor",
    "{{greeting}}

here is your way in, with one click:

[Sign in]({{link}})

or enter this code where you asked for it:

{{code}}

Both work for {{minutes}} minutes, and only once. Nobody of ours will ever ask you for them.

If this was not you, do nothing: without this mail nothing happens.

Grantor",
);

pub(super) const NO_ACCOUNT: Row = (
    "no_account",
    "A word to whoever asked for a way in that no account has this address",
    &[GREETING, may("purpose", "to sign in"), may("link", "https://grantor.example")],
    "No Grantor account with this address",
    "{{greeting}}

somebody, perhaps you, asked {{purpose}} with this address.

There is no account with it. If you have one, it has another address; if not, you can make one:

[Register]({{link}})

If this was not you, do nothing: nothing happens.

Grantor",
);

pub(super) const PASSWORD_CHANGED: Row = (
    "password_changed",
    "A word that a password was changed",
    &[GREETING, may("email", "ada@example.com")],
    "Your Grantor password was changed",
    "{{greeting}}

the password of {{email}} was changed, and the other sessions have ended.

If this was not you, choose another at once by \"forgot password\", and tell whoever runs the server.

Grantor",
);

pub(super) const SIGN_IN_WARNING: Row = (
    "sign_in_warning",
    "A word that somebody tries to guess a password",
    &[
        GREETING,
        may("email", "ada@example.com"),
        may("link", "https://grantor.example/app/forgot"),
    ],
    "Failed sign-ins to your Grantor account",
    "{{greeting}}

somebody tried several times to sign in to your account {{email}} with a wrong password.

Nobody got in. Devices you signed in from before still let you in; from others, sign-ins with your password are slowed down for a while. A mailed link works from anywhere.

If this was not you and your password is easy to guess, choose another:

[Choose another password]({{link}})

Grantor",
);

pub(super) const TEAM_INVITATION: Row = (
    "team_invitation",
    "An invitation into a team",
    &[GREETING, INVITER, ORGANIZATION, may("team", "Rights"), TOKEN, ACCEPT, DAYS],
    "{{organization}} invites you to Grantor",
    "{{greeting}}

{{inviter}} of {{organization}} invites you into the team {{team}}.

[Accept the invitation]({{link}})

If you have no account with this address yet, you choose a password there. Whoever accepts by the API does so with this token:

{{token}}

It works for {{days}} days, and only once.

If you expected no invitation, do nothing: nothing happens.

Grantor",
);

pub(super) const TALENT_INVITATION: Row = (
    "talent_invitation",
    "An invitation to take up a talent's record",
    &[GREETING, INVITER, ORGANIZATION, TOKEN, ACCEPT, DAYS],
    "{{organization}} invites you to Grantor",
    "{{greeting}}

{{inviter}} of {{organization}} keeps a record of you as a talent and invites you to take it up.

[Accept the invitation]({{link}})

If you have no account with this address yet, you choose a password there. Whoever accepts by the API does so with this token:

{{token}}

It works for {{days}} days, and only once.

If you expected no invitation, do nothing: nothing happens.

Grantor",
);

pub(super) const LICENSE_SHARED: Row = (
    "license_shared",
    "A word that a license is shared with whoever reads mail at this address",
    &[
        GREETING,
        INVITER,
        ORGANIZATION,
        may("license", "Winter campaign"),
        may("role", "viewer"),
        TOKEN,
        ACCEPT,
        DAYS,
    ],
    "{{organization}} shares a license with you",
    "{{greeting}}

{{inviter}} of {{organization}} shares the license {{license}} with you, as {{role}}.

[Accept]({{link}})

If you have no account with this address yet, you choose a password there. Whoever accepts by the API does so with this token:

{{token}}

It works for {{days}} days, and only once. {{organization}} does not learn whether you have an account until you accept.

If you do not know them, do nothing: nothing happens.

Grantor",
);

pub(super) const ADMIN_INVITATION: Row = (
    "admin_invitation",
    "An invitation to the staff",
    &[GREETING, INVITER, may("role", "Support_Admin"), TOKEN, ACCEPT, DAYS],
    "You are invited to the staff of Grantor",
    "{{greeting}}

{{inviter}} invites you to the staff of Grantor as {{role}}.

[Accept the invitation]({{link}})

Whoever accepts by the API does so with this token:

{{token}}

It works for {{days}} days, and only once.

If you expected no invitation, do nothing: nothing happens.

Grantor",
);

pub(super) const ADMIN_TOKEN: Row = (
    "admin_token",
    "A one-time token for a member of staff",
    &[GREETING, TOKEN, may("link", "https://grantor.example/app/admin/sign-in"), MINUTES, may("email", "ada@example.com")],
    "Your Grantor admin token",
    "{{greeting}}

welcome. Sign in with this one-time token:

{{token}}

[Sign in]({{link}})

It works for {{minutes}} minutes, and only once. When you need another, whoever runs the server makes one with: grantor admin token --email {{email}}

If this was not you, tell whoever runs the server.

Grantor",
);

pub(super) const WEBHOOK_DISABLED: Row = (
    "webhook_disabled",
    "A word that a webhook was switched off",
    &[
        GREETING,
        may("url", "https://brand.example/hooks"),
        may("reason", "Every delivery to it has failed for five days."),
    ],
    "A webhook was switched off",
    "{{greeting}}

No more events are sent to {{url}}.

{{reason}}

Events are kept meanwhile. Once the receiver answers again, set the webhook's status to active and ask for a replay of what it missed.

Grantor",
);

pub(super) const PAYMENT_DECLINED: Row = (
    "payment_declined",
    "A word that a payment was declined",
    &[GREETING, BILL, may("date", "2026-02-01")],
    "Your Grantor payment was declined",
    "{{greeting}}

your card was declined for {{bill}}.

We ask again on {{date}}. Until then your plan stays as it is.

Add another card and subscribe again to pay at once.

Grantor",
);

pub(super) const SUBSCRIPTION_ENDED: Row = (
    "subscription_ended",
    "A word that a subscription has ended for want of payment",
    &[GREETING, BILL],
    "Your Grantor subscription has ended",
    "{{greeting}}

your card was declined again for {{bill}}.

Your subscription has ended, and you are on the plan Free now.

Add a card and subscribe whenever you like.

Grantor",
);
