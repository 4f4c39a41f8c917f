//! `grantor license`.

use grantor_client::{Client, Fee, License, LicenseFilter, Versioned};
use serde_json::{Map, Value, json};

use super::table::{Column, Table};
use super::{Desk, day, explain, moment, take};
use crate::cli::{self, LicenseChanges, LicenseList, LicenseUpdate, RecordGet};

/// How much of a title is searched for: the longest search without the quotes and the star.
const MAX_SEARCH: usize = 197;

pub(super) async fn run(desk: &mut Desk<'_>, command: cli::License) -> Result<(), String> {
    match command {
        cli::License::List(options) => list(desk, options).await,
        cli::License::Get(options) => get(desk, &options).await,
        cli::License::Update(options) => update(desk, &options).await,
    }
}

async fn list(desk: &mut Desk<'_>, options: LicenseList) -> Result<(), String> {
    let client = desk.connect(&options.list.connect)?;
    let LicenseList { search, status, license_type, list } = options;
    let filter = LicenseFilter { q: search, status, license_type, ..LicenseFilter::default() };
    let (licenses, total) = take(client.licenses(&filter), list.most()).await?;
    if list.json {
        return desk.terminal.json(&licenses);
    }
    let mut table = Table::new([
        Column::Whole("ID"),
        Column::Whole("STATUS"),
        Column::Cut("TITLE"),
        Column::Cut("TALENT"),
        Column::Whole("EXPIRES"),
    ]);
    for license in &licenses {
        let expires = day(license.expires_at.as_deref());
        table.row([&license.id, &license.status, &license.title, &license.talent.name, expires]);
    }
    desk.terminal.list(&table, total)
}

async fn get(desk: &mut Desk<'_>, options: &RecordGet) -> Result<(), String> {
    let client = desk.connect(&options.connect)?;
    let license = find(&client, &options.id).await?.value;
    if options.json {
        return desk.terminal.json(&license);
    }
    let terms =
        if license.terms.is_empty() { String::new() } else { json!(license.terms).to_string() };
    desk.terminal.details(&[
        ("ID", license.id),
        ("External ID", license.external_id.unwrap_or_default()),
        ("Title", license.title),
        ("Description", license.description),
        ("Status", license.status),
        ("Type", license.license_type),
        ("Talent", license.talent.name),
        ("Owner", license.owner.name),
        ("Permission", license.permission),
        ("Uses", license.uses.join(", ")),
        ("Territories", license.territories.join(", ")),
        ("Fee", license.fee.as_ref().map(fee_text).unwrap_or_default()),
        ("Watched", if license.can_crawl { "yes" } else { "no" }.to_owned()),
        ("Terms", terms),
        ("Valid from", moment(license.valid_from.as_deref())),
        ("Expires", moment(license.expires_at.as_deref())),
        ("Images", license.image_count.to_string()),
        ("Version", license.version.to_string()),
        ("Created", moment(Some(&license.created_at))),
        ("Updated", moment(Some(&license.updated_at))),
    ])
}

/// Changes a license, unless somebody else changed it since it was read.
async fn update(desk: &mut Desk<'_>, options: &LicenseUpdate) -> Result<(), String> {
    let changes = changes(&options.changes);
    let client = desk.connect(&options.record.connect)?;
    let before = find(&client, &options.record.id).await?;
    let (id, etag) = (&before.value.id, before.etag.as_deref());
    let updated = client.update_license(id, &changes, etag).await;
    let after = updated.map_err(|it| explain(&it))?.value;
    if options.record.json {
        return desk.terminal.json(&after);
    }
    let lines = differences(&before.value, &after, &changes);
    if lines.is_empty() {
        return desk.terminal.say(&format!("{id} already has these values."));
    }
    desk.terminal.say(&format!("{id} is now version {}:", after.version))?;
    lines.iter().try_for_each(|line| desk.terminal.say(line))
}

/// Finds a license by its ID, external ID or exact title.
async fn find(client: &Client, id: &str) -> Result<Versioned<License>, String> {
    if may_be_id(id) {
        match client.license(id).await {
            Err(error) if error.status() == Some(404) => {}
            found => return found.map_err(|it| explain(&it)),
        }
    }
    let filter = LicenseFilter { search: Some(title_search(id)), ..LicenseFilter::default() };
    let mut found = client.licenses(&filter);
    let mut ids = Vec::new();
    while let Some(license) = found.next().await.map_err(|it| explain(&it))? {
        if license.title == id {
            ids.push(license.id);
        }
    }
    match ids.as_slice() {
        [] => Err(format!("there is no license with the ID, external ID or title {id}")),
        [id] => client.license(id).await.map_err(|it| explain(&it)),
        several => Err(format!("several licenses have this title: {}", several.join(", "))),
    }
}

