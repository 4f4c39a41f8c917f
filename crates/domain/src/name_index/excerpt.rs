//! Excerpts of the text around a sighting, for review.

use std::ops::Range;

use crate::mention::MAX_EXCERPT;

const ELLIPSIS: char = '…';

/// The maximum number of characters dropped to end at a word boundary. Longer words, and texts
/// without spaces, are cut anywhere.
const LONGEST_CUT: usize = 40;

/// The maximum number of characters read, which bounds the time spent on whitespace.
const MOST_READ: usize = 16 * MAX_EXCERPT;

/// The text at a range and around it: at most `MAX_EXCERPT` characters, with normalized whitespace,
/// whole words, and an ellipsis where text was omitted. The time is independent of the text length.
/// An invalid range is adjusted.
#[must_use]
pub fn excerpt(text: &str, around: Range<usize>) -> String {
    let start = text.floor_char_boundary(around.start);
    let end = text.ceil_char_boundary(around.end.max(start));
    let room = MAX_EXCERPT - 2;
    let middle = Line::read(text[start..end].chars(), room);
    let mut before = Line::read(text[..start].chars().rev(), room);
    let mut after = Line::read(text[end..].chars(), room);
    // Each side gets half of the remaining space, plus what the other side does not need.
    let room = room - middle.kept.len();
    let tail = after.kept.len().min((room / 2).max(room.saturating_sub(before.kept.len())));
    before.shorten(room - tail);
    after.shorten(tail);
    let all: String = before.kept.iter().rev().chain(&middle.kept).chain(&after.kept).collect();
    let dots = |cut: bool| cut.then_some(ELLIPSIS).into_iter();
    let cut_after = after.cut || middle.cut;
    dots(before.cut).chain(all.trim().chars()).chain(dots(cut_after)).collect()
}

/// Characters with single spaces between the words.
#[derive(Default)]
struct Line {
    kept: Vec<char>,
    /// Whether there was more text.
    cut: bool,
}

impl Line {
    fn read(letters: impl Iterator<Item = char>, room: usize) -> Self {
        let mut line = Self::default();
        for (count, letter) in letters.enumerate() {
            let space = letter.is_whitespace() || letter.is_control();
            if count == MOST_READ || line.kept.len() == room && !space {
                line.cut = true;
                break;
            } else if line.kept.len() == room || space && line.kept.last() == Some(&' ') {
                continue;
            }
            line.kept.push(if space { ' ' } else { letter });
        }
        line
    }

    /// Truncates to whole words that fit.
    fn shorten(&mut self, room: usize) {
        self.cut |= self.kept.len() > room;
        if self.cut {
            self.kept.truncate(room);
            let space = self.kept.iter().rposition(|it| *it == ' ');
            let space = space.filter(|it| self.kept.len() - it <= LONGEST_CUT);
            self.kept.truncate(space.unwrap_or(room));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_whole() {
        for (text, around, expected) in [
            ("Ana", 0..3, "Ana"),
            (" \n by  Ana\t\u{2029}Lopez, today\u{a0}", 7..19, "by Ana Lopez, today"),
            ("", 0..0, ""),
            ("é", 1..1, "é"),
            ("abc", 8..9, "abc"),
        ] {
            assert_eq!(excerpt(text, around), expected, "{text:?}");
        }
    }

    #[test]
    fn long_texts_are_cut_between_words() {
        let words = "lorem ipsum ".repeat(100);
        for (before, after) in [(&*words, &*words), ("", &*words), (&*words, ""), ("a ", &*words)] {
            let text = format!("{before}Ana Lopez {after}");
            let cut = excerpt(&text, before.len()..before.len() + 9);
            assert!(cut.contains("Ana Lopez"), "{cut}");
            assert!((480..=MAX_EXCERPT).contains(&cut.chars().count()), "{cut}");
            assert_eq!(cut.starts_with('…'), before.len() > 2);
            assert_eq!(cut.ends_with('…'), !after.is_empty());
            let whole = |it: &str| ["lorem", "ipsum", "Ana", "Lopez", "a"].contains(&it);
            assert!(cut.trim_matches('…').split(' ').all(whole), "{cut}");
        }
    }

    #[test]
    fn nothing_is_too_long() {
        let han = "東".repeat(10_000);
        assert_eq!(excerpt(&han, 15_000..15_006).chars().count(), MAX_EXCERPT);
        assert_eq!(excerpt(&han, 0..30_000).chars().count(), MAX_EXCERPT - 1);
        let far = format!("{}Ana{}x", "x ".repeat(9), " ".repeat(1 << 20));
        assert_eq!(excerpt(&far, 18..21), "x x x x x x x x x Ana…");
    }
}
