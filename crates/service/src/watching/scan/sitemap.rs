//! Sitemaps and sitemap indexes.

use grantor_domain::Timestamp;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;

use super::xml::{broken, reader};

/// Entries read per sitemap: the maximum of the protocol.
const MAX_ENTRIES: usize = 50_000;
/// The longest URL or date, in bytes.
const LONGEST: usize = 4 * 1024;

/// A page or a sitemap, with its last modification date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) url: String,
    pub(super) changed: Option<Timestamp>,
}

/// Reads the entries of a sitemap or a sitemap index.
pub(super) fn read(document: &[u8]) -> Result<Vec<Entry>, String> {
    let (mut reader, mut buffer) = (reader(document), Vec::new());
    let (mut entries, mut entry, mut text) = (Vec::new(), Entry::default(), String::new());
    let mut depth = 0;
    while entries.len() < MAX_ENTRIES {
        match reader.read_event_into(&mut buffer).map_err(|error| broken(&error))? {
            Event::Decl(declaration) => {
                if let Some(encoding) = declaration.encoder() {
                    reader.get_mut().set_encoding(encoding);
                }
            }
            Event::Start(_) => {
                depth += 1;
                text.clear();
            }
            Event::Text(part) => push(&mut text, &part),
            Event::CData(part) => push(&mut text, &part),
            Event::GeneralRef(name) => {
                let named = resolve_predefined_entity(&name);
                let numbered = || name.resolve_char_ref().ok().flatten().map(String::from);
                text.push_str(&named.map(str::to_owned).or_else(numbered).unwrap_or_default());
            }
            Event::End(tag) => {
                match (depth, tag.local_name().into_inner()) {
                    (3, "loc") => text.trim().clone_into(&mut entry.url),
                    (3, "lastmod") => entry.changed = date(text.trim()),
                    (2, "url" | "sitemap") => entries.push(std::mem::take(&mut entry)),
                    _ => {}
                }
                depth -= 1;
            }
            Event::Eof => break,
            _ => {}
        }
        buffer.clear();
    }
    entries.retain(|it| !it.url.is_empty());
    Ok(entries)
}

/// Reads a sitemap that is a plain list of URLs, one per line. Returns `None` if it is anything else.
pub(super) fn read_lines(document: &[u8]) -> Option<Vec<Entry>> {
    let text = std::str::from_utf8(document).ok()?;
    let lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
    let entry = |line: &str| {
        let is_url = ["https://", "http://"].iter().any(|it| line.starts_with(it));
        (is_url && line.len() <= LONGEST).then(|| Entry { url: line.to_owned(), changed: None })
    };
    let entries: Option<Vec<Entry>> = lines.take(MAX_ENTRIES).map(entry).collect();
    entries.filter(|it| !it.is_empty())
}

fn push(text: &mut String, part: &str) {
    if text.len() + part.len() <= LONGEST {
        text.push_str(part);
    }
}

/// Parses a date or a date and time.
fn date(text: &str) -> Option<Timestamp> {
    let instant = Timestamp::parse(text).or_else(|_| Timestamp::parse_day(text));
    instant.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_addresses_is_a_sitemap() {
        let urls = |text: &str| {
            let entries = read_lines(text.as_bytes())?;
            Some(entries.into_iter().map(|it| it.url).collect::<Vec<String>>())
        };
        let two = ["https://a.example/1".to_owned(), "http://a.example/2".to_owned()];
        assert_eq!(urls("https://a.example/1\r\n\n http://a.example/2 "), Some(two.to_vec()));
        for other in ["", "\n\n", "Not found", "https://a.example/1\nand more", "/relative"] {
            assert_eq!(urls(other), None, "{other}");
        }
        assert_eq!(read_lines(b"https://a.example/\xff"), None);
        let many = "https://a.example/\n".repeat(MAX_ENTRIES + 1);
        assert_eq!(read_lines(many.as_bytes()).map(|it| it.len()), Some(MAX_ENTRIES));
    }

    #[test]
    fn entries_have_an_address_and_may_have_a_date() {
        let document = br#"<?xml version="1.0" encoding="UTF-8"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
                    xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
              <url><loc> https://a.example/?a=1&amp;b=2 </loc><lastmod>2026-01-02</lastmod></url>
              <url><image:image><image:loc>https://a.example/i.png</image:loc></image:image>
                <loc><![CDATA[https://a.example/2]]></loc><lastmod>yesterday</lastmod></url>
              <url><lastmod>2026-01-02T03:04:05+01:00</lastmod><loc>https://a.example/&#51;</loc></url>
              <url></url>
            </urlset>"#;
        let found = read(document).unwrap();
        let urls: Vec<&str> = found.iter().map(|it| &*it.url).collect();
        assert_eq!(
            urls,
            ["https://a.example/?a=1&b=2", "https://a.example/2", "https://a.example/3"]
        );
        let dates = found.iter().map(|it| it.changed.map(|at| at.to_string()));
        let expected =
            [Some("2026-01-02T00:00:00.000000Z"), None, Some("2026-01-02T02:04:05.000000Z")];
        assert_eq!(dates.collect::<Vec<_>>(), expected.map(|it| it.map(str::to_owned)));
    }
}