/// A search for a title as a phrase. The end of one that is too long is left out.
fn title_search(title: &str) -> String {
    let title = title.replace('"', " ");
    match title.char_indices().nth(MAX_SEARCH) {
        Some((end, _)) => format!("\"{}\"*", &title[..end]),
        None => format!("\"{title}\""),
    }
}

/// Whether a text has the form of an ID or external ID.
fn may_be_id(text: &str) -> bool {
    let fits = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'_' | b':' | b'-');
    (1..=128).contains(&text.len()) && text.bytes().all(fits) && !matches!(text, "." | "..")
}

/// The changes by the names of the API.
fn changes(options: &LicenseChanges) -> Map<String, Value> {
    let text = |it: Option<&str>| it.map(|it| json!(it));
    let optional =
        |it: Option<&str>| it.map(|it| if it.is_empty() { Value::Null } else { json!(it) });
    let list = |it: Option<&str>| {
        let items = it?.split(',').map(str::trim).filter(|it| !it.is_empty());
        Some(json!(items.collect::<Vec<_>>()))
    };
    let given = [
        ("title", text(options.title.as_deref())),
        ("description", text(options.description.as_deref())),
        ("status", text(options.status.as_deref())),
        ("license_type", text(options.license_type.as_deref())),
        ("external_id", optional(options.external_id.as_deref())),
        ("uses", list(options.uses.as_deref())),
        ("territories", list(options.territories.as_deref())),
        ("fee", options.fee.clone()),
        ("can_crawl", options.can_crawl.map(Value::Bool)),
        ("valid_from", optional(options.valid_from.as_deref())),
        ("expires_at", optional(options.expires_at.as_deref())),
    ];
    let given = given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    given.collect()
}

fn fee_text(fee: &Fee) -> String {
    format!("{} {} per {}", fee.amount, fee.currency, fee.per)
}

/// A line for each field that has another value now.
fn differences(before: &License, after: &License, changes: &Map<String, Value>) -> Vec<String> {
    let (before, after) = (json!(before), json!(after));
    let changed = changes.keys().filter(|name| before[*name] != after[*name]);
    changed
        .map(|name| format!("  {name}: {} → {}", shown(&before[name]), shown(&after[name])))
        .collect()
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        Value::Object(members) => members.values().map(shown).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::unnecessary_wraps, reason = "the options are optional")]
    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn only_what_is_given_changes() {
        let options = LicenseChanges {
            title: text("T"),
            uses: text("voice, advertising,"),
            territories: text(""),
            external_id: text(""),
            fee: Some(json!({ "amount": "1.50", "currency": "EUR", "per": "day" })),
            can_crawl: Some(false),
            ..LicenseChanges::default()
        };
        let expected = json!({
            "title": "T", "external_id": null, "uses": ["voice", "advertising"],
            "territories": [], "fee": { "amount": "1.50", "currency": "EUR", "per": "day" },
            "can_crawl": false,
        });
        assert_eq!(Value::Object(changes(&options)), expected);
    }

    #[test]
    fn a_title_is_not_taken_for_an_id() {
        for id in ["QF-001", "0198c0de-0000-7000-8000-000000000001", "a.b_c:d"] {
            assert!(may_be_id(id), "{id}");
        }
        for title in ["", "Two words", "Zoë", "a/b", "..", &"x".repeat(129)] {
            assert!(!may_be_id(title), "{title}");
        }
    }

    #[test]
    fn a_title_is_searched_for_as_a_phrase() {
        assert_eq!(title_search("The \"harbor\" coat"), "\"The  harbor  coat\"");
        let long = title_search(&"é".repeat(200));
        assert_eq!((long.chars().count(), long.ends_with("é\"*")), (200, true));
    }

    #[test]
    fn values_are_shown_as_people_write_them() {
        assert_eq!(shown(&json!(["a", "b"])), "a, b");
        assert_eq!(shown(&json!({ "amount": "5.00", "currency": "EUR" })), "5.00 EUR");
        assert_eq!((shown(&Value::Null), shown(&json!(true))), ("none".into(), "true".into()));
    }
}
