//! `/pax/sources`, `/pax/{stop,resume}/source/{sourceId}`, `/pax/stop/sources`: the sources of all
//! organizations, for staff.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::SourceId;
use grantor_domain::source::{HostedService, StaffSourceQuery};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::watching::source::{self, ListedSource, StaffSource};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Created, PageOf, Plural};
use super::paging::Paging;
use super::path_id;
use crate::frame::caller::Staff;
use crate::frame::describe::value;
use crate::frame::extract::{Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// Which sources to list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// Only return sources that staff stopped (`true`), or only others (`false`).
    #[param(value_type = Option<bool>)]
    stopped: Option<String>,
}

impl ListParams {
    fn parse(self) -> Result<StaffSourceQuery> {
        let mut fields = Fields::default();
        let stopped = match self.stopped.as_deref() {
            None => None,
            Some("true") => Some(true),
            Some("false") => Some(false),
            Some(_) => {
                fields.add("stopped", "must be true or false");
                None
            }
        };
        let page = fields.take_all(Paging::new(self.page, self.limit).read());
        fields.finish()?;
        let page = page.ok_or_else(|| Error::validation("The query is not valid"))?;
        Ok(StaffSourceQuery { page, stopped, failing: false })
    }
}

/// A source of any organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StaffSource)]
pub(super) struct StaffSourceBody {
    /// The source's ID.
    #[schema(inline, value_type = value::Id)]
    source_id: String,
    /// The ID of the organization that watches the address.
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    /// The source's name.
    name: String,
    /// The watched address.
    url: String,
    /// The address that is fetched.
    feed_url: String,
    /// What is read: `feed`, `sitemap` or `page`.
    #[schema(inline, value_type = value::FeedKindName)]
    kind: &'static str,
    /// The service that hosts the profile. Null for a site of its own.
    #[schema(required, inline, value_type = Option<value::HostedServiceName>)]
    service: Option<&'static str>,
    /// How often the source is scanned.
    #[schema(inline, value_type = value::FrequencyName)]
    frequency: &'static str,
    /// Whether the organization wants the source to be scanned: `running` or `paused`.
    #[schema(inline, value_type = value::SourceStatusName)]
    status: &'static str,
    /// When staff stopped the source, if they did.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    stopped_at: Option<Timestamp>,
    /// When the source was last read.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_scan_at: Option<Timestamp>,
    /// When the source is scanned next. Null if it is not scanned or waits for a push.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    next_scan_at: Option<Timestamp>,
    /// Since when scans have been failing, if they are failing.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    failing_since: Option<Timestamp>,
    /// When the source was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// A source in the list of all sources.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ListedStaffSource)]
pub(super) struct ListedSourceBody {
    #[serde(flatten)]
    source: StaffSourceBody,
    /// The name of the organization that watches the address.
    organization_name: String,
}

impl Plural for ListedSourceBody {
    const PLURAL: &'static str = "sources";
}

/// The result of stopping all sources.
#[derive(Serialize, ToSchema)]
#[schema(as = StoppedSources)]
pub(super) struct StoppedBody {
    /// The number of sources that were stopped.
    stopped: u64,
}

impl From<ListedSource> for StaffSourceBody {
    fn from(ListedSource { source, feed, .. }: ListedSource) -> Self {
        let next_scan_at = feed.due_at.filter(|_| source.is_active() && !feed.push_only);
        Self {
            source_id: source.id.to_string(),
            organization_id: source.tenant.to_string(),
            name: source.name.as_str().to_owned(),
            url: source.url,
            feed_url: feed.url,
            kind: feed.kind.name(),
            service: feed.service.map(HostedService::name),
            frequency: source.frequency.name(),
            status: source.status.name(),
            stopped_at: source.stopped,
            last_scan_at: feed.last_scan_at,
            next_scan_at,
            failing_since: feed.failing_since,
            created_at: source.created_at,
        }
    }
}

impl From<StaffSource> for ListedSourceBody {
    fn from(StaffSource { listed, tenant_name }: StaffSource) -> Self {
        Self { source: listed.into(), organization_name: tenant_name }
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    _: Staff,
    Query(params): Query<ListParams>,
) -> Result<PageOf<ListedSourceBody>, Problem> {
    let found = source::list_all(&state.app, params.parse()?).await?;
    Ok(PageOf(found.map(ListedSourceBody::from), "All sources"))
}

pub(super) async fn stop(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Segment(id): Segment,
) -> Result<Created<StaffSourceBody>, Problem> {
    let id: SourceId = path_id(&id, "source")?;
    let stopped = source::stop(&state.app, &context, id).await?;
    Ok(Created(stopped.into(), "The source is stopped"))
}

pub(super) async fn resume(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Segment(id): Segment,
) -> Result<Created<StaffSourceBody>, Problem> {
    let id: SourceId = path_id(&id, "source")?;
    let resumed = source::resume(&state.app, &context, id).await?;
    Ok(Created(resumed.into(), "The source is no longer stopped"))
}

pub(super) async fn stop_all(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
) -> Result<Created<StoppedBody>, Problem> {
    let stopped = source::stop_all(&state.app, &context).await?;
    Ok(Created(StoppedBody { stopped }, "Sources stopped"))
}
