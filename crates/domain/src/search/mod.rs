//! Search over the texts of a record. Words are made here and not by a database, so that every engine
//! finds the same: each only keeps what [`words`] gave it.

mod query;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

pub use query::{MAX_LENGTH, SearchQuery, Term, check_length};

/// Words are cut here, for the index and for queries alike.
const MAX_WORD: usize = 64;

/// How many words of a text are indexed.
pub const MAX_WORDS: usize = 16_383;

/// Stands between two texts, so that no phrase reaches across. No query holds it: it is not
/// alphanumeric.
const GAP: &str = "•";

/// The words of a text, in order: without accents, in one case, and split at everything that is
/// neither a letter nor a digit. What cannot be seen does not split a word. Chinese and Japanese are
/// written without spaces: each of their characters is a word, so that a part of a name is a phrase.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let plain = decompose(&crate::text::fold_case(&decompose(text)));
    let runs = plain.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    let mut words = Vec::new();
    for run in runs {
        split_run(run, &mut words);
    }
    words
}

fn split_run(run: &str, words: &mut Vec<String>) {
    let mut word = String::new();
    let mut length = 0;
    for character in run.chars() {
        if is_unspaced(character) {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
                length = 0;
            }
            words.push(character.to_string());
        } else if length < MAX_WORD {
            word.push(character);
            length += 1;
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
}

/// Whether a character belongs to a script that puts no spaces between words: Hiragana, Katakana and
/// the Han characters.
fn is_unspaced(it: char) -> bool {
    matches!(it,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}')
}

/// The words of several texts as they are searched. Between two texts stands a gap: no phrase matches
/// across it.
#[must_use]
pub fn index_words(texts: &[&str]) -> Vec<String> {
    let mut kept = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            kept.push(GAP.to_owned());
        }
        kept.extend(words(text));
    }
    kept.truncate(MAX_WORDS);
    kept
}

/// Whether a word of [`index_words`] is one, and not the gap between two texts.
#[must_use]
pub fn is_word(word: &str) -> bool {
    word != GAP
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
            ("हिन्दी 서울", "हिनदी 서울"),
            ("東京Tower カメラ", "東 京 tower カ メ ラ"),
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
    fn long_words_are_cut() {
        let long = "é".repeat(65);
        assert_eq!(words(&long), ["e".repeat(64)]);
    }

    #[test]
    fn texts_are_apart_and_bounded() {
        assert_eq!(index_words(&["A b", "c"]), ["a", "b", GAP, "c"]);
        assert_eq!(index_words(&["", ""]), [GAP]);
        let distinct: Vec<_> = (0..20_000).map(|it| it.to_string()).collect();
        assert_eq!(index_words(&[&distinct.join(" ")]).len(), MAX_WORDS);
    }
}
