//! A text as a row of folded words, each with the way back to where it stands.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

use super::html;
use super::letter::{Table, Unit};

/// Text that was prepared for names to be found in it.
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

    /// Prepares what a reader sees of HTML.
    #[must_use]
    pub fn of_html(text: &str) -> Self {
        Self::of_text(html::plain_text(text))
    }

    /// The text in which names are found: the ranges of sightings are ranges of it.
    #[must_use]
    pub fn plain(&self) -> &str {
        &self.plain
    }

    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }
}

/// What stands before a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing: the word or the one before it is of a script without spaces.
    None,
    /// An apostrophe alone: both are parts of one written word.
    Apostrophe,
    /// What may stand between the words of a name.
    Space,
    /// The text's beginning, or a mark that no name reaches across unless it has one itself.
    Break,
}

impl Gap {
    fn and(self, next: Self) -> Self {
        match (self, next) {
            (Self::None, only) => only,
            (Self::Space, Self::Space) => Self::Space,
            // An apostrophe beside anything else is a quotation mark.
            _ => Self::Break,
        }
    }
}

/// A folded word, known by its hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) hash: u64,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) gap: Gap,
}

/// Positions are kept in 32 bits. Nothing that is fetched comes near this.
const MAX_TEXT: usize = u32::MAX as usize;

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    let text = &text[..text.floor_char_boundary(MAX_TEXT)];
    let table = Table::get();
    let mut folder = Folder::new(text.len());
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        table.each(letter, |unit| folder.take(unit, at, end));
    }
    folder.close();
    folder.words
}

/// Secrets of the process, so that nobody can make up names that hash alike.
static SECRETS: LazyLock<[u64; 2]> = LazyLock::new(|| {
    let state = RandomState::new();
    [state.hash_one(0), state.hash_one(1) | 1]
});

/// Hashes words, and rows of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixer {
    seed: u64,
    factor: u64,
}

impl Mixer {
    pub(super) fn new() -> Self {
        let [seed, factor] = *SECRETS;
        Self { seed, factor }
    }

    /// The hash of what has been hashed and one more.
    #[expect(clippy::cast_possible_truncation, reason = "both halves of the product are used")]
    pub(super) fn mix(self, hash: u64, more: u64) -> u64 {
        let product = u128::from(hash ^ more) * u128::from(self.factor);
        product as u64 ^ (product >> 64) as u64
    }
}

/// Puts units together to words.
struct Folder {
    words: Vec<Word>,
    mixer: Mixer,
    /// The word that is being read, if `letters` is not zero.
    start: usize,
    end: usize,
    letters: usize,
    alone: bool,
    hash: u64,
    /// Up to eight bytes that are not in the hash yet.
    block: u64,
    filled: u32,
    /// What stands before that word or, after it, before the next.
    gap: Gap,
    /// Whether the last word is one letter, which a period may follow within a name.
    initial: bool,
}

impl Folder {
    fn new(size: usize) -> Self {
        let mixer = Mixer::new();
        Self {
            words: Vec::with_capacity(size / 6),
            mixer,
            start: 0,
            end: 0,
            letters: 0,
            alone: false,
            hash: mixer.seed,
            block: 0,
            filled: 0,
            gap: Gap::Break,
            initial: false,
        }
    }

    #[inline]
    fn take(&mut self, unit: Unit, at: usize, end: usize) {
        match unit {
            Unit::Letter(letter) => {
                if self.alone {
                    self.close();
                }
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

    #[inline]
    fn push(&mut self, letter: char, at: usize, end: usize) {
        if self.letters == 0 {
            self.start = at;
        }
        self.letters += 1;
        self.end = end;
        if letter.is_ascii() {
            self.push_byte(letter as u8);
        } else {
            letter.encode_utf8(&mut [0; 4]).bytes().for_each(|it| self.push_byte(it));
        }
    }

    #[inline]
    fn push_byte(&mut self, byte: u8) {
        self.block = self.block << 8 | u64::from(byte);
        self.filled += 1;
        if self.filled == 8 {
            self.hash = self.mixer.mix(self.hash, self.block);
            (self.block, self.filled) = (0, 0);
        }
    }

    #[inline]
    fn separate(&mut self, gap: Gap) {
        self.close();
        self.gap = self.gap.and(gap);
    }

    /// Ends the word that is being read, if one is.
    #[expect(clippy::cast_possible_truncation, reason = "the text is cut at MAX_TEXT")]
    #[inline]
    fn close(&mut self) {
        if self.letters == 0 {
            return;
        }
        let hash = self.mixer.mix(self.hash, self.block);
        let (start, end) = (self.start as u32, self.end as u32);
        self.words.push(Word { hash, start, end, gap: self.gap });
        self.initial = self.letters == 1 && !self.alone;
        (self.letters, self.alone) = (0, false);
        (self.hash, self.block, self.filled) = (self.mixer.seed, 0, 0);
        self.gap = Gap::None;
    }
}
