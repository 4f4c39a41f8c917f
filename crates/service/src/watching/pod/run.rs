//! One run of a pod: reads the platform's feeds one after another. A feed counts as read once all
//! its content is recorded, so after an interruption the next run records the rest.

use std::collections::VecDeque;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use grantor_domain::id::{PodId, RunId};
use grantor_domain::pod::{Blocker, PodStatus};
use grantor_domain::scan::{FeedCursor, LEASE, MAX_REASON, RunOutcome};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::scan::{self, Claimed, Ended, ScanState};
use tokio::time::{MissedTickBehavior, interval, timeout};
use url::Url;

use super::document::{self, Document, MAX_ITEMS};
use super::fetcher::{FetchError, Fetcher, Pace, content_type};
use super::items::Item;
use crate::{App, Context};
use grantor_outbound::header::{
    ETAG, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
};
use grantor_outbound::{OutboundResponse, Purpose, StatusCode};

/// How often a run checks whether it may continue, so that commands take effect within a second.
const POLL_INTERVAL: Duration = Duration::from_millis(400);
/// Checks per renewal of the lease.
const POLLS_PER_RENEWAL: u32 = 25;
/// The longest a run takes; the next one continues with the rest.
const MAX_DURATION: Duration = Duration::from_mins(30);
/// When a blocked pod is tried again.
const BLOCKED_RETRY: Duration = Duration::from_hours(1);
const TOO_LONG: &str = "the run took too long; the next run continues";
/// When a run that failed with an internal error is repeated.
const FAULT_RETRY: Duration = Duration::from_mins(1);

/// A run in progress.
pub(super) struct Run {
    pub(super) app: App,
    pub(super) context: Context,
    pub(super) claimed: Claimed,
    pub(super) fetcher: Fetcher,
    /// Pictures fetched so far.
    pub(super) pictures: u32,
    /// Pages fetched so far.
    pub(super) pages: u32,
    /// Feeds to read, and whether a sitemap index listed them.
    pub(super) feeds: VecDeque<(Url, bool)>,
    /// Remarks that are not errors.
    notes: Vec<String>,
    /// The error of each feed that failed.
    errors: Vec<String>,
}

/// Claims the next due pod for a run.
pub async fn claim(app: &App) -> Result<Option<Claimed>> {
    let now = app.clock.now();
    // Usually nothing is due: find out without a write.
    let due = app.store.read(scan::next_due).await?;
    if due.is_none_or(|it| it > now) {
        return Ok(None);
    }
    let run = app.ids.next();
    app.store.write(move |tx| Ok(scan::claim(tx, run, now, now.plus(LEASE))?)).await
}

/// Scans the claimed pod until it is done or `stop` completes, and returns the outcome.
pub async fn scan(
    app: &App,
    pace: Pace,
    claimed: Claimed,
    stop: impl Future<Output = ()>,
) -> Result<RunOutcome> {
    let started = app.clock.now();
    let period = claimed.platform.settings.detection_frequency.period();
    let mut run = Run::new(app.clone(), pace, claimed);
    if let Some(reason) = run.blocked() {
        let due_at = started.plus(period.min(BLOCKED_RETRY));
        return run.end(RunOutcome::Blocked, Some(reason), due_at).await;
    }
    let (pod, id) = (run.claimed.state.pod.pod.id, run.claimed.run);
    let interrupted = tokio::select! {
        biased;
        () = stop => Some(("the worker was stopped".to_owned(), app.clock.now())),
        why = watch(app, pod, id) => Some((why, started.plus(period))),
        read = timeout(MAX_DURATION, run.read_all()) => match read {
            Ok(Ok(())) => None,
            Ok(Err(error)) => {
                tracing::warn!(%error, %pod, "scan failed with an internal error");
                let reason = Some("an internal error".to_owned());
                return run.end(RunOutcome::Failed, reason, app.clock.now().plus(FAULT_RETRY)).await;
            }
            Err(_) => Some((TOO_LONG.to_owned(), started.plus(period))),
        },
    };
    if let Some((why, due_at)) = interrupted {
        return run.end(RunOutcome::Interrupted, Some(why), due_at).await;
    }
    let due_at = started.plus(period).max(run.fetcher.retry_at().unwrap_or(started));
    let (outcome, reason) = run.summary();
    run.end(outcome, reason, due_at).await
}

