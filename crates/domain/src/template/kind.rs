//! The kinds of mail there are.

use super::built_in::{
    ADMIN_INVITATION, ADMIN_TOKEN, LICENSE_SHARED, MAGIC_LINK, NO_ACCOUNT, PASSWORD_CHANGED,
    PASSWORD_RESET, PAYMENT_DECLINED, REGISTRATION, Row, SIGN_IN_WARNING, SUBSCRIPTION_ENDED,
    TALENT_INVITATION, TEAM_INVITATION, WEBHOOK_DISABLED,
};
use super::variable::Variable;
use crate::named::named;

named!(MailKind);

/// A mail the system sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailKind {
    /// The code that ends a registration.
    Registration,
    /// The code and the link that let a person choose another password.
    PasswordReset,
    /// A way in without a password.
    MagicLink,
    /// A word that no account has this address.
    NoAccount,
    /// A word that a password was changed.
    PasswordChanged,
    /// A word that somebody tries to guess a password.
    SignInWarning,
    /// An invitation into a team.
    TeamInvitation,
    /// An invitation to take up a talent's record.
    TalentInvitation,
    /// A word that a license is shared with whoever reads mail at this address.
    LicenseShared,
    /// An invitation to the staff.
    AdminInvitation,
    /// A one-time token for a member of staff.
    AdminToken,
    /// A word that a webhook was switched off.
    WebhookDisabled,
    /// A word that a payment was declined.
    PaymentDeclined,
    /// A word that a subscription has ended for want of payment.
    SubscriptionEnded,
}

impl MailKind {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Registration,
        Self::PasswordReset,
        Self::MagicLink,
        Self::NoAccount,
        Self::PasswordChanged,
        Self::SignInWarning,
        Self::TeamInvitation,
        Self::TalentInvitation,
        Self::LicenseShared,
        Self::AdminInvitation,
        Self::AdminToken,
        Self::WebhookDisabled,
        Self::PaymentDeclined,
        Self::SubscriptionEnded,
    ];

    /// Its name on the wire and in the queue.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// What it is for.
    #[must_use]
    pub const fn purpose(self) -> &'static str {
        self.row().1
    }

    /// What it can hold.
    #[must_use]
    pub const fn variables(self) -> &'static [Variable] {
        self.row().2
    }

    /// Subject and body as they are built in.
    pub(super) const fn text(self) -> (&'static str, &'static str) {
        let (.., subject, body) = self.row();
        (subject, body)
    }

    const fn row(self) -> Row {
        match self {
            Self::Registration => REGISTRATION,
            Self::PasswordReset => PASSWORD_RESET,
            Self::MagicLink => MAGIC_LINK,
            Self::NoAccount => NO_ACCOUNT,
            Self::PasswordChanged => PASSWORD_CHANGED,
            Self::SignInWarning => SIGN_IN_WARNING,
            Self::TeamInvitation => TEAM_INVITATION,
            Self::TalentInvitation => TALENT_INVITATION,
            Self::LicenseShared => LICENSE_SHARED,
            Self::AdminInvitation => ADMIN_INVITATION,
            Self::AdminToken => ADMIN_TOKEN,
            Self::WebhookDisabled => WEBHOOK_DISABLED,
            Self::PaymentDeclined => PAYMENT_DECLINED,
            Self::SubscriptionEnded => SUBSCRIPTION_ENDED,
        }
    }
}
