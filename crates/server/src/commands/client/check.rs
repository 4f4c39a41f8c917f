//! `grantor check`.

use std::fs::File;
use std::io::{self, Read};
use std::process::ExitCode;

use grantor_client::{CheckInput, CheckMatch, CheckResult};

use super::output::{Terminal, remark};
use super::table::{Column, Table};
use super::{Desk, explain};
use crate::cli::Check;

/// The exit code if something was recognized that may not be used.
const NOT_ALLOWED: u8 = 2;
/// The largest picture that the server takes.
const MAX_FILE: u64 = 10 * 1024 * 1024;

/// What to check.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    Image(Vec<u8>),
    Text(String),
    Url(String),
}

pub(super) async fn run(desk: &mut Desk<'_>, options: Check) -> Result<ExitCode, String> {
    let (json, connect) = (options.json, options.connect);
    let target = target(options.target, options.text)?;
    let client = desk.connect(&connect)?;
    let input = match &target {
        Target::Image(bytes) => CheckInput::Image(bytes),
        Target::Text(text) => CheckInput::Text(text),
        Target::Url(url) => CheckInput::Url(url),
    };
    let result = client.check(input).await.map_err(|it| explain(&it))?;
    if json {
        desk.terminal.json(&result)?;
    } else {
        print(&mut desk.terminal, &result)?;
    }
    Ok(if result.is_allowed() { ExitCode::SUCCESS } else { ExitCode::from(NOT_ALLOWED) })
}

fn target(target: Option<String>, text: Option<String>) -> Result<Target, String> {
    match (target, text) {
        (_, Some(text)) => Ok(Target::Text(text)),
        (Some(target), None) if target.contains("://") => Ok(Target::Url(target)),
        (Some(target), None) if target == "-" => content(io::stdin().lock(), "standard input"),
        (Some(target), None) => {
            let file = File::open(&target).map_err(|error| format!("{target}: {error}"))?;
            content(file, &target)
        }
        (None, None) => Err("check: use FILE, URL or --text TEXT".to_owned()),
    }
}

/// Reads a picture or a text.
fn content(source: impl Read, name: &str) -> Result<Target, String> {
    let mut bytes = Vec::new();
    let read = source.take(MAX_FILE + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("{name}: {error}"))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!("{name} is larger than 10 MiB"));
    }
    if is_picture(&bytes) {
        return Ok(Target::Image(bytes));
    }
    let text = String::from_utf8(bytes);
    text.map(Target::Text)
        .map_err(|_| format!("{name} is neither a JPEG, PNG or WebP picture nor a text in UTF-8"))
}

fn is_picture(bytes: &[u8]) -> bool {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP".as_slice());
    bytes.starts_with(b"\xFF\xD8\xFF") || bytes.starts_with(b"\x89PNG") || is_webp
}

fn print(terminal: &mut Terminal<'_>, result: &CheckResult) -> Result<(), String> {
    for picture in &result.skipped {
        remark(&format!("Not checked: {}: {}", picture.url, picture.reason));
    }
    if result.matches.is_empty() {
        return terminal.say("Nobody with a license was recognized.");
    }
    let mut table = Table::new([
        Column::Whole("DECISION"),
        Column::Cut("TALENT"),
        Column::Cut("RECOGNIZED"),
        Column::Cut("REASON"),
        Column::Whole("LICENSE"),
    ]);
    for found in &result.matches {
        let reason = found.decision.reasons.first().map_or("", |it| it.message.as_str());
        table.row([
            &found.decision.decision,
            &found.talent.name,
            &recognized(found),
            reason,
            &found.license_id,
        ]);
    }
    terminal.table(&table)
}

/// What was recognized, such as `name Ann Lee, 98 %`.
fn recognized(found: &CheckMatch) -> String {
    let term = found.term.as_ref().map(|it| format!(" {it}")).unwrap_or_default();
    format!("{}{term}, {:.0} %", found.kind, found.confidence * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_content() {
        let read = |bytes: &[u8]| content(bytes, "x");
        for picture in [b"\xFF\xD8\xFF\xE0".as_slice(), b"\x89PNG\r\n", b"RIFF\0\0\0\0WEBPVP8 "] {
            assert_eq!(read(picture), Ok(Target::Image(picture.to_vec())));
        }
        assert_eq!(read("Zoë".as_bytes()), Ok(Target::Text("Zoë".to_owned())));
        let neither = read(b"\xFE\xFF").unwrap_err();
        assert_eq!(neither, "x is neither a JPEG, PNG or WebP picture nor a text in UTF-8");
        let large = vec![b'x'; usize::try_from(MAX_FILE).unwrap() + 1];
        assert_eq!(read(&large).unwrap_err(), "x is larger than 10 MiB");
    }

    #[test]
    fn an_address_is_not_a_file() {
        let of = |text: &str| target(Some(text.to_owned()), None);
        assert_eq!(of("https://a.example/"), Ok(Target::Url("https://a.example/".to_owned())));
        assert!(of("/no/such/file").unwrap_err().starts_with("/no/such/file: "));
    }
}
