//! Full-text search over the texts of a record. Words are split and folded here rather than by a
//! database, so that every engine finds the same: each only stores the output of [`words`].

mod find;
mod query;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

pub use find::{FindQuery, NameFilter, find_words, plain_words};
pub use query::{MAX_LENGTH, SearchQuery, Term, check_length};

/// The maximum length of a word, both in the index and in queries.
const MAX_WORD: usize = 64;

/// The maximum number of words indexed per text.
pub const MAX_WORDS: usize = 16_383;

/// Separates two texts in the index, so that no phrase matches across them. It is not alphanumeric,
/// so no query contains it.
const GAP: &str = "•";

/// Splits a text into words: without accents, case-folded, and split at everything that is neither
/// a letter nor a digit. Invisible characters do not split a word. Chinese and Japanese are written
/// without spaces, so each of their characters is a word and part of a name is a phrase.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    split(&fold(text))
}

/// The words of a folded text.
fn split(plain: &str) -> Vec<String> {
    let runs = plain.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    let mut words = Vec::new();
    for run in runs {
        split_run(run, &mut words);
    }
    words
}

/// The words of a text that have apostrophes inside, without them: people who look for "O'Neill"
/// also type "oneill".
pub(crate) fn joined_words(text: &str) -> Vec<String> {
    split_joined(&fold(text))
}

/// The same for a folded text.
fn split_joined(plain: &str) -> Vec<String> {
    let mut words = Vec::new();
    if !plain.contains(is_apostrophe) {
        return words;
    }
    let runs = plain.split(|it: char| !it.is_alphanumeric() && !is_apostrophe(it));
    for run in runs.filter(|it| it.trim_matches(is_apostrophe).contains(is_apostrophe)) {
        split_run(&run.replace(is_apostrophe, ""), &mut words);
    }
    words
}

/// The characters that people write as an apostrophe; some of them count as letters.
fn is_apostrophe(it: char) -> bool {
    matches!(it, '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{2032}' | '\u{2BB}' | '\u{2BC}')
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

/// Whether a character belongs to a script without spaces between words: Hiragana, Katakana or Han.
fn is_unspaced(it: char) -> bool {
    matches!(it,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}')
}

/// The words to index for several texts, with a gap between two texts that no phrase matches
/// across. Words without their apostrophes come after all texts, since they are in no phrase.
#[must_use]
pub fn index_words(texts: &[&str]) -> Vec<String> {
    let (mut kept, mut joined) = (Vec::new(), Vec::new());
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            kept.push(GAP.to_owned());
        }
        let plain = fold(text);
        kept.extend(split(&plain));
        joined.extend(split_joined(&plain));
    }
    for word in joined {
        kept.extend([GAP.to_owned(), word]);
    }
    kept.truncate(MAX_WORDS);
    kept
}

/// Whether an entry of [`index_words`] is a word and not a gap.
#[must_use]
pub fn is_word(word: &str) -> bool {
    word != GAP
}

fn fold(text: &str) -> String {
    if text.is_ascii() {
        // Most texts. These characters have no other form than their case.
        return text.to_ascii_lowercase();
    }
    decompose(&crate::text::fold_case(&decompose(text)))
}

/// Compatibility decomposition without accents. Vowel signs that are letters in their script are
/// kept.
fn decompose(text: &str) -> String {
    text.nfkd().filter(|it| !is_accent(*it) && !is_invisible(*it)).collect()
}

fn is_accent(it: char) -> bool {
    is_combining_mark(it) && (canonical_combining_class(it) != 0 || !it.is_alphabetic())
}

/// Soft hyphens, joiners and the byte order mark.
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
            // The Hangul of the last one is compared in decomposed form.
            let expected: String = expected.nfkd().collect();
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn every_character_folds_to_what_folds_to_itself() {
        // Characters above these have no other form.
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
    fn words_with_apostrophes_are_joined_too() {
        for (text, expected) in [
            ("O'Neill O’NEILL Oʼneill", "oneill oneill oneill"),
            ("'quoted' rock'n'roll Ada’s", "rocknroll adas"),
            ("d'Arc-Łukasz' 'n", "darc"),
            ("no apostrophe '", ""),
        ] {
            assert_eq!(joined_words(text).join(" "), expected, "{text}");
        }
        let indexed = index_words(&["O'Neill", "d'Arc"]);
        assert_eq!(indexed, ["o", "neill", GAP, "d", "arc", GAP, "oneill", GAP, "darc"]);
    }

    #[test]
    fn texts_are_apart_and_bounded() {
        assert_eq!(index_words(&["A b", "c"]), ["a", "b", GAP, "c"]);
        assert_eq!(index_words(&["", ""]), [GAP]);
        let distinct: Vec<_> = (0..20_000).map(|it| it.to_string()).collect();
        assert_eq!(index_words(&[&distinct.join(" ")]).len(), MAX_WORDS);
    }
}
