//! Finding the other party of an agreement by name (contract-2 section 27, "Being found").

use crate::search::{check_length, words};
use crate::text::is_joiner;

/// The maximum number of parties that a search returns.
pub const MAX_FOUND: usize = 10;

/// The minimum number of characters in a search, and of letters and digits in one that finds
/// anything. Fewer would list who is registered.
const MIN_LETTERS: usize = 3;

/// The number of words of a name that a search can begin with.
pub const MAX_PARTS: usize = 8;

/// The maximum length of an indexed part of a name, in characters.
const MAX_PART: usize = 200;

/// A search for a party: the beginning of its name or of one of the words in it, regardless of case
/// and accents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartySearch(String);

impl PartySearch {
    /// Parses a search with at least 3 characters besides whitespace.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        check_length(text)?;
        let characters = text.chars().filter(|it| !it.is_whitespace() && !is_joiner(*it)).count();
        if characters < MIN_LETTERS {
            return Err("must have at least 3 letters");
        }
        let words = words(text);
        let letters: usize = words.iter().map(|it| it.chars().count()).sum();
        Ok(Self(if letters < MIN_LETTERS { String::new() } else { words.join(" ") }))
    }

    /// Whether the name, or a word in it, begins with the search.
    #[must_use]
    pub fn finds(&self, name: &str) -> bool {
        let words = words(name);
        !self.0.is_empty() && parts(&words).any(|it| it.starts_with(&self.0))
    }

    /// Whether the search is the whole name.
    #[must_use]
    pub fn is_name(&self, name: &str) -> bool {
        !self.0.is_empty() && words(name).join(" ") == self.0
    }

    /// The smallest indexed part that the search finds, and the end of those it finds (exclusive).
    #[must_use]
    pub fn range(&self) -> (&str, String) {
        if self.0.is_empty() {
            return ("", String::new());
        }
        // No part contains the last character, because it is neither a letter nor a digit.
        (&self.0, format!("{}{}", self.0, char::MAX))
    }
}

/// The parts under which a name is indexed: the name from each of its first words on, so that a
/// search is the prefix of a part.
#[must_use]
pub fn name_parts(name: &str) -> Vec<String> {
    let words = words(name);
    let cut = |part: String| part.chars().take(MAX_PART).collect::<String>();
    let mut found: Vec<_> = parts(&words).take(MAX_PARTS).map(cut).collect();
    found.sort();
    found.dedup();
    found
}

fn parts(words: &[String]) -> impl Iterator<Item = String> {
    (0..words.len()).map(|from| words[from..].join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_has_three_letters() {
        for bad in ["", "ab", " é! ", "  a  b ", "a\u{200D}b"] {
            assert_eq!(PartySearch::parse(bad), Err("must have at least 3 letters"), "{bad:?}");
        }
        assert!(PartySearch::parse(&"x".repeat(201)).is_err());
        assert_eq!(PartySearch::parse(" ÉCO+1 "), Ok(PartySearch("eco 1".to_owned())));
        for nothing in ["a-b", "---", "o'b"] {
            let search = PartySearch::parse(nothing).unwrap();
            assert!(!search.finds("A b") && !search.is_name("A b"), "{nothing}");
            assert_eq!(search.range(), ("", String::new()));
        }
    }

    #[test]
    fn every_word_can_begin_a_match_and_the_index_agrees() {
        let name = "Société Générale de Médias, O'Brien & Co";
        let parts = name_parts(name);
        for (text, found) in [
            ("soc", true),
            ("GENERALE", true),
            ("générale de m", true),
            ("brien co", true),
            ("o'br", true),
            ("ociete", false),
            ("societe medias", false),
            ("generale d'", true),
            ("generale x", false),
        ] {
            let search = PartySearch::parse(text).unwrap();
            let (from, until) = search.range();
            let indexed = parts.iter().any(|it| from <= it.as_str() && *it < until);
            assert_eq!((search.finds(name), indexed), (found, found), "{text}");
        }
        assert!(PartySearch::parse("societe generale de medias o brien co").unwrap().is_name(name));
        assert!(!PartySearch::parse("societe generale").unwrap().is_name(name));
    }

    #[test]
    fn the_index_of_a_name_is_bounded() {
        assert_eq!(name_parts("Acme Acme"), ["acme", "acme acme"]);
        assert_eq!(name_parts(&"ab ".repeat(33)).len(), MAX_PARTS);
        // This character decomposes into 18.
        let longest = name_parts(&"\u{FDFA}".repeat(100));
        assert!(longest.iter().all(|it| it.chars().count() <= MAX_PART), "{longest:?}");
        assert!(name_parts("–").is_empty());
    }
}
