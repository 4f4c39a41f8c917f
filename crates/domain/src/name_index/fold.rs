//! Splits a text into folded words with their positions.

use std::ops::Range;

use super::hash::{Mixer, WordHash};
use super::html;
use super::letter::{Table, Unit};

/// A text prepared for finding names in it.
#[derive(Clone, Debug)]
pub struct Folded {
    plain: String,
    words: Vec<Word>,
}

impl Folded {
    /// Prepares plain text.
    #[must_use]
    pub fn of_text(text: impl Into<String>) -> Self {
        let plain = text.into();
        let words = words(&plain);
        Self { plain, words }
    }

    /// Prepares the visible text of HTML.
    #[must_use]
    pub fn of_html(text: &str) -> Self {
        Self::of_text(html::plain_text(text))
    }

    /// The plain text; the ranges of matches refer to it.
    #[must_use]
    pub fn plain(&self) -> &str {
        &self.plain
    }

    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }
}

/// The separator before a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// None: this word or the previous one belongs to a script without spaces.
    None,
    /// Only an apostrophe: both are parts of one written word.
    Apostrophe,
    /// A separator allowed between the words of a name.
    Space,
    /// The start of the text, or punctuation that a name only matches across if it contains it.
    Break,
}

impl Gap {
    fn and(self, next: Self) -> Self {
        match (self, next) {
            (Self::None, only) => only,
            (Self::Space, Self::Space) => Self::Space,
            // An apostrophe next to another separator is a quotation mark.
            _ => Self::Break,
        }
    }
}

/// A folded word, identified by its hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) hash: u64,
    start: u32,
    /// The length and, in the two lowest bits, the gap. Packed because there is one per word of a
    /// text.
    length: u32,
}

impl Word {
    #[expect(clippy::cast_possible_truncation, reason = "the text is cut at MAX_TEXT")]
    fn new(hash: u64, range: Range<usize>, gap: Gap) -> Self {
        let length = (range.len() as u32) << 2 | gap as u32;
        Self { hash, start: range.start as u32, length }
    }

    /// The position in the plain text.
    pub(super) fn range(self) -> Range<usize> {
        let start = self.start as usize;
        start..start + (self.length >> 2) as usize
    }

    pub(super) fn gap(self) -> Gap {
        match self.length & 3 {
            0 => Gap::None,
            1 => Gap::Apostrophe,
            2 => Gap::Space,
            _ => Gap::Break,
        }
    }
}

/// The maximum text length that fits into `Word::length`. Fetched content is far smaller.
const MAX_TEXT: usize = 1 << 30;

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    words_by(text, Mixer::new())
}

/// Like [`words`], with hashes by another mixer.
pub(super) fn words_by(text: &str, mixer: Mixer) -> Vec<Word> {
    let text = &text[..text.floor_char_boundary(MAX_TEXT)];
    let table = Table::get();
    let mut folder = Folder::new(text.len(), mixer);
    let mut at = 0;
    while at < text.len() {
        at = folder.take_ascii(text.as_bytes(), at);
        if text.as_bytes().get(at) == Some(&b' ') {
            folder.separate(Gap::Space);
            at += 1;
        } else if let Some(letter) = text[at..].chars().next() {
            let end = at + letter.len_utf8();
            table.each(letter, |unit| folder.take(unit, at, end));
            at = end;
        }
    }
    folder.close();
    folder.words
}

/// The folded ASCII letters, and zero for other bytes. The fast path for most texts.
const ASCII: [u8; 256] = {
    let mut folded = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            folded[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    folded
};

/// Combines units to words.
struct Folder {
    words: Vec<Word>,
    /// The current word, if it has letters.
    hash: WordHash,
    letters: usize,
    start: usize,
    end: usize,
    alone: bool,
    /// The gap before the current word or, if there is none, before the next.
    gap: Gap,
    /// Whether the last word is a single letter, which a period may follow within a name.
    initial: bool,
}

impl Folder {
    fn new(size: usize, mixer: Mixer) -> Self {
        Self {
            // Most texts have longer words, so this avoids growing the vector.
            words: Vec::with_capacity(size / 5 + 1),
            hash: WordHash::new(mixer),
            letters: 0,
            start: 0,
            end: 0,
            alone: false,
            gap: Gap::Break,
            initial: false,
        }
    }

    /// Consumes the ASCII letters at this position and returns their end.
    #[inline]
    fn take_ascii(&mut self, text: &[u8], at: usize) -> usize {
        let folded = |at: usize| text.get(at).map_or(0, |it| ASCII[usize::from(*it)]);
        if folded(at) == 0 {
            return at;
        }
        self.part();
        if self.letters == 0 {
            self.start = at;
        }
        // A local copy can stay in registers.
        let (mut hash, mut end) = (self.hash, at);
        while let byte @ 1.. = folded(end) {
            hash.push(byte);
            end += 1;
        }
        self.hash = hash;
        self.letters += end - at;
        self.end = end;
        end
    }

    #[inline]
    fn take(&mut self, unit: Unit, at: usize, end: usize) {
        match unit {
            Unit::Letter(letter) => {
                self.part();
                self.push(letter, at, end);
            }
            Unit::Mark(mark) => self.push(mark, at, end),
            Unit::Alone(letter) => {
                self.close();
                self.push(letter, at, end);
                self.alone = true;
            }
            Unit::Accent if self.letters > 0 => self.end = end,
            Unit::Accent => {}
            Unit::Space => self.separate(Gap::Space),
            Unit::Break => self.separate(Gap::Break),
            Unit::Apostrophe => self.separate(Gap::Apostrophe),
            Unit::Period => {
                self.close();
                let ends_initial = self.initial && self.gap == Gap::None;
                self.separate(if ends_initial { Gap::Space } else { Gap::Break });
            }
        }
    }

    /// Prepares for a letter, which must not join a standalone one.
    #[inline]
    fn part(&mut self) {
        if self.alone {
            self.close();
        }
    }

    #[inline]
    fn push(&mut self, letter: char, at: usize, end: usize) {
        if self.letters == 0 {
            self.start = at;
        }
        self.letters += 1;
        self.end = end;
        self.hash.push_char(letter);
    }

    #[inline]
    fn separate(&mut self, gap: Gap) {
        self.close();
        self.gap = self.gap.and(gap);
    }

    /// Ends the current word, if any.
    #[inline]
    fn close(&mut self) {
        if self.letters == 0 {
            return;
        }
        self.words.push(Word::new(self.hash.finish(), self.start..self.end, self.gap));
        self.initial = self.letters == 1 && !self.alone;
        (self.letters, self.alone, self.gap) = (0, false, Gap::None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_folds_alike_on_both_ways() {
        for byte in 0..128_u8 {
            let mut units = Vec::new();
            Table::get().each(byte.into(), |it| units.push(it));
            let is_letter = matches!(units[..], [Unit::Letter(it)] if it == char::from(ASCII[usize::from(byte)]));
            assert_eq!(is_letter, ASCII[usize::from(byte)] != 0, "{byte}");
        }
    }

    #[test]
    fn words_have_gaps_and_ranges() {
        let text = "O'Neill, J.É\u{301}  東京x a. b";
        let found: Vec<_> = words(text).iter().map(|it| (&text[it.range()], it.gap())).collect();
        let expected = [
            ("O", Gap::Break),
            ("Neill", Gap::Apostrophe),
            ("J", Gap::Break),
            ("É\u{301}", Gap::Space),
            ("東", Gap::Space),
            ("京", Gap::None),
            ("x", Gap::None),
            ("a", Gap::Space),
            ("b", Gap::Space),
        ];
        assert_eq!(found, expected);
    }
}
