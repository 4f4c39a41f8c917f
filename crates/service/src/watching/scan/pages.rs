//! Pages listed in a sitemap or linked by a page. The list does not include their content, so each
//! run fetches some of them, starting with those never fetched before.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::content::{Content, ContentUrl};
use grantor_domain::scan::{OVERLAP, WHOLE_EVERY};
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::scan::{self, Known, Scanned};
use url::Url;

use super::compression;
use super::detection::BATCH;
use super::fetcher::{FetchError, content_type};
use super::items::Item;
use super::links;
use super::run::Run;
use super::sitemap::Entry;
use crate::watching::evidence::fetched;
use grantor_outbound::Purpose;
use grantor_outbound::header::HeaderMap;

/// Pages fetched per run.
pub(super) const MAX_PAGES: u32 = 100;
/// Newest pages of a sitemap that are tracked.
const MAX_LISTED: usize = 5_000;
/// Newest sitemaps of a sitemap index that are read.
const MAX_LISTS: usize = 20;
/// How often a page that another one links to is fetched again: links have no dates.
const REVISIT: Duration = Duration::from_hours(24);

/// A page to fetch.
struct ListedPage {
    url: Url,
    content: ContentUrl,
    changed: Option<Timestamp>,
}

impl Run {
    /// Queues the sitemaps of a sitemap index after the remaining feeds.
    pub(super) fn queue_lists(&mut self, entries: Vec<Entry>, base: &Url) {
        let listed = on_host(entries, base);
        if listed.len() > MAX_LISTS {
            let count = listed.len();
            self.add_note(format!("only the newest {MAX_LISTS} of {count} sitemaps were read"));
        }
        self.feeds.extend(listed.into_iter().take(MAX_LISTS).map(|it| (it.url, true)));
    }

    /// Scans the pages of a sitemap. Returns whether nothing was left for the next run.
    pub(super) async fn scan_pages(
        &mut self,
        entries: Vec<Entry>,
        base: &Url,
        last_change: Option<Timestamp>,
    ) -> Result<bool> {
        let mut listed = on_host(entries, base);
        if listed.len() > MAX_LISTED {
            let count = listed.len();
            self.add_note(format!("only the newest {MAX_LISTED} of {count} pages are tracked"));
            listed.truncate(MAX_LISTED);
        }
        self.scan_listed(listed, last_change, WHOLE_EVERY).await
    }

    /// Scans a page and the pages it links to.
    pub(super) async fn scan_page(
        &mut self,
        content: Content,
        links: Vec<Entry>,
        base: &Url,
        last_change: Option<Timestamp>,
    ) -> Result<()> {
        let capture = self.capture.clone();
        self.scan_items(vec![Item { content, listed_at: None, capture }]).await?;
        self.scan_listed(on_host(links, base), last_change, REVISIT).await?;
        Ok(())
    }

