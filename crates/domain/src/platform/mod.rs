//! Platforms: websites and apps of an organization. The domain of a platform must be verified
//! before it is scanned (contract sections 1, 5 and 7).

mod domain;
mod proof;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

pub use self::domain::{FeedUrls, MAX_FEEDS, PlatformDomain};
pub use self::proof::{DnsRecord, MetaTag, Proof, ProofFile, ProofToken, VerificationMethod};
use crate::Timestamp;
use crate::content::ContentUrl;
use crate::enum_names::enum_names;
use crate::id::{PlatformId, TeamId, TenantId};
use crate::organization::OrganizationName;
use crate::text::{TextRule, texts};

enum_names!(PlatformType, PlatformStatus, DetectionFrequency);
texts!(PlatformName, PlatformDescription);

/// The type of a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "title_case")]
pub enum PlatformType {
    /// A social network.
    SocialMedia,
    /// A news site.
    NewsMedia,
    /// An online store.
    #[strum(serialize = "E-Commerce")]
    ECommerce,
    /// A video platform.
    Video,
    /// A forum or community.
    #[strum(serialize = "Forum/Community")]
    Forum,
    /// A website or blog.
    #[strum(serialize = "Website/Blog")]
    Website,
    /// A mobile app.
    MobileApp,
    /// A site of a partner.
    PartnerSite,
}

/// The verification status of a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum PlatformStatus {
    /// The domain is not verified yet.
    PendingVerification,
    /// The domain is verified.
    Verified,
}

/// How often a platform is scanned, most frequent first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
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
    /// The time between two scans.
    #[must_use]
    pub const fn period(self) -> Duration {
        match self {
            Self::Hourly => Duration::from_hours(1),
            Self::Daily => Duration::from_hours(24),
            Self::Weekly => Duration::from_hours(7 * 24),
        }
    }
}

/// The name of a platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PlatformName(String);

impl PlatformName {
    /// Same rule as for organization names.
    pub const RULE: TextRule = OrganizationName::RULE;

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// The description of a platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PlatformDescription(String);

impl PlatformDescription {
    /// Up to 500 characters; line breaks are allowed.
    pub const RULE: TextRule = TextRule::lines(500);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// The scan settings of a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlatformSettings {
    /// Whether it may be scanned at all.
    pub crawling_enabled: bool,
    /// How often it is scanned.
    pub detection_frequency: DetectionFrequency,
}

impl Default for PlatformSettings {
    /// Enabled by default: scanning also requires a verified domain and a pod started by staff.
    fn default() -> Self {
        Self { crawling_enabled: true, detection_frequency: DetectionFrequency::default() }
    }
}

/// The scan statistics of a platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlatformStatistics {
    /// Number of content items scanned.
    pub content_scanned: u32,
    /// Number of matches found.
    pub nil_detections: u32,
    /// When it was last scanned.
    pub last_scan_at: Option<Timestamp>,
}

/// A successful verification of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The method.
    pub method: VerificationMethod,
    /// When it was verified.
    pub at: Timestamp,
}

/// A platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    /// The unique ID.
    pub id: PlatformId,
    /// The tenant that owns it.
    pub tenant: TenantId,
    /// The team in charge; `None` after that team is deleted.
    pub team: Option<TeamId>,
    /// The name.
    pub name: PlatformName,
    /// The type.
    pub kind: PlatformType,
    /// The domain.
    pub domain: PlatformDomain,
    /// The description.
    pub description: Option<PlatformDescription>,
    /// The feeds to scan.
    pub feed_urls: FeedUrls,
    /// The scan settings.
    pub settings: PlatformSettings,
    /// The scan statistics.
    pub statistics: PlatformStatistics,
    /// The verification token expected on the domain.
    pub token: ProofToken,
    /// The successful verification, if any.
    pub proved: Option<Proved>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Platform {
    /// Whether the domain is verified and contains the URL.
    #[must_use]
    pub fn owns(&self, url: &ContentUrl) -> bool {
        self.proved.is_some() && self.domain.has(url)
    }

    /// The verification status.
    #[must_use]
    pub fn status(&self) -> PlatformStatus {
        match self.proved {
            Some(_) => PlatformStatus::Verified,
            None => PlatformStatus::PendingVerification,
        }
    }

    /// Moves the platform to another domain, which must be verified with a new token.
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
