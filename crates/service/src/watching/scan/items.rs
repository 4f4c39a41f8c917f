//! Scans content found in feeds and sitemaps, in batches: fetches pictures that are not known yet,
//! records sightings, and only then marks the content as scanned.

use std::collections::HashMap;
use std::sync::Arc;

use grantor_domain::content::Content;
use grantor_domain::evidence::Capture;
use grantor_domain::scan::RunCounts;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::scan::{self, Known, Scanned};
use metrics::counter;
use url::Url;

use super::detection::{BATCH, FetchedItem, FetchedPicture, candidates, read_picture};
use super::fetcher::FetchError;
use super::run::Run;
use super::target::Found;
use crate::watching::sighting::{Prepared, RecordedMention};
use grantor_outbound::Purpose;
use grantor_outbound::header::HeaderMap;

/// Pictures fetched per run.
pub(super) const MAX_PICTURES: u32 = 300;
/// Pictures fetched again as evidence per batch of content.
const MAX_EVIDENCE: usize = 20;

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
        let known = self.known_images(urls.map(|it| it.url.as_str().to_owned()).collect()).await?;
        let (mut complete, mut found, mut scanned) = (true, vec![], vec![]);
        // Several pieces of content may share an image.
        let mut images: HashMap<String, FetchedPicture> = HashMap::new();
        for item in batch {
            let mut pictures = vec![];
            for image in &item.content.images {
                let url = image.url.as_str();
                let seen = match (images.get(url), known.get(url)) {
                    (Some(seen), _) => Some(seen.clone()),
                    (None, Some(hashes)) => {
                        let (url, hashes) = (url.to_owned(), hashes.clone());
                        Some(FetchedPicture { url, hashes, copy: None })
                    }
                    (None, None) => self.picture(url).await?,
                };
                complete &= seen.is_some();
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
        let images = images.into_iter().map(|(url, it)| (url, it.hashes)).collect();
        self.record_scanned(scanned, images, &recorded.concat()).await?;
        Ok(complete)
    }

    /// Fetches pictures again that are evidence of new mentions and were known by their hashes
    /// alone. A picture that changed since is no evidence.
    async fn fetch_evidence(
        &mut self,
        prepared: &mut Prepared,
        known: &HashMap<String, FetchedPicture>,
    ) -> Result<()> {
        for url in prepared.evidence.missing_pictures().into_iter().take(MAX_EVIDENCE) {
            let Some(seen) = self.picture(&url).await? else { continue };
            let same = known.get(&url).is_some_and(|it| it.hashes == seen.hashes);
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

    /// The hashes of those of these images that were read before.
    async fn known_images(&self, urls: Vec<String>) -> Result<HashMap<String, Vec<u8>>> {
        if urls.is_empty() {
            return Ok(HashMap::new());
        }
        let target = self.target.id();
        let find = move |tx: &mut Tx<'_>| {
            let mut known = HashMap::new();
            for url in &urls {
                if let Some(hashes) = scan::find_image(tx, target, url)? {
                    known.insert(url.clone(), hashes);
                }
            }
            Ok::<_, Error>(known)
        };
        self.app.store.read(find).await
    }

    /// Fetches a picture and returns its hashes; empty if it is unreadable. `None` if the next run
    /// has to fetch it.
    async fn picture(&mut self, address: &str) -> Result<Option<FetchedPicture>> {
        let unreadable = || FetchedPicture { url: address.to_owned(), hashes: vec![], copy: None };
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
        images: HashMap<String, Vec<u8>>,
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
            for (url, hashes) in &images {
                scan::put_image(tx, target.id(), (url.as_str(), hashes.as_slice()), now)?;
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
