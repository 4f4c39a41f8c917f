//! Platforms: a site or app of an organization, with one domain that must be proved before anything
//! is scanned (contract sections 1, 5 and 7).

mod domain;
mod proof;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use self::domain::{FeedUrls, MOST_FEEDS, PlatformDomain};
pub use self::proof::{DnsRecord, MetaTag, Proof, ProofFile, ProofToken, VerificationMethod};
use crate::Timestamp;
use crate::content::ContentUrl;
use crate::id::{PlatformId, TeamId, TenantId};
use crate::named::named;
use crate::organization::OrganizationName;
use crate::text::{TextRule, texts};

named!(PlatformType, PlatformStatus, DetectionFrequency);
texts!(PlatformName, PlatformDescription);

/// What kind of platform it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlatformType {
    /// People post for each other.
    SocialMedia,
    /// Editors publish.
    NewsMedia,
    /// Things are sold.
    ECommerce,
    /// Films are shown.
    Video,
    /// People talk.
    Forum,
    /// One voice, or a company's.
    Website,
    /// On phones.
    MobileApp,
    /// Somebody who works with the organization.
    PartnerSite,
}

impl PlatformType {
    /// All of them, in the contract's order.
    pub const ALL: [Self; 8] = [
        Self::SocialMedia,
        Self::NewsMedia,
        Self::ECommerce,
        Self::Video,
        Self::Forum,
        Self::Website,
        Self::MobileApp,
        Self::PartnerSite,
    ];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SocialMedia => "Social Media",
            Self::NewsMedia => "News Media",
            Self::ECommerce => "E-Commerce",
            Self::Video => "Video",
            Self::Forum => "Forum/Community",
            Self::Website => "Website/Blog",
            Self::MobileApp => "Mobile App",
            Self::PartnerSite => "Partner Site",
        }
    }
}

/// Whether the domain was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlatformStatus {
    /// Not yet.
    PendingVerification,
    /// It was.
    Verified,
}

impl PlatformStatus {
    /// Both.
    pub const ALL: [Self; 2] = [Self::PendingVerification, Self::Verified];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PendingVerification => "pending_verification",
            Self::Verified => "verified",
        }
    }
}

/// How often a platform is scanned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DetectionFrequency {
    /// Every hour.
    Hourly,
    /// Every day.
    #[default]
    Daily,
    /// Every week.
    Weekly,
}

impl DetectionFrequency {
    /// All of them, the most often first.
    pub const ALL: [Self; 3] = [Self::Hourly, Self::Daily, Self::Weekly];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hourly => "hourly",
            Self::Daily => "daily",
            Self::Weekly => "weekly",
        }
    }

    /// The time from one scan to the next.
    #[must_use]
    pub const fn period(self) -> Duration {
        match self {
            Self::Hourly => Duration::from_hours(1),
            Self::Daily => Duration::from_hours(24),
            Self::Weekly => Duration::from_hours(7 * 24),
        }
    }
}

/// What a platform is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PlatformName(String);

impl PlatformName {
    /// As organizations are named.
    pub const RULE: TextRule = OrganizationName::RULE;

    /// Takes what fits.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// A few lines about a platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PlatformDescription(String);

impl PlatformDescription {
    /// Up to 500 characters; lines may break.
    pub const RULE: TextRule = TextRule::lines(500);

    /// Takes what fits.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// How a platform wants to be scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlatformSettings {
    /// Whether it may be scanned at all.
    pub crawling_enabled: bool,
    /// How often.
    pub detection_frequency: DetectionFrequency,
}

impl Default for PlatformSettings {
    /// Nothing is scanned before the domain is proved and staff starts a pod, so this need not be a
    /// third hurdle.
    fn default() -> Self {
        Self { crawling_enabled: true, detection_frequency: DetectionFrequency::default() }
    }
}

/// What scanning found so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlatformStatistics {
    /// Pieces of content that were looked at.
    pub content_scanned: u32,
    /// Sightings among them.
    pub nil_detections: u32,
    /// When it was scanned last.
    pub last_scan_at: Option<Timestamp>,
}

/// How and when a domain was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// By what.
    pub method: VerificationMethod,
    /// When.
    pub at: Timestamp,
}

/// A platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    /// Its id.
    pub id: PlatformId,
    /// Whose it is.
    pub tenant: TenantId,
    /// The team that looks after it; none once that team is gone.
    pub team: Option<TeamId>,
    /// What it is called.
    pub name: PlatformName,
    /// What kind it is.
    pub kind: PlatformType,
    /// Where it is.
    pub domain: PlatformDomain,
    /// A few lines about it.
    pub description: Option<PlatformDescription>,
    /// What to scan.
    pub feed_urls: FeedUrls,
    /// How to scan it.
    pub settings: PlatformSettings,
    /// What was found.
    pub statistics: PlatformStatistics,
    /// What must be found on the domain.
    pub token: ProofToken,
    /// How the domain was proved, if it was.
    pub proved: Option<Proved>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Platform {
    /// Whether an address is on its domain, and that was proved.
    #[must_use]
    pub fn owns(&self, url: &ContentUrl) -> bool {
        self.proved.is_some() && self.domain.has(url)
    }

    /// Whether its domain was proved.
    #[must_use]
    pub fn status(&self) -> PlatformStatus {
        match self.proved {
            Some(_) => PlatformStatus::Verified,
            None => PlatformStatus::PendingVerification,
        }
    }

    /// Moves it to another domain, which is to be proved anew by another token.
    pub fn move_to(&mut self, domain: PlatformDomain, token: ProofToken) {
        if self.domain != domain {
            (self.domain, self.token, self.proved) = (domain, token, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_on_every_way() {
        for kind in PlatformType::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        for status in PlatformStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
        }
        for frequency in DetectionFrequency::ALL {
            assert_eq!(frequency.name().parse(), Ok(frequency));
        }
        let error = "website".parse::<PlatformType>().unwrap_err();
        assert!(
            error.starts_with("must be one of Social Media, News Media, E-Commerce"),
            "{error}"
        );
    }

    #[test]
    fn names_and_descriptions_are_bounded() {
        assert_eq!(PlatformName::parse(" The  Wire ").unwrap().as_str(), "The  Wire");
        assert_eq!(PlatformName::parse("x").unwrap_err(), "must be 2 to 100 characters");
        assert!(PlatformDescription::parse(&"x".repeat(500)).is_ok());
        assert!(PlatformDescription::parse(&"x".repeat(501)).is_err());
    }
}
