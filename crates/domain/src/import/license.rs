//! Rows of licenses.

use serde_json::{Map, Value, json};

use super::cell;
use super::column::Cells;
use crate::Timestamp;
use crate::error::{Error, Fields, Result};
use crate::license::{ExternalId, FieldNames, LicenseChange, NewLicense, TypedAmount};
use crate::tag::Tags;

/// The members of a license that a column gives, with the name of the column.
const MEMBERS: [(&str, &str); 13] = [
    ("name", "Name"),
    ("externalId", "External ID"),
    ("type", "Type"),
    ("description", "Description"),
    ("status", "Status"),
    ("uses", "Uses"),
    ("territories", "Countries"),
    ("appearanceFee", "Fee"),
    ("currency", "Currency"),
    ("feePer", "Fee per"),
    ("canCrawl", "Monitoring"),
    ("validFrom", "Valid from"),
    ("expiresAt", "Expires"),
];

/// How a row names a talent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TalentName {
    /// By the agency's own ID for the talent.
    ExternalId(String),
    /// By the full name.
    Fullname(String),
}

/// A license as a row describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct LicenseRow {
    /// The talent, if the row names one.
    pub talent: Option<TalentName>,
    /// The owner's own ID for the license.
    pub external_id: Option<ExternalId>,
    /// The tags.
    pub tags: Option<Tags>,
    /// What the other columns say, under the names of the console API. Empty cells are missing.
    members: Map<String, Value>,
}

impl LicenseRow {
    /// Reads a row; the error names every wrong column. `known` is whether a license has the row's
    /// external ID, which then needs no talent.
    pub fn parse(cells: &Cells<'_>, known: bool) -> Result<Self> {
        let mut fields = Fields::default();
        let mut members = Map::new();
        for (member, label) in MEMBERS {
            let Some(text) = cells.get(label) else { continue };
            if let Some(value) = fields.take(label, value(member, text, cells)) {
                members.insert(member.to_owned(), value);
            }
        }
        name_currency(cells, &mut members);
        let external_id = cells.get("External ID").and_then(|it| ExternalId::choose(it).ok());
        let tags = cells.get("Tags").and_then(|it| fields.take("Tags", Tags::parse(it)));
        let talent = talent(cells);
        if talent.is_none() && !known {
            fields.add("Talent", "is required");
        }
        fields.finish()?;
        Ok(Self { talent, external_id, tags, members })
    }

    /// The new license that the row describes.
    pub fn new_license(&self, now: Timestamp) -> Result<NewLicense> {
        NewLicense::parse(&self.members, FieldNames::CONSOLE, now).map_err(|it| by_column(&it))
    }

    /// What the row changes about a license. Empty cells change nothing.
    pub fn change(&self) -> Result<LicenseChange> {
        LicenseChange::parse(&self.members, FieldNames::CONSOLE).map_err(|it| by_column(&it))
    }
}

/// The talent of a row. The ID counts if both are given.
fn talent(cells: &Cells<'_>) -> Option<TalentName> {
    let own = |it: &str| it.to_owned();
    let by_id = cells.get("Talent external ID").map(own).map(TalentName::ExternalId);
    by_id.or_else(|| cells.get("Talent").map(own).map(TalentName::Fullname))
}

/// The value of a member.
fn value(member: &str, text: &str, cells: &Cells<'_>) -> Result<Value, String> {
    Ok(match member {
        "type" => json!(cell::license_type(text)?.key()),
        "status" => json!(cell::license_status(text)?.name()),
        "uses" => json!(cell::uses(text)?),
        "territories" => json!(cell::countries(text)?),
        "appearanceFee" => json!(amount(text, cells)?.amount.to_string()),
        "currency" => json!(cell::currency(text)?.as_str()),
        "feePer" => json!(cell::fee_per(text)?.name()),
        "canCrawl" => json!(cell::flag(text)?),
        "validFrom" => json!(cell::start(text)?),
        "expiresAt" => json!(cell::end(text)?),
        _ => json!(text),
    })
}

