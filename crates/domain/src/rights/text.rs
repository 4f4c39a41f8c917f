//! A license as plain text.

use super::{RightsFormat, Statement};
use crate::Timestamp;

const NOTE: &str = "Nothing may be used before the owner agrees: a grant says who may use what, \
    where and when. This text leaves out exclusivity, channels, further terms and grants that \
    exist already. Programs should read one of the other formats.";

/// Describes the license.
pub(super) fn text(statement: &Statement, now: Timestamp) -> String {
    let covers = &statement.covers;
    let uses: Vec<_> = covers.uses.as_slice().iter().map(|it| it.label()).collect();
    let countries = statement.countries().unwrap_or_default();
    let countries: Vec<_> = countries.iter().map(|it| format!("{} ({it})", it.label())).collect();
    let fee = statement.fee.map_or("On request".to_owned(), |it| {
        format!("{} {} per {}", it.amount, it.currency, it.per)
    });
    let training = if statement.offers_training() { "Only by agreement" } else { "Not offered" };
    let facts = [
        ("Person", statement.talent.name.clone()),
        ("Owner", statement.owner.name.clone()),
        ("Type", statement.license_type.label().to_owned()),
        ("Status", status(statement, now).to_owned()),
        ("Uses", list(&uses, "All")),
        ("Territories", list(&countries, "Worldwide")),
        ("Valid from", moment(covers.valid_from)),
        ("Valid until", moment(covers.expires_at)),
        ("Fee", fee),
        ("AI training", training.to_owned()),
        ("Request", statement.place().to_owned()),
        ("Updated", statement.updated_at.to_string()),
    ];
    let mut parts = vec![statement.title.clone()];
    if !statement.description.is_empty() {
        parts.push(statement.description.clone());
    }
    parts.push(facts.map(|(name, value)| format!("{name}: {value}")).join("\n"));
    parts.push(NOTE.to_owned());
    let others = RightsFormat::ALL.into_iter().filter(|it| *it != RightsFormat::Text);
    let others: Vec<_> = others.map(|it| format!("{it}: {}", statement.url_of(it))).collect();
    parts.push(others.join("\n"));
    parts.join("\n\n") + "\n"
}

fn status(statement: &Statement, now: Timestamp) -> &'static str {
    let covers = &statement.covers;
    if covers.in_force(now) {
        "In force"
    } else if covers.status.is_live() && covers.valid_from.is_some_and(|from| from > now) {
        "Not in force yet"
    } else {
        "Not in force"
    }
}

fn list<T: AsRef<str>>(items: &[T], all: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    if items.is_empty() { all.to_owned() } else { items.join(", ") }
}

fn moment(at: Option<Timestamp>) -> String {
    at.map_or("Not limited".to_owned(), |it| it.to_string())
}
