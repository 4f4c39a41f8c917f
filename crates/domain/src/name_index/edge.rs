//! Checks whether words are whole words or part of a longer word.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

use super::fold::{Folded, Gap, Word};
use super::letter::is_hangul;

/// Prefixes attached to a name with an apostrophe in French and Italian.
const BEFORE: [&str; 11] =
    ["d", "l", "qu", "jusqu", "lorsqu", "puisqu", "dell", "all", "nell", "dall", "sull"];

/// Suffixes attached to a name with an apostrophe in English and, except single vowels, in Turkish.
const AFTER: [&str; 30] = [
    "s", "ll", "d", "ve", "re", "m", "in", "un", "nin", "nun", "yi", "yu", "ya", "ye", "da", "de",
    "ta", "te", "dan", "den", "tan", "ten", "la", "le", "yla", "yle", "lar", "ler", "dir", "tir",
];

/// Korean forms of address that follow a name.
const TITLES: [&str; 4] = ["씨", "님", "군", "양"];

/// Particles that follow a Korean name or form of address, including none.
#[rustfmt::skip]
const PARTICLES: [&str; 42] = [
    "", "은", "는", "이", "가", "을", "를", "의", "에", "도", "와", "과", "로", "으로", "랑", "이랑", "만", "께",
    "께서", "에게", "에게서", "한테", "한테서", "에서", "부터", "까지", "보다", "처럼", "마저", "조차", "이나", "나",
    "라", "이라", "라는", "이라는", "라고", "이라고", "하고", "이며", "며", "입니다",
];

/// The maximum length of a form of address and particle, in words of one syllable.
const MAX_KOREAN: usize = 4;

/// Whether these words are not part of a longer word. An apostrophe joins the parts of a word
/// (`don't` is not Don), except where it only attaches something to a name (`Ann Lee's`).
pub(super) fn stands_free(text: &Folded, at: Range<usize>) -> bool {
    let words = text.words();
    let before = at.start.checked_sub(1).map(|it| words[it]);
    let starts = match words[at.start].gap() {
        Gap::Apostrophe => before.is_some_and(|it| is_among(text, it, &BEFORE)),
        Gap::None => {
            !(is_korean(text, words[at.start]) && before.is_some_and(|it| is_korean(text, it)))
        }
        Gap::Space | Gap::Break => true,
    };
    let ends = words.get(at.end).is_none_or(|next| match next.gap() {
        Gap::Apostrophe => is_among(text, *next, &AFTER),
        Gap::None => !is_korean(text, words[at.end - 1]) || is_attached(text, at.end),
        Gap::Space | Gap::Break => true,
    });
    starts && ends
}

fn is_among(text: &Folded, word: Word, list: &[&str]) -> bool {
    list.contains(&crate::search::words(&text.plain()[word.range()]).concat().as_str())
}

fn is_korean(text: &Folded, word: Word) -> bool {
    text.plain()[word.range()].starts_with(is_hangul)
}

/// Whether the text directly after a Korean name is only attached to it.
fn is_attached(text: &Folded, at: usize) -> bool {
    let rest = text.words()[at..].iter().take(MAX_KOREAN + 1);
    let rest = rest.take_while(|it| it.gap() == Gap::None && is_korean(text, **it));
    let rest: String = rest.flat_map(|it| text.plain()[it.range()].nfkc()).collect();
    let after_title = TITLES.iter().find_map(|it| rest.strip_prefix(it));
    PARTICLES.contains(&rest.as_str()) || after_title.is_some_and(|it| PARTICLES.contains(&it))
}
