//! Pages that a sitemap lists: a list says nothing of what is on them, so they are fetched, a few a
//! run, those first that were never seen.

use std::collections::HashSet;

use grantor_domain::content::ContentUrl;
use grantor_domain::scan::{OVERLAP, WHOLE_EVERY};
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::scan::{self, Known, Scanned};
use url::Url;

use super::charset;
use super::document::{Draft, shape};
use super::handover::AT_ONCE;
use super::look::Item;
use super::page::{self, Page};
use super::run::Run;
use super::sitemap::Entry;
use super::visit::{Trouble, content_type};
use crate::outbound::Purpose;
use crate::outbound::header::HeaderMap;

/// Pages that one run fetches.
pub(super) const MOST_PAGES: u32 = 100;
/// Pages of one list that are kept track of, the newest.
const MOST_LISTED: usize = 5_000;
/// Lists of a list of lists that are read, the newest.
const MOST_LISTS: usize = 20;

/// A page that is to be fetched.
struct Listed {
    url: Url,
    content: ContentUrl,
    changed: Option<Timestamp>,
}

impl Run {
    /// Reads lists that a list names, after the feeds that are left.
    pub(super) fn queue_lists(&mut self, entries: Vec<Entry>, base: &Url) {
        let listed = on_host(entries, base);
        if listed.len() > MOST_LISTS {
            self.note_once(format!("the newest {MOST_LISTS} of {} lists were read", listed.len()));
        }
        self.feeds.extend(listed.into_iter().take(MOST_LISTS).map(|it| (it.url, true)));
    }

    /// Looks at the pages of a list. Gives whether nothing was left for another time.
    pub(super) async fn look_at_pages(
        &mut self,
        entries: Vec<Entry>,
        base: &Url,
        last_change: Option<Timestamp>,
    ) -> Result<bool> {
        let mut listed = on_host(entries, base);
        if listed.len() > MOST_LISTED {
            self.note_once(format!("the newest {MOST_LISTED} of {} pages count", listed.len()));
            listed.truncate(MOST_LISTED);
        }
        let keys = listed.iter().map(|it| it.content.key().to_owned()).collect();
        let known = self.known(keys).await?;
        let now = self.app.clock.now();
        let mut due: Vec<(Turn, Listed)> = listed
            .into_iter()
            .zip(known)
            .filter_map(|(page, known)| Some((turn(&page, known, last_change, now)?, page)))
            .collect();
        due.sort_by_key(|(turn, _)| *turn);
        let room = (MOST_PAGES - self.pages) as usize;
        let mut complete = due.len() <= room;
        if !complete {
            self.note_once(format!("{room} of {} pages were read; the rest follows", due.len()));
        }
        due.truncate(room);
        let mut due = due.into_iter().map(|(_, page)| page);
        loop {
            let batch: Vec<Listed> = due.by_ref().take(AT_ONCE).collect();
            if batch.is_empty() {
                return Ok(complete);
            }
            complete &= self.fetch_pages(batch).await?;
        }
    }

    async fn fetch_pages(&mut self, batch: Vec<Listed>) -> Result<bool> {
        let (mut complete, mut items, mut unread) = (true, vec![], vec![]);
        for page in batch {
            self.pages += 1;
            match self.fetch_page(&page).await {
                Ok(item) => items.push(item),
                Err(Trouble::Lasting(_)) => unread.push(self.unread(&page)),
                Err(Trouble::Passing(reason)) => {
                    self.note_once(format!("a page could not be read: {reason}"));
                    complete = false;
                }
                Err(Trouble::Fault(error)) => return Err(error),
            }
        }
        let platform = self.claimed.platform.id;
        let put = move |tx: &mut Tx<'_>| {
            unread.iter().try_for_each(|page| scan::put_item(tx, platform, page).map(|_| ()))
        };
        self.app.store.write(put).await?;
        Ok(self.look_at(items).await? && complete)
    }

    async fn fetch_page(&mut self, listed: &Listed) -> Result<Item, Trouble> {
        // As large as a page may be that proves a domain.
        let answer =
            self.visitor.read(Purpose::VerificationPage, &listed.url, HeaderMap::new()).await?;
        let kind = content_type(&answer);
        if !kind.as_deref().is_none_or(is_html) {
            return Err(Trouble::Lasting("it is no page".to_owned()));
        }
        let base = answer.url.clone();
        let read = move || page::read(charset::page(&answer.body, kind.as_deref()).as_bytes());
        let page = tokio::task::spawn_blocking(read).await;
        let Page { title, text, image, author, published } =
            page.map_err(|_| Trouble::Lasting("its reader failed".to_owned()))?;
        let published = published.and_then(|it| Timestamp::parse(&it).ok());
        let published_at = published.or(listed.changed);
        let url = listed.content.clone();
        let draft = Draft { url, title, text, image, author, published_at };
        Ok(Item { content: shape(&base, draft), listed_at: listed.changed })
    }

    /// That a page cannot be read is known until it says it has changed.
    fn unread(&self, page: &Listed) -> Scanned {
        let (listed_at, last_seen_at) = (page.changed, self.app.clock.now());
        let (image_url, picture) = (None, None);
        let known = Known { digest: vec![], listed_at, image_url, picture, last_seen_at };
        Scanned { key: page.content.key().to_owned(), known }
    }
}

/// What is on the list's own host, the newest first, each address once.
fn on_host(mut entries: Vec<Entry>, base: &Url) -> Vec<Listed> {
    entries.sort_by_key(|it| std::cmp::Reverse(it.changed));
    let mut seen = HashSet::new();
    let listed = entries.into_iter().filter_map(|Entry { url, changed }| {
        let content = ContentUrl::join(base, &url).ok()?;
        let url = Url::parse(content.as_str()).ok()?;
        let here = url.host() == base.host() && url.port() == base.port();
        (here && seen.insert(content.key().to_owned())).then_some(Listed { url, content, changed })
    });
    listed.collect()
}

/// Whose turn it is: those never seen, those that changed, those in which something else may be
/// seen now; of each the oldest first.
type Turn = (u8, Option<Timestamp>);

fn turn(
    page: &Listed,
    known: Option<Known>,
    last_change: Option<Timestamp>,
    now: Timestamp,
) -> Option<Turn> {
    let Some(known) = known else { return Some((0, page.changed)) };
    if page.changed > known.listed_at {
        return Some((1, page.changed));
    }
    let stale = last_change.is_some_and(|it| it.plus(OVERLAP) >= known.last_seen_at)
        || now.since(known.last_seen_at) >= WHOLE_EVERY;
    stale.then_some((2, Some(known.last_seen_at)))
}

fn is_html(kind: &str) -> bool {
    let kind = kind.trim().to_ascii_lowercase();
    ["text/html", "application/xhtml", "text/plain"].iter().any(|it| kind.starts_with(it))
}
