//! What an XML document is, found in one pass that keeps nothing: its root, and that a reader who
//! builds a model of it cannot be made to build a vast one.

use quick_xml::Reader;
use quick_xml::encoding::DecodingReader;
use quick_xml::events::Event;

/// How deep elements may be nested.
const MOST_DEPTH: u64 = 100;
/// How many elements a document may have.
const MOST_ELEMENTS: u64 = 250_000;
/// How many items a feed may have; the newest of them are looked at.
const MOST_ITEMS: u64 = 10_000;
/// Bytes of a tag that gives a base, which a reader repeats in each link below it.
const LONGEST_BASE: usize = 4 * 1024;
/// What items may come to in which a reader repeats the text of the whole item in each of its
/// groups: elements times bytes, over all of them.
const MOST_REPEATED: u64 = 256 * 1024 * 1024;

/// What a reader of the feed would hold of one item.
#[derive(Default)]
struct Item {
    begins: u64,
    elements: u64,
    repeats: bool,
}

/// A reader of a document in whatever encoding it says it has.
pub(super) fn reader(document: &[u8]) -> Reader<DecodingReader<&[u8]>> {
    let mut reader = Reader::from_reader(DecodingReader::new(document));
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.trim_markup_names_in_closing_tags = true;
    reader
}

/// Why a document that is no XML is not read.
pub(super) fn broken(error: &quick_xml::Error) -> String {
    format!("it is not well-formed XML: {error}")
}

/// The name of the root, of a document within bounds.
pub(super) fn root(document: &[u8]) -> Result<String, String> {
    let (mut reader, mut buffer) = (reader(document), Vec::new());
    let (mut depth, mut elements, mut items, mut repeated) = (0, 0, 0, 0_u64);
    let (mut root, mut item) = (String::new(), Item::default());
    loop {
        let at = reader.buffer_position();
        match reader.read_event_into(&mut buffer).map_err(|error| broken(&error))? {
            Event::Decl(said) => {
                if let Some(encoding) = said.encoder() {
                    reader.get_mut().set_encoding(encoding);
                }
            }
            Event::Start(tag) => {
                (depth, elements, item.elements) = (depth + 1, elements + 1, item.elements + 1);
                let local = tag.local_name();
                match local.into_inner() {
                    "item" | "entry" => {
                        items += 1;
                        item = Item { begins: at, ..Item::default() };
                    }
                    "group" | "rating" => item.repeats = true,
                    _ => {}
                }
                if root.is_empty() {
                    local.into_inner().clone_into(&mut root);
                }
                if tag.len() > LONGEST_BASE && tag.contains("xml:base") {
                    return Err("it gives a base that is too long".to_owned());
                }
            }
            Event::End(tag) => {
                depth -= 1;
                if matches!(tag.local_name().into_inner(), "item" | "entry") && item.repeats {
                    repeated += item.elements.saturating_mul(at.saturating_sub(item.begins));
                }
            }
            Event::DocType(doctype) if doctype.contains("<!ENTITY") => {
                return Err("it declares entities of its own, which are not read".to_owned());
            }
            Event::Eof if root.is_empty() => return Err("it is empty".to_owned()),
            Event::Eof if depth > 0 => return Err("it breaks off".to_owned()),
            Event::Eof => return Ok(root),
            _ => {}
        }
        bounded(depth, elements, items, repeated)?;
        buffer.clear();
    }
}

fn bounded(depth: u64, elements: u64, items: u64, repeated: u64) -> Result<(), String> {
    let bounds = [
        (depth > MOST_DEPTH, format!("its elements are nested more than {MOST_DEPTH} deep")),
        (items > MOST_ITEMS, format!("it has more than {MOST_ITEMS} items")),
        (elements > MOST_ELEMENTS, format!("it has more than {MOST_ELEMENTS} elements")),
        (repeated > MOST_REPEATED, "its items have too many groups of media".to_owned()),
    ];
    bounds.into_iter().find(|(beyond, _)| *beyond).map_or(Ok(()), |(_, reason)| Err(reason))
}
