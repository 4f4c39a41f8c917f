//! Everything an app leaves behind: every column, every file of its database, its log.

use std::fs;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use grantor_domain::hex;
use grantor_storage::StoreUrl;
use grantor_testkit::app::TestApp;
use grantor_testkit::seed;

/// What was found at rest.
pub(super) struct Traces {
    /// Every column that is not bytes, as text.
    pub(super) texts: String,
    /// Columns of bytes, and whole files.
    pub(super) bytes: Vec<(String, Vec<u8>)>,
}

impl Traces {
    pub(super) async fn of(app: &TestApp) -> Self {
        let options = &app.database.options;
        let (columns, shown) = match &options.url {
            StoreUrl::Sqlite(_) => (
                "SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p
                 WHERE m.type = 'table' ORDER BY 1",
                "CASE typeof(IT) WHEN 'blob' THEN '\\x' || lower(hex(IT)) ELSE CAST(IT AS text) END",
            ),
            StoreUrl::Postgres(_) => (
                "SELECT table_name::text, column_name::text FROM information_schema.columns
                 WHERE table_schema = current_schema() ORDER BY 1",
                "IT::text",
            ),
        };
        let mut traces = Self { texts: String::new(), bytes: vec![] };
        let columns = seed::rows(options, columns).await;
        for columns in columns.chunk_by(|one, next| one[0] == next[0]) {
            let table = &columns[0][0];
            let name = |it: &Vec<String>| format!("\"{}\"", it[1]);
            let texts: Vec<_> = columns.iter().map(|it| shown.replace("IT", &name(it))).collect();
            let query = format!("SELECT {} FROM \"{table}\"", texts.join(", "));
            let rows = seed::rows(options, &query).await;
            for (at, column) in columns.iter().enumerate() {
                let values: Vec<_> = rows.iter().map(|row| row[at].as_str()).collect();
                traces.keep(&format!("{table}.{}", column[1]), &values);
            }
        }
        if let StoreUrl::Sqlite(path) = &options.url {
            for file in fs::read_dir(path.parent().unwrap()).unwrap().map(|it| it.unwrap().path()) {
                let place = file.file_name().unwrap().to_string_lossy().into_owned();
                traces.bytes.push((place, fs::read(&file).unwrap()));
            }
        }
        assert!(
            traces.bytes.len() > 5 && traces.texts.len() > 1_000,
            "there is something to search"
        );
        traces
    }

    fn keep(&mut self, place: &str, values: &[&str]) {
        let (mut bytes, mut texts) = (Vec::new(), String::new());
        for value in values {
            match value.strip_prefix("\\x").and_then(hex::decode) {
                Some(found) => bytes.extend(found),
                None => texts.extend([*value, "\n"]),
            }
        }
        if !bytes.is_empty() {
            self.bytes.push((place.to_owned(), bytes));
        }
        if !texts.is_empty() {
            self.texts.push_str(&texts);
            self.bytes.push((place.to_owned(), texts.into_bytes()));
        }
    }

    /// Where a secret can be read: as it is, in hexadecimal or in base64.
    pub(super) fn place_of(&self, secret: &str) -> Option<String> {
        let hex = hex::encode(secret.as_bytes());
        let forms = [secret.to_owned(), hex.to_uppercase(), hex, STANDARD_NO_PAD.encode(secret)];
        let holds = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            forms.iter().any(|form| text.contains(form))
        };
        self.bytes.iter().find(|(_, bytes)| holds(bytes)).map(|(place, _)| place.clone())
    }
}

static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lets every part of this process log everything from now on.
pub(super) fn log_everything() {
    let log = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_ansi(false);
    // Another test of this process was first: it logs to the same place.
    let _ = log.with_writer(|| Log).try_init();
}

/// What was logged so far.
pub(super) fn logged() -> String {
    String::from_utf8_lossy(&LOG.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
}
