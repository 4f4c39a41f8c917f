//! A partial update of a license: members that are not given stay, null clears a member.

use serde_json::{Map, Value};

use super::field_names::{FieldNames, Member};
use super::{
    Amount, Currency, Description, ExternalId, FeePer, LicenseFee, LicenseStatus, LicenseType,
    Terms, Territories, Title, Uses,
};
use crate::Timestamp;
use crate::error::{Fields, Result};
use crate::patch::Patch;

/// A partial update with valid values. [`super::apply`] checks it against the license.
#[derive(Clone, Debug)]
pub struct LicenseChange {
    /// The member names of the API the change came through.
    pub(super) names: &'static FieldNames,
    /// The owner's own ID for the license.
    pub external_id: Patch<ExternalId>,
    /// The title.
    pub title: Option<Title>,
    /// The description.
    pub description: Option<Description>,
    /// The status.
    pub status: Option<LicenseStatus>,
    /// The type.
    pub license_type: Option<LicenseType>,
    /// The allowed uses.
    pub uses: Option<Uses>,
    /// The territories.
    pub territories: Option<Territories>,
    /// The fee.
    pub fee: FeeChange,
    /// Whether platforms are watched for uses of the likeness.
    pub can_crawl: Option<bool>,
    /// Free-form terms.
    pub terms: Option<Terms>,
    /// When the license becomes valid.
    pub valid_from: Patch<Timestamp>,
    /// When the license expires.
    pub expires_at: Patch<Timestamp>,
    /// The names of unknown and read-only members, in the order of the body.
    pub ignored: Vec<String>,
}

/// A change of the fee. The external API writes the fee as one object, the console part by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeeChange {
    /// Whether the current fee is discarded first.
    pub replace: bool,
    /// The amount.
    pub amount: Patch<Amount>,
    /// The currency.
    pub currency: Patch<Currency>,
    /// What the fee is paid per.
    pub per: Patch<FeePer>,
}

impl LicenseChange {
    /// Creates an empty change.
    #[must_use]
    pub fn new(names: &'static FieldNames) -> Self {
        Self {
            names,
            external_id: Patch::Keep,
            title: None,
            description: None,
            status: None,
            license_type: None,
            uses: None,
            territories: None,
            fee: FeeChange::default(),
            can_crawl: None,
            terms: None,
            valid_from: Patch::Keep,
            expires_at: Patch::Keep,
            ignored: Vec::new(),
        }
    }

    /// Parses the members of a request body; the error names every invalid one.
    pub fn parse(members: &Map<String, Value>, names: &'static FieldNames) -> Result<Self> {
        let mut fields = Fields::default();
        let change = Self::read(members, names, &mut fields);
        fields.finish()?;
        Ok(change)
    }

    /// Like [`Self::parse`], but adds to existing errors.
    pub(super) fn read(
        members: &Map<String, Value>,
        names: &'static FieldNames,
        fields: &mut Fields,
    ) -> Self {
        let mut change = Self::new(names);
        for (member, name, value) in names.sort(None, members, &mut change.ignored) {
            change.read_member(member, name, value, fields);
        }
        change
    }

    fn read_member(
        &mut self,
        member: Member,
        name: &'static str,
        value: &Value,
        fields: &mut Fields,
    ) {
        match member {
            Member::ExternalId => {
                self.external_id = patch(fields, name, value, parsed(ExternalId::choose));
            }
            Member::Title => self.title = fields.take(name, parsed(Title::parse)(value)),
            Member::Description => {
                let given = patch(fields, name, value, parsed(Description::parse));
                self.description = emptied(given);
            }
            Member::Status => self.status = fields.take(name, parsed(str::parse)(value)),
            Member::LicenseType => {
                self.license_type = fields.take(name, parsed(str::parse)(value));
            }
            Member::Uses => {
                let read = texts(value).and_then(|it| Uses::parse(&it));
                self.uses = fields.take(name, read);
            }
            Member::Territories => {
                let read = texts(value).and_then(|it| Ok(Territories::parse(&it)?));
                self.territories = fields.take(name, read);
            }
            Member::Fee => self.read_fee(name, value, fields),
            Member::FeeAmount => {
                let amount = if self.names.numbers {
                    patch(fields, name, value, |it| Ok(Amount::parse_value(it)?))
                } else {
                    patch(fields, name, value, parsed(Amount::parse))
                };
                self.fee.amount = amount;
            }
            Member::FeeCurrency => {
                self.fee.currency = patch(fields, name, value, parsed(Currency::parse));
            }
            Member::FeePer => self.fee.per = patch(fields, name, value, parsed(str::parse)),
            Member::CanCrawl => {
                self.can_crawl = fields.take(name, value.as_bool().ok_or("must be true or false"));
            }
            Member::Terms => self.terms = emptied(patch(fields, name, value, terms)),
            Member::ValidFrom => {
                self.valid_from = patch(fields, name, value, parsed(Timestamp::parse));
            }
            Member::ExpiresAt => {
                self.expires_at = patch(fields, name, value, parsed(Timestamp::parse));
            }
        }
    }

