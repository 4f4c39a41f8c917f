//! Scans content found in feeds and sitemaps, in batches: fetches pictures that are not known yet,
//! records sightings, and only then marks the content as scanned.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::content::Content;
use grantor_domain::evidence::Capture;
use grantor_domain::scan::RunCounts;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::scan::{self, Known, Scanned, ScannedImage};
use grantor_storage::{Tx, image_feature};
use metrics::counter;
use url::Url;

use super::detection::{BATCH, FetchedItem, FetchedPicture, candidates, read_picture};
use super::fetcher::FetchError;
use super::run::Run;
use super::target::Found;
use crate::watching::likeness;
use crate::watching::sighting::{Prepared, RecordedMention};
use grantor_outbound::Purpose;
use grantor_outbound::header::HeaderMap;

/// Pictures fetched per run.
pub(super) const MAX_PICTURES: u32 = 300;
/// Pictures of a run after which none is fetched again for newer reference images, and how old the
/// last fetch must be.
const MAX_AGAIN: u32 = 100;
const AGAIN: Duration = Duration::from_hours(6);
/// Pictures fetched again as evidence per batch of content.
const MAX_EVIDENCE: usize = 20;

/// Whether there are reference images that pictures from earlier runs were not searched for.
#[derive(Clone, Copy, Default)]
struct Newer {
    /// When the newest image of those who watch was described.
    since: Option<Timestamp>,
    /// Whether images wait to be described.
    is_waiting: bool,
}

impl Newer {
    /// Whether a picture may show one that it was not searched for.
    fn than(self, read: &ScannedImage) -> bool {
        match read.searched_at {
            _ if read.is_empty() => false,
            Some(at) => self.since.is_some_and(|it| it > at),
            // Once for all that wait.
            None => self.since.is_some() && !self.is_waiting,
        }
    }

    /// Whether a picture has to be searched when no image waits any more.
    fn is_early(self, read: &ScannedImage) -> bool {
        self.is_waiting && !read.is_empty() && read.searched_at.is_none()
    }
}

/// A piece of content to scan.
pub(super) struct Item {
    pub(super) content: Content,
    /// The last modification date from the sitemap.
    pub(super) listed_at: Option<Timestamp>,
    /// The response that contained it.
    pub(super) capture: Option<Arc<Capture>>,
}

