//! Cells of exported spreadsheets.

/// What a formula begins with.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Returns the text of an exported cell. A spreadsheet program would run a text that begins like a
/// formula; an apostrophe in front of it makes it a plain text.
#[must_use]
pub fn safe_cell(text: String) -> String {
    if text.starts_with(FORMULA) { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_run_as_a_formula() {
        for bad in ["=1+1", "+49 30", "-5", "@ada", "\t=1", "\r=1"] {
            assert_eq!(safe_cell(bad.to_owned()), format!("'{bad}"));
        }
        for fine in ["", "a=b", "5-3", " =1", "'=1", "ada@example.com"] {
            assert_eq!(safe_cell(fine.to_owned()), fine);
        }
    }
}
