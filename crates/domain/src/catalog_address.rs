//! Addresses of the catalog's pages about a talent or an owner, such as `zoe-lindqvist`. They
//! contain no ID, so that they tell nothing about licenses that are not public.

use sha2::{Digest as _, Sha256};
use strum::{VariantArray, VariantNames};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};
use uuid::Uuid;

use crate::enum_names::enum_names;

enum_names!(AddressKind);

/// The maximum length of a name in an address, in characters.
const MAX_NAME: usize = 60;

/// Letters and digits of suffixes: without vowels, so that they spell no words.
const LETTERS: &[u8; 30] = b"0123456789bcdfghjkmnpqrstvwxyz";

/// The lengths of suffixes, which tell pages with the same name apart.
const SUFFIXES: [usize; 2] = [6, 12];

/// What a page is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum AddressKind {
    /// A talent.
    Talent,
    /// An organization that owns licenses.
    Owner,
}

/// The addresses that a page may have, in order of preference: its name, and its name with a suffix
/// for when another page has that name.
#[must_use]
pub fn candidates(name: &str, subject: Uuid) -> Vec<String> {
    let plain = slug(name);
    let hash = Sha256::digest(subject.as_bytes());
    let letter = |byte: &u8| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]);
    let suffixed = SUFFIXES.iter().map(|length| {
        let suffix: String = hash.iter().take(*length).map(letter).collect();
        if plain.is_empty() { suffix } else { format!("{plain}-{suffix}") }
    });
    let named = (!plain.is_empty()).then(|| plain.clone());
    named.into_iter().chain(suffixed).collect()
}

/// Turns a name into part of an address: letters and digits in lower case and without accents, with
/// a hyphen for everything between them. Empty for a name without letters and digits.
fn slug(name: &str) -> String {
    let plain = name.nfkd().filter(|it| !is_accent(*it));
    let lower: String = plain.flat_map(char::to_lowercase).nfc().collect();
    let words = lower.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    let mut slug = String::new();
    for word in words {
        if !slug.is_empty() {
            slug.push('-');
        }
        word.chars().for_each(|it| push_plain(&mut slug, it));
    }
    let cut: String = slug.chars().take(MAX_NAME).collect();
    cut.trim_end_matches('-').to_owned()
}

/// Marks on letters, but not the vowel signs that some scripts write as marks.
fn is_accent(it: char) -> bool {
    is_combining_mark(it) && (canonical_combining_class(it) != 0 || !it.is_alphabetic())
}

/// Adds a letter, spelled with plain ones where it has no accent to be removed.
fn push_plain(slug: &mut String, letter: char) {
    match letter {
        'ß' => slug.push_str("ss"),
        'æ' => slug.push_str("ae"),
        'œ' => slug.push_str("oe"),
        'ø' => slug.push('o'),
        'ł' => slug.push('l'),
        'đ' | 'ð' => slug.push('d'),
        'þ' => slug.push_str("th"),
        'ı' => slug.push('i'),
        other => slug.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: Uuid = Uuid::from_u128(0x0190_a5e4_7b3c_7def_8123_4567_89ab_cdef);

    #[test]
    fn names_become_readable_addresses() {
        for (name, expected) in [
            ("Zoë Lindqvist", "zoe-lindqvist"),
            ("  Marrowby & Sons, Ltd. ", "marrowby-sons-ltd"),
            ("Łukasz Weiß-Østergård", "lukasz-weiss-ostergard"),
            ("絵本の顔", "絵本の顔"),
            ("Ａｃｍｅ ２", "acme-2"),
            ("../../etc", "etc"),
            ("!?", ""),
        ] {
            assert_eq!(slug(name), expected, "{name}");
        }
        assert_eq!(slug(&"ab ".repeat(40)).chars().count(), 59);
    }

    #[test]
    fn a_taken_name_gets_a_suffix() {
        let found = candidates("Zoë Lindqvist", SUBJECT);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], "zoe-lindqvist");
        assert!(found[1].starts_with("zoe-lindqvist-") && found[1].len() == 20, "{found:?}");
        assert!(found[2].starts_with(&found[1]), "{found:?}");
        assert_eq!(candidates("Zoë Lindqvist", SUBJECT), found);
        assert_ne!(candidates("Zoë Lindqvist", Uuid::nil())[1], found[1]);
    }

    #[test]
    fn a_name_without_letters_is_a_suffix_alone() {
        let found = candidates("!?", SUBJECT);
        assert_eq!(found.iter().map(String::len).collect::<Vec<_>>(), [6, 12]);
        assert!(found[0].bytes().all(|it| LETTERS.contains(&it)));
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        for kind in AddressKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }
}
