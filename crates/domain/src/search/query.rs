//! Search queries: words, prefixes and phrases, all of which must match.

use super::words;

/// The maximum length of a search, in characters.
pub const MAX_LENGTH: usize = 200;

/// An engine-independent search query. Any input within the length limit is valid, and none of it
/// is interpreted as an operator of a database engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchQuery {
    terms: Vec<Term>,
}

/// Words that must be adjacent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    words: Vec<String>,
    prefix: bool,
}

/// Checks the length of a search.
pub fn check_length(text: &str) -> Result<(), &'static str> {
    if text.chars().count() > MAX_LENGTH { Err("must be at most 200 characters") } else { Ok(()) }
}

impl SearchQuery {
    /// Parses `word`, `prefix*` and `"a phrase"` separated by whitespace; an unclosed quote extends
    /// to the end. A word with punctuation, such as `O'Brien`, is a phrase of its parts. Blank
    /// input returns `None`. Input without any word is a query that matches nothing, because the
    /// user did search for something.
    pub fn parse(text: &str) -> Result<Option<Self>, &'static str> {
        check_length(text)?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        let mut terms = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (term, after) = next_term(rest);
            terms.extend(term);
            rest = after;
        }
        Ok(Some(Self { terms }))
    }

    /// Whether the query contains no words and so matches nothing.
    #[must_use]
    pub fn finds_nothing(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether the words from `index_words` match every term. Defines what each engine must find.
    #[must_use]
    pub fn matches(&self, words: &[String]) -> bool {
        !self.finds_nothing() && self.terms.iter().all(|term| term.is_in(words))
    }

    /// The terms, all of which must match.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether a term is a phrase, so that containing each word is not sufficient.
    #[must_use]
    pub fn has_phrase(&self) -> bool {
        self.terms.iter().any(|it| it.words.len() > 1)
    }
}

impl Term {
    /// The words of the term, at least one.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether the last word is a prefix.
    #[must_use]
    pub fn is_prefix(&self) -> bool {
        self.prefix
    }

    fn of(text: &str, prefix: bool) -> Option<Self> {
        let words = words(text);
        if words.is_empty() { None } else { Some(Self { words, prefix }) }
    }

    fn is_in(&self, words: &[String]) -> bool {
        let Some((last, lead)) = self.words.split_last() else { return false };
        let ends = |it: &str| if self.prefix { it.starts_with(last) } else { it == last };
        let fits = |(end, start): (&String, &[String])| start == lead && ends(end);
        words.windows(self.words.len()).any(|window| window.split_last().is_some_and(fits))
    }
}

/// Splits off the first term, if it contains a word.
fn next_term(text: &str) -> (Option<Term>, &str) {
    let quoted = text.strip_prefix('"').map(|it| it.split_once('"').unwrap_or((it, "")));
    let (body, after) = quoted.unwrap_or_else(|| split_word(text));
    let prefix = after.starts_with('*');
    let after = after.strip_prefix('*').unwrap_or(after);
    (Term::of(body, prefix), after.trim_start())
}

/// Splits before whitespace or a quote; a trailing star is part of the rest.
fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|it: char| it.is_whitespace() || it == '"').unwrap_or(text.len());
    text.split_at(if text[..end].ends_with('*') { end - 1 } else { end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::index_words;

    /// Whether a query matches a license with this title and description.
    fn finds(query: &str, title: &str, description: &str) -> bool {
        let query = SearchQuery::parse(query).unwrap().unwrap();
        query.matches(&index_words(&[title, description]))
    }

    fn shape(query: &str) -> Vec<String> {
        let query = SearchQuery::parse(query).unwrap().unwrap();
        let star = |prefix| if prefix { "*" } else { "" };
        query.terms.iter().map(|it| format!("{}{}", it.words.join(" "), star(it.prefix))).collect()
    }

    #[test]
    fn any_input_is_terms() {
        for (text, terms) in [
            ("Winter  campaign", vec!["winter", "campaign"]),
            ("win* \"Big Red\" x", vec!["win*", "big red", "x"]),
            ("\"never closed a*", vec!["never closed a"]),
            ("a\"b c\"d", vec!["a", "b c", "d"]),
            ("\"b c\"* d", vec!["b c*", "d"]),
            ("O'Brien* x*y **", vec!["o brien*", "x y"]),
            ("a OR b NOT c AND NEAR(d)", vec!["a", "or", "b", "not", "c", "and", "near d"]),
            ("'; DROP TABLE x; -- & | ! <-> :*", vec!["drop", "table", "x"]),
            ("title:x ^y -z", vec!["title x", "y", "z"]),
            ("\"\" \" * ' \\ •", vec![]),
        ] {
            assert_eq!(shape(text), terms, "{text}");
        }
    }

    #[test]
    fn nothing_is_no_search_and_no_word_finds_nothing() {
        for blank in ["", " \t\n\u{3000}"] {
            assert_eq!(SearchQuery::parse(blank), Ok(None));
        }
        for mute in ["!!!", "\"", "*", "•"] {
            assert!(SearchQuery::parse(mute).unwrap().unwrap().finds_nothing());
            assert!(!finds(mute, "!!!", "•"));
        }
        assert!(SearchQuery::parse(&"é".repeat(200)).is_ok());
        let long = SearchQuery::parse(&" ".repeat(201));
        assert_eq!(long, Err("must be at most 200 characters"));
    }

    #[test]
    fn every_term_must_be_there() {
        let (title, description) = ("Winter campaign", "The big red coat, by O’Brien & Łódź Café");
        for yes in [
            "winter",
            "CAMPAIGN winter",
            "camp*",
            "\"winter campaign\"",
            "coat winter",
            "cafe",
            "o'brien",
            "\"big red\" wint*",
            "\"red co\"*",
            "\"the big red coat",
        ] {
            assert!(finds(yes, title, description), "{yes}");
        }
        for no in [
            "summer",
            "winter summer",
            "camp",
            "*paign",
            "\"campaign winter\"",
            "\"big coat\"",
            "\"campaign the\"",
            "\"red co\"",
            "\"bi red\"*",
        ] {
            assert!(!finds(no, title, description), "{no}");
        }
    }
}
