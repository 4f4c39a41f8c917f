//! The default mail templates with their purposes and variables.

use super::variable::{
    ACCEPT, BILL, CODE, DAYS, GREETING, INVITER, MINUTES, ORGANIZATION, TOKEN, Variable, may, must,
};

/// The name of a kind, its purpose, its variables, and the subject and body of the default
/// template.
pub(super) type Row = (&'static str, &'static str, &'static [Variable], &'static str, &'static str);

pub(super) const REGISTRATION: Row = (
    "registration",
    "The code to complete a registration",
    &[GREETING, CODE, MINUTES],
    "{{code}} is your Grantor code",
    "{{greeting}}

Enter this code to complete your registration:

{{code}}

The code is valid for {{minutes}} minutes and can be used once. We will never ask you for it.

If you did not request this, you can ignore this email.

Grantor",
);

pub(super) const PASSWORD_RESET: Row = (
    "password_reset",
    "The code and link to reset a password",
    &[GREETING, CODE, must("link", "https://grantor.example/app/reset?token=0123456789"), MINUTES],
    "{{code}} is your Grantor code",
    "{{greeting}}

Enter this code to reset your password:

{{code}}

The code is valid for {{minutes}} minutes and can be used once. We will never ask you for it.

Or use this link, which is valid a little longer and needs no code:

[Reset password]({{link}})

If you did not request this, you can ignore this email.

Grantor",
);

pub(super) const MAGIC_LINK: Row = (
    "magic_link",
    "A magic link and code to sign in without a password",
    &[GREETING, must("link", "https://grantor.example/app/magic?token=0123456789"), CODE, MINUTES],
    "Sign in to Grantor",
    "{{greeting}}

Use this link to sign in:

[Sign in]({{link}})

Or enter this code on the sign-in page:

{{code}}

The link and the code are valid for {{minutes}} minutes and can be used once. We will never ask you for them.

If you did not request this, you can ignore this email.

Grantor",
);

pub(super) const NO_ACCOUNT: Row = (
    "no_account",
    "A notice that no account has this email address",
    &[GREETING, may("purpose", "to sign in"), may("link", "https://grantor.example")],
    "No Grantor account with this email address",
    "{{greeting}}

Someone, probably you, asked {{purpose}} with this email address.

There is no account with this address. If you have one, it uses another address. If not, you can create one:

[Create account]({{link}})

If you did not request this, you can ignore this email.

Grantor",
);

pub(super) const PASSWORD_CHANGED: Row = (
    "password_changed",
    "A notice that a password was changed",
    &[GREETING, may("email", "ada@example.com")],
    "Your Grantor password was changed",
    "{{greeting}}

The password of {{email}} was changed, and all other sessions were signed out.

If this was not you, reset your password now and contact your administrator.

Grantor",
);

pub(super) const SIGN_IN_WARNING: Row = (
    "sign_in_warning",
    "A warning about failed sign-ins",
    &[
        GREETING,
        may("email", "ada@example.com"),
        may("link", "https://grantor.example/app/forgot"),
    ],
    "Failed sign-ins to your Grantor account",
    "{{greeting}}

Someone tried several times to sign in to your account {{email}} with a wrong password.

None of these attempts succeeded. You can still sign in on devices you have used before. On other devices, sign-ins with your password are limited for a while; sign-in links by email work everywhere.

If this was not you and your password is easy to guess, choose a new one:

[Reset password]({{link}})

Grantor",
);

pub(super) const TEAM_INVITATION: Row = (
    "team_invitation",
    "An invitation to a team",
    &[GREETING, INVITER, ORGANIZATION, may("team", "Rights"), TOKEN, ACCEPT, DAYS],
    "{{organization}} invites you to Grantor",
    "{{greeting}}

{{inviter}} of {{organization}} invites you to join the team {{team}}.

[Accept the invitation]({{link}})

If you do not have an account with this email address yet, you can create one there. To accept through the API, use this token:

{{token}}

The invitation is valid for {{days}} days and can be used once.

If you were not expecting this invitation, you can ignore this email.

Grantor",
);

pub(super) const TALENT_INVITATION: Row = (
    "talent_invitation",
    "An invitation to claim a talent record",
    &[GREETING, INVITER, ORGANIZATION, TOKEN, ACCEPT, DAYS],
    "{{organization}} invites you to Grantor",
    "{{greeting}}

{{inviter}} of {{organization}} has a talent record of you and invites you to claim it.

[Accept the invitation]({{link}})

If you do not have an account with this email address yet, you can create one there. To accept through the API, use this token:

{{token}}

The invitation is valid for {{days}} days and can be used once.

If you were not expecting this invitation, you can ignore this email.

Grantor",
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
        TOKEN,
        ACCEPT,
        DAYS,
    ],
    "{{organization}} shared a license with you",
    "{{greeting}}

{{inviter}} of {{organization}} shared the license {{license}} with you as {{role}}.

[Accept]({{link}})

If you do not have an account with this email address yet, you can create one there. To accept through the API, use this token:

{{token}}

The invitation is valid for {{days}} days and can be used once. Until you accept, {{organization}} cannot see whether you have an account.

If you do not know them, you can ignore this email.

Grantor",
);

pub(super) const ADMIN_INVITATION: Row = (
    "admin_invitation",
    "An invitation to the staff",
    &[GREETING, INVITER, may("role", "Support_Admin"), TOKEN, ACCEPT, DAYS],
    "You are invited to join the Grantor staff",
    "{{greeting}}

{{inviter}} invites you to join the Grantor staff as {{role}}.

[Accept the invitation]({{link}})

To accept through the API, use this token:

{{token}}

The invitation is valid for {{days}} days and can be used once.

If you were not expecting this invitation, you can ignore this email.

Grantor",
);

pub(super) const ADMIN_TOKEN: Row = (
    "admin_token",
    "A one-time sign-in token for staff",
    &[GREETING, TOKEN, may("link", "https://grantor.example/app/admin/sign-in"), MINUTES, may("email", "ada@example.com")],
    "Your Grantor admin token",
    "{{greeting}}

Welcome. Sign in with this one-time token:

{{token}}

[Sign in]({{link}})

The token is valid for {{minutes}} minutes and can be used once. If you need another one, the operator can create it with: grantor admin token --email {{email}}

If you did not expect this, contact the operator.

Grantor",
);

pub(super) const WEBHOOK_DISABLED: Row = (
    "webhook_disabled",
    "A notice that a webhook was disabled",
    &[
        GREETING,
        may("url", "https://brand.example/hooks"),
        may("reason", "Every delivery to it has failed for five days."),
    ],
    "A webhook was disabled",
    "{{greeting}}

Events are no longer sent to {{url}}.

{{reason}}

Events are kept in the meantime. Once the receiver works again, set the status of the webhook to active and replay the events it missed.

Grantor",
);

pub(super) const PAYMENT_DECLINED: Row = (
    "payment_declined",
    "A notice that a payment was declined",
    &[GREETING, BILL, may("date", "2026-02-01")],
    "Your Grantor payment was declined",
    "{{greeting}}

Your card was declined for {{bill}}.

We will try again on {{date}}. Until then your plan does not change.

To pay now, add another card and subscribe again.

Grantor",
);

pub(super) const SUBSCRIPTION_ENDED: Row = (
    "subscription_ended",
    "A notice that a subscription ended because of failed payments",
    &[GREETING, BILL],
    "Your Grantor subscription has ended",
    "{{greeting}}

Your card was declined again for {{bill}}.

Your subscription has ended, and you are now on the Free plan.

You can add a card and subscribe again at any time.

Grantor",
);