impl Run {
    /// Scans the items. Returns whether nothing was left for the next run.
    pub(super) async fn scan_items(&mut self, items: Vec<Item>) -> Result<bool> {
        let mut complete = true;
        let mut items = items.into_iter();
        loop {
            let batch: Vec<Item> = items.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok(complete);
            }
            complete &= self.scan_batch(batch).await?;
        }
    }

    async fn scan_batch(&mut self, batch: Vec<Item>) -> Result<bool> {
        let urls = batch.iter().flat_map(|it| &it.content.images);
        let urls = urls.map(|it| it.url.as_str().to_owned()).collect();
        let (known, newer) = self.known_images(urls).await?;
        let (mut complete, mut found, mut scanned) = (true, vec![], vec![]);
        // Several pieces of content may share an image.
        let mut images: HashMap<String, FetchedPicture> = HashMap::new();
        for item in batch {
            let mut pictures = vec![];
            for image in &item.content.images {
                let url = image.url.as_str();
                let seen = match (images.get(url), known.get(url)) {
                    (Some(seen), _) => Some(seen.clone()),
                    (None, Some(read)) => {
                        let (seen, is_done) = self.known_picture(url, read, newer).await?;
                        complete &= is_done;
                        Some(seen)
                    }
                    (None, None) => self.picture(url).await?,
                };
                complete &= seen.as_ref().is_some_and(|it| !newer.is_early(&it.read));
                if let Some(seen) = seen {
                    images.insert(url.to_owned(), seen.clone());
                    pictures.push(seen);
                }
            }
            scanned.push(scanned_item(&item, self.app.clock.now()));
            let Item { content, capture, .. } = item;
            found.push(FetchedItem { content, pictures, capture });
        }
        let mut prepared = self.target.prepare(&self.app, candidates(found)).await?;
        self.fetch_evidence(&mut prepared, &images).await?;
        let recorded = self.target.record(&self.app, &self.context, prepared).await?;
        let images = images.into_iter().map(|(url, it)| (url, it.read)).collect();
        self.record_scanned(scanned, images, &recorded.concat()).await?;
        Ok(complete)
    }

    /// Fetches pictures again that are evidence of new mentions and were known from before. A
    /// picture that changed since is no evidence.
    async fn fetch_evidence(
        &mut self,
        prepared: &mut Prepared,
        known: &HashMap<String, FetchedPicture>,
    ) -> Result<()> {
        for url in prepared.evidence.missing_pictures().into_iter().take(MAX_EVIDENCE) {
            let Some(seen) = self.picture(&url).await? else { continue };
            let same = known.get(&url).is_some_and(|it| it.is_like(&seen));
            if let Some(copy) = seen.copy.filter(|_| same) {
                prepared.evidence.add_copy(url, copy);
            }
        }
        Ok(())
    }

    /// What is known about each of these items.
    pub(super) async fn known(&self, keys: Vec<String>) -> Result<Vec<Option<Known>>> {
        let target = self.target.id();
        let find = move |tx: &mut Tx<'_>| {
            keys.iter().map(|key| scan::find_item(tx, target, key)).collect::<Result<_, _>>()
        };
        Ok(self.app.store.read(find).await?)
    }

    /// What is known of those of these images that were read before, and whether there are newer
    /// reference images.
    async fn known_images(
        &self,
        urls: Vec<String>,
    ) -> Result<(HashMap<String, ScannedImage>, Newer)> {
        if urls.is_empty() {
            return Ok((HashMap::new(), Newer::default()));
        }
        let target = self.target.id();
        let watched = self.target.feed().map(|it| it.feed.id);
        let find = move |tx: &mut Tx<'_>| {
            let mut known = HashMap::new();
            for url in &urls {
                if let Some(read) = scan::find_image(tx, target, url)? {
                    known.insert(url.clone(), read);
                }
            }
            let since = match watched {
                Some(feed) => image_feature::newest_of_watchers(tx, feed)?,
                None => image_feature::newest(tx)?,
            };
            let is_waiting = !likeness::is_complete(tx)?;
            Ok::<_, Error>((known, Newer { since, is_waiting }))
        };
        self.app.store.read(find).await
    }

    /// A picture from an earlier run. Local features need the picture itself to find newer
    /// reference images, so then it is fetched again, though not often. Returns whether nothing is
    /// left for the next run.
    async fn known_picture(
        &mut self,
        url: &str,
        read: &ScannedImage,
        newer: Newer,
    ) -> Result<(FetchedPicture, bool)> {
        let known = FetchedPicture::new(url, read.clone());
        if !newer.than(read) {
            return Ok((known, true));
        }
        let now = self.app.clock.now();
        let is_due = read.searched_at.is_none_or(|it| now.since(it) >= AGAIN);
        if !is_due || self.pictures >= MAX_AGAIN {
            return Ok((known, false));
        }
        let Some(fresh) = self.picture(url).await? else { return Ok((known, false)) };
        if fresh.read.is_empty() {
            let read = ScannedImage { searched_at: Some(now), ..read.clone() };
            return Ok((FetchedPicture::new(url, read), true));
        }
        Ok((fresh, true))
    }

    /// Fetches a picture and reads it; empty if it is unreadable. `None` if the next run has to
    /// fetch it.
    async fn picture(&mut self, address: &str) -> Result<Option<FetchedPicture>> {
        let unreadable = || FetchedPicture::new(address, ScannedImage::default());
        if self.pictures == MAX_PICTURES {
            self.add_note(format!(
                "{MAX_PICTURES} images were read; the rest follow in the next run"
            ));
            return Ok(None);
        }
        self.pictures += 1;
        let Ok(url) = Url::parse(address) else { return Ok(Some(unreadable())) };
        match self.fetcher.read(Purpose::Image, &url, HeaderMap::new()).await {
            Ok(answer) => read_picture(&self.app, address, answer).await.map(Some),
            Err(FetchError::Permanent(reason)) => {
                self.skip(&url, &reason);
                Ok(Some(unreadable()))
            }
            Err(FetchError::Temporary(reason)) => {
                self.add_note(format!("an image could not be read: {reason}"));
                Ok(None)
            }
            Err(FetchError::Internal(error)) => Err(error),
        }
    }

    /// Marks items and images as scanned and writes the counts.
    async fn record_scanned(
        &mut self,
        scanned: Vec<Scanned>,
        images: HashMap<String, ScannedImage>,
        recorded: &[RecordedMention],
    ) -> Result<()> {
        let mut counts = self.fetcher.counts;
        counts.items += u32::try_from(scanned.len()).unwrap_or(u32::MAX);
        let mut found = Found::new();
        for mention in recorded.iter().filter(|it| it.is_new) {
            counts.mentions += 1;
            if let Some(id) = mention.shown.mention.source {
                *found.entry(id).or_default() += 1;
            }
        }
        counter!("grantor_scan_items_total").increment(scanned.len() as u64);
        let (target, now) = (Arc::clone(&self.target), self.app.clock.now());
        let write = move |tx: &mut Tx<'_>| {
            let mut counts = counts;
            for item in &scanned {
                counts.new_items += u32::from(scan::put_item(tx, target.id(), item)?);
            }
            for (url, read) in &images {
                scan::put_image(tx, target.id(), (url.as_str(), read), now)?;
            }
            target.count_found(tx, &found)?;
            target.count(tx, counts)
        };
        self.app.store.write(write).await?;
        self.fetcher.counts = RunCounts::default();
        Ok(())
    }
}

/// An item as it is stored.
fn scanned_item(item: &Item, now: Timestamp) -> Scanned {
    let content = &item.content;
    let known =
        Known { digest: content.digest().to_vec(), listed_at: item.listed_at, last_seen_at: now };
    Scanned { key: content.url.key().to_owned(), known }
}
