//! `/console/logs`, `/console/logs/{logId}`, `/logs/all`, `/logs/search`.

use axum::extract::State;
use grantor_domain::audit::Scheme;
use grantor_domain::error::Fields;
use grantor_domain::id::{InvalidId, TenantId};
use grantor_domain::log::{LogFilter, LogParams};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::log::{self, LogRecord, StaffLogQuery};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::envelope::{Data, PageOf, Plural};
use super::paging::Paging;
use super::path_id;
use crate::frame::caller::{SignedIn, Staff};
use crate::frame::describe::value;
use crate::frame::extract::{Query, Segment};
use crate::frame::page::ConsolePagination;
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::state::ApiState;

/// The query parameters. Values stay text until they are parsed, so that all invalid ones are
/// reported.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(style = Form, parameter_in = Query, rename_all = "camelCase")]
pub(super) struct ListParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// Only return entries of this level.
    #[serde(rename = "type")]
    #[param(rename = "type", inline, value_type = Option<value::LevelName>)]
    level: Option<String>,
    /// Only return entries of this class: `audit` for changes and sign-ins, `access` for reads.
    #[param(inline, value_type = Option<value::ClassName>)]
    class: Option<String>,
    /// Only return entries at or after this date or time.
    #[param(inline, value_type = Option<value::Day>)]
    start_date: Option<String>,
    /// Only return entries until this time, or until the end of this date.
    #[param(inline, value_type = Option<value::Day>)]
    end_date: Option<String>,
    /// Only return entries of this action, such as `team.create`.
    #[param(inline, value_type = Option<value::Action>)]
    action: Option<String>,
    /// Searches message, resource and user. Supports words, prefixes such as `win*` and quoted
    /// phrases.
    #[param(inline, value_type = Option<value::Words>)]
    search: Option<String>,
}

/// Additional query parameters for staff.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(style = Form, parameter_in = Query, rename_all = "camelCase")]
pub(super) struct StaffParams {
    /// Only return entries of this API, or `system` for the command line and background jobs.
    #[param(required, nullable = false, inline, value_type = value::SchemeName)]
    scheme: Option<String>,
    /// Only return entries of this organization.
    #[param(inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
}

/// A log entry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogEntry)]
pub(super) struct LogBody {
    /// The entry's ID.
    #[schema(inline, value_type = value::Id)]
    pub(super) log_id: String,
    /// The entry's level.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::LevelName)]
    pub(super) level: &'static str,
    /// The entry's class: `audit` for changes and sign-ins, `access` for reads.
    #[schema(inline, value_type = value::ClassName)]
    pub(super) class: &'static str,
    /// The message.
    pub(super) message: String,
    /// The ID of the user, API client or staff member who acted. Null for staff in an
    /// organization's own log, and for unauthenticated requests.
    #[schema(required, inline, value_type = Option<value::Id>)]
    pub(super) user_id: Option<Uuid>,
    /// The name of the user, API client or staff member who acted.
    pub(super) user_name: String,
    /// When the action happened.
    #[schema(value_type = String, format = DateTime)]
    pub(super) timestamp: Timestamp,
    /// The action, as `resource.verb`.
    pub(super) action: String,
    /// The type of the affected record.
    pub(super) resource_type: String,
    /// The ID of the affected record. Null if the entry is not about a single record.
    #[schema(required)]
    pub(super) resource_id: Option<String>,
    /// The name of the affected record.
    pub(super) resource_name: Option<String>,
    pub(super) metadata: Metadata,
}

/// Additional information about a log entry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogMetadata)]
pub(super) struct Metadata {
    /// The client's IP address.
    pub(super) ip_address: Option<String>,
    /// The client's user agent.
    pub(super) user_agent: Option<String>,
    /// The duration in milliseconds.
    pub(super) duration: i64,
    /// The request ID.
    pub(super) request_id: Option<String>,
    /// Details specific to the action.
    #[schema(value_type = Object)]
    pub(super) details: Value,
}

/// A log entry for staff.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StaffLogEntry)]
struct StaffLogBody {
    /// The organization of the entry. Null for entries of staff and the system.
    #[schema(inline, value_type = Option<value::Id>)]
    organization_id: Option<Uuid>,
    /// The API that the entry belongs to, or `system`.
    #[schema(inline, value_type = value::SchemeName)]
    scheme: &'static str,
    #[serde(flatten)]
    entry: LogBody,
}

