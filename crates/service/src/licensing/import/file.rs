//! Reads uploaded CSV and XLSX files into rows. Everything is bounded: the file, what it unpacks to,
//! rows, columns and cells.

use std::borrow::Cow;

use encoding_rs::{Encoding, WINDOWS_1252};
use grantor_domain::import::{ImportRow, MAX_BYTES, MAX_CELL, MAX_COLUMNS, MAX_ROWS};
use grantor_domain::{Error, Result};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::xlsx;

/// How many files a node reads at the same time.
static READERS: Semaphore = Semaphore::const_new(2);

/// What every ZIP file begins with, and so every XLSX file.
const ZIP: &[u8] = b"PK\x03\x04";
/// What the files of Excel before 2007 begin with.
const OLD_EXCEL: &[u8] = b"\xD0\xCF\x11\xE0";

/// The rows of a file. The first one is the header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<ImportRow>,
}

/// A row with the number that spreadsheet programs show.
pub(super) type NumberedRow = (u32, Vec<String>);

/// Reads a file on a thread that may block.
pub(super) async fn read(bytes: Vec<u8>) -> Result<Table> {
    let permit = READERS.acquire().await.map_err(|error| Error::internal(error.to_string()))?;
    let table = spawn_blocking(move || parse(&bytes)).await;
    drop(permit);
    // The readers of the formats may panic at a damaged file.
    table.unwrap_or_else(|_| Err(damaged()))
}

pub(super) fn damaged() -> Error {
    wrong("must be a CSV or XLSX file that is not damaged")
}

pub(super) fn wrong(message: impl Into<String>) -> Error {
    Error::field("file", message)
}

fn parse(bytes: &[u8]) -> Result<Table> {
    if bytes.is_empty() {
        return Err(wrong("is required"));
    }
    if bytes.len() > MAX_BYTES {
        return Err(wrong("must be at most 5 MB"));
    }
    if bytes.starts_with(OLD_EXCEL) {
        return Err(wrong("must be saved as XLSX or CSV, not as XLS"));
    }
    let rows = if bytes.starts_with(ZIP) { xlsx::read(bytes)? } else { read_csv(bytes)? };
    table(rows)
}

/// Takes the first row with a text as the header. Rows without any text are left out.
fn table(rows: Vec<NumberedRow>) -> Result<Table> {
    let has_text = |(_, cells): &NumberedRow| cells.iter().any(|it| !it.trim().is_empty());
    let mut rows = rows.into_iter().filter(has_text);
    let Some((_, mut header)) = rows.next() else { return Err(wrong("has no rows")) };
    while header.last().is_some_and(|it| it.trim().is_empty()) {
        header.pop();
    }
    if header.len() > MAX_COLUMNS {
        return Err(wrong(format!("must have at most {MAX_COLUMNS} columns")));
    }
    let mut kept = Vec::new();
    for (row, mut cells) in rows {
        if kept.len() == MAX_ROWS {
            return Err(wrong("must have at most 10,000 rows"));
        }
        cells.truncate(header.len());
        check_cells(row, &cells)?;
        kept.push(ImportRow { row, cells });
    }
    if kept.is_empty() {
        return Err(wrong("has no rows below its header"));
    }
    Ok(Table { header, rows: kept })
}

/// Refuses cells that nobody could have meant to import.
fn check_cells(row: u32, cells: &[String]) -> Result<()> {
    for (at, cell) in cells.iter().enumerate() {
        let forbidden = |it: char| it.is_control() && !matches!(it, '\n' | '\r' | '\t');
        let problem = if cell.len() > MAX_CELL && cell.chars().count() > MAX_CELL {
            "must have at most 10,000 characters in each cell"
        } else if cell.contains(forbidden) {
            "must not contain control characters"
        } else {
            continue;
        };
        return Err(wrong(format!("{problem}; see row {row}, column {}", at + 1)));
    }
    Ok(())
}

/// Decodes a text: UTF-8 or UTF-16 by its byte order mark, else UTF-8, else Windows-1252, in which old
/// versions of Excel save.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[length..]).0;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// The character that separates the cells of the first line most often. Excel writes semicolons
/// where commas separate decimals.
fn separator(text: &str) -> u8 {
    let first = text.lines().find(|it| !it.trim().is_empty()).unwrap_or_default();
    let mut quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    for byte in first.bytes() {
        quoted ^= byte == b'"';
        if let Some((_, count)) = counts.iter_mut().find(|(it, _)| *it == byte && !quoted) {
            *count += 1;
        }
    }
    // Of equal ones, the first.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(it, _)| *it)
}

