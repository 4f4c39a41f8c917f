//! `/console/logs/export`, `/console/logs/export/{exportId}`. The file is written while it is sent:
//! however many entries there are, a thousand are in memory.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use grantor_domain::error::Fields;
use grantor_domain::log::{AskedLogs, ExportFormat, LogFilter};
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
use crate::describe::value;
use crate::describe::{Answer, DescribeAnswer, OperationDoc};
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// What to export; what is left out does not narrow it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogExportInput)]
pub(super) struct Wanted {
    #[schema(required, nullable = false, inline, value_type = value::ExportFormatName)]
    format: Option<String>,
    #[serde(rename = "type")]
    #[schema(inline, value_type = Option<value::LevelName>)]
    level: Option<String>,
    #[schema(inline, value_type = Option<value::ClassName>)]
    class: Option<String>,
    /// Not before this day or instant.
    #[schema(inline, value_type = Option<value::Day>)]
    start_date: Option<String>,
    /// Up to this instant, or to the end of this day.
    #[schema(inline, value_type = Option<value::Day>)]
    end_date: Option<String>,
    /// Only this action, such as team.create.
    #[schema(inline, value_type = Option<value::Action>)]
    action: Option<String>,
    /// Words, prefixes such as `win*` and quoted phrases to look for in message, resource and user.
    #[schema(inline, value_type = Option<value::Words>)]
    search: Option<String>,
}

/// An export that is ready.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogExport)]
pub(super) struct ExportBody {
    #[schema(inline, value_type = value::Id)]
    export_id: String,
    #[schema(inline, value_type = value::ExportFormatName)]
    format: &'static str,
    /// Always ready.
    #[schema(inline, value_type = value::ReadyWord)]
    status: &'static str,
    /// How many entries it has.
    entries: u64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// The file of an export.
pub(super) struct Download(File);

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
) -> Result<Download, Problem> {
    let export = log::find_export(&state.app, &caller, path_id(&id, "export")?).await?;
    Ok(Download(File::new(state.app.clone(), export)))
}

impl IntoResponse for Download {
    fn into_response(self) -> Response {
        let name = format!("attachment; filename=\"{}\"", self.0.name());
        let kind = self.0.media_type().to_owned();
        let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)];
        (headers, Body::from_stream(self.0.pieces())).into_response()
    }
}

impl DescribeAnswer for Download {
    fn describe(doc: &mut OperationDoc) {
        let item = doc.schema::<LogBody>();
        let schema = RefOr::T(Schema::from(ArrayBuilder::new().items(item).build()));
        doc.answers.push(Answer { status: 200, schema });
        doc.other_forms.push("text/csv");
    }
}
