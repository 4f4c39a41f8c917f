//! What commands print: tables and JSON on standard output, remarks on standard error.

use std::io::{self, IsTerminal as _, Write};

use rustix::termios::tcgetwinsize;
use serde::Serialize;

use super::table::{Table, clean, cut};
use crate::commands::{printed, say};

/// Standard output.
pub(super) struct Terminal<'a> {
    out: &'a mut dyn Write,
    /// The number of columns, if it is a terminal.
    width: Option<usize>,
}

impl<'a> Terminal<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, width: width() }
    }

    /// Prints a line.
    pub(super) fn say(&mut self, text: &str) -> Result<(), String> {
        say(self.out, &clean(text))
    }

    /// Prints a value as JSON.
    pub(super) fn json(&mut self, value: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
        say(self.out, &text)
    }

    /// Prints a table, unless it is empty, and says on standard error if there is more.
    pub(super) fn list<const N: usize>(
        &mut self,
        table: &Table<N>,
        total: u64,
    ) -> Result<(), String> {
        let lines = table.lines(self.width);
        // The first line has the titles.
        let shown = lines.len().saturating_sub(1) as u64;
        if shown == 0 {
            remark("Nothing found.");
            return Ok(());
        }
        say(self.out, &lines.join("\n"))?;
        if shown < total {
            remark(&format!("{shown} of {total}; use --limit or --all for more."));
        }
        Ok(())
    }

    /// Prints a table that is complete.
    pub(super) fn table<const N: usize>(&mut self, table: &Table<N>) -> Result<(), String> {
        say(self.out, &table.lines(self.width).join("\n"))
    }

    /// Prints names and values below each other. Empty values are left out.
    pub(super) fn details(&mut self, rows: &[(&str, String)]) -> Result<(), String> {
        let names = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
            // Further lines of a text start where its first line does.
            let lines: Vec<_> = value.lines().map(clean).collect();
            let value = lines.join(&format!("\n{:names$}  ", ""));
            say(self.out, &format!("{name:names$}  {value}"))?;
        }
        Ok(())
    }

    /// Prints a line of a stream, cut to the width of the terminal unless it is data. Returns
    /// whether somebody reads it.
    pub(super) fn stream(&mut self, line: &str, is_data: bool) -> Result<bool, String> {
        let line = if is_data { line.to_owned() } else { clean(line) };
        let line = match self.width {
            Some(width) if !is_data => cut(&line, width),
            _ => line,
        };
        match writeln!(self.out, "{line}").and_then(|()| self.out.flush()) {
            Ok(()) => Ok(true),
            Err(error) => printed(Err(error)).map(|()| false),
        }
    }
}

/// Prints a remark to standard error, so that it never mixes with data.
pub(super) fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "{}", clean(text));
}

fn width() -> Option<usize> {
    let out = io::stdout();
    if !out.is_terminal() {
        return None;
    }
    tcgetwinsize(&out).ok().map(|it| usize::from(it.ws_col)).filter(|it| *it > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_aligned_and_empty_ones_left_out() {
        let mut out = Vec::new();
        let mut terminal = Terminal { out: &mut out, width: None };
        let rows = [("ID", "7"), ("Nothing", ""), ("Title", "Two\nlines")];
        terminal.details(&rows.map(|(name, value)| (name, value.to_owned()))).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "ID       7\nTitle    Two\n         lines\n");
    }

    #[test]
    fn a_stream_is_cut_and_data_is_not() {
        let mut out = Vec::new();
        let mut terminal = Terminal { out: &mut out, width: Some(5) };
        for is_data in [false, true] {
            assert_eq!(terminal.stream("123456", is_data), Ok(true));
        }
        assert_eq!(String::from_utf8(out).unwrap(), "1234…\n123456\n");
    }
}
