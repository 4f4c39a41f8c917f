//! `/sources`, `/sources/{id}`, their scans and scans on demand.

mod body;

use axum::extract::State;
use grantor_domain::Result;
use grantor_domain::error::Fields;
use grantor_domain::id::TalentId;
use grantor_domain::patch::Patch;
use grantor_domain::platform::DetectionFrequency;
use grantor_domain::source::{
    NewSource, SourceName, SourceParams, SourcePatch, SourceQuery, SourceStatus, WatchedTalents,
};
use grantor_service::watching::source::{self, ListedSource};
use http::{HeaderMap, Uri};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use self::body::{CreatedSourceBody, SourceBody, SourceRunBody};
use super::bookmark::NoContent;
use super::path_id;
use super::webhook::not_null;
use crate::frame::api::Api;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{Created, ListOf, ResponseOf};
use crate::frame::etag;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::ignored_fields::JsonWithIgnored;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// Why a selection of talents is refused.
const TALENTS: &str = "must be \"all\" or a list of talent IDs";

/// Which sources to list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
    /// Only return sources with this status.
    #[param(inline, value_type = Option<value::SourceStatusName>)]
    status: Option<String>,
}

impl ListParams {
    fn parse(&self) -> Result<SourceQuery> {
        let params = SourceParams {
            page: self.page.as_deref(),
            size: self.per_page.as_deref(),
            status: self.status.as_deref(),
        };
        SourceQuery::parse(&params, Api::External.page_rules())
    }
}

/// The source to create.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewSource)]
pub(super) struct SourceInput {
    /// The address to watch: a feed, a sitemap, a page or a profile on a service such as Mastodon,
    /// Bluesky or YouTube. `https://` may be omitted.
    #[schema(required, nullable = false, inline, value_type = value::PastedUrl)]
    url: Option<String>,
    /// A name. At most 120 characters. Defaults to the title found at the address.
    #[schema(inline, value_type = Option<value::SourceTitle>)]
    name: Option<String>,
    /// How often to scan. Defaults to `daily`.
    #[schema(inline, value_type = Option<value::FrequencyName>)]
    frequency: Option<String>,
    /// `running` (the default) or `paused`.
    #[schema(inline, value_type = Option<value::SourceStatusName>)]
    status: Option<String>,
    /// The talents to look for: `all` (the default), or a list of 1 to 1000 IDs of the caller's
    /// talents.
    #[schema(inline, value_type = Option<value::SourceTalents>)]
    talents: Option<Value>,
}

/// The fields to change. Omitted fields keep their value; others are ignored and listed in the
/// `X-Ignored-Fields` header, also `url`: to watch another address, create another source.
#[derive(Deserialize, ToSchema)]
#[schema(as = SourceChange)]
pub(super) struct SourceChangeInput {
    /// The name. At most 120 characters.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::SourceTitle>)]
    name: Patch<String>,
    /// How often to scan.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::FrequencyName>)]
    frequency: Patch<String>,
    /// `paused` stops scanning; `running` resumes it.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::SourceStatusName>)]
    status: Patch<String>,
    /// The talents to look for: `all`, or a list of 1 to 1000 IDs of the caller's talents.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::SourceTalents>)]
    talents: Patch<Value>,
}

/// The last scans of a source.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceRuns)]
pub(super) struct RunsBody {
    /// The last ten scans since the source was created, newest first.
    runs: Vec<SourceRunBody>,
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Query(params): Query<ListParams>,
) -> Result<ListOf<SourceBody>, Problem> {
    let page = source::list(&state.app, caller.tenant, params.parse()?).await?;
    Ok(ListOf::page(page.map(|it| SourceBody::new(&state.app, it)), &uri))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Json(input): Json<SourceInput>,
) -> Result<Created<CreatedSourceBody>, Problem> {
    let new = read_new(&input)?;
    let made = source::create(&state.app, &context, (&*caller).into(), new).await?;
    Ok(Created(CreatedSourceBody::new(&state.app, made)))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    headers: HeaderMap,
    Segment(id): Segment,
) -> Result<ResponseOf<SourceBody>, Problem> {
    let found = source::get(&state.app, caller.tenant, path_id(&id)?).await?;
    tagged(&state, &headers, found)
}