    /// A fee given as one object replaces the current fee: a missing part is more likely forgotten
    /// than meant to stay.
    fn read_fee(&mut self, name: &'static str, value: &Value, fields: &mut Fields) {
        self.fee = FeeChange { replace: true, ..FeeChange::default() };
        let members = match value {
            Value::Null => return,
            Value::Object(members) => members,
            _ => return fields.add(name, "must be an object with amount, currency and per"),
        };
        for (member, name, value) in self.names.sort(Some(name), members, &mut self.ignored) {
            self.read_member(member, name, value, fields);
        }
        let FeeChange { amount, currency, per, .. } = self.fee;
        for (member, part) in [
            (Member::FeeAmount, amount.set().is_some()),
            (Member::FeeCurrency, currency.set().is_some()),
            (Member::FeePer, per.set().is_some()),
        ] {
            if !part {
                fields.add(self.names.of(member), "is required");
            }
        }
    }
}

impl FeeChange {
    /// The fee after the change. Without an amount there is no fee; with one, all parts are
    /// required, unless the amount is 0.
    pub(super) fn over(
        self,
        current: Option<LicenseFee>,
        names: &FieldNames,
        fields: &mut Fields,
    ) -> Option<LicenseFee> {
        let current = current.filter(|_| !self.replace);
        let amount = self.amount.over(current.map(|it| it.amount));
        let unchosen = LicenseFee::unchosen(amount);
        let currency = self.currency.over(current.map(|it| it.currency));
        let currency = currency.or(unchosen.map(|it| it.currency));
        let per = self.per.over(current.map(|it| it.per)).or(unchosen.map(|it| it.per));
        let given = self.currency.set().is_some() || self.per.set().is_some();
        if amount.is_none() && !given {
            return None;
        }
        for (member, lacks) in [
            (Member::FeeAmount, amount.is_none()),
            (Member::FeeCurrency, currency.is_none()),
            (Member::FeePer, per.is_none()),
        ] {
            if lacks {
                fields.add(names.of(member), "is required for a fee");
            }
        }
        Some(LicenseFee { amount: amount?, currency: currency?, per: per? })
    }
}

/// Turns a parser of text into a parser of JSON values.
fn parsed<T, E: ToString>(
    parse: impl Fn(&str) -> Result<T, E>,
) -> impl Fn(&Value) -> Result<T, String> {
    move |value| {
        let text = value.as_str().ok_or("must be a string")?;
        parse(text).map_err(|error| error.to_string())
    }
}

fn patch<T>(
    fields: &mut Fields,
    name: &str,
    value: &Value,
    parse: impl Fn(&Value) -> Result<T, String>,
) -> Patch<T> {
    if value.is_null() {
        return Patch::Clear;
    }
    fields.take(name, parse(value)).map_or(Patch::Keep, Patch::Set)
}

/// For members that cannot be absent: clearing sets the default.
fn emptied<T: Default>(patch: Patch<T>) -> Option<T> {
    if patch.is_given() { Some(patch.set().unwrap_or_default()) } else { None }
}

fn texts(value: &Value) -> Result<Vec<&str>, String> {
    let items = value.as_array().and_then(|items| items.iter().map(Value::as_str).collect());
    items.ok_or_else(|| "must be a list of strings".to_owned())
}

