//! Lines of text: which characters are printed, and where lines break.

use std::collections::BTreeMap;

use unicode_bidi::{Direction, Level, get_base_direction};

use super::face::{Faces, Run, Style};

/// Stands for a value that no font can print. Another spelling of a name would be an invention.
pub(super) const UNPRINTED: &str =
    "(in characters this certificate cannot print; see the attached receipt)";

/// A line of glyphs. Widths are in units of the font size.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) runs: Vec<Run>,
    pub(super) width: f32,
}

impl Faces<'_> {
    /// Whether the fonts have all characters of a text.
    pub(super) fn prints(&self, style: Style, text: &str) -> bool {
        !text.contains(has_no_reading) && self.runs(style, &clean(text), None).is_some()
    }

    /// Shapes a text into one line. `tracking` is extra space after each glyph.
    pub(super) fn line(&self, style: Style, tracking: f32, text: &str) -> Line {
        self.shape(style, tracking, clean(text), None)
    }

    /// Breaks a text into lines of at most this width. Line breaks in the text are kept.
    pub(super) fn wrap(&self, style: Style, text: &str, width: f32) -> Vec<Line> {
        let paragraphs = text.lines().map(clean);
        paragraphs.flat_map(|it| self.wrap_paragraph(style, &it, width)).collect()
    }

    /// Breaks a text like [`Self::wrap`], but into lines of similar width.
    pub(super) fn balance(&self, style: Style, text: &str, width: f32) -> Vec<Line> {
        let widest = self.wrap(style, text, width);
        let narrower = [0.55_f32, 0.65, 0.75, 0.85, 0.95].into_iter();
        narrower
            .map(|part| self.wrap(style, text, width * part))
            .find(|lines| lines.len() == widest.len())
            .unwrap_or(widest)
    }

    fn wrap_paragraph(&self, style: Style, text: &str, width: f32) -> Vec<Line> {
        let base = Some(match get_base_direction(text) {
            Direction::Rtl => Level::rtl(),
            Direction::Ltr | Direction::Mixed => Level::ltr(),
        });
        let space = self.shape(style, 0.0, " ".to_owned(), None).width;
        let mut lines = vec![];
        let (mut current, mut used) = (String::new(), 0.0);
        let words = text.split_whitespace().flat_map(|word| self.pieces(style, word, width));
        for (word, length) in words {
            if !current.is_empty() && used + space + length > width {
                lines.push(self.shape(style, 0.0, std::mem::take(&mut current), base));
            }
            if current.is_empty() {
                used = length;
            } else {
                current.push(' ');
                used += space + length;
            }
            current.push_str(&word);
        }
        lines.push(self.shape(style, 0.0, current, base));
        lines
    }

    /// The word with its width, in pieces if it is wider than a line.
    fn pieces(&self, style: Style, word: &str, width: f32) -> Vec<(String, f32)> {
        let whole = self.shape(style, 0.0, word.to_owned(), None);
        if whole.width <= width {
            return vec![(whole.text, whole.width)];
        }
        // By place in the text, which is not the order on the page where text runs to the left.
        let mut advances = BTreeMap::<usize, f32>::new();
        for glyph in whole.runs.iter().flat_map(|it| &it.glyphs) {
            *advances.entry(glyph.text_range.start).or_default() += glyph.x_advance;
        }
        let (mut cuts, mut used) = (vec![0], 0.0);
        for (start, length) in advances {
            if used > 0.0 && used + length > width {
                cuts.push(start);
                used = 0.0;
            }
            used += length;
        }
        cuts.push(whole.text.len());
        let pieces = cuts.windows(2).filter_map(|it| whole.text.get(it[0]..it[1]));
        let shaped = pieces.map(|it| self.shape(style, 0.0, it.to_owned(), None));
        shaped.map(|it| (it.text, it.width)).collect()
    }

    fn shape(&self, style: Style, tracking: f32, text: String, base: Option<Level>) -> Line {
        let (text, mut runs) = match self.runs(style, &text, base) {
            Some(runs) => (text, runs),
            None => (UNPRINTED.to_owned(), self.runs(style, UNPRINTED, None).unwrap_or_default()),
        };
        for glyph in runs.iter_mut().flat_map(|it| &mut it.glyphs) {
            glyph.x_advance += tracking;
        }
        let width = runs.iter().map(Run::width).sum::<f32>() - tracking;
        Line { text, runs, width: width.max(0.0) }
    }
}

/// The text without control characters, and with single spaces.
fn clean(text: &str) -> String {
    let kept = |it: char| it.is_whitespace() || is_joiner(it) || !is_left_out(it);
    let kept: String = text.chars().filter(|it| kept(*it)).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Characters that are not visible themselves.
pub(super) fn is_invisible(letter: char) -> bool {
    is_joiner(letter) || is_left_out(letter)
}

/// Characters that change how their neighbors look: joiners and variation selectors.
fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Control characters, and marks that reorder their neighbors.
fn is_left_out(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}')
}

/// Private characters, which mean something else in each font, and tags, which change the meaning of
/// the emoji before them.
fn has_no_reading(letter: char) -> bool {
    matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e00ff}'
        | '\u{f0000}'..='\u{10ffff}')
}
