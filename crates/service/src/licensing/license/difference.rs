//! What differs between two versions of a license, in words for the log.

use grantor_domain::Timestamp;
use grantor_domain::license::{ExternalId, License, LicenseFee, Terms, Territories, Uses};
use serde_json::Value;

use crate::log::change::FieldChanges;

/// The old and new values of a license, under the names of the console's fields.
pub(super) fn changes(before: &License, after: &License) -> FieldChanges {
    let time = |at: &Option<Timestamp>| at.map(|it| it.to_string());
    let external_id = |it: &Option<ExternalId>| it.as_ref().map(|it| it.as_str().to_owned());
    FieldChanges::default()
        .words("name", &before.title, &after.title, |it| it.as_str().to_owned())
        .words("status", &before.status, &after.status, |it| it.name())
        .words("type", &before.license_type, &after.license_type, |it| it.label())
        .words("description", &before.description, &after.description, |it| it.as_str().to_owned())
        .words("fee", &before.fee, &after.fee, |it| it.as_ref().map(fee))
        .words("uses", &before.uses, &after.uses, uses)
        .words("territories", &before.territories, &after.territories, territories)
        .words("validFrom", &before.valid_from, &after.valid_from, time)
        .words("expiresAt", &before.expires_at, &after.expires_at, time)
        .words("canCrawl", &before.can_crawl, &after.can_crawl, |it| *it)
        .words("externalId", &before.external_id, &after.external_id, external_id)
        .words("terms", &before.terms, &after.terms, terms)
}

fn fee(fee: &LicenseFee) -> String {
    format!("{} {} per {}", fee.amount, fee.currency.as_str(), fee.per.name())
}

fn uses(uses: &Uses) -> String {
    uses.as_slice().iter().map(|it| it.label()).collect::<Vec<_>>().join(", ")
}

fn territories(territories: &Territories) -> String {
    territories.as_slice().iter().map(|it| it.label()).collect::<Vec<_>>().join(", ")
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
