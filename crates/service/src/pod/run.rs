//! One run of a pod: its feeds one after another, each to its end before it counts as read. Whatever
//! stops a run, the next one finds the same content again and hands it over once more.

use std::collections::VecDeque;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use grantor_domain::id::{PodId, RunId};
use grantor_domain::pod::{Blocker, PodStatus};
use grantor_domain::scan::{FeedCursor, LEASE, MAX_REASON, RunOutcome};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::scan::{self, Claimed, Ended, Standing};
use tokio::time::{MissedTickBehavior, interval, timeout};
use url::Url;

use super::document::{self, Document, MOST_LOOKED_AT};
use super::look::Item;
use super::visit::{Pace, Trouble, Visitor, content_type};
use crate::outbound::header::{
    ETAG, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
};
use crate::outbound::{OutboundAnswer, Purpose, StatusCode};
use crate::{App, Context};

/// How often a run looks whether it still may go on: moves of staff are felt within a second.
const LOOK: Duration = Duration::from_millis(400);
/// How many looks there are from one renewal of the lease to the next.
const LOOKS_PER_LEASE: u32 = 25;
/// The longest a run takes; the next goes on with what is left.
const LONGEST: Duration = Duration::from_mins(30);
/// How soon a pod that something keeps from scanning looks again.
const BLOCKED: Duration = Duration::from_hours(1);
const TOO_LONG: &str = "it took too long; the next run goes on";
/// How soon a run that failed by a fault of ours is repeated.
const FAULT: Duration = Duration::from_mins(1);

/// A run under way.
pub(super) struct Run {
    pub(super) app: App,
    pub(super) context: Context,
    pub(super) claimed: Claimed,
    pub(super) visitor: Visitor,
    /// Pictures that were fetched.
    pub(super) pictures: u32,
    /// Pages that were fetched.
    pub(super) pages: u32,
    /// Feeds to read, and whether a list of lists named them.
    pub(super) feeds: VecDeque<(Url, bool)>,
    /// What is to be said though nothing failed.
    notes: Vec<String>,
    /// What failed, feed by feed.
    troubles: Vec<String>,
}

/// The next pod that is due, for a run of its own.
pub async fn claim(app: &App) -> Result<Option<Claimed>> {
    let now = app.clock.now();
    // Most looks find nothing, and need not write.
    let due = app.store.read(scan::next_due).await?;
    if due.is_none_or(|it| it > now) {
        return Ok(None);
    }
    let run = app.ids.next();
    app.store.write(move |tx| Ok(scan::claim(tx, run, now, now.plus(LEASE))?)).await
}

/// Scans what was claimed, until its end or until told to stop. Gives what came of it.
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
        let due_at = started.plus(period.min(BLOCKED));
        return run.end(RunOutcome::Blocked, Some(reason), due_at).await;
    }
    let (pod, id) = (run.claimed.standing.pod.pod.id, run.claimed.run);
    let interrupted = tokio::select! {
        biased;
        () = stop => Some(("the worker was stopped".to_owned(), app.clock.now())),
        why = watch(app, pod, id) => Some((why, started.plus(period))),
        read = timeout(LONGEST, run.read_all()) => match read {
            Ok(Ok(())) => None,
            Ok(Err(error)) => {
                tracing::warn!(%error, %pod, "a scan failed by a fault of ours");
                let reason = Some("a fault of the server".to_owned());
                return run.end(RunOutcome::Failed, reason, app.clock.now().plus(FAULT)).await;
            }
            Err(_) => Some((TOO_LONG.to_owned(), started.plus(period))),
        },
    };
    if let Some((why, due_at)) = interrupted {
        return run.end(RunOutcome::Interrupted, Some(why), due_at).await;
    }
    let due_at = started.plus(period).max(run.visitor.put_off().unwrap_or(started));
    let (outcome, reason) = run.verdict();
    run.end(outcome, reason, due_at).await
}

