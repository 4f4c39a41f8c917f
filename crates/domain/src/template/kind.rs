//! The kinds of mails.

use strum::VariantArray;

use super::account::{
    ADMIN_INVITATION, ADMIN_TOKEN, LICENSE_SHARED, MAGIC_LINK, NO_ACCOUNT, PASSWORD_CHANGED,
    PASSWORD_RESET, PAYMENT_DECLINED, REGISTRATION, SIGN_IN_WARNING, SUBSCRIPTION_ENDED,
    TALENT_INVITATION, TEAM_INVITATION, WEBHOOK_DISABLED,
};
use super::licensing::{
    GRANT_EXPIRING, GRANT_MADE, GRANT_REVOKED, OFFER_BLOCKED, OFFER_INVITATION, OFFER_RECEIVED,
    OFFER_WITHDRAWN, REQUEST_DECLINED, REQUEST_LAPSED, REQUEST_MESSAGE, REQUEST_RECEIVED,
    REQUEST_WITHDRAWN,
};
use super::notices::{
    CARD_EXPIRING, CASE_ASSIGNED, CHAT_DISABLED, CLIENT_EXPIRING, DIGEST, HELP_ANSWERED,
    HELP_REQUESTED, LICENSE_EXPIRING, LICENSE_RECEIVED, MENTION_BACK, MENTION_FOUND,
    MENTION_MARKED_NOT_REMOVED, MENTION_MARKED_REMOVED, MENTION_REMOVED, PLATFORM_VERIFIED,
    PLATFORM_WAITING, SCANNER_STOPPED, SEVERAL_NOTICES, SOURCE_FAILING, WEBHOOK_FAILING,
};
use super::security::{NEW_DEVICE, SECOND_FACTOR_CHANGED, SECOND_FACTOR_RESET, STAFF_VIEWED};
use super::variable::Variable;
use crate::enum_names::{enum_text, enum_variants};

/// The name of a kind, its purpose and its variables. The text is in the message files.
pub(super) type Row = (&'static str, &'static str, &'static [Variable]);

enum_variants!(MailKind);
enum_text!(MailKind);

/// A mail the system sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum MailKind {
    /// The code to complete a registration.
    Registration,
    /// The code and link to reset a password.
    PasswordReset,
    /// A magic link and code to sign in without a password.
    MagicLink,
    /// A notice that no account has this email address.
    NoAccount,
    /// A notice that a password was changed.
    PasswordChanged,
    /// A warning about failed sign-ins.
    SignInWarning,
    /// A notice that somebody signed in from a new device.
    NewDevice,
    /// A notice that the person's second factors changed.
    SecondFactorChanged,
    /// A notice that staff removed the person's second factors.
    SecondFactorReset,
    /// An invitation to a team.
    TeamInvitation,
    /// An invitation to claim a talent record.
    TalentInvitation,
    /// A notice that a license was shared with this email address.
    LicenseShared,
    /// An invitation to the staff.
    AdminInvitation,
    /// A one-time sign-in token for staff.
    AdminToken,
    /// A notice that a webhook was disabled.
    WebhookDisabled,
    /// A notice that a payment was declined.
    PaymentDeclined,
    /// A notice that a subscription ended because of failed payments.
    SubscriptionEnded,
    /// An offer to an email address.
    OfferInvitation,
    /// A notice that an offer to an email address was withdrawn.
    OfferWithdrawn,
    /// A request for a license, to its owner.
    RequestReceived,
    /// An offer, to the organization it was made to.
    OfferReceived,
    /// A message about a request, to the other party.
    RequestMessage,
    /// A notice that a request or an offer was declined.
    RequestDeclined,
    /// A notice that a request or an offer was withdrawn.
    RequestWithdrawn,
    /// A notice that a request or an offer lapsed, to both parties.
    RequestLapsed,
    /// A notice that an exclusive grant prevents an offer from being accepted.
    OfferBlocked,
    /// A notice of a new grant, to both parties.
    GrantMade,
    /// A reminder that a grant ends soon, to both parties.
    GrantExpiring,
    /// A notice that a grant was revoked, to the licensee.
    GrantRevoked,
    /// A notice that a mention was found.
    MentionFound,
    /// A notice that Grantor found that a mention with a case was removed.
    MentionRemoved,
    /// A notice that somebody marked a mention with a case as removed.
    MentionMarkedRemoved,
    /// A notice that somebody marked a removed mention as not removed.
    MentionMarkedNotRemoved,
    /// A notice that a removed mention is back.
    MentionBack,
    /// A notice that a case was assigned.
    CaseAssigned,
    /// A notice that a license was shared with an organization.
    LicenseReceived,
    /// A reminder that a license expires soon.
    LicenseExpiring,
    /// A warning that an API client expires soon.
    ClientExpiring,
    /// A warning that a payment card expires soon.
    CardExpiring,
    /// A notice that deliveries to a webhook fail.
    WebhookFailing,
    /// A notice that a chat address was disabled.
    ChatDisabled,
    /// A notice that a source cannot be read.
    SourceFailing,
    /// A notice that a platform's domain was verified.
    PlatformVerified,
    /// A notice that staff stopped the scanner of a platform.
    ScannerStopped,
    /// A notice that staff viewed an organization as one of its people.
    StaffViewed,
    /// A notice to staff that a platform waits for a scanner.
    PlatformWaiting,
    /// A notice to staff that somebody asks for help.
    HelpRequested,
    /// The answer of staff to a request for help.
    HelpAnswered,
    /// Several notices of one kind in one email.
    SeveralNotices,
    /// The daily digest.
    Digest,
}

