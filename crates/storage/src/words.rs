//! Names that are found by the beginnings of their words.

use grantor_domain::search::words;

/// All names as folded words, each after a space, so that a pattern finds the beginning of one.
pub(crate) fn key<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().flat_map(words).fold(String::new(), |key, word| key + " " + &word)
}

/// Patterns for the first three words; further ones narrow a name no more.
pub(crate) fn patterns(search: Option<&str>) -> [Option<String>; 3] {
    // Words hold no character that LIKE reads as more than itself.
    let mut words = search.map(words).unwrap_or_default().into_iter();
    [(); 3].map(|()| words.next().map(|word| format!("% {word}%")))
}
