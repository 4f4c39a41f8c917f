//! Reads XLSX files. They are ZIP files of XML, and a small one can unpack to anything; so all of it
//! is unpacked once within a limit before the reader of the format sees it.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

use calamine::{DataRef, Reader as _, SheetType, SheetVisible, Xlsx};
use grantor_domain::Result;
use grantor_domain::import::{MAX_COLUMNS, MAX_ROWS};
use zip::ZipArchive;

use super::file::{NumberedRow, damaged, wrong};

/// How much a file may unpack to, in bytes.
const MAX_UNPACKED: u64 = 32 * 1_024 * 1_024;
/// How many parts a file may have.
const MAX_PARTS: usize = 1_000;
/// How many different texts a file may declare. The reader reserves memory for them.
const MAX_TEXTS: usize = 1_000_000;
/// How many bytes of text the cells may have together. A file has each text once, however many cells
/// have it.
const MAX_TEXT: usize = 20_000_000;

/// The rows of the first visible sheet.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<NumberedRow>> {
    screen(bytes)?;
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(|_| damaged())?;
    let mut sheets = book.sheets_metadata().iter();
    let first = sheets
        .find(|it| it.typ == SheetType::WorkSheet && it.visible == SheetVisible::Visible)
        .map(|it| it.name.clone());
    let name = first.ok_or_else(|| wrong("has no sheet"))?;
    let mut cells = book.worksheet_cells_reader(&name).map_err(|_| damaged())?;
    let (mut rows, mut length) = (BTreeMap::<u32, Vec<String>>::new(), 0);
    while let Some(cell) = cells.next_cell().map_err(|_| damaged())? {
        let ((row, column), text) = (cell.get_position(), text(cell.get_value()));
        if text.trim().is_empty() {
            continue;
        }
        let column = column as usize;
        if column >= MAX_COLUMNS {
            return Err(wrong(format!("must have at most {MAX_COLUMNS} columns")));
        }
        length += text.len();
        if length > MAX_TEXT {
            return Err(wrong("must have at most 20 MB of text"));
        }
        let cells = rows.entry(row).or_default();
        if cells.len() <= column {
            cells.resize(column + 1, String::new());
        }
        cells[column] = text;
        // The header is one more.
        if rows.len() > MAX_ROWS + 1 {
            return Err(wrong("must have at most 10,000 rows"));
        }
    }
    Ok(rows.into_iter().map(|(row, cells)| (row.saturating_add(1), cells)).collect())
}

/// Refuses a file that unpacks to too much.
fn screen(bytes: &[u8]) -> Result<()> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged())?;
    if archive.len() > MAX_PARTS {
        return Err(wrong("must have at most 1,000 parts"));
    }
    let mut left = MAX_UNPACKED;
    for part in 0..archive.len() {
        let entry = archive.by_index(part).map_err(|_| damaged())?;
        let name = entry.name().map_err(|_| damaged())?.to_ascii_lowercase();
        let mut unpacked = Vec::new();
        let mut limited = entry.take(left + 1);
        if name.ends_with("sharedstrings.xml") {
            limited.read_to_end(&mut unpacked).map_err(|_| damaged())?;
        } else {
            std::io::copy(&mut limited, &mut std::io::sink()).map_err(|_| damaged())?;
        }
        let read = left + 1 - limited.limit();
        left = left.checked_sub(read).ok_or_else(|| wrong("must unpack to at most 32 MB"))?;
        check_texts(&unpacked)?;
    }
    Ok(())
}

/// Refuses texts that say that there are more of them than could be. A declaration in another encoding
/// than UTF-8 would be overlooked, so there must be none.
fn check_texts(unpacked: &[u8]) -> Result<()> {
    const DECLARED: &[u8] = b"uniqueCount";
    if unpacked.iter().any(|it| *it < b' ' && !b"\t\r\n".contains(it)) {
        return Err(damaged());
    }
    for at in 0..unpacked.len().saturating_sub(DECLARED.len()) {
        let Some(rest) = unpacked[at..].strip_prefix(DECLARED) else { continue };
        let is_digit = |it: &&u8| it.is_ascii_digit();
        let digits = rest.iter().skip_while(|it| !it.is_ascii_digit() && **it != b'>');
        let digits: Vec<u8> = digits.take_while(is_digit).take(9).copied().collect();
        let count = std::str::from_utf8(&digits).ok().and_then(|it| it.parse::<usize>().ok());
        if count.is_some_and(|it| it > MAX_TEXTS) {
            return Err(damaged());
        }
    }
    Ok(())
}

