//! Notices: what people are told, and how (contract-2 section 26). Every notice is on the bell of
//! the console; by kind, a person also gets it by email at once, in a daily digest, or not at all.

mod chat;
mod chat_format;
mod old_zone;
mod organization;
mod schedule;
mod unsubscription;

use std::collections::BTreeMap;
use std::time::Duration;

use strum::{VariantArray, VariantNames};

pub use self::chat::{ChatAddress, ChatName, ChatStatus, ChatUrl, MAX_CHAT_ADDRESSES, MAX_FOLDED};
pub use self::chat_format::ChatFormat;
pub use self::organization::{line_about, link_in, take_organization};
pub use self::schedule::{DigestHour, DigestSchedule, Zone};
pub use self::unsubscription::Unsubscription;
use crate::Timestamp;
use crate::enum_names::{enum_names, enum_text, enum_variants};
use crate::id::NoticeId;
use crate::mention::Verdict;
use crate::template::MailKind;

/// How long notices of one kind to one person are gathered before one email about all of them is
/// composed.
pub const FOLDING: Duration = Duration::from_mins(1);
/// How many notices an email lists; it counts the others.
pub const MAX_LISTED: usize = 50;
/// The maximum number of notices that one request marks as read.
pub const MAX_MARKED: usize = 100;

enum_names!(Channel);
enum_variants!(NoticeKind);
enum_text!(NoticeKind);

/// How a person gets notices of a kind by email.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Channel {
    /// By an email at once.
    Now,
    /// In the daily digest.
    Digest,
    /// Not by email.
    Off,
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum NoticeKind {
    /// A mention was found that is not licensed.
    MentionUnlicensed,
    /// A mention was found that somebody has to review.
    MentionNeedsReview,
    /// A mention was found that is licensed.
    MentionLicensed,
    /// A mention that has a case was removed, or is back.
    MentionRemoved,
    /// Somebody assigned a case. Only the assignee is told.
    CaseAssigned,
    /// A license was requested, or the other party ended a request.
    Request,
    /// An offer was made, or cannot be accepted.
    Offer,
    /// The other party of a request wrote a message.
    Message,
    /// A grant was made.
    GrantMade,
    /// A grant ends soon.
    GrantEnding,
    /// A grant was revoked.
    GrantRevoked,
    /// A license was shared with the organization.
    LicenseShared,
    /// A license expires soon.
    LicenseEnding,
    /// An API client expires soon.
    ClientExpiring,
    /// A payment card expires soon.
    CardExpiring,
    /// Deliveries to a webhook fail.
    WebhookFailing,
    /// A webhook or a chat address was disabled because it failed.
    WebhookDisabled,
    /// A source cannot be read.
    SourceFailing,
    /// A platform's domain was verified.
    PlatformVerified,
    /// Staff stopped the scanner of a platform.
    ScannerStopped,
    /// Staff viewed the organization as one of its people.
    StaffViewed,
    /// A platform waits for a scanner. Only staff are told.
    PlatformWaiting,
    /// Somebody asks for help. Only staff are told.
    HelpRequested,
}

