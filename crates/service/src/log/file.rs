//! The file of a log export, streamed in chunks so that memory use stays small.

use futures_util::{Stream, stream};
use grantor_domain::log::ExportFormat;
use grantor_domain::spreadsheet::safe_cell as cell;
use grantor_domain::{Error, Result};
use serde_json::{Value, json};

use super::{Export, LogRecord, Part, Position, next_entries};
use crate::App;

const COLUMNS: [&str; 16] = [
    "logId",
    "timestamp",
    "type",
    "class",
    "action",
    "message",
    "userId",
    "userName",
    "resourceType",
    "resourceId",
    "resourceName",
    "ipAddress",
    "userAgent",
    "duration",
    "requestId",
    "details",
];

/// The file of an export.
pub struct File {
    app: App,
    export: Export,
}

impl File {
    /// Creates the file of an export.
    #[must_use]
    pub fn new(app: App, export: Export) -> Self {
        Self { app, export }
    }

    /// The file name.
    #[must_use]
    pub fn name(&self) -> String {
        format!("logs-{}.{}", self.export.id, self.export.format)
    }

    /// The media type.
    #[must_use]
    pub fn media_type(&self) -> &'static str {
        match self.export.format {
            ExportFormat::Csv => "text/csv; charset=utf-8",
            ExportFormat::Json => "application/json",
        }
    }

    /// Streams the content.
    pub fn chunks(self) -> impl Stream<Item = Result<Vec<u8>>> {
        stream::try_unfold(Step::First(self), Step::next)
    }
}

/// The progress of the stream.
enum Step {
    First(File),
    After(File, Position),
    Last(File),
    End,
}

impl Step {
    async fn next(self) -> Result<Option<(Vec<u8>, Self)>> {
        let (file, position) = match self {
            Self::First(file) => (file, None),
            Self::After(file, position) => (file, Some(position)),
            Self::Last(file) => {
                let tail = if file.export.format == ExportFormat::Json { "]\n" } else { "" };
                return Ok(Some((tail.into(), Self::End)));
            }
            Self::End => return Ok(None),
        };
        let Part { records, reached } = next_entries(&file.app, &file.export, position).await?;
        let chunk = match file.export.format {
            ExportFormat::Csv => csv(position.is_none(), records)?,
            ExportFormat::Json => json(position.is_none(), &records)?,
        };
        let next = match reached {
            Some(position) => Self::After(file, position),
            None => Self::Last(file),
        };
        Ok(Some((chunk, next)))
    }
}

fn json(first: bool, records: &[LogRecord]) -> Result<Vec<u8>> {
    let mut chunk = Vec::new();
    if first {
        chunk.push(b'[');
    }
    for (index, record) in records.iter().enumerate() {
        if !first || index > 0 {
            chunk.extend(b",\n");
        }
        serde_json::to_writer(&mut chunk, &object(record)).map_err(internal)?;
    }
    Ok(chunk)
}

/// An entry as in the console API's list.
fn object(record: &LogRecord) -> Value {
    json!({
        "logId": record.id.to_string(),
        "type": record.level.name(),
        "class": record.class.name(),
        "message": record.message,
        "userId": record.actor_id,
        "userName": record.actor_name,
        "timestamp": record.at,
        "action": record.action,
        "resourceType": record.resource_type,
        "resourceId": record.resource_id,
        "resourceName": record.resource_name,
        "metadata": {
            "ipAddress": record.address,
            "userAgent": record.user_agent,
            "duration": record.duration_micros / 1_000,
            "requestId": record.request_id,
            "details": record.details,
        },
    })
}

fn csv(first: bool, records: Vec<LogRecord>) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    if first {
        writer.write_record(COLUMNS).map_err(internal)?;
    }
    for it in records {
        writer
            .write_record([
                it.id.to_string(),
                it.at.to_string(),
                it.level.name().to_owned(),
                it.class.name().to_owned(),
                it.action,
                cell(it.message),
                it.actor_id.map(|it| it.to_string()).unwrap_or_default(),
                cell(it.actor_name),
                it.resource_type,
                cell(it.resource_id.unwrap_or_default()),
                cell(it.resource_name.unwrap_or_default()),
                it.address.unwrap_or_default(),
                cell(it.user_agent.unwrap_or_default()),
                (it.duration_micros / 1_000).to_string(),
                cell(it.request_id.unwrap_or_default()),
                it.details.to_string(),
            ])
            .map_err(internal)?;
    }
    writer.into_inner().map_err(internal)
}

fn internal(error: impl std::fmt::Display) -> Error {
    Error::internal(error.to_string())
}
