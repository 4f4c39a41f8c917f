//! `/console/logs`, `/console/logs/{logId}`, `/logs/all`, `/logs/search`.

use axum::extract::State;
use grantor_domain::audit::Scheme;
use grantor_domain::error::Fields;
use grantor_domain::id::{InvalidId, TenantId};
use grantor_domain::log::{AskedLogs, LogFilter};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::log::{self, AskedByStaff, LogRecord};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::envelope::{Fine, Listed, Plural};
use super::paging::Paging;
use super::path_id;
use crate::describe::value;
use crate::frame::caller::{SignedIn, Staff};
use crate::frame::extract::{Query, Segment};
use crate::frame::page::ConsolePagination;
use crate::frame::problem::{Problem, ProblemKind};
use crate::frame::settings::ApiState;

/// Which entries. All text until it is parsed, so that each fault is named.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(style = Form, parameter_in = Query, rename_all = "camelCase")]
pub(super) struct Asked {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// Only entries of this level.
    #[serde(rename = "type")]
    #[param(rename = "type", inline, value_type = Option<value::LevelName>)]
    level: Option<String>,
    /// Only changes and ways in (audit), or only what was looked at (access).
    #[param(inline, value_type = Option<value::ClassName>)]
    class: Option<String>,
    /// Not before this day or instant.
    #[param(inline, value_type = Option<value::Day>)]
    start_date: Option<String>,
    /// Up to this instant, or to the end of this day.
    #[param(inline, value_type = Option<value::Day>)]
    end_date: Option<String>,
    /// Only this action, such as team.create.
    #[param(inline, value_type = Option<value::Action>)]
    action: Option<String>,
    /// Words, prefixes such as `win*` and quoted phrases to look for in message, resource and user.
    #[param(inline, value_type = Option<value::Words>)]
    search: Option<String>,
}

/// Whose entries staff wants.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(style = Form, parameter_in = Query, rename_all = "camelCase")]
pub(super) struct Among {
    /// Entries that came through this API; system for the command line and the timetable.
    #[param(required, nullable = false, inline, value_type = value::SchemeName)]
    scheme: Option<String>,
    /// Only those of this organization.
    #[param(inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
}

/// A log entry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogEntry)]
pub(super) struct LogBody {
    #[schema(inline, value_type = value::Id)]
    pub(super) log_id: String,
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::LevelName)]
    pub(super) level: &'static str,
    #[schema(inline, value_type = value::ClassName)]
    pub(super) class: &'static str,
    pub(super) message: String,
    /// Who did it: a user, an API client or, for staff, an admin. Null for staff in an
    /// organization's own log, and where nobody was signed in.
    #[schema(required, inline, value_type = Option<value::Id>)]
    pub(super) user_id: Option<Uuid>,
    pub(super) user_name: String,
    #[schema(value_type = String, format = DateTime)]
    pub(super) timestamp: Timestamp,
    /// resource.verb
    pub(super) action: String,
    pub(super) resource_type: String,
    /// Null where the entry is about no one record.
    #[schema(required)]
    pub(super) resource_id: Option<String>,
    pub(super) resource_name: Option<String>,
    pub(super) metadata: Metadata,
}

/// What else is known of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LogMetadata)]
pub(super) struct Metadata {
    pub(super) ip_address: Option<String>,
    pub(super) user_agent: Option<String>,
    /// Milliseconds.
    pub(super) duration: i64,
    pub(super) request_id: Option<String>,
    /// What this action has to add.
    #[schema(value_type = Object)]
    pub(super) details: Value,
}

/// A log entry as staff sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StaffLogEntry)]
struct StaffLogBody {
    /// Whose log it is in; null for staff's and the system's own.
    #[schema(inline, value_type = Option<value::Id>)]
    organization_id: Option<Uuid>,
    #[schema(inline, value_type = value::SchemeName)]
    scheme: &'static str,
    #[serde(flatten)]
    entry: LogBody,
}

/// A page of everybody's log.
#[derive(Serialize, ToSchema)]
pub(super) struct StaffLogPage {
    logs: Vec<StaffLogBody>,
    total: u64,
    pagination: ConsolePagination,
}

impl Plural for LogBody {
    const PLURAL: &'static str = "logs";
}

impl Asked {
    fn filter(&self) -> Result<LogFilter> {
        LogFilter::parse(AskedLogs {
            level: self.level.as_deref(),
            class: self.class.as_deref(),
            start: self.start_date.as_deref(),
            end: self.end_date.as_deref(),
            action: self.action.as_deref(),
            search: self.search.as_deref(),
        })
    }

    fn paging(&self) -> Paging {
        Paging::of(self.page.clone(), self.limit.clone())
    }
}

impl Among {
    fn read(&self) -> Result<Result<(Scheme, Option<TenantId>)>, Problem> {
        let missing = || Problem::new(ProblemKind::MissingRequired, "The value scheme is required");
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
    Query(asked): Query<Asked>,
) -> Result<Listed<LogBody>, Problem> {
    let (page, filter) = both(asked.paging().read(), asked.filter())?;
    let listing = log::list(&state.app, &caller, filter, page).await?;
    Ok(Listed(listing.map(LogBody::new), "The organization's log"))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<Fine<LogBody>, Problem> {
    let record = log::show(&state.app, &caller, path_id(&id, "log entry")?).await?;
    Ok(Fine(LogBody::new(record), "The log entry"))
}

pub(super) async fn list_all(
    State(state): State<ApiState>,
    _: Staff,
    Query(among): Query<Among>,
    Query(asked): Query<Asked>,
) -> Result<Fine<StaffLogPage>, Problem> {
    let (among, (page, filter)) = both(among.read()?, both(asked.paging().read(), asked.filter()))?;
    let (scheme, tenant) = among;
    let asked = AskedByStaff { scheme, tenant, filter };
    let listing = log::list_all(&state.app, asked, page).await?;
    let (total, pagination) = (listing.total, ConsolePagination::from(&listing));
    let logs = listing.items.into_iter().map(StaffLogBody::from).collect();
    Ok(Fine(StaffLogPage { logs, total, pagination }, "The log"))
}

/// The same: what narrows one narrows the other.
pub(super) async fn search_all(
    state: State<ApiState>,
    staff: Staff,
    among: Query<Among>,
    asked: Query<Asked>,
) -> Result<Fine<StaffLogPage>, Problem> {
    list_all(state, staff, among, asked).await
}

/// Both, or what is wrong with either.
fn both<A, B>(one: Result<A>, other: Result<B>) -> Result<(A, B)> {
    let mut fields = Fields::default();
    let (one, other) = (fields.take_all(one), fields.take_all(other));
    fields.finish()?;
    one.zip(other).ok_or_else(|| Error::validation("The query does not read"))
}
