//! Templates of licenses: what the form of a new license starts with.

use serde::{Deserialize, Serialize};

use super::{
    Approval, Description, KnownTerms, License, LicenseFee, LicenseType, NewLicense, Region, Terms,
    Territories, Territory, Uses,
};
use crate::Timestamp;
use crate::id::{LicenseTemplateId, TenantId};
use crate::subscription::months_after;
use crate::text::{TextRule, fold_words, texts};

texts!(TemplateName);

/// The territories of templates without a region.
const WORLD: &[Territory] = &[Territory::WORLD];
const DAY: i64 = 24 * 60 * 60;

/// The name of a template, unique within its tenant regardless of case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateName(String);

impl TemplateName {
    /// 1 to 100 characters on one line.
    pub const RULE: TextRule = TextRule::line(1, 100);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The form in which names are compared.
    #[must_use]
    pub fn key(&self) -> String {
        fold_words(&self.0)
    }
}

/// How long a license is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Calendar months.
    Months(u32),
    /// Days.
    Days(u32),
}

impl Length {
    /// 100 years.
    const MAX_MONTHS: u32 = 1_200;
    const MAX_DAYS: u32 = 36_525;

    /// The time between two dates: whole months if that is right to the day, else days. `None` if
    /// the time is not positive or longer than 100 years.
    #[must_use]
    pub fn between(start: Timestamp, end: Timestamp) -> Option<Self> {
        let seconds = end.as_secs() - start.as_secs();
        let days = u32::try_from(seconds.saturating_add(DAY / 2) / DAY).ok();
        let days = days.filter(|it| (1..=Self::MAX_DAYS).contains(it))?;
        let off = |months: u32| months_after(start, months).as_secs() - end.as_secs();
        // Months have up to 31 days, so there may be fewer of them, but not more.
        let months = (1..=days / 30 + 1).rev().take(30).find(|it| off(*it).abs() < DAY);
        Some(months.map_or(Self::Days(days), Self::Months))
    }

    /// The time this long after another.
    #[must_use]
    pub fn after(self, start: Timestamp) -> Timestamp {
        match self {
            Self::Months(months) => months_after(start, months.min(Self::MAX_MONTHS)),
            Self::Days(days) => {
                Timestamp::from_secs(start.as_secs().saturating_add(i64::from(days) * DAY))
            }
        }
    }

    /// The name that people read, such as `1 year` or `45 days`.
    #[must_use]
    pub fn label(self) -> String {
        let (count, unit) = match self {
            Self::Months(months) if months % 12 == 0 => (months / 12, "year"),
            Self::Months(months) => (months, "month"),
            Self::Days(days) => (days, "day"),
        };
        format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
    }
}

/// What a new license starts with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplateContent {
    /// The type.
    pub license_type: LicenseType,
    /// The description.
    pub description: Description,
    /// The allowed uses.
    pub uses: Uses,
    /// The territories.
    pub territories: Territories,
    /// The fee.
    pub fee: Option<LicenseFee>,
    /// Whether platforms are watched for uses of the likeness.
    pub can_crawl: bool,
    /// The terms.
    pub terms: Terms,
    /// How long the license is valid; `None` for no end.
    pub length: Option<Length>,
}

impl TemplateContent {
    /// The content of a template that makes licenses like this one.
    #[must_use]
    pub fn of(license: &License) -> Self {
        let start = license.valid_from.unwrap_or(license.created_at);
        Self {
            license_type: license.license_type,
            description: license.description.clone(),
            uses: license.uses.clone(),
            territories: license.territories.clone(),
            fee: license.fee,
            can_crawl: license.can_crawl,
            terms: license.terms.clone(),
            length: license.expires_at.and_then(|end| Length::between(start, end)),
        }
    }

    /// The content of a template that makes licenses like this new one.
    #[must_use]
    pub fn of_new(new: &NewLicense, now: Timestamp) -> Self {
        let start = new.valid_from.unwrap_or(now);
        Self {
            license_type: new.license_type,
            description: new.description.clone(),
            uses: new.uses.clone(),
            territories: new.territories.clone(),
            fee: new.fee,
            can_crawl: new.can_crawl,
            terms: new.terms.clone(),
            length: new.expires_at.and_then(|end| Length::between(start, end)),
        }
    }
}

/// A template of a tenant.
#[derive(Clone, Debug, PartialEq)]
pub struct LicenseTemplate {
    /// The unique ID.
    pub id: LicenseTemplateId,
    /// The tenant that uses it.
    pub tenant: TenantId,
    /// The name.
    pub name: TemplateName,
    /// What licenses start with.
    pub content: TemplateContent,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl LicenseTemplate {
    /// The maximum number of templates per tenant.
    pub const MAX: u32 = 100;
}

/// A template that every tenant has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltInTemplate {
    /// The key in addresses.
    pub key: &'static str,
    /// The name.
    pub name: &'static str,
    license_type: LicenseType,
    /// The key of a region, or an empty text for the world.
    region: &'static str,
    months: u32,
    approval: Option<Approval>,
}

