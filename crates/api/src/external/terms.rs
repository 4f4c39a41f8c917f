//! Terms, parties and other values that requests and grants share.

use grantor_domain::Timestamp;
use grantor_domain::error::Fields;
use grantor_domain::grant::{CoverageInput, GrantTerms, TermsInput as Members};
use grantor_domain::license::{Amount, Currency, LicenseFee};
use grantor_service::licensing::request::PartyName;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::license::{FeeBody, TypeKey};
use crate::frame::describe::value;

/// The terms of an offer. They must not be wider than the license.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewTerms)]
pub(super) struct TermsInput {
    /// The uses, at least one.
    #[schema(required, nullable = false, inline, value_type = value::SomeUses)]
    uses: Option<Vec<String>>,
    /// The territories, at least one. `WORLD` includes all others.
    #[schema(required, nullable = false, inline, value_type = value::SomeTerritories)]
    territories: Option<Vec<String>>,
    /// When the grant starts, a whole second.
    #[schema(required, nullable = false, inline, value_type = value::WholeSecond)]
    starts_at: Option<String>,
    /// When the grant ends, a whole second. Null for an open end.
    #[schema(inline, value_type = Option<value::WholeSecond>)]
    ends_at: Option<String>,
    /// The fee. Null if there is none.
    fee: Option<FeeInput>,
    /// Whether nobody else may get an overlapping grant for the talent. Defaults to false.
    exclusive: Option<bool>,
    /// Where the likeness may appear. At most 10, each of 1 to 100 characters. Empty for anywhere.
    #[schema(inline, value_type = Option<value::ChannelList>)]
    channels: Option<Vec<String>>,
    /// Further conditions, as plain text. At most 5000 characters.
    #[schema(inline, value_type = Option<value::Conditions>)]
    conditions: Option<String>,
    /// How the talent is credited. 1 to 200 characters.
    #[schema(inline, value_type = Option<value::CreditLine>)]
    credit_line: Option<String>,
}

/// A fee.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewFee)]
pub(super) struct FeeInput {
    /// The amount, as a number or decimal string with at most two decimal places.
    #[schema(required, nullable = false, inline, value_type = value::AmountOrNumber)]
    amount: Option<Value>,
    /// The ISO 4217 currency code.
    #[schema(required, nullable = false, value_type = value::Currency)]
    currency: Option<String>,
    /// The unit that the fee applies to.
    #[schema(required, nullable = false, inline, value_type = value::FeePerName)]
    per: Option<String>,
}

impl TermsInput {
    /// Parses the terms and adds an error for each invalid member, under `terms.`.
    pub(super) fn parse(&self, fields: &mut Fields) -> Option<GrantTerms> {
        let fee = self.fee.as_ref().map(|it| it.parse(fields));
        let members = Members {
            coverage: CoverageInput {
                uses: self.uses.as_deref().unwrap_or_default(),
                territories: self.territories.as_deref().unwrap_or_default(),
                starts_at: self.starts_at.as_deref(),
                ends_at: self.ends_at.as_deref(),
            },
            fee: fee.flatten(),
            exclusive: self.exclusive.unwrap_or_default(),
            channels: self.channels.as_deref().unwrap_or_default(),
            conditions: self.conditions.as_deref().unwrap_or_default(),
            credit_line: self.credit_line.as_deref(),
        };
        GrantTerms::parse(&members, "terms.", fields)
    }
}

impl FeeInput {
    fn parse(&self, fields: &mut Fields) -> Option<LicenseFee> {
        let amount = Amount::parse_value(self.amount.as_ref().unwrap_or(&Value::Null));
        let amount = fields.take("terms.fee.amount", amount);
        let currency = Currency::parse(self.currency.as_deref().unwrap_or_default());
        let currency = fields.take("terms.fee.currency", currency);
        let per = fields.take("terms.fee.per", self.per.as_deref().unwrap_or_default().parse());
        Some(LicenseFee { amount: amount?, currency: currency?, per: per? })
    }
}

/// The exact terms of an offer or grant.
#[derive(Serialize, ToSchema)]
#[schema(as = Terms)]
pub(super) struct TermsBody {
    /// The uses.
    uses: Vec<TypeKey>,
    /// The territories.
    #[schema(value_type = Vec<value::Territory>)]
    territories: Vec<String>,
    /// When the grant starts.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Timestamp,
    /// When the grant ends, if it does.
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<Timestamp>,
    fee: Option<FeeBody>,
    /// Whether nobody else may get an overlapping grant for the talent.
    exclusive: bool,
    /// Where the likeness may appear. Empty for anywhere.
    channels: Vec<String>,
    /// Further conditions. Null if there are none.
    conditions: Option<String>,
    /// How the talent is credited.
    credit_line: Option<String>,
}

impl From<&GrantTerms> for TermsBody {
    fn from(terms: &GrantTerms) -> Self {
        let coverage = &terms.coverage;
        Self {
            uses: coverage.uses.as_slice().iter().copied().map(TypeKey::from).collect(),
            territories: texts(coverage.territories.as_slice()),
            starts_at: coverage.starts_at,
            ends_at: coverage.ends_at,
            fee: terms.fee.map(FeeBody::from),
            exclusive: terms.exclusive,
            channels: terms.channels.clone(),
            conditions: Some(terms.conditions.clone()).filter(|it| !it.is_empty()),
            credit_line: terms.credit_line.clone(),
        }
    }
}

pub(super) fn texts<T: ToString>(items: &[T]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

/// A tenant.
#[derive(Serialize, ToSchema)]
#[schema(as = Party)]
pub(super) struct PartyBody {
    /// The tenant's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The tenant's name.
    name: String,
    /// The tenant type.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::TenantTypeName)]
    kind: &'static str,
}

impl From<&PartyName> for PartyBody {
    fn from(party: &PartyName) -> Self {
        let PartyName { id, name, kind } = party;
        Self { id: id.to_string(), name: name.clone(), kind: kind.name() }
    }
}

/// A record by its ID and name.
#[derive(Serialize, ToSchema)]
#[schema(as = Named)]
pub(super) struct NamedBody {
    /// The ID.
    #[schema(inline, value_type = value::Id)]
    pub(super) id: String,
    /// The name or title.
    pub(super) name: String,
}
