//! Licenses: their fields, status transitions and changes (contract section 4).

mod change;
mod country;
mod draft;
mod external_id;
mod fee;
mod field_names;
mod filter;
mod form;
mod known_terms;
mod money;
mod query;
mod record;
mod region;
mod revert;
mod status;
mod template;
mod territory;
mod text;
mod uses;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

pub use change::{FeeChange, LicenseChange};
pub use country::country_names;
pub use draft::NewLicense;
pub use external_id::ExternalId;
pub use fee::{Amount, Currency, FeePer, LicenseFee};
pub use field_names::{FieldNames, Member};
pub use filter::{LicenseFilter, PriceRange};
pub use form::members_of_form;
pub use known_terms::{Approval, KnownTerms};
pub use money::TypedAmount;
pub use query::{LicenseParams, LicenseQuery, LicenseSort, parse_flag};
pub use record::{Applied, License, apply};
pub use region::{Place, Region, places};
pub use revert::revert;
pub use status::{LicenseStatus, change, effective};
pub use template::{BuiltInTemplate, Length, LicenseTemplate, TemplateContent, TemplateName};
pub(crate) use territory::is_country;
pub use territory::{Territories, Territory, countries};
pub use text::{Description, Terms, Title};
pub use uses::Uses;

use crate::enum_names::enum_variants;

enum_variants!(LicenseType);

/// The type of a license, also used for its allowed uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum LicenseType {
    /// Posts on social media.
    SocialMedia,
    /// Paid advertising.
    Advertising,
    /// Endorsement of a product.
    Endorsement,
    /// Training of AI models.
    AiTraining,
    /// AI-generated media.
    AiGeneration,
    /// Use of the voice.
    Voice,
    /// Merchandise.
    Merchandise,
    /// Defined by the license terms.
    Custom,
}

impl LicenseType {
    /// The key used in the API.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::SocialMedia => "social_media",
            Self::Advertising => "advertising",
            Self::Endorsement => "endorsement",
            Self::AiTraining => "ai_training",
            Self::AiGeneration => "ai_generation",
            Self::Voice => "voice",
            Self::Merchandise => "merchandise",
            Self::Custom => "custom",
        }
    }

    /// The name that people read.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::SocialMedia => "Social media",
            Self::Advertising => "Advertising",
            Self::Endorsement => "Endorsement",
            Self::AiTraining => "AI training",
            Self::AiGeneration => "AI generation",
            Self::Voice => "Voice",
            Self::Merchandise => "Merchandise",
            Self::Custom => "Custom",
        }
    }
}

impl fmt::Display for LicenseType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

impl FromStr for LicenseType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|it| it.key() == text)
            .ok_or_else(|| format!("must be one of {}", Self::ALL.map(Self::key).join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_one_key() {
        for kind in LicenseType::ALL {
            assert_eq!(kind.key().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.key());
        }
        assert_eq!(
            "Voice".parse::<LicenseType>().unwrap_err(),
            "must be one of social_media, advertising, endorsement, ai_training, ai_generation, \
             voice, merchandise, custom"
        );
    }
}
