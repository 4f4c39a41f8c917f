//! Pages of the catalog as schema.org data, for search engines.

use grantor_domain::rights::schema_org_offer;
use grantor_service::App;
use grantor_service::licensing::catalog::{CatalogEntry, license_path};
use grantor_service::licensing::rights;
use serde_json::{Value, json};

use super::absolute;
use crate::license::type_label;

const CONTEXT: &str = "https://schema.org";

/// A license as an offer, in the language of the page.
pub(super) fn offer(app: &App, entry: &CatalogEntry) -> Value {
    let statement = rights::of_entry(app, entry);
    let mut offer = schema_org_offer(&statement, app.clock.now());
    offer["category"] = json!(type_label(entry.record.license.license_type));
    offer
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
            "url": absolute(app, &license_path(entry.record.license.id)),
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
