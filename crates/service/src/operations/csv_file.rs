//! CSV files that are written in parts, so that memory use stays small.

use futures_util::{Stream, stream};
use grantor_domain::spreadsheet::safe_cell;
use grantor_domain::{Error, Result};

/// Tells Excel that a file is UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Rows of a file that are read together.
pub type Rows = Vec<Vec<String>>;

/// How many rows a part has.
pub const ROWS_AT_ONCE: u32 = 500;

/// Writes rows. Cells that a spreadsheet program would run as a formula are escaped.
pub fn write_rows(rows: impl IntoIterator<Item = Vec<String>>) -> Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row.into_iter().map(safe_cell)).map_err(internal)?;
    }
    writer.into_inner().map_err(internal)
}

/// Streams a file with this header. `next` reads the part with a number, from 1; `None` is the end.
pub fn stream_file<F, Fut>(
    header: Vec<String>,
    for_excel: bool,
    next: F,
) -> impl Stream<Item = Result<Vec<u8>>>
where
    F: Fn(u32) -> Fut,
    Fut: Future<Output = Result<Option<Rows>>>,
{
    let start = if for_excel { BYTE_ORDER_MARK.to_vec() } else { vec![] };
    stream::try_unfold((Some((start, header)), next, 1), |(first, next, part)| async move {
        if let Some((mut chunk, header)) = first {
            chunk.extend(write_rows([header])?);
            return Ok::<_, Error>(Some((chunk, (None, next, part))));
        }
        let rows = next(part).await?;
        let Some(rows) = rows else { return Ok(None) };
        Ok(Some((write_rows(rows)?, (None, next, part.saturating_add(1)))))
    })
}

fn internal(error: impl std::fmt::Display) -> Error {
    Error::internal(error.to_string())
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt as _;

    use super::*;

    async fn file(for_excel: bool) -> String {
        let header = vec!["Name".to_owned(), "Note".to_owned()];
        let parts = stream_file(header, for_excel, |part| async move {
            let row = |it: &str| vec![format!("{it}{part}"), "=1+1".to_owned()];
            Ok((part < 3).then(|| vec![row("a"), row("b, \"c\"")]))
        });
        let parts: Vec<_> = parts.try_collect().await.unwrap();
        String::from_utf8(parts.concat()).unwrap()
    }

    #[tokio::test]
    async fn a_file_is_its_header_and_all_parts() {
        let rows = |part| format!("a{part},'=1+1\n\"b, \"\"c\"\"{part}\",'=1+1\n");
        let whole = format!("Name,Note\n{}{}", rows(1), rows(2));
        assert_eq!(file(false).await, whole);
        assert_eq!(file(true).await, format!("\u{FEFF}{whole}"));
    }
}
