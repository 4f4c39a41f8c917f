//! `/console/logs/export`, `/console/logs/export/{exportId}`. The file is streamed, with at most a
//! thousand entries in memory.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use grantor_domain::error::Fields;
use grantor_domain::log::{ExportFormat, LogFilter, LogParams};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::log::{self, File};
use http::header;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, Schema};

use super::envelope::Created;
use super::log::LogBody;
use super::{path_id, required};
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::describe::{DescribeResponse, OperationDoc, ResponseDoc};
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The log entries to export. Omitted filters match all entries.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogExportInput)]
pub(super) struct ExportInput {
    /// The file format.
    #[schema(required, nullable = false, inline, value_type = value::ExportFormatName)]
    format: Option<String>,
    /// Only export entries of this level.
    #[serde(rename = "type")]
    #[schema(inline, value_type = Option<value::LevelName>)]
    level: Option<String>,
    /// Only export entries of this class: `audit` for changes and sign-ins, `access` for reads.
    #[schema(inline, value_type = Option<value::ClassName>)]
    class: Option<String>,
    /// Only export entries at or after this date or time.
    #[schema(inline, value_type = Option<value::Day>)]
    start_date: Option<String>,
    /// Only export entries until this time, or until the end of this date.
    #[schema(inline, value_type = Option<value::Day>)]
    end_date: Option<String>,
    /// Only export entries of this action, such as `team.create`.
    #[schema(inline, value_type = Option<value::Action>)]
    action: Option<String>,
    /// Searches message, resource and user. Supports words, prefixes such as `win*` and quoted
    /// phrases.
    #[schema(inline, value_type = Option<value::Words>)]
    search: Option<String>,
}

/// A log export.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogExport)]
pub(super) struct ExportBody {
    /// The export's ID.
    #[schema(inline, value_type = value::Id)]
    export_id: String,
    /// The file format.
    #[schema(inline, value_type = value::ExportFormatName)]
    format: &'static str,
    /// Always `ready`.
    #[schema(inline, value_type = value::ReadyWord)]
    status: &'static str,
    /// The number of entries.
    entries: u64,
    /// When the export was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the export expires.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// The file of an export.
pub(super) struct Download(File);

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(input): Json<ExportInput>,
) -> Result<Created<ExportBody>, Problem> {
    let mut fields = Fields::default();
    let format = required(&mut fields, "format", input.format.as_deref());
    let format = fields.take("format", format.parse::<ExportFormat>());
    let filter = fields.take_all(LogFilter::parse(LogParams {
        level: input.level.as_deref(),
        class: input.class.as_deref(),
        start: input.start_date.as_deref(),
        end: input.end_date.as_deref(),
        action: input.action.as_deref(),
        search: input.search.as_deref(),
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
) -> Result<Download, Problem> {
    let export = log::find_export(&state.app, &caller, path_id(&id, "export")?).await?;
    Ok(Download(File::new(state.app.clone(), export)))
}

impl IntoResponse for Download {
    fn into_response(self) -> Response {
        let name = format!("attachment; filename=\"{}\"", self.0.name());
        let kind = self.0.media_type().to_owned();
        let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)];
        (headers, Body::from_stream(self.0.chunks())).into_response()
    }
}

impl DescribeResponse for Download {
    fn describe(doc: &mut OperationDoc) {
        doc.headers.push("Content-Disposition");
        let item = doc.schema::<LogBody>();
        let schema = RefOr::T(Schema::from(ArrayBuilder::new().items(item).build()));
        doc.responses.push(ResponseDoc { status: 200, schema });
        doc.other_media_types.push("text/csv");
    }
}
