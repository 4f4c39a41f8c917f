//! Chooses the address of a picture among those that an element offers.

use html5gum::emitters::default::StartTag;

/// Attributes in which pages keep the address of a picture that is loaded late.
const LAZY: [&[u8]; 3] = [b"data-src", b"data-lazy-src", b"data-original"];
const LAZY_SETS: [&[u8]; 2] = [b"data-srcset", b"data-lazy-srcset"];
/// Formats that are not read.
const UNREADABLE: [&str; 8] = [".svg", ".gif", ".ico", ".avif", ".bmp", ".tif", ".tiff", ".heic"];
/// Smaller pictures are icons or count visitors.
const SMALLEST: u32 = 48;
/// The largest picture that is chosen from a set, in pixels.
const WIDEST: f64 = 2_048.0;
/// The longest value that is read, in bytes.
const LONGEST: usize = 16 * 1024;

/// A picture of a page or of an item of a feed, with its alternative text and caption.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::watching::scan) struct Picture {
    pub(in crate::watching::scan) url: String,
    pub(in crate::watching::scan) alt: String,
}

/// Whether a picture may have a format that can be read, judged by its URL.
pub(in crate::watching::scan) fn is_readable(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or(url).to_ascii_lowercase();
    !path.is_empty()
        && !url.get(..5).is_some_and(|it| it.eq_ignore_ascii_case("data:"))
        && !UNREADABLE.iter().any(|it| path.ends_with(it))
}

/// The value of an attribute, without white space around it.
pub(super) fn attribute(tag: &StartTag<()>, name: &[u8]) -> Option<String> {
    let value = tag.attributes.get(name)?;
    let text = String::from_utf8_lossy(&value[..value.len().min(LONGEST)]);
    Some(text.trim().to_owned()).filter(|it| !it.is_empty())
}

/// The address of an `img` element's picture. A late one takes precedence, because `src` is then a
/// placeholder.
pub(super) fn address(tag: &StartTag<()>, sources: &[String]) -> Option<String> {
    let lazy = LAZY.iter().filter_map(|it| attribute(tag, it));
    let lazy_sets = LAZY_SETS.iter().filter_map(|it| largest(&attribute(tag, it)?));
    let plain = attribute(tag, b"src");
    let set = attribute(tag, b"srcset").and_then(|it| largest(&it));
    let mut all = lazy.chain(lazy_sets).chain(plain).chain(set).chain(sources.iter().cloned());
    all.find(|it| is_readable(it))
}

/// The address of a `source` element of a `picture`, if its format can be read.
pub(super) fn source(tag: &StartTag<()>) -> Option<String> {
    let kind = attribute(tag, b"type").map(|it| it.to_ascii_lowercase());
    let readable = kind.is_none_or(|it| matches!(&*it, "image/jpeg" | "image/png" | "image/webp"));
    let set = attribute(tag, b"srcset").or_else(|| attribute(tag, b"data-srcset"));
    set.filter(|_| readable).and_then(|it| largest(&it)).filter(|it| is_readable(it))
}

/// Whether the element says that its picture is tiny.
pub(super) fn is_tiny(tag: &StartTag<()>) -> bool {
    let tiny = |name: &[u8]| {
        let size = attribute(tag, name).and_then(|it| it.trim_end_matches("px").parse().ok());
        size.is_some_and(|it: u32| it < SMALLEST)
    };
    tiny(b"width") || tiny(b"height")
}

/// The address of the largest picture of a set that is not too large, or else of the smallest.
fn largest(set: &str) -> Option<String> {
    let mut best: Option<(f64, &str)> = None;
    let mut rest = set;
    loop {
        rest = rest.trim_start_matches(|it: char| it.is_whitespace() || it == ',');
        let (url, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if url.is_empty() {
            return best.map(|(_, url)| url.to_owned());
        }
        // A comma at the end of an address ends the candidate; others belong to the address.
        let bare = url.trim_end_matches(',');
        let (descriptor, after) =
            if url == bare { after.split_once(',').unwrap_or((after, "")) } else { ("", after) };
        let size: f64 = descriptor.trim().trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0);
        let better = best.is_none_or(|(known, _)| {
            if known > WIDEST { size < known } else { size > known && size <= WIDEST }
        });
        if better {
            best = Some((size, bare));
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_picture_of_a_set_is_chosen_within_bounds() {
        for (set, expected) in [
            ("/a.jpg", Some("/a.jpg")),
            ("/a.jpg 320w, /b.jpg 640w,/c.jpg 480w", Some("/b.jpg")),
            ("/a.jpg, /b.jpg 2x", Some("/b.jpg")),
            ("/a.jpg 4000w, /b.jpg 3000w", Some("/b.jpg")),
            ("/a.jpg 4000w, /b.jpg 100w", Some("/b.jpg")),
            ("/a.jpg 100w, /b.jpg 4000w", Some("/a.jpg")),
            ("/w_1,h_2/a.jpg 1x, /w_2,h_4/a.jpg 2x", Some("/w_2,h_4/a.jpg")),
            (" , ,", None),
            ("", None),
            ("/a.jpg NaNw, /b.jpg 1w", Some("/a.jpg")),
        ] {
            assert_eq!(largest(set).as_deref(), expected, "{set}");
        }
        let commas = ",".repeat(LONGEST);
        assert_eq!(largest(&commas), None);
    }

    #[test]
    fn formats_that_cannot_be_read_are_left_out() {
        for (url, expected) in [
            ("/a.jpg", true),
            ("/a", true),
            ("/a.php?x=.svg", true),
            ("/a.SVG", false),
            ("/a.gif?x", false),
            ("data:image/png;base64,AA", false),
            ("DATA:,", false),
            ("", false),
        ] {
            assert_eq!(is_readable(url), expected, "{url}");
        }
    }
}
