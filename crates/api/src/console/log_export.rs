//! `/console/logs/export`, `/console/logs/export/{exportId}`. The file is written while it is sent:
//! however many entries there are, a thousand are in memory.

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use grantor_domain::error::Fields;
use grantor_domain::log::{AskedLogs, ExportFormat, LogFilter};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::App;
use grantor_service::log::{self, Export, LogRecord, Place};
use http::header;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, Schema};

use super::envelope::Created;
use super::log::{ClassKey, LevelKey, LogBody};
use super::{path_id, required};
use crate::describe::{Answer, DescribeAnswer, OperationDoc};
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

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

/// What to export; what is left out does not narrow it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogExportInput)]
pub(super) struct Wanted {
    #[schema(required, nullable = false, inline, value_type = FormatKey)]
    format: Option<String>,
    #[serde(rename = "type")]
    #[schema(inline, value_type = Option<LevelKey>)]
    level: Option<String>,
    #[schema(inline, value_type = Option<ClassKey>)]
    class: Option<String>,
    /// Not before this day or instant.
    start_date: Option<String>,
    /// Up to this instant, or to the end of this day.
    end_date: Option<String>,
    /// Only this action, such as team.create.
    action: Option<String>,
    /// Only entries whose message, resource or user has this text.
    #[schema(min_length = 1, max_length = 100)]
    search: Option<String>,
}

/// Which file, for the document.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used: the domain's own type is parsed")]
enum FormatKey {
    Csv,
    Json,
}

/// An export that is ready.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogExport)]
pub(super) struct ExportBody {
    export_id: String,
    #[schema(inline, value_type = FormatKey)]
    format: &'static str,
    /// Always ready.
    status: &'static str,
    /// How many entries it has.
    entries: u64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// The file of an export.
pub(super) struct File {
    app: App,
    export: Export,
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(wanted): Json<Wanted>,
) -> Result<Created<ExportBody>, Problem> {
    let mut fields = Fields::default();
    let format = required(&mut fields, "format", wanted.format.as_deref());
    let format = fields.take("format", format.parse::<ExportFormat>());
    let filter = fields.take_all(LogFilter::parse(AskedLogs {
        level: wanted.level.as_deref(),
        class: wanted.class.as_deref(),
        start: wanted.start_date.as_deref(),
        end: wanted.end_date.as_deref(),
        action: wanted.action.as_deref(),
        search: wanted.search.as_deref(),
    }));
    fields.finish()?;
    let (format, filter) =
        format.zip(filter).ok_or_else(|| Error::validation("Some fields are not valid"))?;
    let export = log::export(&state.app, &context, caller, format, filter).await?;
    let body = ExportBody {
        export_id: export.id.to_string(),
        format: export.format.name(),
        status: "ready",
        entries: export.entries,
        created_at: export.created_at,
        expires_at: export.expires_at,
    };
    Ok(Created(body, "The export is ready"))
}

pub(super) async fn fetch(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<File, Problem> {
    let export = log::find_export(&state.app, &caller, path_id(&id, "export")?).await?;
    Ok(File { app: state.app.clone(), export })
}

impl IntoResponse for File {
    fn into_response(self) -> Response {
        let format = self.export.format;
        let kind = match format {
            ExportFormat::Csv => "text/csv; charset=utf-8",
            ExportFormat::Json => "application/json",
        };
        let name = format!("attachment; filename=\"logs-{}.{format}\"", self.export.id);
        let headers =
            [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)];
        (headers, Body::from_stream(stream::try_unfold(Step::First(self), Step::take)))
            .into_response()
    }
}

impl DescribeAnswer for File {
    fn describe(doc: &mut OperationDoc) {
        let item = doc.schema::<LogBody>();
        let schema = RefOr::T(Schema::from(ArrayBuilder::new().items(item).build()));
        doc.answers.push(Answer { status: 200, schema });
        doc.other_forms.push("text/csv");
    }
}

/// How far the file is written.
enum Step {
    First(File),
    After(File, Place),
    Last(File),
    End,
}

impl Step {
    async fn take(self) -> Result<Option<(Bytes, Self)>> {
        let (file, place) = match self {
            Self::First(file) => (file, None),
            Self::After(file, place) => (file, Some(place)),
            Self::Last(file) => {
                let tail = if file.export.format == ExportFormat::Json { "]\n" } else { "" };
                return Ok(Some((Bytes::from(tail), Self::End)));
            }
            Self::End => return Ok(None),
        };
        let records = log::next_entries(&file.app, &file.export, place).await?;
        let last = records.last().map(|it| (it.at, it.id));
        let part = match file.export.format {
            ExportFormat::Csv => csv(place.is_none(), records)?,
            ExportFormat::Json => json(place.is_none(), records)?,
        };
        let next = match last {
            Some(place) => Self::After(file, place),
            None => Self::Last(file),
        };
        Ok(Some((Bytes::from(part), next)))
    }
}

fn json(first: bool, records: Vec<LogRecord>) -> Result<Vec<u8>> {
    let mut part = Vec::new();
    if first {
        part.push(b'[');
    }
    for (index, record) in records.into_iter().enumerate() {
        if !first || index > 0 {
            part.extend(b",\n");
        }
        serde_json::to_writer(&mut part, &LogBody::own(record)).map_err(fault)?;
    }
    Ok(part)
}

fn csv(first: bool, records: Vec<LogRecord>) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    if first {
        writer.write_record(COLUMNS).map_err(fault)?;
    }
    for record in records {
        let body = LogBody::own(record);
        writer
            .write_record([
                body.log_id,
                body.timestamp.to_string(),
                body.level.to_owned(),
                body.class.to_owned(),
                body.action,
                cell(body.message),
                body.user_id.map(|it| it.to_string()).unwrap_or_default(),
                cell(body.user_name),
                body.resource_type,
                cell(body.resource_id.unwrap_or_default()),
                cell(body.resource_name.unwrap_or_default()),
                body.metadata.ip_address.unwrap_or_default(),
                cell(body.metadata.user_agent.unwrap_or_default()),
                body.metadata.duration.to_string(),
                cell(body.metadata.request_id.unwrap_or_default()),
                body.metadata.details.to_string(),
            ])
            .map_err(fault)?;
    }
    writer.into_inner().map_err(fault)
}

/// A spreadsheet would run what begins like a formula: an apostrophe makes it text.
fn cell(text: String) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text }
}

fn fault(error: impl std::fmt::Display) -> Error {
    Error::internal(error.to_string())
}
