//! `/pax/pod`, `/pax/pods`, `/pax/{start,pause,stop,scan}/pod/{podId}`,
//! `/pax/{start,pause,stop}/pods`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::{PlatformId, PodId};
use grantor_domain::pod::{Blocker, PodStatus};
use grantor_domain::scan::{PodRun, RunCounts, RunOutcome};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::App;
use grantor_service::watching::pod::{self, Command, ListedPod};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Data};
use super::pax::scopes;
use super::{path_id, required};
use crate::frame::caller::Staff;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The pod to create.
#[derive(Deserialize, ToSchema)]
pub(super) struct PodInput {
    #[schema(required, nullable = false)]
    platform: Option<PlatformRef>,
    /// The scopes: `read`, `write` and `crawl`. A pod without `crawl` doesn't scan.
    #[schema(required, nullable = false, inline, value_type = value::PaxScopeList)]
    scopes: Option<Vec<String>>,
}

/// A platform of any organization.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhichPlatform)]
struct PlatformRef {
    /// The platform's ID.
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    platform_id: Option<String>,
}

/// A pod, which scans the feeds of a platform.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PodBody {
    /// The pod's ID.
    #[schema(inline, value_type = value::Id)]
    pod_id: String,
    /// The platform's ID.
    #[schema(inline, value_type = value::Id)]
    platform_id: String,
    /// The platform's name.
    platform_name: String,
    /// The pod's status: `running`, `paused` or `stopped`.
    #[schema(inline, value_type = value::PodStatusName)]
    status: &'static str,
    /// The pod's scopes.
    #[schema(inline, value_type = Vec<value::PaxScopeName>)]
    scopes: Vec<String>,
    /// When the pod was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the pod was last started. Null before the first start.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_started: Option<Timestamp>,
}

/// A pod with its metrics and recent runs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PodDetails {
    #[serde(flatten)]
    pod: PodBody,
    metrics: Metrics,
    /// The reasons why the pod doesn't scan: `pod_not_running`, `scope_crawl_missing`,
    /// `platform_not_verified` or `crawling_disabled`. Empty if it scans.
    #[schema(inline, value_type = Vec<value::BlockerName>)]
    blocked_by: Vec<&'static str>,
    /// The last ten runs, newest first.
    last_runs: Vec<RunBody>,
}

/// A run of a pod.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RunBody {
    /// When the run started.
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When the run ended. Null while it is running.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// The outcome: `running`, `ok`, `partial` (some feeds were not read), `failed`, `interrupted`
    /// or `blocked`.
    #[schema(inline, value_type = value::RunOutcomeName)]
    outcome: &'static str,
    /// Details of the outcome, if any.
    reason: Option<String>,
    counts: RunCountsBody,
}

/// The counters of a run.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RunFigures)]
struct RunCountsBody {
    /// The number of requests.
    requests: u32,
    /// The number of failed requests.
    errors: u32,
    /// The number of content items scanned.
    items: u32,
    /// The number of items that were new or changed.
    new_items: u32,
    /// The number of new mentions.
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
            counts: RunCountsBody { requests, errors, items, new_items, mentions },
        }
    }
}

/// The metrics of a pod.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Metrics {
    /// The total running time in seconds.
    uptime: u64,
    /// The number of requests.
    request_count: u32,
    /// The share of failed requests, from 0 to 1.
    error_rate: f64,
}

/// All pods.
#[derive(Serialize, ToSchema)]
pub(super) struct Pods {
    /// The pods.
    pods: Vec<PodBody>,
    /// The number of pods.
    total: usize,
}

/// The result of changing the status of all pods.
#[derive(Serialize, ToSchema)]
#[schema(as = Moved)]
pub(super) struct ChangedPods {
    /// The number of pods whose status changed.
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
    Json(input): Json<PodInput>,
) -> Result<Created<PodDetails>, Problem> {
    let mut fields = Fields::default();
    let named = input.platform.unwrap_or_default().platform_id;
    let platform = required(&mut fields, "platform.platformId", named.as_deref());
    let platform = fields.take("platform.platformId", platform.parse::<PlatformId>());
    let scopes = scopes(&mut fields, input.scopes.as_deref());
    fields.finish()?;
    let (Some(platform), Some(scopes)) = (platform, scopes) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let made = pod::create(&state.app, &context, platform, scopes).await?;
    Ok(Created(PodDetails::of(&state.app, made).await?, "Pod created"))
}

pub(super) async fn list(State(state): State<ApiState>, _: Staff) -> Result<Data<Pods>, Problem> {
    let pods: Vec<_> = pod::list(&state.app).await?.into_iter().map(PodBody::from).collect();
    let total = pods.len();
    Ok(Data(Pods { pods, total }, "All pods"))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    _: Staff,
    Segment(id): Segment,
) -> Result<Data<PodDetails>, Problem> {
    let id: PodId = path_id(&id, "pod")?;
    let found = pod::get(&state.app, id).await?;
    Ok(Data(PodDetails::of(&state.app, found).await?, "The pod"))
}

pub(super) async fn apply<V: Command>(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Segment(id): Segment,
) -> Result<Created<PodDetails>, Problem> {
    let id: PodId = path_id(&id, "pod")?;
    let moved = pod::apply::<V>(&state.app, &context, id).await?;
    let message = match moved.pod.status {
        PodStatus::Running => "The pod is running",
        PodStatus::Paused => "The pod is paused",
        PodStatus::Stopped => "The pod is stopped",
    };
    Ok(Created(PodDetails::of(&state.app, moved).await?, message))
}

pub(super) async fn scan(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Segment(id): Segment,
) -> Result<Created<PodDetails>, Problem> {
    let asked = pod::scan_now(&state.app, &context, path_id(&id, "pod")?).await?;
    Ok(Created(PodDetails::of(&state.app, asked).await?, "The pod scans within seconds"))
}

pub(super) async fn apply_all<V: Command>(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
) -> Result<Created<ChangedPods>, Problem> {
    let moved = pod::apply_all::<V>(&state.app, &context).await?;
    Ok(Created(ChangedPods { moved }, "Pods updated"))
}
