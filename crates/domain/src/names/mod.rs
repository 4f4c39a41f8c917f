//! Names in texts: who is spoken of (contract section 7).
//!
//! A name is found where its words stand, whatever their case and accents and however they are
//! spaced, hyphenated or broken into lines; never inside of a longer word. Scripts without spaces
//! match anywhere.

mod edge;
mod excerpt;
mod filter;
mod fold;
mod hash;
mod html;
mod index;
mod letter;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use excerpt::excerpt;
use filter::Filter;
pub use fold::Folded;
pub use html::plain_text;
pub use index::NameIndex;

/// A name that stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting<'a, K> {
    /// Whose name it is.
    pub key: K,
    /// The name as it was given.
    pub term: &'a str,
    /// Where it stands in the plain text.
    pub range: Range<usize>,
    /// How many words the name has, as white space parts them. One word alone says little.
    pub words: usize,
    /// Whether the text writes it in the same case and with the same accents.
    pub exact: bool,
}

impl<K> Sighting<'_, K> {
    /// Whether it is strong: a name of two words or more (contract section 7).
    #[must_use]
    pub fn is_strong(&self) -> bool {
        self.words > 1
    }
}