/// The text of a cell, as an import reads it.
fn text(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.clone()
        }
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(true) => "Yes".to_owned(),
        DataRef::Bool(false) => "No".to_owned(),
        DataRef::Error(error) => error.to_string(),
        DataRef::DateTime(at) => {
            let (year, month, day, hour, minute, second, _) = at.to_ymd_hms_milli();
            if (hour, minute, second) == (0, 0, 0) {
                format!("{year:04}-{month:02}-{day:02}")
            } else {
                format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    const RELATIONS: &str = r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
    const SHEETS: &str = r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#;
    const BOOK: &str = r#"<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Talents" sheetId="1" r:id="rId1"/></sheets></workbook>"#;

    /// A workbook with these shared texts and these rows.
    fn book(texts: &str, rows: &str) -> Vec<u8> {
        let sheet = format!(
            r#"<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"#
        );
        let parts = [
            ("_rels/.rels", RELATIONS),
            ("xl/_rels/workbook.xml.rels", SHEETS),
            ("xl/workbook.xml", BOOK),
            ("xl/sharedStrings.xml", texts),
            ("xl/worksheets/sheet1.xml", &sheet),
        ];
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in parts {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn texts(count: &str, all: &[&str]) -> String {
        let all = all.iter().map(|it| format!("<si><t>{it}</t></si>")).collect::<Vec<_>>().concat();
        format!(
            r#"<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" uniqueCount="{count}">{all}</sst>"#
        )
    }

    fn refused(bytes: &[u8]) -> String {
        read(bytes).unwrap_err().fields()["file"].clone()
    }

    #[test]
    fn cells_are_read_where_they_are() {
        let rows = r#"<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
            <row r="5"><c r="A5" t="inlineStr"><is><t>Zoë</t></is></c><c r="B5"><v>1500</v></c><c r="C5" t="b"><v>1</v></c></row>"#;
        let read = read(&book(&texts("2", &["Name", "Monitoring"]), rows)).unwrap();
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        assert_eq!(read, [(1, row(["Name", "", "Monitoring"])), (5, row(["Zoë", "1500", "Yes"]))]);
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused() {
        let cell = r#"<c t="inlineStr"><is><t>x</t></is></c>"#;
        let bomb = format!("<row>{}</row>", cell.repeat(1_000_000));
        let bytes = book(&texts("0", &[]), &bomb);
        assert!(bytes.len() < 1_000_000, "{}", bytes.len());
        assert_eq!(refused(&bytes), "must unpack to at most 32 MB");
    }

    #[test]
    fn a_text_that_many_cells_share_counts_for_each() {
        let long = "x".repeat(10_000);
        let cell = r#"<c t="s"><v>0</v></c>"#;
        let row = format!("<row>{}</row>", cell.repeat(50));
        let bytes = book(&texts("1", &[&long]), &row.repeat(50));
        assert_eq!(refused(&bytes), "must have at most 20 MB of text");
    }

    #[test]
    fn what_is_declared_reserves_no_memory() {
        for count in ["99999999999", "1000001"] {
            let bytes = book(&texts(count, &["Name"]), "");
            assert_eq!(refused(&bytes), "must be a CSV or XLSX file that is not damaged");
        }
        let wide = texts("1", &["Name"]).replace("uniqueCount", "unique\u{0}Count");
        assert_eq!(refused(&book(&wide, "")), "must be a CSV or XLSX file that is not damaged");
    }

    #[test]
    fn far_cells_need_no_memory() {
        let far = r#"<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>"#;
        assert_eq!(refused(&book(&texts("0", &[]), far)), "must have at most 100 columns");
        let low = r#"<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>2</v></c></row>"#;
        let read = read(&book(&texts("0", &[]), low)).unwrap();
        assert_eq!(read, [(1, vec!["1".to_owned()]), (1_048_576, vec!["2".to_owned()])]);
    }
}