fn read_csv(bytes: &[u8]) -> Result<Vec<NumberedRow>> {
    let text = decode(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator(&text))
        .from_reader(text.as_bytes());
    let (mut rows, mut record) = (Vec::new(), csv::StringRecord::new());
    let (mut row, mut line) = (0_u32, reader.position().line());
    while reader.read_record(&mut record).map_err(|_| damaged())? {
        if record.len() > MAX_COLUMNS + 1 {
            return Err(wrong(format!("must have at most {MAX_COLUMNS} columns")));
        }
        // The reader skips empty lines, which spreadsheet programs number.
        let breaks = record.iter().map(|it| it.matches('\n').count() as u64).sum::<u64>();
        let after = reader.position().line();
        let skipped = after.saturating_sub(line).saturating_sub(1 + breaks);
        line = after;
        row = row.saturating_add(1).saturating_add(u32::try_from(skipped).unwrap_or(0));
        // One row more than allowed is noticed later, with the header.
        if rows.len() > MAX_ROWS + 1 {
            break;
        }
        rows.push((row, record.iter().map(str::to_owned).collect()));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: &[u8]) -> Vec<(u32, Vec<String>)> {
        let table = parse(bytes).unwrap();
        table.rows.into_iter().map(|it| (it.row, it.cells)).collect()
    }

    fn refused(bytes: &[u8]) -> String {
        parse(bytes).unwrap_err().fields()["file"].clone()
    }

    #[test]
    fn rows_have_the_numbers_of_the_spreadsheet() {
        let text = "Name,Bio\n\"Ada, L.\",\"two\nlines\"\n\nGrace,\"\"\n";
        let expected = [
            (2, vec!["Ada, L.".to_owned(), "two\nlines".to_owned()]),
            (4, vec!["Grace".to_owned(), String::new()]),
        ];
        assert_eq!(rows(text.as_bytes()), expected);
    }

    #[test]
    fn every_usual_encoding_and_separator_is_read() {
        let expected = [(2, vec!["Zoë".to_owned(), "1,5".to_owned()])];
        let text = "Name;Fee\r\nZoë;1,5\r\n";
        assert_eq!(rows(text.as_bytes()), expected);
        assert_eq!(rows(format!("\u{FEFF}{text}").as_bytes()), expected);
        assert_eq!(rows(b"Name;Fee\nZo\xEB;1,5\n"), expected);
        let marked = format!("\u{FEFF}{text}");
        let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(rows(&wide), expected);
        assert_eq!(rows(text.replace(';', "\t").as_bytes()), expected);
    }

    #[test]
    fn a_file_that_cannot_be_imported_is_refused() {
        for (bytes, problem) in [
            (&b""[..], "is required"),
            (&b"\n \n"[..], "has no rows"),
            (&b"Name\n"[..], "has no rows below its header"),
            (&b"\xD0\xCF\x11\xE0rest"[..], "must be saved as XLSX or CSV, not as XLS"),
            (&b"PK\x03\x04rest"[..], "must be a CSV or XLSX file that is not damaged"),
        ] {
            assert_eq!(refused(bytes), problem);
        }
        assert_eq!(refused(&vec![b'a'; MAX_BYTES + 1]), "must be at most 5 MB");
        let many = format!("Name\n{}", "Ada\n".repeat(MAX_ROWS + 1));
        assert_eq!(refused(many.as_bytes()), "must have at most 10,000 rows");
        let wide = "a,".repeat(MAX_COLUMNS + 1);
        assert_eq!(refused(wide.as_bytes()), "must have at most 100 columns");
        let long = format!("Name\n{}\n", "x".repeat(MAX_CELL + 1));
        let problem = "must have at most 10,000 characters in each cell; see row 2, column 1";
        assert_eq!(refused(long.as_bytes()), problem);
        let problem = "must not contain control characters; see row 2, column 1";
        assert_eq!(refused(b"Name\na\x07b\n"), problem);
    }
}