/// A page of log entries.
#[derive(Serialize, ToSchema)]
pub(super) struct StaffLogPage {
    /// The entries.
    logs: Vec<StaffLogBody>,
    /// The total number of entries.
    total: u64,
    pagination: ConsolePagination,
}

impl Plural for LogBody {
    const PLURAL: &'static str = "logs";
}

impl ListParams {
    fn filter(&self) -> Result<LogFilter> {
        LogFilter::parse(LogParams {
            level: self.level.as_deref(),
            class: self.class.as_deref(),
            start: self.start_date.as_deref(),
            end: self.end_date.as_deref(),
            action: self.action.as_deref(),
            search: self.search.as_deref(),
        })
    }

    fn paging(&self) -> Paging {
        Paging::new(self.page.clone(), self.limit.clone())
    }
}

impl StaffParams {
    /// Parses the parameters. A missing scheme is a different error than an invalid one.
    fn read(&self) -> Result<Result<(Scheme, Option<TenantId>)>, Problem> {
        let missing = || {
            let message = "The query parameter scheme is required";
            Problem::new(ProblemKind::MissingRequired, message)
        };
        let scheme = self.scheme.as_deref().ok_or_else(missing)?;
        let tenant = self.organization_id.as_deref().map(str::parse).transpose();
        let scheme = scheme.parse().map_err(|it: String| Error::field("scheme", it));
        let tenant = tenant.map_err(|it: InvalidId| Error::field("organizationId", it.to_string()));
        Ok(both(scheme, tenant))
    }
}

impl LogBody {
    fn new(record: LogRecord) -> Self {
        Self {
            log_id: record.id.to_string(),
            level: record.level.name(),
            class: record.class.name(),
            message: record.message,
            user_id: record.actor_id,
            user_name: record.actor_name,
            timestamp: record.at,
            action: record.action,
            resource_type: record.resource_type,
            resource_id: record.resource_id,
            resource_name: record.resource_name,
            metadata: Metadata {
                ip_address: record.address,
                user_agent: record.user_agent,
                duration: record.duration_micros / 1_000,
                request_id: record.request_id,
                details: record.details,
            },
        }
    }
}

impl From<LogRecord> for StaffLogBody {
    fn from(record: LogRecord) -> Self {
        Self {
            organization_id: record.tenant.map(TenantId::as_uuid),
            scheme: record.scheme.name(),
            entry: LogBody::new(record),
        }
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(params): Query<ListParams>,
) -> Result<PageOf<LogBody>, Problem> {
    let (page, filter) = both(params.paging().read(), params.filter())?;
    let listing = log::list(&state.app, &caller, filter, page).await?;
    Ok(PageOf(listing.map(LogBody::new), "Log entries"))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<Data<LogBody>, Problem> {
    let record = log::get(&state.app, &caller, path_id(&id, "log entry")?).await?;
    Ok(Data(LogBody::new(record), "Log entry"))
}

pub(super) async fn list_all(
    State(state): State<ApiState>,
    _: Staff,
    Query(staff_params): Query<StaffParams>,
    Query(params): Query<ListParams>,
) -> Result<Data<StaffLogPage>, Problem> {
    let rest = both(params.paging().read(), params.filter());
    let ((scheme, tenant), (page, filter)) = both(staff_params.read()?, rest)?;
    let params = StaffLogQuery { scheme, tenant, filter };
    let listing = log::list_all(&state.app, params, page).await?;
    let (total, pagination) = (listing.total, ConsolePagination::from(&listing));
    let logs = listing.items.into_iter().map(StaffLogBody::from).collect();
    Ok(Data(StaffLogPage { logs, total, pagination }, "Log entries"))
}

/// Same as [`list_all`], at another path.
pub(super) async fn search_all(
    state: State<ApiState>,
    staff: Staff,
    staff_params: Query<StaffParams>,
    params: Query<ListParams>,
) -> Result<Data<StaffLogPage>, Problem> {
    list_all(state, staff, staff_params, params).await
}

/// Returns both values, or the errors of both.
fn both<A, B>(one: Result<A>, other: Result<B>) -> Result<(A, B)> {
    let mut fields = Fields::default();
    let (one, other) = (fields.take_all(one), fields.take_all(other));
    fields.finish()?;
    one.zip(other).ok_or_else(|| Error::validation("The query is not valid"))
}
