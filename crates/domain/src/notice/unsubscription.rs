//! Links that stop emails.

use super::{Channel, NoticeKind, NotificationSettings};

/// What an unsubscribe link turns off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsubscription {
    /// Emails of one kind.
    Kind(NoticeKind),
    /// The daily digest.
    Digest,
}

impl Unsubscription {
    const DIGEST: &'static str = "digest";

    /// The name in the link.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kind(kind) => kind.name(),
            Self::Digest => Self::DIGEST,
        }
    }

    /// Parses the name in a link.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == Self::DIGEST {
            return Some(Self::Digest);
        }
        text.parse().ok().map(Self::Kind)
    }

    /// The kinds that it turns off for a person who gets some kinds, with these settings.
    #[must_use]
    pub fn kinds(
        self,
        settings: &NotificationSettings,
        gets: impl Iterator<Item = NoticeKind>,
    ) -> Vec<NoticeKind> {
        match self {
            Self::Kind(kind) => vec![kind],
            Self::Digest => gets.filter(|it| settings.channel(*it) == Channel::Digest).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_link() {
        for kind in NoticeKind::ALL {
            assert_eq!(Unsubscription::parse(kind.name()), Some(Unsubscription::Kind(kind)));
        }
        assert_eq!(Unsubscription::parse("digest"), Some(Unsubscription::Digest));
        assert_eq!(Unsubscription::parse("x"), None);
    }

    #[test]
    fn unsubscribing_from_the_digest_ends_what_would_be_in_it() {
        let mut settings = NotificationSettings::default();
        settings.channels.insert(NoticeKind::LicenseShared, Channel::Now);
        settings.channels.insert(NoticeKind::Request, Channel::Digest);
        let kinds = Unsubscription::Digest.kinds(&settings, NoticeKind::of_members());
        assert!(kinds.contains(&NoticeKind::Request) && kinds.contains(&NoticeKind::LicenseEnding));
        assert!(!kinds.contains(&NoticeKind::LicenseShared), "{kinds:?}");
        let offer = Unsubscription::Kind(NoticeKind::Offer);
        assert_eq!(offer.kinds(&settings, NoticeKind::of_members()), [NoticeKind::Offer]);
        settings.channels.insert(NoticeKind::PlatformWaiting, Channel::Digest);
        let of_staff = Unsubscription::Digest.kinds(&settings, NoticeKind::of_staff());
        assert_eq!(of_staff, [NoticeKind::PlatformWaiting]);
    }
}
