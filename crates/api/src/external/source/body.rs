//! The wire types of sources.

use grantor_domain::Timestamp;
use grantor_domain::scan::{RunCounts, RunOutcome};
use grantor_domain::source::{FeedRun, HostedService, Looked, LookedItem, Skipped, WatchedTalents};
use grantor_domain::websub::PushState;
use grantor_service::App;
use grantor_service::watching::source::{self, ListedSource};
use serde::Serialize;
use utoipa::ToSchema;

use crate::frame::describe::value;

/// A source: a public address that is watched for the caller's talents.
#[derive(Serialize, ToSchema)]
#[schema(as = Source)]
pub(in crate::external) struct SourceBody {
    /// The source's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The watched address.
    #[schema(format = "uri")]
    url: String,
    /// The source's name.
    name: String,
    /// How often the source is scanned.
    #[schema(inline, value_type = value::FrequencyName)]
    frequency: &'static str,
    /// Whether the source is scanned: `running` or `paused`.
    #[schema(inline, value_type = value::SourceStatusName)]
    status: &'static str,
    /// When the operator stopped the source, if it did. Only the operator can resume it.
    #[schema(value_type = Option<String>, format = DateTime)]
    stopped_at: Option<Timestamp>,
    /// The talents that are looked for: `all`, or a list of their IDs.
    #[schema(inline, value_type = value::SourceTalents)]
    talents: TalentsBody,
    /// What is read: `feed`, `sitemap` or `page`.
    #[schema(inline, value_type = value::FeedKindName)]
    kind: &'static str,
    /// The service that hosts the profile, such as `mastodon`. Null for a site of its own.
    #[schema(required, inline, value_type = Option<value::HostedServiceName>)]
    service: Option<&'static str>,
    /// The address that is fetched, such as the feed of the watched page.
    #[schema(format = "uri")]
    feed_url: String,
    /// Whether the source is only read when a WebSub hub pushes new content, because `robots.txt`
    /// forbids fetching it.
    push_only: bool,
    push: PushBody,
    /// When the source was last read.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_scan_at: Option<Timestamp>,
    /// When the source is scanned next, by its frequency. Null if it is not scanned or waits for a
    /// push.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_scan_at: Option<Timestamp>,
    /// Since when scans have been failing, if they are failing.
    #[schema(value_type = Option<String>, format = DateTime)]
    failing_since: Option<Timestamp>,
    /// The last scan since the source was created. Null before the first one.
    last_run: Option<SourceRunBody>,
    /// The number of mentions found through the source.
    mention_count: u64,
    /// When the source was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the source was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// Whether a WebSub hub pushes new content of the source.
#[derive(Serialize, ToSchema)]
#[schema(as = SourcePush)]
struct PushBody {
    /// `active` if the hub pushes, `pending` until it has confirmed that, `denied` if it refused,
    /// and `off` if there is nothing to push.
    #[schema(inline, value_type = value::PushStatusName)]
    status: &'static str,
    /// The host of the hub. Null if the address names none.
    hub: Option<String>,
    /// Until when the hub pushes. It is asked to go on before that.
    #[schema(value_type = Option<String>, format = DateTime)]
    active_until: Option<Timestamp>,
    /// Why the hub does not push, or why it could not be asked to go on.
    reason: Option<String>,
}

/// A new source with what was found at its address.
#[derive(Serialize, ToSchema)]
#[schema(as = CreatedSource)]
pub(in crate::external) struct CreatedSourceBody {
    #[serde(flatten)]
    source: SourceBody,
    found: FoundBody,
}

/// Either `all` or a list of IDs.
#[derive(Serialize)]
#[serde(untagged)]
enum TalentsBody {
    All(&'static str),
    Listed(Vec<String>),
}

/// A scan of a source.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceRun)]
pub(in crate::external) struct SourceRunBody {
    /// When the scan started.
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When the scan ended. Null while it is running.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// The outcome: `running`, `ok`, `partial` (something was not read), `failed`, `interrupted` or
    /// `blocked`.
    #[schema(inline, value_type = value::RunOutcomeName)]
    outcome: &'static str,
    /// Details of the outcome, if any.
    reason: Option<String>,
    counts: SourceRunCounts,
    /// What was skipped and why. At most 20 entries.
    skipped: Vec<SkippedBody>,
}

/// The counters of a scan.
#[derive(Serialize, ToSchema)]
struct SourceRunCounts {
    /// The number of requests.
    requests: u32,
    /// The number of failed requests.
    errors: u32,
    /// The number of items read.
    items: u32,
    /// The number of items that were new or changed.
    new_items: u32,
    /// The number of new mentions that the source found.
    mentions: u32,
}

/// Something that a scan skipped.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceSkipped)]
struct SkippedBody {
    /// The address.
    what: String,
    /// The reason.
    why: String,
}

/// What was found at an address.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceFound)]
struct FoundBody {
    /// The title; may be empty.
    title: String,
    /// What is read: `feed`, `sitemap` or `page`.
    #[schema(inline, value_type = value::FeedKindName)]
    kind: &'static str,
    /// The service that hosts the profile. Null for a site of its own.
    #[schema(required, inline, value_type = Option<value::HostedServiceName>)]
    service: Option<&'static str>,
    /// The address that is fetched.
    #[schema(format = "uri")]
    feed_url: String,
    /// The number of items found.
    items: usize,
    /// The newest items. At most 5.
    sample: Vec<FoundItemBody>,
    /// Whether the source is only read when a WebSub hub pushes new content.
    push_only: bool,
    /// A remark about the address, if there is one.
    note: Option<String>,
}

/// An item found at an address.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceFoundItem)]
struct FoundItemBody {
    /// The title; may be empty.
    title: String,
    /// The address.
    url: String,
    /// When the item was published, if known.
    #[schema(value_type = Option<String>, format = DateTime)]
    published_at: Option<Timestamp>,
}

impl SourceBody {
    pub(super) fn new(app: &App, listed: ListedSource) -> Self {
        let push = source::push_state(app, &listed).into();
        let ListedSource { source, feed, last_run, mention_count, .. } = listed;
        let next_scan_at = source.next_scan_at(&feed, app.clock.now());
        Self {
            id: source.id.to_string(),
            url: source.url,
            name: source.name.as_str().to_owned(),
            frequency: source.frequency.name(),
            status: source.status.name(),
            stopped_at: source.stopped,
            talents: source.talents.into(),
            kind: feed.kind.name(),
            service: feed.service.map(HostedService::name),
            feed_url: feed.url,
            push_only: feed.push_only,
            push,
            last_scan_at: feed.last_scan_at,
            next_scan_at,
            failing_since: feed.failing_since,
            last_run: last_run.map(SourceRunBody::from),
            mention_count,
            created_at: source.created_at,
            updated_at: source.updated_at,
        }
    }
}

impl CreatedSourceBody {
    pub(super) fn new(app: &App, (source, found): (ListedSource, Looked)) -> Self {
        Self { source: SourceBody::new(app, source), found: found.into() }
    }
}

impl From<PushState> for PushBody {
    fn from(PushState { status, hub, active_until, reason }: PushState) -> Self {
        Self { status: status.name(), hub, active_until, reason }
    }
}

impl From<WatchedTalents> for TalentsBody {
    fn from(talents: WatchedTalents) -> Self {
        match talents {
            WatchedTalents::All => Self::All("all"),
            WatchedTalents::Listed(ids) => {
                Self::Listed(ids.iter().map(ToString::to_string).collect())
            }
        }
    }
}

impl From<FeedRun> for SourceRunBody {
    fn from(run: FeedRun) -> Self {
        let RunCounts { requests, errors, items, new_items, mentions } = run.counts;
        let skipped = |Skipped { what, why }| SkippedBody { what, why };
        Self {
            started_at: run.started_at,
            ended_at: run.ended_at,
            outcome: run.outcome.map_or("running", RunOutcome::name),
            reason: run.reason,
            counts: SourceRunCounts { requests, errors, items, new_items, mentions },
            skipped: run.skipped.into_iter().map(skipped).collect(),
        }
    }
}

impl From<Looked> for FoundBody {
    fn from(looked: Looked) -> Self {
        let item =
            |LookedItem { title, url, published_at }| FoundItemBody { title, url, published_at };
        Self {
            title: looked.title,
            kind: looked.kind.name(),
            service: looked.service.map(HostedService::name),
            feed_url: looked.feed_url,
            items: looked.items,
            sample: looked.sample.into_iter().map(item).collect(),
            push_only: looked.push_only,
            note: looked.note,
        }
    }
}
