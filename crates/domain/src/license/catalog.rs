//! Licenses as the public catalog shows them.

use serde::{Deserialize, Serialize};

use super::{LicenseFee, LicenseType};
use crate::Timestamp;
use crate::id::LicenseId;

/// What the use of a likeness costs, as text: the form that is shown. `LicenseFee` is the one that
/// was checked.
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

impl From<LicenseFee> for Fee {
    fn from(fee: LicenseFee) -> Self {
        Self {
            amount: fee.amount.to_string(),
            currency: fee.currency.to_string(),
            per: fee.per.to_string(),
        }
    }
}
