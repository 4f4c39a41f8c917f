//! A license as an ODRL 2.2 policy: an offer to use the likeness for the purposes, in the countries
//! and at the times that the license covers, once the licensor consents and is paid.

use serde_json::{Value, json};

use super::{Statement, vocabulary};
use crate::Timestamp;
use crate::license::Amount;

const CONTEXT: &str = "http://www.w3.org/ns/odrl.jsonld";
const DATE_TIME: &str = "http://www.w3.org/2001/XMLSchema#dateTime";
const DECIMAL: &str = "http://www.w3.org/2001/XMLSchema#decimal";
/// Countries, as in the examples of the ODRL Information Model.
const COUNTRY: &str = "https://www.iso.org/obp/ui/#iso:code:3166:";
const CURRENCY: &str = "urn:iso:std:iso:4217:";

const NOTE: &str = "Not expressed in ODRL: what the fee is paid per (only in words), exclusivity, \
    channels, further terms, and grants that exist already. Uses that are not permitted here may \
    be permitted by another license of the same person.";

/// Renders the policy. A draft or an expired license permits nothing, whatever it covers.
pub(super) fn policy(statement: &Statement) -> Value {
    let mut policy = json!({
        "@context": [CONTEXT, {
            "dct": "http://purl.org/dc/terms/",
            "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
            "vcard": "http://www.w3.org/2006/vcard/ns#",
        }],
        "@type": "Offer",
        "uid": statement.url,
        "dct:title": statement.title,
        "dct:modified": statement.updated_at,
        "rdfs:seeAlso": { "@id": statement.place() },
        "rdfs:comment": NOTE,
    });
    if !statement.description.is_empty() {
        policy["dct:description"] = json!(statement.description);
    }
    let mut rule = json!({
        "target": asset(statement), "assigner": assigner(statement), "action": "use",
    });
    if statement.covers.status.is_live() {
        let constraints = constraints(statement);
        if !constraints.is_empty() {
            rule["constraint"] = json!(constraints);
        }
        rule["duty"] = json!(duties(statement));
        policy["permission"] = json!([rule]);
    } else {
        policy["prohibition"] = json!([rule]);
    }
    policy
}

fn asset(statement: &Statement) -> Value {
    json!({
        "@type": "Asset", "uid": format!("{}#likeness", statement.license_url()),
        "dct:title": format!("Name, image and likeness of {}", statement.talent.name),
    })
}

fn assigner(statement: &Statement) -> Value {
    let kind =
        if statement.owner_is_organization { "vcard:Organization" } else { "vcard:Individual" };
    json!({ "@type": ["Party", kind], "uid": owner(statement), "vcard:fn": statement.owner.name })
}

/// The IRI of the owner.
fn owner(statement: &Statement) -> String {
    let page = statement.owner.url.clone();
    page.unwrap_or_else(|| format!("{}#owner", statement.license_url()))
}

/// What must be true of a use. An empty list of the license constrains nothing.
fn constraints(statement: &Statement) -> Vec<Value> {
    let covers = &statement.covers;
    let mut constraints = Vec::new();
    if !covers.uses.as_slice().is_empty() {
        let uses = covers.uses.as_slice().iter();
        let iris = uses.map(|it| vocabulary::iri(&statement.origin, *it));
        constraints.push(any_of("purpose", iris));
    }
    if let Some(countries) = statement.countries() {
        let iris = countries.iter().map(|it| format!("{COUNTRY}{it}"));
        constraints.push(any_of("spatial", iris));
    }
    constraints.extend(covers.valid_from.map(|it| date_time("gteq", it)));
    constraints.extend(covers.expires_at.map(|it| date_time("lt", it)));
    constraints
}

/// A constraint has one right operand, so that several values are a list.
fn any_of(operand: &str, iris: impl Iterator<Item = String>) -> Value {
    let values: Vec<_> = iris.map(|it| json!({ "@id": it })).collect();
    json!({ "leftOperand": operand, "operator": "isAnyOf", "rightOperand": { "@list": values } })
}

fn date_time(operator: &str, at: Timestamp) -> Value {
    json!({
        "leftOperand": "dateTime", "operator": operator,
        "rightOperand": { "@value": at, "@type": DATE_TIME },
    })
}

/// What must be done before a use is permitted.
fn duties(statement: &Statement) -> Vec<Value> {
    let owner = owner(statement);
    let mut duties = vec![json!({ "action": "obtainConsent", "consentingParty": owner })];
    let fee = statement.fee.filter(|it| it.amount > Amount::ZERO);
    duties.extend(fee.map(|fee| {
        json!({
            "action": [{
                "rdf:value": { "@id": "odrl:compensate" },
                "refinement": [{
                    "leftOperand": "payAmount", "operator": "eq",
                    "rightOperand": { "@value": fee.amount.to_string(), "@type": DECIMAL },
                    "unit": format!("{CURRENCY}{}", fee.currency),
                }],
            }],
            "compensatedParty": owner,
            "dct:description": format!("Per {}", fee.per),
        })
    }));
    duties
}