/// Renews the lease until the run may not continue, and returns the reason.
async fn watch(app: &App, pod: PodId, run: RunId) -> String {
    let mut ticks = interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for poll in 1_u32.. {
        ticks.tick().await;
        match app.store.read(move |tx| scan::find_state(tx, pod, run)).await {
            Ok(Some(it)) if it.pod.pod.status != PodStatus::Running => {
                return format!("the pod was {}", it.pod.pod.status.name());
            }
            Ok(Some(it)) => {
                let blockers = blockers(&it);
                if !blockers.is_empty() {
                    return blockers.join(", ");
                }
            }
            Ok(None) => return "another worker took over the pod".to_owned(),
            // The lease limits how long the run continues without a check.
            Err(error) => tracing::warn!(%error, %pod, "cannot read the status of a running pod"),
        }
        if poll.is_multiple_of(POLLS_PER_RENEWAL) {
            let until = app.clock.now().plus(LEASE);
            let kept = app.store.write(move |tx| scan::renew(tx, pod, run, until)).await;
            if let Err(error) = kept {
                tracing::warn!(%error, %pod, "cannot renew the lease of a pod");
            }
        }
    }
    TOO_LONG.to_owned()
}

/// The names of all reasons why a pod cannot scan.
fn blockers(ScanState { pod, suspended }: &ScanState) -> Vec<&'static str> {
    let blockers = pod.pod.blockers(pod.verified, pod.crawling_enabled);
    let suspended = suspended.then_some("organization_suspended");
    blockers.into_iter().map(Blocker::name).chain(suspended).collect()
}

impl Run {
    fn new(app: App, pace: Pace, claimed: Claimed) -> Self {
        let feeds = claimed.platform.feed_urls.as_slice().iter();
        Self {
            context: Context::system(app.clock.monotonic()),
            fetcher: Fetcher::new(app.clone(), claimed.run, pace),
            feeds: feeds.filter_map(|it| Some((Url::parse(it).ok()?, false))).collect(),
            app,
            claimed,
            pictures: 0,
            pages: 0,
            notes: vec![],
            errors: vec![],
        }
    }

    /// Why the pod cannot scan, if it cannot.
    fn blocked(&self) -> Option<String> {
        let mut names = blockers(&self.claimed.state);
        names.extend(self.feeds.is_empty().then_some("no_feeds"));
        Some(names.join(", ")).filter(|it| !it.is_empty())
    }

    async fn read_all(&mut self) -> Result<()> {
        while let Some((url, listed)) = self.feeds.pop_front() {
            match self.read_feed(&url, listed).await {
                Ok(()) => {}
                Err(FetchError::Permanent(reason) | FetchError::Temporary(reason)) => {
                    self.errors.push(format!("{}: {reason}", display_url(&url)));
                }
                Err(FetchError::Internal(error)) => return Err(error),
            }
        }
        self.fetcher.release_host().await
    }

    /// Reads one feed. Its cursor is written last.
    async fn read_feed(&mut self, url: &Url, listed: bool) -> Result<(), FetchError> {
        let read_at = self.app.clock.now();
        let (cursor, last_change) = self.load_cursor(url).await?;
        let cursor = cursor.filter(|it| it.holds(last_change, read_at));
        let headers = cursor.as_ref().map(conditions).unwrap_or_default();
        let answer = self.fetcher.read(Purpose::Feed, url, headers).await?;
        if answer.status == StatusCode::NOT_MODIFIED && cursor.is_some() {
            return Ok(());
        }
        let (base, seen) = (answer.url.clone(), digest(&SHA256, &answer.body).as_ref().to_vec());
        if cursor.is_some_and(|it| it.digest == seen) {
            return Ok(());
        }
        let new_cursor = FeedCursor {
            etag: text(&answer, &ETAG),
            last_modified: text(&answer, &LAST_MODIFIED),
            digest: seen,
            read_at,
        };
        let document = self.parse(answer).await?;
        if self.scan_document(document, url, &base, last_change, listed).await? {
            let (platform, key) = (self.claimed.platform.id, url.to_string());
            let put = move |tx: &mut Tx<'_>| scan::put_cursor(tx, platform, &key, &new_cursor);
            self.app.store.write(put).await.map_err(Error::from)?;
        }
        Ok(())
    }

