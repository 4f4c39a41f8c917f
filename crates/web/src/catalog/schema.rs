//! Pages of the catalog as schema.org data, for search engines. It contains nothing that the page
//! doesn't show.

use grantor_service::App;
use grantor_service::licensing::catalog::CatalogEntry;
use grantor_service::licensing::catalog_picture::PictureSize;
use serde_json::{Map, Value, json};

use super::{absolute, license_path, owner_path, picture, talent_path};
use crate::license::type_label;

const CONTEXT: &str = "https://schema.org";
/// What is offered is the right to use something for a time.
const LEASE: &str = "http://purl.org/goodrelations/v1#LeaseOut";

/// A license as an offer.
pub(super) fn offer(app: &App, entry: &CatalogEntry) -> Value {
    let (license, url) = (&entry.record.license, absolute(app, &license_path(entry)));
    let mut offer = Map::new();
    let mut add = |name: &str, value: Value| {
        if !value.is_null() {
            offer.insert(name.to_owned(), value);
        }
    };
    add("@context", json!(CONTEXT));
    add("@type", json!("Offer"));
    add("@id", json!(url));
    add("url", json!(url));
    add("name", json!(license.title.as_str()));
    add("description", json!(Some(license.description.as_str()).filter(|it| !it.is_empty())));
    add("category", json!(type_label(license.license_type)));
    add("businessFunction", json!(LEASE));
    add("availability", json!("https://schema.org/InStock"));
    add("image", json!(picture_url(app, entry)));
    add("itemOffered", item(app, entry));
    add("seller", seller(app, entry));
    if let Some(fee) = license.fee {
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
    add("eligibleRegion", regions(entry));
    add("validFrom", json!(license.valid_from));
    add("validThrough", json!(license.expires_at));
    Value::Object(offer)
}

/// A list of licenses, about this.
pub(super) fn collection(
    app: &App,
    (url, name): (&str, &str),
    about: Option<Value>,
    entries: &[CatalogEntry],
) -> Value {
    let item = |(index, entry): (usize, &CatalogEntry)| {
        json!({
            "@type": "ListItem", "position": index + 1, "name": entry.record.license.title.as_str(),
            "url": absolute(app, &license_path(entry)),
        })
    };
    let items: Vec<_> = entries.iter().enumerate().map(item).collect();
    let mut page = json!({
        "@context": CONTEXT, "@type": "CollectionPage", "@id": url, "url": url, "name": name,
        "mainEntity": {
            "@type": "ItemList", "numberOfItems": items.len(), "itemListElement": items,
        },
    });
    if let Some(about) = about {
        page["about"] = about;
    }
    page
}

/// A talent.
pub(super) fn person(name: &str, url: Option<String>) -> Value {
    named("Person", name, url)
}

/// An organization.
pub(super) fn organization(name: &str, url: Option<String>) -> Value {
    named("Organization", name, url)
}

fn named(kind: &str, name: &str, url: Option<String>) -> Value {
    match url {
        Some(url) => json!({ "@type": kind, "name": name, "url": url }),
        None => json!({ "@type": kind, "name": name }),
    }
}

/// The absolute URL of the picture of a license.
pub(super) fn picture_url(app: &App, entry: &CatalogEntry) -> Option<String> {
    let found = entry.picture.as_ref()?;
    Some(absolute(app, &picture::path(found.id, PictureSize::Full)))
}

fn item(app: &App, entry: &CatalogEntry) -> Value {
    let url = entry.talent_slug.as_deref().map(|it| absolute(app, &talent_path(it)));
    let talent = person(&entry.record.talent_name, url);
    json!({
        "@type": "CreativeWork", "name": entry.record.license.title.as_str(), "about": talent,
    })
}

fn seller(app: &App, entry: &CatalogEntry) -> Value {
    let record = &entry.record;
    if !record.owner_type.is_organization() {
        return person(&record.owner_name, None);
    }
    let url = entry.owner_slug.as_deref().map(|it| absolute(app, &owner_path(it)));
    organization(&record.owner_name, url)
}

/// The codes of the countries; nothing for a license that applies everywhere.
fn regions(entry: &CatalogEntry) -> Value {
    let territories = entry.record.license.territories.as_slice();
    let codes: Vec<_> = territories.iter().map(ToString::to_string).collect();
    let everywhere = codes.is_empty() || codes.iter().any(|it| it == "WORLD");
    if everywhere { Value::Null } else { json!(codes) }
}
