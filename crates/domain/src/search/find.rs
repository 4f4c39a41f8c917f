//! Search by the beginnings of words, for lists that people read.

use super::{check_length, joined_words, words};

/// How many words of a search count. More would not narrow a list any further.
const MAX_WORDS: usize = 12;

/// Words of which each must begin a word of the record, in any order, regardless of case and
/// accents. Any text within the length limit is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindQuery {
    words: Vec<String>,
}

impl FindQuery {
    /// Parses a search. Blank input returns `None`. Input without any word finds nothing, because
    /// the person did search for something.
    pub fn parse(text: &str) -> Result<Option<Self>, &'static str> {
        check_length(text)?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        let mut found = Vec::new();
        for word in plain_words(text) {
            if !found.contains(&word) && found.len() < MAX_WORDS {
                found.push(word);
            }
        }
        Ok(Some(Self { words: found }))
    }

    /// Whether the search has no word and so finds nothing.
    #[must_use]
    pub fn finds_nothing(&self) -> bool {
        self.words.is_empty()
    }

    /// The words, each once.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether each word begins a word of one of these texts. Defines what an index must find.
    #[must_use]
    pub fn finds<T: AsRef<str>>(&self, texts: impl IntoIterator<Item = T>) -> bool {
        let words: Vec<_> = texts.into_iter().flat_map(|it| find_words(it.as_ref())).collect();
        let begins = |word: &String| words.iter().any(|it| it.starts_with(word.as_str()));
        !self.finds_nothing() && self.words.iter().all(begins)
    }
}

/// A filter by a record: the record itself, as a link chooses it, or the words of its name, as a
/// person types them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameFilter<I> {
    /// The record.
    Id(I),
    /// Words of its name.
    Name(FindQuery),
}

impl<I: std::str::FromStr> NameFilter<I> {
    /// Parses an ID or a name. Blank input returns `None`.
    pub fn parse(text: &str) -> Result<Option<Self>, &'static str> {
        match text.trim().parse() {
            Ok(id) => Ok(Some(Self::Id(id))),
            Err(_) => Ok(FindQuery::parse(text)?.map(Self::Name)),
        }
    }
}

/// Splits a text into words like [`words`], and also replaces letters that have a stroke or are
/// joined, which are not accents: people who cannot type "Łukasz" or "Søren" type "Lukasz" and
/// "Soren".
#[must_use]
pub fn plain_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(plain).collect()
}

/// The words by which a text is found: [`plain_words`], and those with apostrophes also without
/// them.
#[must_use]
pub fn find_words(text: &str) -> Vec<String> {
    words(text).into_iter().chain(joined_words(text)).map(plain).collect()
}

fn plain(word: String) -> String {
    if word.is_ascii() {
        return word;
    }
    let mut plain = String::with_capacity(word.len());
    for letter in word.chars() {
        match spelled(letter) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(letter),
        }
    }
    plain
}

/// The plain letters for a letter that has no accent to leave out.
const fn spelled(letter: char) -> Option<&'static str> {
    Some(match letter {
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ł' => "l",
        'ŋ' => "n",
        'þ' => "th",
        'ŧ' => "t",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TalentId;

    fn finds(search: &str, name: &str) -> bool {
        FindQuery::parse(search).unwrap().unwrap().finds([name])
    }

    #[test]
    fn beginnings_of_words_are_found_in_any_order() {
        for yes in ["zoe", "Zoë", "LINDQ", "lindq zo", "z l", "lindqvist, zoe", "zoë zoe"] {
            assert!(finds(yes, "Zoë Lindqvist"), "{yes}");
        }
        for no in ["oe", "zoe x", "lindqvists", "!", "qvist"] {
            assert!(!finds(no, "Zoë Lindqvist"), "{no}");
        }
        assert!(finds("obrien", "OBrien") && finds("o'brien", "Mr O’Brien"));
        for search in ["oneill", "o neill", "O’Neill", "o'neill", "neill", "onei"] {
            for name in ["Aoife O'Neill", "Aoife O’Neill"] {
                assert!(finds(search, name), "{search}: {name}");
            }
        }
        assert!(!finds("aoifeo", "Aoife O'Neill") && !finds("oneill", "O Neill"));
        assert!(finds("soren lukasz aegir", "Søren, Łukasz & Ægir"));
        assert!(finds("京都", "東京都"), "characters of scripts without spaces");
    }

    #[test]
    fn nothing_is_no_search_and_much_is_cut() {
        assert_eq!(FindQuery::parse(" \t"), Ok(None));
        assert_eq!(FindQuery::parse(&"x".repeat(201)), Err("must be at most 200 characters"));
        let many = (0..30).map(|it| format!("a{it}")).collect::<Vec<_>>().join(" ");
        assert_eq!(FindQuery::parse(&many).unwrap().unwrap().words().len(), MAX_WORDS);
    }

    #[test]
    fn a_record_is_named_by_its_id_or_its_name() {
        let id = "0190a5e4-7b3c-7def-8123-456789abcdef";
        let parse = |text| NameFilter::<TalentId>::parse(text).unwrap();
        assert_eq!(parse(id), Some(NameFilter::Id(id.parse().unwrap())));
        assert_eq!(parse("Zoë"), FindQuery::parse("zoe").unwrap().map(NameFilter::Name));
        assert_eq!(parse(" "), None);
    }
}
