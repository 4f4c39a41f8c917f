//! Licenses: their kinds and states (contract section 4).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::id::LicenseId;
use crate::page::{Order, Page};

/// What a license is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LicenseType {
    /// Posts on social media.
    SocialMedia,
    /// Paid advertising.
    Advertising,
    /// Speaking for a product.
    Endorsement,
    /// Training of models.
    AiTraining,
    /// Media made by models.
    AiGeneration,
    /// The voice.
    Voice,
    /// Goods.
    Merchandise,
    /// Whatever the terms say.
    Custom,
}

impl LicenseType {
    /// All of them, in the contract's order.
    pub const ALL: [Self; 8] = [
        Self::SocialMedia,
        Self::Advertising,
        Self::Endorsement,
        Self::AiTraining,
        Self::AiGeneration,
        Self::Voice,
        Self::Merchandise,
        Self::Custom,
    ];

    /// Its key on the wire.
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

/// What a list of licenses can be sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LicenseSort {
    /// When it was made.
    #[default]
    CreatedAt,
    /// When it last changed.
    UpdatedAt,
    /// Its title, by byte order.
    Title,
}

/// What the use of a likeness costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fee {
    /// A decimal number with at most two places, as text so that nothing is rounded.
    pub amount: String,
    /// ISO 4217.
    pub currency: String,
    /// What it is paid for: use, day, month, year or campaign.
    pub per: String,
}

/// A license as the public catalog shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogEntry {
    /// Its id.
    pub id: LicenseId,
    /// Its title.
    pub title: String,
    /// Its description.
    pub description: String,
    /// What it is for.
    pub license_type: LicenseType,
    /// The name of the person.
    pub talent_name: String,
    /// The name of whoever owns it.
    pub owner_name: String,
    /// What kind of tenant that is.
    pub owner_type: String,
    /// Where it holds: ISO 3166-1 alpha-2 codes or `WORLD`.
    pub territories: Vec<String>,
    /// What may be done.
    pub uses: Vec<LicenseType>,
    /// What it costs.
    pub fee: Option<Fee>,
    /// From when it holds.
    pub valid_from: Option<Timestamp>,
    /// Until when it holds.
    pub expires_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What is asked of the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogQuery {
    /// Which page.
    pub page: Page,
    /// Words to look for in title and description.
    pub search: Option<String>,
    /// Only this kind.
    pub license_type: Option<LicenseType>,
    /// Sorted by.
    pub sort: LicenseSort,
    /// In this order.
    pub order: Order,
}