    /// The feed's cursor, and when anything that could be found in it last changed.
    async fn load_cursor(&self, url: &Url) -> Result<(Option<FeedCursor>, Option<Timestamp>)> {
        let (platform, key) = (self.claimed.platform.id, url.to_string());
        let load = move |tx: &mut Tx<'_>| {
            Ok::<_, Error>((scan::find_cursor(tx, platform, &key)?, scan::last_change(tx)?))
        };
        self.app.store.read(load).await
    }

    /// Scans all content of a document. Returns whether it is complete, with nothing left for the
    /// next run.
    async fn scan_document(
        &mut self,
        document: Document,
        url: &Url,
        base: &Url,
        last_change: Option<Timestamp>,
        listed: bool,
    ) -> Result<bool, FetchError> {
        match document {
            Document::Feed { items, total } => {
                if total > items.len() {
                    self.add_note(format!(
                        "{}: only the newest {MAX_ITEMS} of {total} items were scanned",
                        display_url(url)
                    ));
                }
                let items = items.into_iter().map(|content| Item { content, listed_at: None });
                Ok(self.scan_items(items.collect()).await?)
            }
            Document::Pages(entries) => Ok(self.scan_pages(entries, base, last_change).await?),
            Document::Lists(_) if listed => {
                Err(self.unreadable("nested sitemap indexes are not supported"))
            }
            // Never complete: a sitemap may change while its index does not.
            Document::Lists(entries) => {
                self.queue_lists(entries, base);
                Ok(false)
            }
        }
    }

    /// Parses a document on a blocking thread: it may be large, and the parser may panic.
    async fn parse(&mut self, answer: OutboundResponse) -> Result<Document, FetchError> {
        let kind = content_type(&answer);
        let read = move || document::read(&answer.body, kind.as_deref(), &answer.url);
        match tokio::task::spawn_blocking(read).await {
            Ok(Ok(document)) => Ok(document),
            Ok(Err(reason)) => Err(self.unreadable(&reason)),
            Err(_) => Err(self.unreadable("it could not be parsed")),
        }
    }

    fn unreadable(&mut self, reason: &str) -> FetchError {
        self.fetcher.counts.errors += 1;
        FetchError::Permanent(reason.to_owned())
    }

    /// Adds a note to the run, unless it has it already.
    pub(super) fn add_note(&mut self, note: String) {
        if !self.notes.contains(&note) && self.notes.len() < 20 {
            self.notes.push(note);
        }
    }

    /// The outcome of the run and its reason.
    fn summary(&self) -> (RunOutcome, Option<String>) {
        let feeds = self.claimed.platform.feed_urls.as_slice().len();
        let outcome = match self.errors.len() {
            0 => RunOutcome::Ok,
            failed if failed >= feeds => RunOutcome::Failed,
            _ => RunOutcome::Partial,
        };
        let all: Vec<&str> = self.errors.iter().chain(&self.notes).map(|it| &**it).collect();
        (outcome, Some(all.join("; ")).filter(|it| !it.is_empty()))
    }

    /// Writes the end of the run and releases the pod.
    async fn end(
        self,
        outcome: RunOutcome,
        reason: Option<String>,
        due_at: Timestamp,
    ) -> Result<RunOutcome> {
        let (claimed, counts, now) = (self.claimed, self.fetcher.counts, self.app.clock.now());
        let reason = reason.map(|it| it.chars().take(MAX_REASON).collect());
        let ended = Ended { outcome, reason, due_at };
        let end = move |tx: &mut Tx<'_>| {
            scan::count(tx, &claimed, counts)?;
            scan::finish(tx, &claimed, &ended, now)
        };
        self.app.store.write(end).await?;
        Ok(outcome)
    }
}

/// The headers of a conditional request for a feed.
fn conditions(cursor: &FeedCursor) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in [(IF_NONE_MATCH, &cursor.etag), (IF_MODIFIED_SINCE, &cursor.last_modified)]
    {
        let value = value.as_ref().and_then(|it| HeaderValue::from_str(it).ok());
        headers.extend(value.map(|it| (name, it)));
    }
    headers
}

/// A header of the response, unless it is too long.
fn text(answer: &OutboundResponse, name: &grantor_outbound::header::HeaderName) -> Option<String> {
    let value = answer.headers.get(name)?.to_str().ok()?;
    Some(value.to_owned()).filter(|it| it.len() <= 1_024)
}

/// The URL without its query and credentials, which may be secret.
fn display_url(url: &Url) -> String {
    let port = url.port().map(|it| format!(":{it}")).unwrap_or_default();
    format!("{}{port}{}", url.host_str().unwrap_or_default(), url.path())
}
