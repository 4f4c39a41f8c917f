//! What differs between two versions of a license, in words for the log.

use grantor_domain::Timestamp;
use grantor_domain::license::{License, Terms};
use serde_json::Value;

use crate::log::change::FieldChanges;

/// The old and new values of a license, under the names of the console's fields.
pub(super) fn changes(before: &License, after: &License) -> FieldChanges {
    let time = |at: Option<Timestamp>| at.map(|it| it.to_string());
    let external_id = |it: &License| it.external_id.as_ref().map(|it| it.as_str().to_owned());
    FieldChanges::default()
        .field("name", before.title.as_str(), after.title.as_str())
        .field("status", before.status.name(), after.status.name())
        .field("type", before.license_type.label(), after.license_type.label())
        .field("description", before.description.as_str(), after.description.as_str())
        .field("fee", fee(before), fee(after))
        .field("uses", uses(before), uses(after))
        .field("territories", territories(before), territories(after))
        .field("validFrom", time(before.valid_from), time(after.valid_from))
        .field("expiresAt", time(before.expires_at), time(after.expires_at))
        .field("canCrawl", before.can_crawl, after.can_crawl)
        .field("externalId", external_id(before), external_id(after))
        .field("terms", terms(&before.terms), terms(&after.terms))
}

fn fee(license: &License) -> Option<String> {
    let fee = license.fee.as_ref()?;
    Some(format!("{} {} per {}", fee.amount, fee.currency.as_str(), fee.per.name()))
}

fn uses(license: &License) -> String {
    license.uses.as_slice().iter().map(|it| it.label()).collect::<Vec<_>>().join(", ")
}

fn territories(license: &License) -> String {
    license.territories.as_slice().iter().map(|it| it.label()).collect::<Vec<_>>().join(", ")
}

/// In the order of the names, since another order is no difference.
fn terms(terms: &Terms) -> String {
    let term = |(name, value): (&String, &Value)| match value {
        Value::String(text) => format!("{name}: {text}"),
        other => format!("{name}: {other}"),
    };
    let mut terms: Vec<_> = terms.as_map().iter().map(term).collect();
    terms.sort_unstable();
    terms.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_order_of_terms_is_no_difference() {
        let text = |json: &str| terms(&Terms::parse(serde_json::from_str(json).unwrap()).unwrap());
        let first = text(r#"{"credit":"Ada","copies":5}"#);
        assert_eq!(first, "copies: 5; credit: Ada");
        assert_eq!(text(r#"{"copies":5,"credit":"Ada"}"#), first);
        assert_ne!(text(r#"{"copies":6,"credit":"Ada"}"#), first, "the control");
    }
}
