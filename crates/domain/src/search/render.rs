//! Queries and texts in the words of each engine. Every word is quoted, so that none is read as
//! an operator whatever it says.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::query::{SearchQuery, Term};
use super::{GAP, MAX_REPEATS, MAX_WORDS};

impl SearchQuery {
    /// The query for FTS5's `MATCH`. An empty phrase matches nothing.
    #[must_use]
    pub fn fts5(&self) -> String {
        if self.finds_nothing() {
            return "\"\"".to_owned();
        }
        self.join(" AND ", |term| {
            let star = if term.prefix { "*" } else { "" };
            format!("\"{}\"{star}", term.words.join(" ").replace('"', "\"\""))
        })
    }

    /// The query for a `::tsquery` cast. Nothing has the word that stands in for none; an empty
    /// query would find as little, but PostgreSQL complains of each.
    #[must_use]
    pub fn tsquery(&self) -> String {
        if self.finds_nothing() {
            return lexeme(GAP);
        }
        self.join(" & ", |term| {
            let lexemes: Vec<_> = term.words.iter().map(|it| lexeme(it)).collect();
            let star = if term.prefix { ":*" } else { "" };
            let phrase = format!("{}{star}", lexemes.join(" <-> "));
            if lexemes.len() > 1 { format!("({phrase})") } else { phrase }
        })
    }

    fn join(&self, between: &str, with: impl Fn(&Term) -> String) -> String {
        self.terms().iter().map(with).collect::<Vec<_>>().join(between)
    }
}

/// Indexed words as the text of an FTS5 column.
#[must_use]
pub fn fts5_text(words: &[String]) -> String {
    words.join(" ")
}

/// Indexed words as the text of a `::tsvector` cast, each with its positions. A gap is a position
/// that no word has.
#[must_use]
pub fn tsvector(words: &[String]) -> String {
    let mut positions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, word) in words.iter().enumerate().filter(|(_, word)| *word != GAP) {
        let known = positions.entry(word).or_default();
        if known.len() < MAX_REPEATS {
            known.push((index + 1).min(MAX_WORDS));
        }
    }
    let mut text = String::new();
    for (word, positions) in positions {
        let space = if text.is_empty() { "" } else { " " };
        let positions: Vec<_> = positions.iter().map(ToString::to_string).collect();
        // Writing to a string does not fail.
        let _ = write!(text, "{space}{}:{}", lexeme(word), positions.join(","));
    }
    text
}

/// A word between quotes, in which only quotes and backslashes mean anything.
fn lexeme(word: &str) -> String {
    format!("'{}'", word.replace('\\', "\\\\").replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::index_words;

    fn query(text: &str) -> SearchQuery {
        SearchQuery::parse(text).unwrap().unwrap()
    }

    #[test]
    fn queries_are_quoted_for_each_engine() {
        for (text, fts5, tsquery) in [
            ("word", "\"word\"", "'word'"),
            ("pre*", "\"pre\"*", "'pre':*"),
            ("\"a b c\"", "\"a b c\"", "('a' <-> 'b' <-> 'c')"),
            ("x \"a b\" y*", "\"x\" AND \"a b\" AND \"y\"*", "'x' & ('a' <-> 'b') & 'y':*"),
            ("\"a b\"*", "\"a b\"*", "('a' <-> 'b':*)"),
            ("NOT \"x", "\"not\" AND \"x\"", "'not' & 'x'"),
            ("!!!", "\"\"", "'•'"),
        ] {
            let query = query(text);
            assert_eq!((query.fts5().as_str(), query.tsquery().as_str()), (fts5, tsquery));
        }
    }

    #[test]
    fn a_text_keeps_its_positions() {
        let words = index_words(&["A b a", "c"]);
        assert_eq!(tsvector(&words), "'a':1,3 'b':2 'c':5");
        assert_eq!(fts5_text(&words), "a b a • c");
        assert_eq!(tsvector(&index_words(&["", ""])), "");
    }

    #[test]
    fn a_text_stays_within_what_the_engine_keeps() {
        let same = vec!["a".to_owned(); MAX_REPEATS + 1];
        assert!(tsvector(&same).ends_with(",255"));
        let many: Vec<_> = (0..=MAX_WORDS).map(|it| it.to_string()).collect();
        assert!(tsvector(&many).contains("'16383':16383"));
    }

    #[test]
    fn what_an_engine_could_misread_is_escaped() {
        assert_eq!(lexeme(r"o'b\"), r"'o''b\\'");
    }
}
