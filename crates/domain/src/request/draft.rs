//! A new request as its asker describes it.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Fields, Result};
use crate::grant::{Coverage, CoverageInput, parse_channels};
use crate::id::LicenseId;
use crate::license::{Amount, Currency};
use crate::text::TextRule;

/// What the asker can spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The amount.
    pub amount: Amount,
    /// The currency.
    pub currency: Currency,
}

/// A request as its asker describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRequest {
    /// The license.
    pub license: LicenseId,
    /// What the asker needs.
    pub coverage: Coverage,
    /// What the likeness is needed for.
    pub purpose: String,
    /// Where the likeness would appear.
    pub channels: Vec<String>,
    /// What the asker can spend.
    pub budget: Option<Budget>,
}

/// The members of a [`NewRequest`] as a caller writes them.
#[derive(Clone, Debug, Default)]
pub struct RequestInput<'a> {
    /// The ID of the license.
    pub license_id: Option<&'a str>,
    /// What the asker needs.
    pub coverage: CoverageInput<'a>,
    /// What the likeness is needed for.
    pub purpose: Option<&'a str>,
    /// Where the likeness would appear.
    pub channels: &'a [String],
    /// The amount and currency of the budget.
    pub budget: Option<(Option<&'a str>, Option<&'a str>)>,
}

impl NewRequest {
    /// The rule for the purpose.
    pub const PURPOSE: TextRule = TextRule::paragraphs(1, 2_000);

    /// Parses the members; the error names every invalid one.
    pub fn parse(input: &RequestInput<'_>) -> Result<Self> {
        let mut fields = Fields::default();
        let license = fields.require("license_id", input.license_id, str::parse);
        let coverage = Coverage::parse(&input.coverage, "", &mut fields);
        let purpose = fields.require("purpose", input.purpose, |it| Self::PURPOSE.parse(it));
        let channels = fields.take("channels", parse_channels(input.channels));
        let budget = input.budget.map(|(amount, currency)| {
            let amount = fields.require("budget.amount", amount, Amount::parse);
            let currency = fields.require("budget.currency", currency, Currency::parse);
            amount.zip(currency).map(|(amount, currency)| Budget { amount, currency })
        });
        fields.finish()?;
        let parsed = || {
            Some(Self {
                license: license?,
                coverage: coverage?,
                purpose: purpose?,
                channels: channels?,
                budget: budget.flatten(),
            })
        };
        parsed().ok_or_else(|| Error::validation("The request is not valid"))
    }
}
