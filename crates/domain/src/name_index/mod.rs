//! Finding the names of talents in texts (contract section 7).
//!
//! A name matches regardless of case, accents, spacing, hyphens and line breaks, but never inside
//! of a longer word. In scripts without spaces it matches anywhere.

mod edge;
mod excerpt;
mod filter;
mod fold;
mod hash;
mod html;
mod index;
mod key;
mod key_filter;
mod letter;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use excerpt::excerpt;
use filter::Filter;
pub use fold::Folded;
pub use html::plain_text;
pub use index::NameIndex;
pub use key::{KEY_VERSION, NameKey, TextKeys};
pub use key_filter::KeyFilter;
use letter::is_shown;

/// An occurrence of a name in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameMatch<'a, K> {
    /// The key the name belongs to.
    pub key: K,
    /// The name as given.
    pub term: &'a str,
    /// The position in the plain text.
    pub range: Range<usize>,
    /// The number of words in the name. A single word is a weak match.
    pub words: usize,
    /// Whether the text has the same case and accents.
    pub exact: bool,
}

/// Whether a name has at least two words, so that finding it is a strong match. In a script without
/// spaces it is one word, unless it is written with spaces.
#[must_use]
pub fn is_full_name(name: &str) -> bool {
    count_words(name) > 1
}

fn count_words(name: &str) -> usize {
    name.split_whitespace().filter(|it| it.contains(is_shown)).count()
}

impl<K> NameMatch<'_, K> {
    /// Whether it is a strong match: a name of at least two words (contract section 7).
    #[must_use]
    pub fn is_strong(&self) -> bool {
        self.words > 1
    }
}
