//! The search without scripts. `docs.js` finds the same in the browser.

use std::cmp::Reverse;

use crate::{SECTIONS, Section};

/// The number of characters that a search may have.
pub const MAX_QUERY: usize = 200;

/// How many results are shown.
const MOST: usize = 20;

/// Finds the sections that have all words of a query, at the beginning of their own words. Headings
/// weigh most, then titles of pages.
#[must_use]
pub fn search(query: &str) -> Vec<&'static Section> {
    let query = query.to_lowercase();
    let words: Vec<_> = words(&query).collect();
    if words.is_empty() {
        return vec![];
    }
    let rated = SECTIONS.iter().filter_map(|it| Some((rate(it, &words)?, it)));
    let mut rated: Vec<_> = rated.collect();
    rated.sort_by_key(|(rating, _)| Reverse(*rating));
    rated.into_iter().map(|(_, it)| it).take(MOST).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty())
}

/// How well a section fits; `None` if it lacks a word.
fn rate(section: &Section, wanted: &[&str]) -> Option<u32> {
    let parts = [(8_u32, section.heading), (4, section.page), (1, section.text)];
    let parts = parts.map(|(weight, text)| (weight, text.to_lowercase()));
    let weigh = |word: &&str| {
        let has = |text: &str| words(text).any(|it| it.starts_with(word));
        let found = parts.iter().filter(|(_, text)| has(text)).map(|(weight, _)| weight);
        Some(found.sum::<u32>()).filter(|it| *it > 0)
    };
    wanted.iter().map(weigh).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(query: &str) -> Option<&'static str> {
        search(query).first().map(|it| it.path)
    }

    #[test]
    fn the_best_fit_is_first() {
        assert_eq!(first("verify signature"), Some("/docs/webhooks#verify-the-signature"));
        assert_eq!(first("IDEMPOTENCY_MISMATCH"), Some("/docs/error-codes#idempotency_mismatch"));
        assert_eq!(
            first("get /grants receipt"),
            Some("/docs/reference#external/tag/grants/GET/grants/{id}/receipt")
        );
    }

    #[test]
    fn every_word_must_be_there() {
        assert!(!search("webhook").is_empty());
        assert!(search("webhook zzzz").is_empty());
        assert!(search(" .,- ").is_empty());
        assert!(search("a").len() <= MOST);
    }
}
