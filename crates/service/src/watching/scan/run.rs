//! A run in progress, of a pod or a feed: reads documents one after another and scans their
//! content.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use grantor_domain::evidence::Capture;
use grantor_domain::scan::{FeedCursor, RunOutcome};
use grantor_domain::source::address::Address;
use grantor_domain::source::{FeedKind, FoundItems, MAX_SKIPPED, Skipped};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::scan;
use grantor_storage::{Tx, feed};
use url::Url;

use super::document::{self, Document, MAX_ITEMS};
use super::fetcher::{FetchError, Fetcher, Pace, content_type};
use super::hosted_api;
use super::items::Item;
use super::look::items_of;
use super::target::Target;
use crate::watching::evidence::fetched;
use crate::watching::websub;
use crate::{App, Context};
use grantor_outbound::header::{
    ETAG, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
};
use grantor_outbound::{OutboundResponse, Purpose, StatusCode};

/// Checks per renewal of the lease.
pub(super) const POLLS_PER_RENEWAL: u32 = 25;
/// The longest a run takes; the next one continues with the rest.
pub(super) const MAX_DURATION: Duration = Duration::from_mins(30);
pub(super) const TOO_LONG: &str = "the run took too long; the next run continues";
/// When a run that failed with an internal error is repeated.
pub(super) const FAULT_RETRY: Duration = Duration::from_mins(1);

/// A run in progress.
pub(super) struct Run {
    pub(super) app: App,
    pub(super) context: Context,
    pub(super) target: Arc<Target>,
    pub(super) fetcher: Fetcher,
    /// Pictures fetched so far.
    pub(super) pictures: u32,
    /// Pages fetched so far.
    pub(super) pages: u32,
    /// Feeds to read, and whether a sitemap index listed them.
    pub(super) feeds: VecDeque<(Url, bool)>,
    /// The response that is being read.
    pub(super) capture: Option<Arc<Capture>>,
    /// What the feed has, for tenants that want to watch it too.
    pub(super) found: Option<FoundItems>,
    /// The number of feeds to read, without those that a sitemap index lists.
    feed_count: usize,
    /// Remarks that are not errors.
    notes: Vec<String>,
    /// The error of each feed that failed.
    errors: Vec<String>,
    /// What was skipped, and why.
    skipped: Vec<Skipped>,
}

impl Run {
    pub(super) fn new(app: App, pace: Pace, target: Target, feeds: Vec<Url>) -> Self {
        Self {
            context: Context::system(app.clock.monotonic()),
            fetcher: Fetcher::new(app.clone(), target.run(), pace),
            feed_count: feeds.len(),
            feeds: feeds.into_iter().map(|it| (it, false)).collect(),
            app,
            target: Arc::new(target),
            pictures: 0,
            pages: 0,
            capture: None,
            found: None,
            notes: vec![],
            errors: vec![],
            skipped: vec![],
        }
    }

    /// Reads all feeds. Errors of a feed are noted and do not stop the run.
    pub(super) async fn read_all(&mut self) -> Result<()> {
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
        let hosted = self.target.feed().and_then(|_| hosted_api::of_feed(url));
        let answer = if let Some(listing) = hosted.as_ref().and_then(|it| it.api.as_ref()) {
            hosted_api::request(&mut self.fetcher, listing).await?.response
        } else {
            let headers = cursor.as_ref().map(conditions).unwrap_or_default();
            self.fetcher.read(Purpose::Feed, url, headers).await?
        };
        let received_at = self.app.clock.now();
        if answer.status == StatusCode::NOT_MODIFIED && cursor.is_some() {
            return Ok(());
        }
        let (base, seen) = (answer.url.clone(), digest(&SHA256, &answer.body).as_ref().to_vec());
        let headers = answer.headers.clone();
        if cursor.is_some_and(|it| it.digest == seen) {
            return Ok(());
        }
        let asked = if hosted.is_some() { &answer.url } else { url };
        self.capture = Some(Arc::new(self.capture_feed(asked, &answer, received_at)));
        let new_cursor = FeedCursor {
            etag: text(&answer, &ETAG),
            last_modified: text(&answer, &LAST_MODIFIED),
            digest: seen,
            read_at,
        };
        let kind = content_type(&answer);
        let document = match hosted {
            Some(address) => self.parse_listing(answer.body, address).await?,
            None => self.parse(answer.body, kind, base.clone()).await?,
        };
        self.subscribe(&document, &headers, &base).await?;
        if !listed {
            self.found = Some(items_of(&document));
        }
        if self.scan_document(document, url, &base, last_change, listed).await? {
            let (target, key) = (self.target.id(), url.to_string());
            let put = move |tx: &mut Tx<'_>| scan::put_cursor(tx, target, &key, &new_cursor);
            self.app.store.write(put).await.map_err(Error::from)?;
        }
        Ok(())
    }

    /// What is kept of a feed's response. The query of a platform's feed may be secret, and others
    /// read the evidence.
    fn capture_feed(&self, url: &Url, answer: &OutboundResponse, at: Timestamp) -> Capture {
        let capture = fetched(url.as_str(), answer, at);
        if self.target.feed().is_some() {
            return capture;
        }
        let without_query = |url: &Url| {
            let mut url = url.clone();
            url.set_query(None);
            url.to_string()
        };
        let (url, final_url) = (without_query(url), Some(without_query(&answer.url)));
        Capture { url, final_url, ..capture }
    }