    /// Scans those of the pages that are due: new, changed, or not read for `revisit`.
    async fn scan_listed(
        &mut self,
        listed: Vec<ListedPage>,
        last_change: Option<Timestamp>,
        revisit: Duration,
    ) -> Result<bool> {
        let keys = listed.iter().map(|it| it.content.key().to_owned()).collect();
        let known = self.known(keys).await?;
        let now = self.app.clock.now();
        let mut due: Vec<(Priority, ListedPage)> = listed
            .into_iter()
            .zip(known)
            .filter_map(|(page, known)| {
                Some((priority(&page, known, last_change, now, revisit)?, page))
            })
            .collect();
        due.sort_by_key(|(priority, _)| *priority);
        let remaining = MAX_PAGES.saturating_sub(self.pages) as usize;
        let mut complete = due.len() <= remaining;
        if !complete {
            let count = due.len();
            self.add_note(format!(
                "{remaining} of {count} pages were read; the rest follow in the next run"
            ));
        }
        due.truncate(remaining);
        let mut due = due.into_iter().map(|(_, page)| page);
        loop {
            let batch: Vec<ListedPage> = due.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok(complete);
            }
            complete &= self.fetch_pages(batch).await?;
        }
    }

    async fn fetch_pages(&mut self, batch: Vec<ListedPage>) -> Result<bool> {
        let (mut complete, mut items, mut unread) = (true, vec![], vec![]);
        for page in batch {
            self.pages += 1;
            match self.fetch_page(&page).await {
                Ok(item) => items.push(item),
                Err(FetchError::Permanent(reason)) => {
                    self.skip(&page.url, &reason);
                    unread.push(self.unread(&page));
                }
                Err(FetchError::Temporary(reason)) => {
                    self.add_note(format!("a page could not be read: {reason}"));
                    complete = false;
                }
                Err(FetchError::Internal(error)) => return Err(error),
            }
        }
        let target = self.target.id();
        let put = move |tx: &mut Tx<'_>| {
            unread.iter().try_for_each(|page| scan::put_item(tx, target, page).map(|_| ()))
        };
        self.app.store.write(put).await?;
        Ok(self.scan_items(items).await? && complete)
    }

    async fn fetch_page(&mut self, listed: &ListedPage) -> Result<Item, FetchError> {
        // The size limit of verification pages applies here too.
        let answer =
            self.fetcher.read(Purpose::VerificationPage, &listed.url, HeaderMap::new()).await?;
        let kind = content_type(&answer);
        let capture = fetched(listed.url.as_str(), &answer, self.app.clock.now());
        if !kind.as_deref().is_none_or(is_html) {
            return Err(FetchError::Permanent("it is not an HTML page".to_owned()));
        }
        let read = move || {
            let page = compression::unpack(&answer.body)?;
            links::read_page(&page, kind.as_deref(), &answer.url)
        };
        let page = tokio::task::spawn_blocking(read).await;
        let page = page.unwrap_or_else(|_| Err("it could not be parsed".to_owned()));
        let mut content = page.map_err(FetchError::Permanent)?.content;
        content.url = listed.content.clone();
        content.published_at = content.published_at.or(listed.changed);
        Ok(Item { content, listed_at: listed.changed, capture: Some(Arc::new(capture)) })
    }

    /// An unreadable page, which is skipped until the sitemap says that it changed.
    fn unread(&self, page: &ListedPage) -> Scanned {
        let (listed_at, last_seen_at) = (page.changed, self.app.clock.now());
        let known = Known { digest: vec![], listed_at, last_seen_at };
        Scanned { key: page.content.key().to_owned(), known }
    }
}

/// The entries on the list's own host, newest first, each URL once.
fn on_host(mut entries: Vec<Entry>, base: &Url) -> Vec<ListedPage> {
    entries.sort_by_key(|it| std::cmp::Reverse(it.changed));
    let mut seen = HashSet::new();
    let listed = entries.into_iter().filter_map(|Entry { url, changed }| {
        let content = ContentUrl::join(base, &url).ok()?;
        let url = Url::parse(content.as_str()).ok()?;
        let here = url.host() == base.host() && url.port() == base.port();
        (here && seen.insert(content.key().to_owned())).then_some(ListedPage {
            url,
            content,
            changed,
        })
    });
    listed.collect()
}

/// Pages never fetched come first, then those that changed, then those in which new names or images
/// may now be found; within each group the oldest first.
type Priority = (u8, Option<Timestamp>);

fn priority(
    page: &ListedPage,
    known: Option<Known>,
    last_change: Option<Timestamp>,
    now: Timestamp,
    revisit: Duration,
) -> Option<Priority> {
    let Some(known) = known else { return Some((0, page.changed)) };
    if page.changed > known.listed_at {
        return Some((1, page.changed));
    }
    let stale = last_change.is_some_and(|it| it.plus(OVERLAP) >= known.last_seen_at)
        || now.since(known.last_seen_at) >= revisit;
    stale.then_some((2, Some(known.last_seen_at)))
}

fn is_html(kind: &str) -> bool {
    links::is_html_type(kind) || kind.trim().to_ascii_lowercase().starts_with("text/plain")
}
