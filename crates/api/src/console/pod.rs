//! `/pax/pod`, `/pax/pods`, `/pax/{start,pause,stop}/pod/{podId}`, `/pax/{start,pause,stop}/pods`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::{PlatformId, PodId};
use grantor_domain::pod::{Blocker, PodStatus};
use grantor_domain::scan::{PodRun, RunCounts, RunOutcome};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::App;
use grantor_service::pod::{self, ListedPod, Verb};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Fine};
use super::pax::scopes;
use super::{path_id, required};
use crate::describe::value;
use crate::frame::caller::Staff;
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// The pod to be made.
#[derive(Deserialize, ToSchema)]
pub(super) struct PodInput {
    #[schema(required, nullable = false)]
    platform: Option<WhichPlatform>,
    /// read, write, crawl: one or more. Without crawl it does not scan.
    #[schema(required, nullable = false, inline, value_type = value::PaxScopeList)]
    scopes: Option<Vec<String>>,
}

/// A platform of any organization.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WhichPlatform {
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    platform_id: Option<String>,
}

/// A pod.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PodBody {
    #[schema(inline, value_type = value::Id)]
    pod_id: String,
    #[schema(inline, value_type = value::Id)]
    platform_id: String,
    platform_name: String,
    /// running, paused or stopped.
    #[schema(inline, value_type = value::PodStatusName)]
    status: &'static str,
    #[schema(inline, value_type = Vec<value::PaxScopeName>)]
    scopes: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Null before the first start.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_started: Option<Timestamp>,
}

/// A pod with how it does.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PodDetails {
    #[serde(flatten)]
    pod: PodBody,
    metrics: Metrics,
    /// What keeps it from scanning: `pod_not_running`, `scope_crawl_missing`,
    /// `platform_not_verified`, `crawling_disabled`. Nothing when it scans.
    #[schema(inline, value_type = Vec<value::BlockerName>)]
    blocked_by: Vec<&'static str>,
    /// The last ten runs, newest first.
    last_runs: Vec<RunBody>,
}

/// What one run of a pod did.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RunBody {
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// running, ok, partial (some feeds were not read), failed, interrupted or blocked.
    #[schema(inline, value_type = value::RunOutcomeName)]
    outcome: &'static str,
    /// What went wrong, or is to be known.
    reason: Option<String>,
    counts: RunFigures,
}

/// What a run counted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RunFigures {
    requests: u32,
    errors: u32,
    /// Pieces of content that were looked at.
    items: u32,
    /// Those among them that were new or had changed.
    new_items: u32,
    /// Sightings among them that were new.
    mentions: u32,
}

impl From<PodRun> for RunBody {
    fn from(run: PodRun) -> Self {
        let RunCounts { requests, errors, items, new_items, mentions } = run.counts;
        Self {
            started_at: run.started_at,
            ended_at: run.ended_at,
            outcome: run.outcome.map_or("running", RunOutcome::name),
            reason: run.reason,
            counts: RunFigures { requests, errors, items, new_items, mentions },
        }
    }
}

/// How a pod does.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Metrics {
    /// Seconds it ran, all runs together.
    uptime: u64,
    request_count: u32,
    /// Which part of its requests failed, from 0 to 1.
    error_rate: f64,
}

/// Every pod.
#[derive(Serialize, ToSchema)]
pub(super) struct Pods {
    pods: Vec<PodBody>,
    total: usize,
}

/// How many pods were moved.
#[derive(Serialize, ToSchema)]
pub(super) struct Moved {
    moved: u64,
}

impl From<ListedPod> for PodBody {
    fn from(ListedPod { pod, platform_name, .. }: ListedPod) -> Self {
        Self {
            pod_id: pod.id.to_string(),
            platform_id: pod.platform.to_string(),
            platform_name,
            status: pod.status.name(),
            scopes: pod.scopes.names().into_iter().map(str::to_owned).collect(),
            created_at: pod.created_at,
            last_started: pod.last_started_at,
        }
    }
}

impl PodDetails {
    async fn of(app: &App, listed: ListedPod) -> Result<Self> {
        let (now, pod) = (app.clock.now(), &listed.pod);
        let last_runs = pod::last_runs(app, pod.id).await?;
        let metrics = Metrics {
            uptime: pod.uptime_at(now).as_secs(),
            request_count: pod.request_count,
            error_rate: pod.error_rate(),
        };
        let blockers = pod.blockers(listed.verified, listed.crawling_enabled);
        let blocked_by = blockers.into_iter().map(Blocker::name).collect();
        let last_runs = last_runs.into_iter().map(RunBody::from).collect();
        Ok(Self { pod: listed.into(), metrics, blocked_by, last_runs })
    }
}

pub(super) async fn create(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Json(asked): Json<PodInput>,
) -> Result<Created<PodDetails>, Problem> {
    let mut fields = Fields::default();
    let named = asked.platform.unwrap_or_default().platform_id;
    let platform = required(&mut fields, "platform.platformId", named.as_deref());
    let platform = fields.take("platform.platformId", platform.parse::<PlatformId>());
    let scopes = scopes(&mut fields, asked.scopes.as_deref());
    fields.finish()?;
    let (Some(platform), Some(scopes)) = (platform, scopes) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let made = pod::create(&state.app, &context, platform, scopes).await?;
    Ok(Created(PodDetails::of(&state.app, made).await?, "The pod was made"))
}

pub(super) async fn list(State(state): State<ApiState>, _: Staff) -> Result<Fine<Pods>, Problem> {
    let pods: Vec<_> = pod::list(&state.app).await?.into_iter().map(PodBody::from).collect();
    let total = pods.len();
    Ok(Fine(Pods { pods, total }, "All pods"))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    _: Staff,
    Segment(id): Segment,
) -> Result<Fine<PodDetails>, Problem> {
    let id: PodId = path_id(&id, "pod")?;
    let found = pod::get(&state.app, id).await?;
    Ok(Fine(PodDetails::of(&state.app, found).await?, "The pod"))
}

pub(super) async fn make<V: Verb>(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Segment(id): Segment,
) -> Result<Created<PodDetails>, Problem> {
    let id: PodId = path_id(&id, "pod")?;
    let moved = pod::make::<V>(&state.app, &context, id).await?;
    let message = match moved.pod.status {
        PodStatus::Running => "The pod is running",
        PodStatus::Paused => "The pod is paused",
        PodStatus::Stopped => "The pod is stopped",
    };
    Ok(Created(PodDetails::of(&state.app, moved).await?, message))
}

pub(super) async fn make_all<V: Verb>(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
) -> Result<Created<Moved>, Problem> {
    let moved = pod::make_all::<V>(&state.app, &context).await?;
    Ok(Created(Moved { moved }, "All pods were moved that could be"))
}
