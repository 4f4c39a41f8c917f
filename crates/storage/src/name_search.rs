//! Search of names by word prefix.

use grantor_domain::search::words;

/// All names as folded words, each preceded by a space, so that a pattern can match the start of a
/// word.
pub(crate) fn key<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().flat_map(words).fold(String::new(), |key, word| key + " " + &word)
}

/// LIKE patterns for the first three words; more words would not narrow a name further.
pub(crate) fn patterns(search: Option<&str>) -> [Option<String>; 3] {
    // Words contain no LIKE wildcards.
    let mut words = search.map(words).unwrap_or_default().into_iter();
    [(); 3].map(|()| words.next().map(|word| format!("% {word}%")))
}