/// Waits until the run may not go on, and says why. Keeps the lease meanwhile.
async fn watch(app: &App, pod: PodId, run: RunId) -> String {
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for look in 1_u32.. {
        looks.tick().await;
        match app.store.read(move |tx| scan::standing(tx, pod, run)).await {
            Ok(Some(it)) if it.pod.pod.status != PodStatus::Running => {
                return format!("the pod was {}", it.pod.pod.status.name());
            }
            Ok(Some(it)) => {
                let blockers = blockers(&it);
                if !blockers.is_empty() {
                    return blockers.join(", ");
                }
            }
            Ok(None) => return "another worker took the pod over".to_owned(),
            // The lease tells how long this may go on.
            Err(error) => tracing::warn!(%error, %pod, "a run did not see its pod"),
        }
        if look.is_multiple_of(LOOKS_PER_LEASE) {
            let until = app.clock.now().plus(LEASE);
            let kept = app.store.write(move |tx| scan::renew(tx, pod, run, until)).await;
            if let Err(error) = kept {
                tracing::warn!(%error, %pod, "the lease of a pod was not renewed");
            }
        }
    }
    TOO_LONG.to_owned()
}

/// The names of all that keeps a pod from scanning.
fn blockers(Standing { pod, suspended }: &Standing) -> Vec<&'static str> {
    let blockers = pod.pod.blockers(pod.verified, pod.crawling_enabled);
    let suspended = suspended.then_some("organization_suspended");
    blockers.into_iter().map(Blocker::name).chain(suspended).collect()
}

impl Run {
    fn new(app: App, pace: Pace, claimed: Claimed) -> Self {
        let feeds = claimed.platform.feed_urls.as_slice().iter();
        Self {
            context: Context::system(app.clock.monotonic()),
            visitor: Visitor::new(app.clone(), claimed.run, pace),
            feeds: feeds.filter_map(|it| Some((Url::parse(it).ok()?, false))).collect(),
            app,
            claimed,
            pictures: 0,
            pages: 0,
            notes: vec![],
            troubles: vec![],
        }
    }

    /// Why there is nothing to scan.
    fn blocked(&self) -> Option<String> {
        let mut names = blockers(&self.claimed.standing);
        names.extend(self.feeds.is_empty().then_some("no_feeds"));
        Some(names.join(", ")).filter(|it| !it.is_empty())
    }

    async fn read_all(&mut self) -> Result<()> {
        while let Some((url, listed)) = self.feeds.pop_front() {
            match self.read_feed(&url, listed).await {
                Ok(()) => {}
                Err(Trouble::Lasting(reason) | Trouble::Passing(reason)) => {
                    self.troubles.push(format!("{}: {reason}", shown(&url)));
                }
                Err(Trouble::Fault(error)) => return Err(error),
            }
        }
        self.visitor.give_back().await
    }

    /// Reads one feed. Where it stands is written last of all.
    async fn read_feed(&mut self, url: &Url, listed: bool) -> Result<(), Trouble> {
        let read_at = self.app.clock.now();
        let (cursor, last_change) = self.stands(url).await?;
        let cursor = cursor.filter(|it| it.holds(last_change, read_at));
        let headers = cursor.as_ref().map(conditions).unwrap_or_default();
        let answer = self.visitor.read(Purpose::Feed, url, headers).await?;
        if answer.status == StatusCode::NOT_MODIFIED && cursor.is_some() {
            return Ok(());
        }
        let (base, seen) = (answer.url.clone(), digest(&SHA256, &answer.body).as_ref().to_vec());
        if cursor.is_some_and(|it| it.digest == seen) {
            return Ok(());
        }
        let stands = FeedCursor {
            etag: text(&answer, &ETAG),
            last_modified: text(&answer, &LAST_MODIFIED),
            digest: seen,
            read_at,
        };
        let document = self.parse(answer).await?;
        if self.look_at_document(document, url, &base, last_change, listed).await? {
            let (platform, key) = (self.claimed.platform.id, url.to_string());
            let put = move |tx: &mut Tx<'_>| scan::put_cursor(tx, platform, &key, &stands);
            self.app.store.write(put).await.map_err(Error::from)?;
        }
        Ok(())
    }