    /// The feed's cursor, and when anything that could be found in it last changed.
    async fn load_cursor(&self, url: &Url) -> Result<(Option<FeedCursor>, Option<Timestamp>)> {
        let (target, key) = (self.target.id(), url.to_string());
        let feed = self.target.feed().map(|it| it.feed.id);
        let load = move |tx: &mut Tx<'_>| {
            let last_change = match feed {
                Some(feed) => feed::last_change(tx, feed)?,
                None => scan::last_change(tx)?,
            };
            Ok::<_, Error>((scan::find_cursor(tx, target, &key)?, last_change))
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
            Document::Feed { items, total, .. } => {
                if total > items.len() {
                    self.add_note(format!(
                        "{}: only the newest {MAX_ITEMS} of {total} items were scanned",
                        display_url(url)
                    ));
                }
                let items = items.into_iter().map(|content| {
                    let capture = self.capture.clone();
                    Item { content, listed_at: None, capture }
                });
                let items: Vec<Item> = items.collect();
                Ok(self.scan_items(items).await?)
            }
            Document::Pages(entries) => Ok(self.scan_pages(entries, base, last_change).await?),
            // Never complete: a linked page may change while the page does not.
            Document::Page { content, links } => {
                self.scan_page(content, links, base, last_change).await?;
                Ok(false)
            }
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

    /// Reads what a hub pushed.
    pub(super) async fn read_push(
        &mut self,
        body: Vec<u8>,
        content_type: Option<String>,
        url: &Url,
    ) -> Result<(), FetchError> {
        let now = self.app.clock.now();
        let capture = Capture::pushed(url.as_str(), &body, content_type.as_deref(), now);
        self.capture = Some(Arc::new(capture));
        let document = self.parse(body, content_type, url.clone()).await?;
        self.scan_document(document, url, url, None, false).await.map(drop)
    }

    /// Parses a document on a blocking thread: it may be large, and the parser may panic. A page is
    /// only read where a source watches one.
    async fn parse(
        &mut self,
        body: Vec<u8>,
        content_type: Option<String>,
        base: Url,
    ) -> Result<Document, FetchError> {
        let page = self.target.feed().is_some_and(|it| it.feed.kind == FeedKind::Page);
        let read = if page { document::read_any } else { document::read };
        self.parse_with(move || read(&body, content_type.as_deref(), &base)).await
    }

    /// Parses what the official API of a hosted service listed.
    async fn parse_listing(
        &mut self,
        body: Vec<u8>,
        address: Address,
    ) -> Result<Document, FetchError> {
        self.parse_with(move || hosted_api::read(&address, None, &body)).await
    }

    async fn parse_with(
        &mut self,
        read: impl FnOnce() -> Result<Document, String> + Send + 'static,
    ) -> Result<Document, FetchError> {
        match tokio::task::spawn_blocking(read).await {
            Ok(Ok(document)) => Ok(document),
            Ok(Err(reason)) => Err(self.unreadable(&reason)),
            Err(_) => Err(self.unreadable("it could not be parsed")),
        }
    }

    /// Subscribes a source's feed to the hub that it names.
    async fn subscribe(&self, document: &Document, headers: &HeaderMap, base: &Url) -> Result<()> {
        let (Some(claimed), Document::Feed { hub, topic, .. }) = (self.target.feed(), document)
        else {
            return Ok(());
        };
        let named = websub::discover(headers, base, hub.as_ref(), topic.as_ref());
        let Some(named) = named else { return Ok(()) };
        let (feed, hub, topic) = (claimed.feed.id, named.hub.to_string(), named.topic.to_string());
        let known = websub::find(&self.app, feed).await?;
        if known.is_some_and(|it| it.hub == hub && it.topic == topic) {
            return Ok(());
        }
        let app = self.app.clone();
        let subscribe =
            move |tx: &mut Tx<'_>| websub::subscribe(&app, tx, feed, &hub, &topic).map(drop);
        self.app.store.write(subscribe).await
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

    /// Notes that something was skipped, and why.
    pub(super) fn skip(&mut self, what: &Url, why: &str) {
        if self.skipped.len() < MAX_SKIPPED {
            self.skipped.push(Skipped { what: display_url(what), why: why.to_owned() });
        }
    }

    /// What was skipped.
    pub(super) fn take_skipped(&mut self) -> Vec<Skipped> {
        std::mem::take(&mut self.skipped)
    }

    /// The outcome of the run and its reason.
    pub(super) fn summary(&self) -> (RunOutcome, Option<String>) {
        let outcome = match self.errors.len() {
            0 => RunOutcome::Ok,
            failed if failed >= self.feed_count => RunOutcome::Failed,
            _ => RunOutcome::Partial,
        };
        let all: Vec<&str> = self.errors.iter().chain(&self.notes).map(|it| &**it).collect();
        (outcome, Some(all.join("; ")).filter(|it| !it.is_empty()))
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
