//! Decodes the name-value pairs of a query string or form.

use percent_encoding::percent_decode;

/// One decoded pair: the displayable text, and an error if it wasn't valid text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) error: Option<&'static str>,
}

impl Pair {
    /// Decodes one pair. Control characters are removed, since nobody could see and delete them.
    pub(super) fn read(name: &[u8], text: &[u8]) -> Self {
        let name = String::from_utf8_lossy(name).into_owned();
        let not_utf8 = std::str::from_utf8(text).is_err();
        // Browsers send CRLF line endings.
        let text = String::from_utf8_lossy(text).replace("\r\n", "\n");
        let forbidden = |it: char| it.is_control() && !matches!(it, '\n' | '\r' | '\t');
        let error = if not_utf8 {
            Some("must be text in UTF-8")
        } else if text.contains(forbidden) {
            Some("must not contain control characters")
        } else {
            None
        };
        Self { name, text: text.replace(forbidden, ""), error }
    }
}

/// Returns the pairs of a query string or form.
pub(super) fn pairs(encoded: &[u8]) -> impl Iterator<Item = Pair> {
    encoded.split(|it| *it == b'&').filter(|it| !it.is_empty()).map(|pair| {
        let at = pair.iter().position(|it| *it == b'=').unwrap_or(pair.len());
        Pair::read(&decode(&pair[..at]), &decode(pair.get(at + 1..).unwrap_or_default()))
    })
}

/// Percent-decodes to raw bytes, so that invalid UTF-8 can be detected.
fn decode(encoded: &[u8]) -> Vec<u8> {
    let spaced: Vec<u8> = encoded.iter().map(|it| if *it == b'+' { b' ' } else { *it }).collect();
    percent_decode(&spaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(encoded: &str) -> (String, String, Option<&'static str>) {
        let mut all = pairs(encoded.as_bytes());
        let Pair { name, text, error } = all.next().unwrap();
        (name, text, error)
    }

    #[test]
    fn what_libraries_read_is_read_alike() {
        for text in ["a=b", "a%20b=c+d&&e", "a=%C3%A9%F0%9F%92%A1", "a=%zz%2", "=x", "a=b=c", ""] {
            let ours: Vec<_> = pairs(text.as_bytes()).map(|it| (it.name, it.text)).collect();
            let theirs = url::form_urlencoded::parse(text.as_bytes()).into_owned();
            assert_eq!(ours, theirs.collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn what_is_no_text_is_noticed_and_shown_as_far_as_it_can_be() {
        let control = Some("must not contain control characters");
        assert_eq!(one("a=x%00y%1Bz"), ("a".into(), "xyz".into(), control));
        assert_eq!(
            one("a=x%FFy"),
            ("a".into(), "x\u{FFFD}y".into(), Some("must be text in UTF-8"))
        );
        assert_eq!(one("a=x%0D%0Ay%09%EF%BF%BD"), ("a".into(), "x\ny\t\u{FFFD}".into(), None));
    }
}