impl NoticeKind {
    /// The kinds that members of a tenant get: all but those of staff.
    pub fn of_members() -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(|it| !matches!(it, Self::PlatformWaiting | Self::HelpRequested))
    }

    /// The kinds that staff get.
    pub fn of_staff() -> impl Iterator<Item = Self> {
        std::iter::once(Self::PlatformWaiting)
    }

    /// The kinds that chats get: those of members, but not what concerns one person alone.
    pub fn of_chats() -> impl Iterator<Item = Self> {
        Self::of_members().filter(|it| *it != Self::CaseAssigned)
    }

    /// Parses a kind that members of a tenant get.
    pub fn parse_of_members(text: &str) -> Result<Self, String> {
        parse_one_of(Self::of_members(), text)
    }

    /// Parses a kind that chats get.
    pub fn parse_of_chats(text: &str) -> Result<Self, String> {
        parse_one_of(Self::of_chats(), text)
    }

    /// The name used in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// What the kind is about, for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        self.row().1
    }

    /// How people get this kind who have not chosen: what needs somebody to act at once, the rest
    /// in the digest.
    #[must_use]
    pub const fn default_channel(self) -> Channel {
        self.row().2
    }

    const fn row(self) -> (&'static str, &'static str, Channel) {
        use Channel::{Digest, Now};
        match self {
            Self::MentionUnlicensed => {
                ("mention_unlicensed", "An unlicensed mention was found", Now)
            }
            Self::MentionNeedsReview => {
                ("mention_needs_review", "A mention that needs review was found", Now)
            }
            Self::MentionLicensed => ("mention_licensed", "A licensed mention was found", Digest),
            Self::MentionRemoved => (
                "mention_removed",
                "A mention with a case was found or marked as removed, or is back",
                Now,
            ),
            Self::CaseAssigned => ("case_assigned", "A case was assigned to you", Now),
            Self::Request => ("request", "A license was requested, or a request ended", Now),
            Self::Offer => ("offer", "You received an offer, or your offer is blocked", Now),
            Self::Message => ("message", "You received a message about a request", Now),
            Self::GrantMade => ("grant_made", "An offer was accepted", Now),
            Self::GrantEnding => ("grant_ending", "A grant ends soon", Now),
            Self::GrantRevoked => ("grant_revoked", "A grant was revoked", Now),
            Self::LicenseShared => ("license_shared", "A license was shared with you", Digest),
            Self::LicenseEnding => ("license_ending", "A license expires soon", Digest),
            Self::ClientExpiring => ("client_expiring", "An API client expires soon", Now),
            Self::CardExpiring => ("card_expiring", "A payment card expires soon", Now),
            Self::WebhookFailing => ("webhook_failing", "Deliveries to a webhook fail", Digest),
            Self::WebhookDisabled => {
                ("webhook_disabled", "A webhook or chat address was disabled", Now)
            }
            Self::SourceFailing => ("source_failing", "A source can't be read", Now),
            Self::PlatformVerified => {
                ("platform_verified", "A platform's domain was verified", Digest)
            }
            Self::ScannerStopped => ("scanner_stopped", "A platform's scanner was stopped", Digest),
            Self::StaffViewed => ("staff_viewed", "Staff viewed your organization", Now),
            Self::PlatformWaiting => ("platform_waiting", "A platform waits for a scanner", Now),
            Self::HelpRequested => ("help_requested", "Somebody asks for help", Now),
        }
    }

    /// The kind of a mention with this verdict.
    #[must_use]
    pub const fn of_verdict(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Licensed => Self::MentionLicensed,
            Verdict::NeedsReview => Self::MentionNeedsReview,
            Verdict::Unlicensed => Self::MentionUnlicensed,
        }
    }

    /// Whether it is about a mention that was found, which nobody did.
    #[must_use]
    pub const fn is_found(self) -> bool {
        matches!(self, Self::MentionUnlicensed | Self::MentionNeedsReview | Self::MentionLicensed)
    }

    /// The kind of notice that an email is about; `None` for emails that are not notices, such as
    /// codes.
    #[must_use]
    pub const fn of_mail(mail: MailKind) -> Option<Self> {
        Some(match mail {
            MailKind::MentionRemoved
            | MailKind::MentionMarkedRemoved
            | MailKind::MentionMarkedNotRemoved
            | MailKind::MentionBack => Self::MentionRemoved,
            MailKind::CaseAssigned => Self::CaseAssigned,
            MailKind::RequestReceived
            | MailKind::RequestDeclined
            | MailKind::RequestWithdrawn
            | MailKind::RequestLapsed => Self::Request,
            MailKind::OfferReceived | MailKind::OfferBlocked => Self::Offer,
            MailKind::RequestMessage => Self::Message,
            MailKind::GrantMade => Self::GrantMade,
            MailKind::GrantExpiring => Self::GrantEnding,
            MailKind::GrantRevoked => Self::GrantRevoked,
            MailKind::LicenseReceived => Self::LicenseShared,
            MailKind::LicenseExpiring => Self::LicenseEnding,
            MailKind::ClientExpiring => Self::ClientExpiring,
            MailKind::CardExpiring => Self::CardExpiring,
            MailKind::WebhookFailing => Self::WebhookFailing,
            MailKind::WebhookDisabled | MailKind::ChatDisabled => Self::WebhookDisabled,
            MailKind::SourceFailing => Self::SourceFailing,
            MailKind::PlatformVerified => Self::PlatformVerified,
            MailKind::ScannerStopped => Self::ScannerStopped,
            MailKind::StaffViewed => Self::StaffViewed,
            MailKind::PlatformWaiting => Self::PlatformWaiting,
            MailKind::HelpRequested => Self::HelpRequested,
            _ => return None,
        })
    }
}