    /// Where a feed stands, and when anything last changed that could be seen in it.
    async fn stands(&self, url: &Url) -> Result<(Option<FeedCursor>, Option<Timestamp>)> {
        let (platform, key) = (self.claimed.platform.id, url.to_string());
        let stands = move |tx: &mut Tx<'_>| {
            Ok::<_, Error>((scan::find_cursor(tx, platform, &key)?, scan::last_change(tx)?))
        };
        self.app.store.read(stands).await
    }

    /// Looks at all that a document shows. Gives whether nothing was left for another time.
    async fn look_at_document(
        &mut self,
        document: Document,
        url: &Url,
        base: &Url,
        last_change: Option<Timestamp>,
        listed: bool,
    ) -> Result<bool, Trouble> {
        match document {
            Document::Feed { items, total } => {
                if total > items.len() {
                    self.note_once(format!(
                        "{}: the newest {MOST_LOOKED_AT} of {total} items were looked at",
                        shown(url)
                    ));
                }
                let items = items.into_iter().map(|content| Item { content, listed_at: None });
                Ok(self.look_at(items.collect()).await?)
            }
            Document::Pages(entries) => Ok(self.look_at_pages(entries, base, last_change).await?),
            Document::Lists(_) if listed => {
                Err(self.unreadable("a list of lists names it, and it is one itself"))
            }
            // Read each time: a list may change while the list of lists does not.
            Document::Lists(entries) => {
                self.queue_lists(entries, base);
                Ok(false)
            }
        }
    }

    /// Reads a document aside: it may be large, and its reader may fail in ways of its own.
    async fn parse(&mut self, answer: OutboundAnswer) -> Result<Document, Trouble> {
        let kind = content_type(&answer);
        let read = move || document::read(&answer.body, kind.as_deref(), &answer.url);
        match tokio::task::spawn_blocking(read).await {
            Ok(Ok(document)) => Ok(document),
            Ok(Err(reason)) => Err(self.unreadable(&reason)),
            Err(_) => Err(self.unreadable("its reader failed")),
        }
    }

    fn unreadable(&mut self, reason: &str) -> Trouble {
        self.visitor.counts.errors += 1;
        Trouble::Lasting(reason.to_owned())
    }

    /// Says something of the run, once however often it happens.
    pub(super) fn note_once(&mut self, note: String) {
        if !self.notes.contains(&note) && self.notes.len() < 20 {
            self.notes.push(note);
        }
    }

    /// What came of it all.
    fn verdict(&self) -> (RunOutcome, Option<String>) {
        let feeds = self.claimed.platform.feed_urls.as_slice().len();
        let outcome = match self.troubles.len() {
            0 => RunOutcome::Ok,
            failed if failed >= feeds => RunOutcome::Failed,
            _ => RunOutcome::Partial,
        };
        let said: Vec<&str> = self.troubles.iter().chain(&self.notes).map(|it| &**it).collect();
        (outcome, Some(said.join("; ")).filter(|it| !it.is_empty()))
    }

    /// Writes the run's end and gives the pod back.
    async fn end(
        self,
        outcome: RunOutcome,
        reason: Option<String>,
        due_at: Timestamp,
    ) -> Result<RunOutcome> {
        let (claimed, counts, now) = (self.claimed, self.visitor.counts, self.app.clock.now());
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

/// Asks whether a feed is still as it was.
fn conditions(cursor: &FeedCursor) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in [(IF_NONE_MATCH, &cursor.etag), (IF_MODIFIED_SINCE, &cursor.last_modified)]
    {
        let value = value.as_ref().and_then(|it| HeaderValue::from_str(it).ok());
        headers.extend(value.map(|it| (name, it)));
    }
    headers
}

/// A header of an answer, where it is of a sane length.
fn text(answer: &OutboundAnswer, name: &crate::outbound::header::HeaderName) -> Option<String> {
    let value = answer.headers.get(name)?.to_str().ok()?;
    Some(value.to_owned()).filter(|it| it.len() <= 1_024)
}

/// An address without what may be secret in it.
fn shown(url: &Url) -> String {
    let port = url.port().map(|it| format!(":{it}")).unwrap_or_default();
    format!("{}{port}{}", url.host_str().unwrap_or_default(), url.path())
}
