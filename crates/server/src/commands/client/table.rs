//! Tables for people.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The space between two columns.
const GAP: usize = 2;
/// A column is not cut to less than this.
const LEAST: usize = 8;

/// A column, by its title.
#[derive(Clone, Copy)]
pub(super) enum Column {
    /// It is always shown completely, such as an ID to copy.
    Whole(&'static str),
    /// It is cut if the terminal is too narrow.
    Cut(&'static str),
}

impl Column {
    fn title(self) -> &'static str {
        match self {
            Self::Whole(title) | Self::Cut(title) => title,
        }
    }
}

/// A table with a title for each column.
pub(super) struct Table<const N: usize> {
    columns: [Column; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(super) fn new(columns: [Column; N]) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: [&str; N]) {
        self.rows.push(cells.map(clean));
    }

    /// The lines, cut to a width if there is one.
    pub(super) fn lines(&self, width: Option<usize>) -> Vec<String> {
        let titles = self.columns.map(|it| it.title().to_owned());
        let all: Vec<_> = std::iter::once(&titles).chain(&self.rows).collect();
        let mut widths = [0; N];
        for row in &all {
            for (width, cell) in widths.iter_mut().zip(*row) {
                *width = (*width).max(cell.width());
            }
        }
        if let Some(width) = width {
            self.fit(&mut widths, width);
        }
        all.into_iter().map(|row| line(row, &widths)).collect()
    }

    /// Makes the widest columns narrower, as far as they may be cut.
    fn fit(&self, widths: &mut [usize; N], width: usize) {
        let gaps = GAP * N.saturating_sub(1);
        while widths.iter().sum::<usize>() + gaps > width {
            let may_be_cut = |it: &usize| matches!(self.columns[*it], Column::Cut(_));
            let cut = (0..N).filter(may_be_cut).filter(|it| widths[*it] > LEAST);
            let Some(widest) = cut.max_by_key(|it| widths[*it]) else { return };
            widths[widest] -= 1;
        }
    }
}

/// A text without what would move the cursor or change the direction.
pub(super) fn clean(text: &str) -> String {
    let harmful = |it: char| {
        it.is_control() || matches!(it, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|it| if harmful(it) { ' ' } else { it }).collect()
}

/// A text that takes at most so many columns.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 1;
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used > width {
            break;
        }
        kept.push(letter);
    }
    kept.push('…');
    kept
}

fn line<const N: usize>(row: &[String; N], widths: &[usize; N]) -> String {
    let mut line = String::new();
    for (cell, width) in row.iter().zip(widths) {
        let cell = cut(cell, *width);
        let rest = (width + GAP).saturating_sub(cell.width());
        line.push_str(&cell);
        line.push_str(&" ".repeat(rest));
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table<3> {
        let mut table =
            Table::new([Column::Whole("ID"), Column::Cut("TITLE"), Column::Cut("NAME")]);
        table.row(["0198c0de", "Portraits of the summit", "東京 太郎"]);
        table.row(["7", "Two\nlines\u{1b}[2J", ""]);
        table
    }

    #[test]
    fn columns_are_aligned_by_what_is_seen() {
        let lines = sample().lines(None);
        assert_eq!(
            lines,
            [
                "ID        TITLE                    NAME",
                "0198c0de  Portraits of the summit  東京 太郎",
                "7         Two lines [2J",
            ]
        );
    }

    #[test]
    fn a_narrow_terminal_cuts_texts_and_never_ids() {
        let lines = sample().lines(Some(34));
        assert_eq!(
            lines,
            [
                "ID        TITLE          NAME",
                "0198c0de  Portraits of…  東京 太郎",
                "7         Two lines [2J",
            ]
        );
        let least = sample().lines(Some(5));
        assert_eq!(least[1], "0198c0de  Portrai…  東京 太…");
    }
}
