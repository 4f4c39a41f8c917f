//! Checks an XML document in one streaming pass before a parser builds a model of it: finds its
//! root and refuses documents whose model would be huge.

use quick_xml::Reader;
use quick_xml::encoding::DecodingReader;
use quick_xml::events::Event;

/// Maximum nesting depth of elements.
const MAX_DEPTH: u64 = 100;
/// Maximum number of elements of a document.
const MAX_ELEMENTS: u64 = 250_000;
/// Maximum number of items of a feed; only the newest of them are scanned.
const MAX_ITEMS: u64 = 10_000;
/// Maximum bytes of a tag with `xml:base`, which the feed parser repeats in each link below it.
const LONGEST_BASE: usize = 4 * 1024;
/// Maximum of elements times bytes, summed over all items with media groups: the feed parser
/// repeats the text of the whole item in each of its groups.
const MAX_REPEATED: u64 = 256 * 1024 * 1024;

/// The size of one item.
#[derive(Default)]
struct Item {
    begins: u64,
    elements: u64,
    repeats: bool,
}

/// A reader that decodes the encoding that the document declares.
pub(super) fn reader(document: &[u8]) -> Reader<DecodingReader<&[u8]>> {
    let mut reader = Reader::from_reader(DecodingReader::new(document));
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.trim_markup_names_in_closing_tags = true;
    reader
}

const BROKEN: &str = "it is not well-formed XML";
const CUT: &str = "it ends unexpectedly";

/// The message for a document that is not XML.
pub(super) fn broken(error: &quick_xml::Error) -> String {
    format!("{BROKEN}: {error}")
}

/// Whether a message is about a document that is damaged, or that ends too early.
pub(super) fn is_broken(message: &str) -> bool {
    message.starts_with(BROKEN) || message == CUT
}

/// Returns the name of the root element, if the document is within the limits.
pub(super) fn root(document: &[u8]) -> Result<String, String> {
    let (mut reader, mut buffer) = (reader(document), Vec::new());
    let (mut depth, mut elements, mut items, mut repeated) = (0, 0, 0, 0_u64);
    let (mut root, mut item) = (String::new(), Item::default());
    loop {
        let at = reader.buffer_position();
        match reader.read_event_into(&mut buffer).map_err(|error| broken(&error))? {
            Event::Decl(declaration) => {
                if let Some(encoding) = declaration.encoder() {
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
                    return Err("its xml:base is too long".to_owned());
                }
            }
            Event::End(tag) => {
                depth -= 1;
                if matches!(tag.local_name().into_inner(), "item" | "entry") && item.repeats {
                    repeated += item.elements.saturating_mul(at.saturating_sub(item.begins));
                }
            }
            Event::DocType(doctype) if doctype.contains("<!ENTITY") => {
                return Err("it declares XML entities, which are not supported".to_owned());
            }
            Event::Eof if root.is_empty() => return Err("it is empty".to_owned()),
            Event::Eof if depth > 0 => return Err(CUT.to_owned()),
            Event::Eof => return Ok(root),
            _ => {}
        }
        bounded(depth, elements, items, repeated)?;
        buffer.clear();
    }
}

fn bounded(depth: u64, elements: u64, items: u64, repeated: u64) -> Result<(), String> {
    let bounds = [
        (depth > MAX_DEPTH, format!("its elements are nested more than {MAX_DEPTH} deep")),
        (items > MAX_ITEMS, format!("it has more than {MAX_ITEMS} items")),
        (elements > MAX_ELEMENTS, format!("it has more than {MAX_ELEMENTS} elements")),
        (repeated > MAX_REPEATED, "its items have too many media groups".to_owned()),
    ];
    bounds.into_iter().find(|(exceeded, _)| *exceeded).map_or(Ok(()), |(_, reason)| Err(reason))
}
