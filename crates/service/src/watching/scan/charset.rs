//! Decodes pages and feeds that are not UTF-8: by their byte order mark, their `Content-Type`
//! header or their own declaration.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};
use quick_xml::encoding::{DetectedEncoding, detect_encoding};

/// How many bytes of a page are searched for its encoding, as in browsers.
const PRESCAN_BYTES: usize = 1_024;

/// Decodes a page. A byte order mark takes precedence, then the `Content-Type`, then a meta tag.
pub(super) fn page<'a>(page: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    let encoding = content_type.and_then(named).or_else(|| declared(page)).unwrap_or(UTF_8);
    encoding.decode(page).0
}

/// Converts an XML document to UTF-8 by its `Content-Type`. A document that declares its encoding
/// stays as it is, because the XML reader decodes it.
pub(super) fn xml<'a>(document: &'a [u8], content_type: Option<&str>) -> Cow<'a, [u8]> {
    let start = document.trim_ascii_start();
    let undeclared = match detect_encoding(start) {
        Some(DetectedEncoding::AsciiCompatible) => !declares(start),
        other => other.is_none(),
    };
    let encoding = content_type.and_then(named).filter(|it| undeclared && *it != UTF_8);
    encoding.map_or(Cow::Borrowed(document), |it| {
        Cow::Owned(it.decode_without_bom_handling(document).0.into_owned().into_bytes())
    })
}

/// Whether the XML declaration has an encoding.
fn declares(document: &[u8]) -> bool {
    let end = document.windows(2).position(|it| it == b"?>").unwrap_or_default();
    document[..end].windows(8).any(|it| it == b"encoding")
}

/// The encoding that a content type names, if it is known.
fn named(content_type: &str) -> Option<&'static Encoding> {
    let content_type = content_type.to_ascii_lowercase();
    let (_, value) = content_type.split_once("charset")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let label = value.split([';', ',', '"', '\'', ' ', '\t']).next()?;
    Encoding::for_label_no_replacement(label.as_bytes())
}

/// The encoding that the first meta tag with one declares.
fn declared(page: &[u8]) -> Option<&'static Encoding> {
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    let start = &page[..page.len().min(PRESCAN_BYTES)];
    let encoding = Tokenizer::new_with_emitter(start, emitter).find_map(|token| {
        let Ok(Token::StartTag(tag)) = token else { return None };
        if tag.name.as_slice() != b"meta" {
            return None;
        }
        let attribute = |name: &[u8]| Some(tag.attributes.get(name)?.trim_ascii());
        if let Some(label) = attribute(b"charset") {
            return Encoding::for_label_no_replacement(label);
        }
        let kind = attribute(b"http-equiv")?.eq_ignore_ascii_case(b"content-type");
        let content = attribute(b"content").filter(|_| kind)?;
        named(&String::from_utf8_lossy(content))
    });
    // A tag that reads as ASCII is not in UTF-16, whatever it says.
    encoding.map(Encoding::output_encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    const META: &[u8] = b"<title>\xe9</title><meta charset=windows-1252>";

    #[test]
    fn pages_are_read_as_they_are_written() {
        let kind = |it| Some(it);
        let late = [&b" ".repeat(PRESCAN_BYTES), META].concat();
        for (page, content_type, expected) in [
            (&b"Ren\xe9e \x80"[..], kind("text/html; charset=windows-1252"), "Ren\u{e9}e \u{20ac}"),
            (b"Ren\xe9e", kind("text/html;Charset = \"ISO-8859-1\"; x=y"), "Ren\u{e9}e"),
            (META, None, "\u{e9}"),
            (META, kind("text/html"), "\u{e9}"),
            (
                b"<META content='text/html; charset=latin1' http-equiv=Content-Type>\xe9",
                None,
                "\u{e9}",
            ),
            (b"<meta name=x content='charset=latin1'>\xc3\xa9", None, "\u{e9}"),
            (b"<!-- <meta charset=latin1> -->\xc3\xa9", None, "\u{e9}"),
            (b"<meta charset=utf-16>\xc3\xa9", None, "\u{e9}"),
            (b"\x83A\x83_", kind("text/html; charset=Shift_JIS"), "\u{30a2}\u{30c0}"),
            (b"<meta charset='shift_jis'>\x83A\x83_", None, "\u{30a2}\u{30c0}"),
            (b"\xff\xfeA\0\xe9\0", None, "A\u{e9}"),
            (b"\xfe\xff\0A\0\xe9", kind("text/html; charset=latin1"), "A\u{e9}"),
            (b"\xef\xbb\xbf\xc3\xa9", kind("text/html; charset=latin1"), "\u{e9}"),
            (b"\xc3\xa9", kind("text/html; charset=klingon"), "\u{e9}"),
            (META, kind("text/html; charset=klingon"), "\u{e9}"),
            (b"\xc3\xa9", kind("text/html; charset"), "\u{e9}"),
            (b"\xc3\xa9 \xff", None, "\u{e9} \u{fffd}"),
            (&late, None, "\u{fffd}"),
            (b"", None, ""),
        ] {
            let found = super::page(page, content_type);
            assert!(found.contains(expected), "{found}: {expected}, {content_type:?}");
        }
    }

    #[test]
    fn the_answer_tells_of_xml_that_does_not() {
        let latin = Some("application/rss+xml; charset=iso-8859-1");
        let (declared, silent) =
            (&b"<?xml version='1.0' encoding='x'?>\xe9"[..], &b"<rss>\xe9"[..]);
        let brief = b"<?xml version='1.0'?><rss>encoding \xe9";
        for (document, content_type, expected) in [
            (silent, latin, "<rss>\u{e9}".as_bytes()),
            (brief, latin, "<?xml version='1.0'?><rss>encoding \u{e9}".as_bytes()),
            (b"<\0r\0", Some("text/xml; charset=utf-16"), b"<r"),
            (declared, latin, declared),
            (b"\n<?xml encoding='x'?>\xe9", latin, b"\n<?xml encoding='x'?>\xe9"),
            (silent, None, silent),
            (silent, Some("text/xml; charset=utf-8"), silent),
            (b"\xef\xbb\xbf<r>\xc3\xa9", latin, b"\xef\xbb\xbf<r>\xc3\xa9"),
            (b"\xff\xfe<\0r\0", latin, b"\xff\xfe<\0r\0"),
            (b"<\0?\0x\0", latin, b"<\0?\0x\0"),
        ] {
            assert_eq!(xml(document, content_type), expected, "{content_type:?}");
        }
    }
}
