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

The code is valid for {{minutes}} minutes and can be used once. We'll never ask you for it.

If you didn't request this, you can ignore this email.

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

The code is valid for {{minutes}} minutes and can be used once. We'll never ask you for it.

Or use this link, which is valid longer and doesn't require the code:

[Reset password]({{link}})

If you didn't request this, you can ignore this email.

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

The link and the code are valid for {{minutes}} minutes and can be used once. We'll never ask you for them.

If you didn't request this, you can ignore this email.

Grantor",
);

pub(super) const NO_ACCOUNT: Row = (
    "no_account",
    "A notice that no account has this email address",
    &[GREETING, may("purpose", "to sign in"), may("link", "https://grantor.example")],
    "No Grantor account with this email address",
    "{{greeting}}

Someone (probably you) tried {{purpose}} with this email address.

There is no account with this address. If you have an account, it uses a different address. Otherwise, you can create an account:

[Create account]({{link}})

If you didn't request this, you can ignore this email.

Grantor",
);

pub(super) const PASSWORD_CHANGED: Row = (
    "password_changed",
    "A notice that a password was changed",
    &[GREETING, may("email", "ada@example.com")],
    "Your Grantor password was changed",
    "{{greeting}}

The password for {{email}} was changed, and all other sessions were signed out.

If this wasn't you, reset your password now and contact your administrator.

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

Someone tried several times to sign in to your account {{email}} with the wrong password.

None of these attempts succeeded. You can still sign in on devices you have used before. On other devices, password sign-ins are limited for a while, but you can always sign in with an emailed link.

If this wasn't you and your password is easy to guess, choose a new password:

[Reset password]({{link}})

Grantor",
);

pub(super) const TEAM_INVITATION: Row = (
    "team_invitation",
    "An invitation to a team",
    &[GREETING, INVITER, ORGANIZATION, may("team", "Rights"), TOKEN, ACCEPT, DAYS],
    "{{organization}} invited you to Grantor",
    "{{greeting}}

{{inviter}} from {{organization}} invited you to join the team {{team}}.

[Accept invitation]({{link}})

If you don't have an account with this email address yet, you can create one when you accept. To accept through the API, use this token:

{{token}}

The invitation is valid for {{days}} days and can be used once.

If you weren't expecting this invitation, you can ignore this email.

Grantor",
);

pub(super) const TALENT_INVITATION: Row = (
    "talent_invitation",
    "An invitation to claim a talent record",
    &[GREETING, INVITER, ORGANIZATION, TOKEN, ACCEPT, DAYS],
    "{{organization}} invited you to Grantor",
    "{{greeting}}

{{inviter}} from {{organization}} created a talent record for you and invited you to claim it.

[Accept invitation]({{link}})

If you don't have an account with this email address yet, you can create one when you accept. To accept through the API, use this token:

{{token}}

The invitation is valid for {{days}} days and can be used once.

If you weren't expecting this invitation, you can ignore this email.

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

{{inviter}} from {{organization}} shared the license {{license}} with you as a {{role}}.

[Accept invitation]({{link}})

If you don't have an account with this email address yet, you can create one when you accept. To accept through the API, use this token:

{{token}}

The invitation is valid for {{days}} days and can be used once. Until you accept, {{organization}} can't see whether you have an account.

If you don't know the sender, you can ignore this email.

Grantor",
);

pub(super) const ADMIN_INVITATION: Row = (
    "admin_invitation",
    "An invitation to join the staff",
    &[GREETING, INVITER, may("role", "Support_Admin"), TOKEN, ACCEPT, DAYS],
    "You're invited to join the Grantor staff",
    "{{greeting}}

{{inviter}} invited you to join the Grantor staff as {{role}}.

[Accept invitation]({{link}})

To accept through the API, use this token:

{{token}}

The invitation is valid for {{days}} days and can be used once.

If you weren't expecting this invitation, you can ignore this email.

Grantor",
);

pub(super) const ADMIN_TOKEN: Row = (
    "admin_token",
    "A one-time sign-in token for staff",
    &[GREETING, TOKEN, may("link", "https://grantor.example/app/admin/sign-in"), MINUTES, may("email", "ada@example.com")],
    "Your Grantor staff sign-in token",
    "{{greeting}}

Welcome. Sign in with this one-time token:

{{token}}

[Sign in]({{link}})

The token is valid for {{minutes}} minutes and can be used once. If you need another token, the operator can create one with: grantor admin token --email {{email}}

If you weren't expecting this email, contact the operator.

Grantor",
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
    "The webhook to {{host}} was disabled",
    "{{greeting}}

Events are no longer sent to {{url}}.

{{reason}}

Events are stored in the meantime. Once your endpoint works again, enable the webhook and replay the missed events.

[View webhook]({{link}})

Grantor",
);

pub(super) const PAYMENT_DECLINED: Row = (
    "payment_declined",
    "A notice that a payment was declined",
    &[GREETING, BILL, may("date", "Feb 1, 2026")],
    "Your Grantor payment was declined",
    "{{greeting}}

Your card was declined for {{bill}}.

We'll try again on {{date}}. Until then, your plan stays the same.

To pay now, add another card and subscribe again.

Grantor",
);

pub(super) const SUBSCRIPTION_ENDED: Row = (
    "subscription_ended",
    "A notice that a subscription ended after failed payments",
    &[GREETING, BILL],
    "Your Grantor subscription has ended",
    "{{greeting}}

Your card was declined again for {{bill}}.

Your subscription has ended, and you are now on the Free plan.

You can add a card and subscribe again at any time.

Grantor",
);