impl MailKind {
    /// The name used in the API and in the queue.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// The purpose, for staff.
    #[must_use]
    pub const fn purpose(self) -> &'static str {
        self.row().1
    }

    /// The variables of the template.
    #[must_use]
    pub const fn variables(self) -> &'static [Variable] {
        self.row().2
    }

    const fn row(self) -> Row {
        match self {
            Self::Registration => REGISTRATION,
            Self::PasswordReset => PASSWORD_RESET,
            Self::MagicLink => MAGIC_LINK,
            Self::NoAccount => NO_ACCOUNT,
            Self::PasswordChanged => PASSWORD_CHANGED,
            Self::SignInWarning => SIGN_IN_WARNING,
            Self::NewDevice => NEW_DEVICE,
            Self::SecondFactorChanged => SECOND_FACTOR_CHANGED,
            Self::SecondFactorReset => SECOND_FACTOR_RESET,
            Self::TeamInvitation => TEAM_INVITATION,
            Self::TalentInvitation => TALENT_INVITATION,
            Self::LicenseShared => LICENSE_SHARED,
            Self::AdminInvitation => ADMIN_INVITATION,
            Self::AdminToken => ADMIN_TOKEN,
            Self::WebhookDisabled => WEBHOOK_DISABLED,
            Self::PaymentDeclined => PAYMENT_DECLINED,
            Self::SubscriptionEnded => SUBSCRIPTION_ENDED,
            Self::OfferInvitation => OFFER_INVITATION,
            Self::OfferWithdrawn => OFFER_WITHDRAWN,
            Self::RequestReceived => REQUEST_RECEIVED,
            Self::OfferReceived => OFFER_RECEIVED,
            Self::RequestMessage => REQUEST_MESSAGE,
            Self::RequestDeclined => REQUEST_DECLINED,
            Self::RequestWithdrawn => REQUEST_WITHDRAWN,
            Self::RequestLapsed => REQUEST_LAPSED,
            Self::OfferBlocked => OFFER_BLOCKED,
            Self::GrantMade => GRANT_MADE,
            Self::GrantExpiring => GRANT_EXPIRING,
            Self::GrantRevoked => GRANT_REVOKED,
            Self::MentionFound => MENTION_FOUND,
            Self::MentionRemoved => MENTION_REMOVED,
            Self::MentionMarkedRemoved => MENTION_MARKED_REMOVED,
            Self::MentionMarkedNotRemoved => MENTION_MARKED_NOT_REMOVED,
            Self::MentionBack => MENTION_BACK,
            Self::CaseAssigned => CASE_ASSIGNED,
            Self::LicenseReceived => LICENSE_RECEIVED,
            Self::LicenseExpiring => LICENSE_EXPIRING,
            Self::ClientExpiring => CLIENT_EXPIRING,
            Self::CardExpiring => CARD_EXPIRING,
            Self::WebhookFailing => WEBHOOK_FAILING,
            Self::ChatDisabled => CHAT_DISABLED,
            Self::SourceFailing => SOURCE_FAILING,
            Self::PlatformVerified => PLATFORM_VERIFIED,
            Self::ScannerStopped => SCANNER_STOPPED,
            Self::StaffViewed => STAFF_VIEWED,
            Self::PlatformWaiting => PLATFORM_WAITING,
            Self::HelpRequested => HELP_REQUESTED,
            Self::HelpAnswered => HELP_ANSWERED,
            Self::SeveralNotices => SEVERAL_NOTICES,
            Self::Digest => DIGEST,
        }
    }
}
