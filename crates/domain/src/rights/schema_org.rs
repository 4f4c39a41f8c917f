//! A license as an offer of schema.org, for search engines.

use serde_json::{Map, Value, json};

use super::{Named, RightsFormat, Statement};
use crate::Timestamp;

const CONTEXT: &str = "https://schema.org";
/// What is offered is the right to use something for a time.
const LEASE: &str = "http://purl.org/goodrelations/v1#LeaseOut";

const NOTE: &str = "Not expressed by schema.org: which uses are covered, that the licensor must \
    agree first, exclusivity, channels, further terms, and grants that exist already.";

/// Describes the license.
#[must_use]
pub fn offer(statement: &Statement, now: Timestamp) -> Value {
    let mut offer = Map::new();
    let mut add = |name: &str, value: Value| {
        if !value.is_null() {
            offer.insert(name.to_owned(), value);
        }
    };
    add("@context", json!(CONTEXT));
    add("@type", json!("Offer"));
    add("@id", json!(statement.place()));
    add("url", json!(statement.place()));
    add("name", json!(statement.title));
    add("description", json!(Some(&statement.description).filter(|it| !it.is_empty())));
    add("category", json!(statement.license_type.label()));
    add("businessFunction", json!(LEASE));
    add("availability", json!(availability(statement, now)));
    add("image", json!(statement.picture.as_ref().map(|it| image(statement, it))));
    add("itemOffered", item(statement));
    add("seller", seller(statement));
    if let Some(fee) = statement.fee {
        let (price, currency) = (fee.amount.to_string(), fee.currency.as_str());
        add("price", json!(price));
        add("priceCurrency", json!(currency));
        add(
            "priceSpecification",
            json!({
                "@type": "UnitPriceSpecification", "price": price, "priceCurrency": currency,
                "unitText": fee.per.name(),
            }),
        );
    }
    add("eligibleRegion", json!(statement.countries()));
    add("validFrom", json!(statement.covers.valid_from));
    add("validThrough", json!(statement.covers.expires_at));
    Value::Object(offer)
}

fn availability(statement: &Statement, now: Timestamp) -> &'static str {
    let covers = &statement.covers;
    if covers.in_force(now) {
        "https://schema.org/InStock"
    } else if covers.status.is_live() && covers.valid_from.is_some_and(|from| from > now) {
        "https://schema.org/PreOrder"
    } else {
        "https://schema.org/Discontinued"
    }
}

/// The picture with what search engines show about licenses of pictures.
fn image(statement: &Statement, url: &str) -> Value {
    json!({
        "@type": "ImageObject", "contentUrl": url, "license": statement.place(),
        "acquireLicensePage": statement.place(), "creditText": statement.owner.name,
    })
}

fn item(statement: &Statement) -> Value {
    json!({
        "@type": "CreativeWork", "name": statement.title,
        "about": named("Person", &statement.talent),
        "license": statement.place(), "acquireLicensePage": statement.place(),
        "usageInfo": {
            "@type": "CreativeWork", "url": statement.url_of(RightsFormat::Text), "abstract": NOTE,
        },
    })
}

fn seller(statement: &Statement) -> Value {
    let kind = if statement.owner_is_organization { "Organization" } else { "Person" };
    named(kind, &statement.owner)
}

fn named(kind: &str, named: &Named) -> Value {
    match &named.url {
        Some(url) => json!({ "@type": kind, "name": named.name, "url": url }),
        None => json!({ "@type": kind, "name": named.name }),
    }
}