fn parse_one_of(kinds: impl Iterator<Item = NoticeKind>, text: &str) -> Result<NoticeKind, String> {
    let kinds: Vec<_> = kinds.collect();
    kinds.iter().find(|it| it.name() == text).copied().ok_or_else(|| {
        let names: Vec<_> = kinds.iter().map(|it| it.name()).collect();
        format!("must be one of {}", names.join(", "))
    })
}

/// A notice as its person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The notice's ID.
    pub id: NoticeId,
    /// What it is about.
    pub kind: NoticeKind,
    /// The template of the email about it.
    pub mail: MailKind,
    /// The values of the template.
    pub values: BTreeMap<String, String>,
    /// What happened, in one line, in the language that the person had then.
    pub summary: String,
    /// The path of the page about it.
    pub link: String,
    /// When it happened.
    pub created_at: Timestamp,
    /// When the person read it.
    pub read_at: Option<Timestamp>,
}

/// How a person is told. Kinds that are not listed have their default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotificationSettings {
    /// The chosen channels.
    pub channels: BTreeMap<NoticeKind, Channel>,
    /// When the digest comes.
    pub schedule: DigestSchedule,
    /// The code of the language that the person chose.
    pub language: Option<String>,
}

impl NotificationSettings {
    /// How the person gets notices of a kind.
    #[must_use]
    pub fn channel(&self, kind: NoticeKind) -> Channel {
        self.channels.get(&kind).copied().unwrap_or(kind.default_channel())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_name_and_a_default() {
        let mut names: Vec<_> = NoticeKind::ALL.map(NoticeKind::name).to_vec();
        for kind in NoticeKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_ne!(kind.default_channel(), Channel::Off, "{kind}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), NoticeKind::ALL.len());
        assert!(NoticeKind::parse_of_members("platform_waiting").is_err());
        assert!(NoticeKind::parse_of_members("help_requested").is_err());
        assert_eq!(NoticeKind::parse_of_members("request"), Ok(NoticeKind::Request));
    }

    #[test]
    fn what_needs_an_act_comes_at_once_and_the_rest_in_the_digest() {
        let digest: Vec<_> = NoticeKind::ALL
            .into_iter()
            .filter(|it| it.default_channel() == Channel::Digest)
            .map(NoticeKind::name)
            .collect();
        let rest = [
            "mention_licensed",
            "license_shared",
            "license_ending",
            "webhook_failing",
            "platform_verified",
            "scanner_stopped",
        ];
        assert_eq!(digest, rest);
    }

    #[test]
    fn codes_and_invitations_are_no_notices() {
        for mail in [
            MailKind::Registration,
            MailKind::MagicLink,
            MailKind::OfferInvitation,
            MailKind::OfferWithdrawn,
        ] {
            assert_eq!(NoticeKind::of_mail(mail), None, "{mail}");
        }
        assert_eq!(NoticeKind::of_mail(MailKind::GrantMade), Some(NoticeKind::GrantMade));
    }
}