impl BuiltInTemplate {
    /// All built-in templates.
    pub const ALL: [Self; 5] = [
        Self {
            key: "social-media",
            name: "Social media, 1 year, DACH",
            license_type: LicenseType::SocialMedia,
            region: "dach",
            months: 12,
            approval: None,
        },
        Self {
            key: "advertising",
            name: "Advertising, 6 months, European Union",
            license_type: LicenseType::Advertising,
            region: "eu",
            months: 6,
            approval: Some(Approval::Once),
        },
        Self {
            key: "endorsement",
            name: "Endorsement, 1 year, US and Canada",
            license_type: LicenseType::Endorsement,
            region: "us-canada",
            months: 12,
            approval: Some(Approval::EachUse),
        },
        Self {
            key: "merchandise",
            name: "Merchandise, 2 years, worldwide",
            license_type: LicenseType::Merchandise,
            region: "",
            months: 24,
            approval: Some(Approval::Once),
        },
        Self {
            key: "ai-generation",
            name: "AI generation, 3 months, worldwide, each use approved",
            license_type: LicenseType::AiGeneration,
            region: "",
            months: 3,
            approval: Some(Approval::EachUse),
        },
    ];

    /// Returns the template with this key.
    #[must_use]
    pub fn find(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.key == key)
    }

    /// What licenses start with.
    #[must_use]
    pub fn content(self) -> TemplateContent {
        let region = Region::find(self.region).map_or(WORLD, Region::countries);
        let codes: Vec<_> = region.iter().map(Territory::as_str).collect();
        let mut terms = serde_json::Map::new();
        KnownTerms { approval: self.approval, ..KnownTerms::default() }.add_to(&mut terms);
        TemplateContent {
            license_type: self.license_type,
            description: Description::default(),
            uses: Uses::parse(&[self.license_type.key()]).unwrap_or_default(),
            territories: Territories::parse(&codes).unwrap_or_default(),
            fee: None,
            can_crawl: true,
            terms: Terms::parse(terms).unwrap_or_default(),
            length: Some(Length::Months(self.months)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn lengths_are_whole_months_where_that_is_right() {
        let start = at("2026-01-31T10:00:00Z");
        for (end, length, label) in [
            ("2027-01-31T10:00:00Z", Length::Months(12), "1 year"),
            ("2027-01-31T00:00:00Z", Length::Months(12), "1 year"),
            ("2028-01-31T10:00:00Z", Length::Months(24), "2 years"),
            ("2026-02-28T10:00:00Z", Length::Months(1), "1 month"),
            ("2026-07-31T10:00:00Z", Length::Months(6), "6 months"),
            ("2026-02-15T10:00:00Z", Length::Days(15), "15 days"),
            ("2026-02-01T10:00:00Z", Length::Days(1), "1 day"),
            ("2066-01-31T10:00:00Z", Length::Months(480), "40 years"),
        ] {
            assert_eq!(Length::between(start, at(end)), Some(length), "{end}");
            assert_eq!(length.label(), label);
            let off = (length.after(start).as_secs() - at(end).as_secs()).abs();
            assert!(off < DAY, "{end}");
        }
        for end in ["2026-01-31T10:00:00Z", "2020-01-01T00:00:00Z", "2500-01-01T00:00:00Z"] {
            assert_eq!(Length::between(start, at(end)), None, "{end}");
        }
    }

    #[test]
    fn built_in_templates_are_whole() {
        for it in BuiltInTemplate::ALL {
            let content = it.content();
            assert_eq!(BuiltInTemplate::find(it.key), Some(it));
            assert_eq!(content.uses.as_slice(), [it.license_type], "{}", it.key);
            assert!(!content.territories.as_slice().is_empty(), "{}", it.key);
            assert!(TemplateName::parse(it.name).is_ok(), "{}", it.key);
        }
        let social = BuiltInTemplate::find("social-media").unwrap().content();
        let form = json!({
            "license_type": "social_media", "description": "", "uses": ["social_media"],
            "territories": ["AT", "CH", "DE"], "fee": null, "can_crawl": true, "terms": {},
            "length": { "months": 12 },
        });
        assert_eq!(serde_json::to_value(&social).unwrap(), form);
        assert_eq!(serde_json::from_value::<TemplateContent>(form).unwrap(), social);
    }

    #[test]
    fn names_differ_in_more_than_case() {
        let key = |text| TemplateName::parse(text).unwrap().key();
        assert_eq!(key("Social  Media"), key("social media"));
        assert!(
            TemplateName::parse(" ").is_err() && TemplateName::parse(&"x".repeat(101)).is_err()
        );
    }
}