pub(super) async fn change(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    headers: HeaderMap,
    Segment(id): Segment,
    JsonWithIgnored { body: input, ignored }: JsonWithIgnored<SourceChangeInput>,
) -> Result<ResponseOf<SourceBody>, Problem> {
    let id = path_id(&id)?;
    let patch = SourcePatch { expected: etag::required_versions(&headers), ..read_change(input)? };
    let changed = source::change(&state.app, &context, (&*caller).into(), id, patch).await?;
    Ok(tagged(&state, &HeaderMap::new(), changed)?.ignoring(&ignored))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    source::delete(&state.app, &context, (&*caller).into(), path_id(&id)?).await?;
    Ok(NoContent)
}

pub(super) async fn runs(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<RunsBody>, Problem> {
    let runs = source::last_runs(&state.app, caller.tenant, path_id(&id)?).await?;
    Ok(axum::Json(RunsBody { runs: runs.into_iter().map(SourceRunBody::from).collect() }))
}

pub(super) async fn scan(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<SourceBody>, Problem> {
    let asked = source::scan_now(&state.app, &context, (&*caller).into(), path_id(&id)?).await?;
    Ok(axum::Json(SourceBody::new(&state.app, asked)))
}

/// Returns the source with its entity tag. Scans change what is shown, but not the version.
fn tagged(
    state: &ApiState,
    headers: &HeaderMap,
    listed: ListedSource,
) -> Result<ResponseOf<SourceBody>, Problem> {
    let version = listed.source.version;
    Ok(etag::versioned(headers, version, &SourceBody::new(&state.app, listed))?)
}

fn read_new(input: &SourceInput) -> Result<NewSource> {
    let mut fields = Fields::default();
    let url = input.url.as_deref().filter(|it| !it.trim().is_empty()).ok_or("is required");
    let url = fields.take("url", url);
    let name = input.name.as_deref().map(SourceName::parse);
    let name = name.and_then(|it| fields.take("name", it));
    let frequency = input.frequency.as_deref().map_or(Ok(DetectionFrequency::Daily), str::parse);
    let frequency = fields.take("frequency", frequency);
    let status = input.status.as_deref().map_or(Ok(SourceStatus::Running), str::parse);
    let status = fields.take("status", status);
    let talents = input.talents.as_ref().map_or(Ok(WatchedTalents::All), read_talents);
    let talents = fields.take("talents", talents);
    fields.finish()?;
    Ok(NewSource {
        url: url.unwrap_or_default().to_owned(),
        name,
        frequency: frequency.unwrap_or(DetectionFrequency::Daily),
        status: status.unwrap_or_default(),
        talents: talents.unwrap_or_default(),
    })
}

fn read_change(input: SourceChangeInput) -> Result<SourcePatch> {
    let mut fields = Fields::default();
    let name = not_null(&mut fields, "name", input.name, "must be a string");
    let name = name.and_then(|it| fields.take("name", SourceName::parse(&it)));
    let frequency = not_null(&mut fields, "frequency", input.frequency, "must be a string");
    let frequency = frequency.and_then(|it| fields.take("frequency", it.parse()));
    let status = not_null(&mut fields, "status", input.status, "must be a string");
    let status = status.and_then(|it| fields.take("status", it.parse()));
    let talents = not_null(&mut fields, "talents", input.talents, TALENTS);
    let talents = talents.and_then(|it| fields.take("talents", read_talents(&it)));
    fields.finish()?;
    Ok(SourcePatch { name, frequency, status, talents, expected: None })
}

/// Parses `all` or a list of IDs.
fn read_talents(value: &Value) -> Result<WatchedTalents, String> {
    match value {
        Value::String(word) if word == "all" => Ok(WatchedTalents::All),
        Value::Array(items) => {
            let id = |it: &Value| it.as_str().and_then(|it| it.parse::<TalentId>().ok());
            let ids: Option<Vec<_>> = items.iter().map(id).collect();
            ids.ok_or_else(|| TALENTS.to_owned()).and_then(WatchedTalents::listed)
        }
        _ => Err(TALENTS.to_owned()),
    }
}