fn amount(text: &str, cells: &Cells<'_>) -> Result<TypedAmount, &'static str> {
    // A wrong currency is named at its own column.
    let currency = cells.get("Currency").and_then(|it| cell::currency(it).ok());
    TypedAmount::parse(text, currency)
}

/// Takes the currency from an amount such as `€1,500` if its own column is empty.
fn name_currency(cells: &Cells<'_>, members: &mut Map<String, Value>) {
    let named = cells.get("Fee").and_then(|it| amount(it, cells).ok()?.currency);
    if let Some(currency) = named.filter(|_| cells.get("Currency").is_none()) {
        members.insert("currency".to_owned(), json!(currency.as_str()));
    }
}

/// The error with the names of columns instead of members.
fn by_column(error: &Error) -> Error {
    let label = |name: &String| {
        let found = MEMBERS.iter().find(|(member, _)| member == name);
        found.map_or(name.as_str(), |(_, label)| *label).to_owned()
    };
    let errors = error.field_errors();
    let fields = errors
        .iter()
        .fold(Fields::default(), |fields, (name, message)| fields.with(label(name), message));
    fields.finish().err().unwrap_or_else(|| error.clone())
}

#[cfg(test)]
mod tests {
    use super::super::{Columns, ImportKind, ImportRow};
    use super::*;
    use crate::license::{LicenseFee, LicenseStatus};

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    fn parse(cells: &[(&str, &str)], known: bool) -> Result<LicenseRow> {
        let header: Vec<_> = cells.iter().map(|it| it.0.to_owned()).collect();
        let columns = Columns::read(ImportKind::Licenses, &header).unwrap();
        let row = ImportRow { row: 2, cells: cells.iter().map(|it| it.1.to_owned()).collect() };
        LicenseRow::parse(&columns.cells(&row), known)
    }

    fn named(error: &Error) -> Vec<String> {
        error.fields().iter().map(|(name, it)| format!("{name} {it}")).collect()
    }

    #[test]
    fn a_row_is_a_license() {
        let row = parse(
            &[
                ("Title", "Winter"),
                ("Talent", "Zoë"),
                ("Type", "Advertising"),
                ("Status", "Public"),
                ("Uses", "Voice; Advertising"),
                ("Countries", "DACH"),
                ("Fee", "€1.500,50"),
                ("Fee per", "per campaign"),
                ("Monitoring", "yes"),
                ("Expires", "2030-12-31"),
                ("Tags", "Coats"),
            ],
            false,
        )
        .unwrap();
        assert_eq!(row.talent, Some(TalentName::Fullname("Zoë".to_owned())));
        assert_eq!(row.tags.as_ref().unwrap().joined(), "Coats");
        let new = row.new_license(NOW).unwrap();
        assert_eq!((new.title.as_str(), new.status), ("Winter", LicenseStatus::Public));
        assert_eq!((new.uses.as_slice().len(), new.territories.as_slice().len()), (2, 3));
        let fee = new.fee.unwrap();
        assert_eq!((fee.amount.to_string().as_str(), fee.currency.as_str()), ("1500.50", "EUR"));
        assert_eq!(new.expires_at, Some(Timestamp::parse("2031-01-01T00:00:00Z").unwrap()));
        assert!(new.can_crawl);
    }

    #[test]
    fn every_wrong_cell_is_named() {
        let cells = [
            ("Name", "Winter"),
            ("Talent", ""),
            ("Type", "Radio"),
            ("Fee", "much"),
            ("Currency", "EURO"),
            ("Expires", "soon"),
        ];
        let error = parse(&cells, false).unwrap_err();
        let shown = named(&error);
        assert_eq!(shown.len(), 5, "{shown:?}");
        assert_eq!(shown[0], "Currency must be a currency code such as USD");
        assert_eq!(shown[1], "Expires must be a date such as 2026-01-31");
        assert_eq!(shown[2], "Fee must be an amount such as 1,500 or 1.500,00");
        assert_eq!(shown[3], "Talent is required");
        let cells = [("Name", "Winter"), ("Talent", "Zoë"), ("Fee", "5"), ("Status", "Expired")];
        let error = parse(&cells, false).unwrap().new_license(NOW).unwrap_err();
        assert_eq!(
            named(&error),
            [
                "Currency is required for a fee",
                "Fee per is required for a fee",
                "Status must be one of draft, private, public",
                "Type is required",
            ]
        );
    }

    #[test]
    fn what_is_free_needs_no_currency() {
        for fee in ["0", "Free", "kostenlos"] {
            let cells = [("Name", "Winter"), ("Talent", "Zoë"), ("Type", "Voice"), ("Fee", fee)];
            let new = parse(&cells, false).unwrap().new_license(NOW).unwrap();
            assert_eq!(new.fee, Some(LicenseFee::FREE), "{fee}");
        }
    }

    #[test]
    fn a_known_license_needs_no_talent_and_keeps_what_is_empty() {
        let cells = [("External ID", "L-1"), ("Talent", ""), ("Name", ""), ("Status", "Expired")];
        let row = parse(&cells, true).unwrap();
        assert_eq!(row.external_id.as_ref().map(ExternalId::as_str), Some("L-1"));
        let change = row.change().unwrap();
        assert!(change.title.is_none() && change.status == Some(LicenseStatus::Expired));
    }
}
