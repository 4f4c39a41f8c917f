//! Whether words stand by themselves, or are part of a longer one.

use std::ops::Range;

use super::fold::{Folded, Gap, Word};

/// What is put before a name with an apostrophe in French and Italian.
const BEFORE: [&str; 11] =
    ["d", "l", "qu", "jusqu", "lorsqu", "puisqu", "dell", "all", "nell", "dall", "sull"];

/// What is put after one in English and, without its bare vowels, in Turkish.
const AFTER: [&str; 30] = [
    "s", "ll", "d", "ve", "re", "m", "in", "un", "nin", "nun", "yi", "yu", "ya", "ye", "da", "de",
    "ta", "te", "dan", "den", "tan", "ten", "la", "le", "yla", "yle", "lar", "ler", "dir", "tir",
];

/// Whether these words are no part of a longer word. An apostrophe holds a word together (`don't`
/// is not Don), except where it only attaches something to a name (`Ann Lee's`).
pub(super) fn stands_free(text: &Folded, at: Range<usize>) -> bool {
    let words = text.words();
    let is_among = |word: &Word, list: &[&str]| {
        let written = &text.plain()[word.start as usize..word.end as usize];
        list.contains(&crate::search::words(written).concat().as_str())
    };
    let before = at.start.checked_sub(1).map(|it| &words[it]);
    let starts =
        words[at.start].gap != Gap::Apostrophe || before.is_some_and(|it| is_among(it, &BEFORE));
    let ends = words.get(at.end).is_none_or(|it| it.gap != Gap::Apostrophe || is_among(it, &AFTER));
    starts && ends
}
