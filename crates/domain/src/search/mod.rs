//! Search over title and description. Words are made here and not by a database, so that every
//! engine finds the same: each only has to compare what `words` gave it.
//!
//! Text is indexed as `index_words` lists it. `SQLite` keeps those words with single spaces between
//! them in an FTS5 table with the tokenizer `ascii`, which takes each for one token; PostgreSQL
//! keeps `tsvector` of them. A query is rendered by `fts5` and `tsquery`.

mod query;
mod render;

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

pub use query::{MAX_LENGTH, SearchQuery, check_length};
pub use render::{fts5_text, tsvector};

/// Words are cut here, for the index and for queries alike.
const MAX_WORD: usize = 64;

/// How many words of a text are indexed: PostgreSQL knows no position beyond this.
pub const MAX_WORDS: usize = 16_383;

/// How often one word is indexed: PostgreSQL keeps no more positions of it.
pub const MAX_REPEATS: usize = 255;

/// Stands where no word is, so that no phrase reaches across. No query holds it: it is not
/// alphanumeric. To the tokenizer `ascii` it is a token like any other.
const GAP: &str = "•";

/// The words of a text, in order: without accents, in one case, and split at everything that is
/// neither a letter nor a digit. What cannot be seen does not split a word.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let plain = decompose(&crate::text::fold_case(&decompose(text)));
    let words = plain.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words.map(|word| word.chars().take(MAX_WORD).collect()).collect()
}

/// The words of several texts as they are indexed. Between two texts, and in place of a word
/// beyond what every engine keeps, stands a gap: no phrase matches across it.
#[must_use]
pub fn index_words(texts: &[&str]) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut kept = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            kept.push(GAP.to_owned());
        }
        for word in words(text) {
            let count = seen.entry(word.clone()).or_default();
            *count += 1;
            kept.push(if *count > MAX_REPEATS { GAP.to_owned() } else { word });
        }
    }
    kept.truncate(MAX_WORDS);
    kept
}

/// Compatibility decomposition without accents. Vowel signs that are letters of their script stay.
fn decompose(text: &str) -> String {
    text.nfkd().filter(|it| !is_accent(*it) && !is_invisible(*it)).collect()
}

fn is_accent(it: char) -> bool {
    is_combining_mark(it) && (canonical_combining_class(it) != 0 || !it.is_alphabetic())
}

/// Soft hyphens, joiners and the mark of byte order.
fn is_invisible(it: char) -> bool {
    matches!(it, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_split() {
        for (text, expected) in [
            ("", ""),
            ("  --- •!  ", ""),
            ("Café CAFÉ cafe\u{301}", "cafe cafe cafe"),
            ("Straße STRASSE ﬁn Ⅷ ²", "strasse strasse fin viii 2"),
            ("ΟΔΟΣ οδος", "οδοσ οδοσ"),
            ("O'Brien-Smith_2.0", "o brien smith 2 0"),
            ("a\0b\nc\td", "a b c d"),
            ("li\u{AD}cense нет Łódź İ ı", "license нет łodz i i"),
            ("हिन्दी 東京 서울", "हिनदी 東京 서울"),
            ("👍🏽 ok", "ok"),
        ] {
            // The last one's Hangul is compared as it is decomposed.
            let expected: String = expected.nfkd().collect();
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn every_character_folds_to_what_folds_to_itself() {
        // Beyond these, nothing has another form.
        for character in ('\0'..='\u{1FFFF}').chain('\u{2F800}'..='\u{2FA1F}') {
            let once = words(&format!("a{character}b"));
            assert_eq!(words(&once.join(" ")), once, "{character:?}");
        }
    }

    #[test]
    fn ascii_tokens_are_our_words() {
        // FTS5's tokenizer splits at ASCII that is not alphanumeric, and folds ASCII's case.
        for character in '\0'..='\u{1FFFF}' {
            for word in words(&character.to_string()) {
                let plain = |it: char| !it.is_ascii() || it.is_ascii_lowercase();
                assert!(word.chars().all(|it| plain(it) || it.is_ascii_digit()), "{character:?}");
                assert_ne!(word, GAP);
            }
        }
    }

    #[test]
    fn long_words_are_cut() {
        let long = "é".repeat(65);
        assert_eq!(words(&long), ["e".repeat(64)]);
    }

    #[test]
    fn texts_are_apart_and_bounded() {
        assert_eq!(index_words(&["A b", "c"]), ["a", "b", GAP, "c"]);
        assert_eq!(index_words(&["", ""]), [GAP]);
        let many = index_words(&[&"x y ".repeat(300)]);
        assert_eq!(many.len(), 600);
        assert_eq!(many.iter().filter(|it| *it == "x").count(), MAX_REPEATS);
        assert_eq!(&many[508..512], ["x", "y", GAP, GAP]);
        let distinct: Vec<_> = (0..20_000).map(|it| it.to_string()).collect();
        assert_eq!(index_words(&[&distinct.join(" ")]).len(), MAX_WORDS);
    }
}