fn terms(value: &Value) -> Result<Terms, String> {
    let members = value.as_object().cloned().ok_or("must be an object")?;
    Ok(Terms::parse(members)?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(body: &Value, names: &'static FieldNames) -> Result<LicenseChange> {
        LicenseChange::parse(body.as_object().unwrap(), names)
    }

    fn errors(body: &Value, names: &'static FieldNames) -> Vec<String> {
        let error = parse(body, names).unwrap_err();
        error.fields().iter().map(|(name, text)| format!("{name} {text}")).collect()
    }

    #[test]
    fn both_surfaces_say_the_same_in_their_own_words() {
        let external = json!({
            "external_id": "A-1", "title": "T", "description": "D", "status": "private",
            "license_type": "voice", "uses": ["voice"], "territories": ["US"],
            "fee": { "amount": "5", "currency": "EUR", "per": "use" }, "can_crawl": true,
            "terms": { "a": 1 }, "valid_from": "2026-01-01T00:00:00Z",
            "expires_at": "2027-01-01T00:00:00Z",
        });
        let console = json!({
            "externalId": "A-1", "name": "T", "description": "D", "status": "private",
            "type": "voice", "uses": ["voice"], "territories": ["US"], "appearanceFee": 5,
            "currency": "EUR", "feePer": "use", "canCrawl": true, "terms": { "a": 1 },
            "validFrom": "2026-01-01T00:00:00Z", "expiresAt": "2027-01-01T00:00:00Z",
        });
        let mut one = parse(&external, FieldNames::EXTERNAL).unwrap();
        let other = parse(&console, FieldNames::CONSOLE).unwrap();
        // Only the external API replaces the whole fee.
        assert!(std::mem::take(&mut one.fee.replace));
        one.names = FieldNames::CONSOLE;
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
        assert_eq!(one.title.unwrap().as_str(), "T");
    }

    #[test]
    fn null_clears_and_absence_keeps() {
        let body = json!({
            "external_id": null, "description": null, "terms": null, "fee": null,
            "valid_from": null, "expires_at": null,
        });
        let change = parse(&body, FieldNames::EXTERNAL).unwrap();
        assert_eq!(change.external_id, Patch::Clear);
        assert_eq!((change.valid_from, change.expires_at), (Patch::Clear, Patch::Clear));
        assert_eq!(change.description, Some(Description::default()));
        assert_eq!(change.terms, Some(Terms::default()));
        assert!(change.fee.replace);
        let nothing = parse(&json!({}), FieldNames::EXTERNAL).unwrap();
        assert_eq!(
            format!("{nothing:?}"),
            format!("{:?}", LicenseChange::new(FieldNames::EXTERNAL))
        );
    }

    #[test]
    fn what_nobody_can_write_is_named() {
        let body = json!({
            "id": 1, "title": "T", "fee.amount": "1", "fee": {
                "amount": "1", "currency": "EUR", "per": "day", "note": "x", "a.b": 1,
            },
        });
        let change = parse(&body, FieldNames::EXTERNAL).unwrap();
        assert_eq!(change.ignored, ["id", "fee.amount", "fee.note", "fee.a.b"]);
        let change = parse(&json!({ "title": "T", "fee": {} }), FieldNames::CONSOLE).unwrap();
        assert_eq!(change.ignored, ["title", "fee"]);
    }

    #[test]
    fn every_wrong_member_is_named() {
        let body = json!({
            "external_id": 1, "title": null, "description": [], "status": "gone",
            "license_type": null, "uses": ["custom"], "territories": "US",
            "fee": { "amount": 5, "per": null }, "can_crawl": "true", "terms": [],
            "valid_from": 0, "expires_at": "soon",
        });
        let found = errors(&body, FieldNames::EXTERNAL);
        assert_eq!(
            found.iter().map(String::as_str).collect::<Vec<_>>(),
            [
                "can_crawl must be true or false",
                "description must be a string",
                "expires_at must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z",
                "external_id must be a string",
                "fee.amount must be a string",
                "fee.currency is required",
                "fee.per is required",
                "license_type must be a string",
                "status must be one of draft, private, public, expired",
                "terms must be an object",
                "territories must be a list of strings",
                "title must be a string",
                "uses must contain only social_media, advertising, endorsement, ai_training, \
                 ai_generation, voice, merchandise",
                "valid_from must be a string",
            ]
        );
        assert_eq!(
            errors(&json!({ "fee": "5" }), FieldNames::EXTERNAL),
            ["fee must be an object with amount, currency and per"]
        );
        assert_eq!(
            errors(&json!({ "appearanceFee": -1, "currency": "usd" }), FieldNames::CONSOLE),
            [
                "appearanceFee must be a decimal number of at least 0 with at most 2 decimals",
                "currency must be an ISO 4217 currency code such as USD",
            ]
        );
    }
}
