//! Scans content found in feeds and sitemaps, in batches: fetches pictures that are not known yet,
//! records sightings, and only then marks the content as scanned.

use grantor_domain::content::Content;
use grantor_domain::scan::RunCounts;
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::scan::{self, Known, Scanned};
use metrics::counter;
use url::Url;

use super::detection::{BATCH, FetchedItem, hash_picture, record_sightings};
use super::fetcher::FetchError;
use super::run::Run;
use grantor_outbound::Purpose;
use grantor_outbound::header::HeaderMap;

/// Pictures fetched per run.
pub(super) const MAX_PICTURES: u32 = 300;

/// A piece of content to scan.
pub(super) struct Item {
    pub(super) content: Content,
    /// The last modification date from the sitemap.
    pub(super) listed_at: Option<Timestamp>,
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
        let keys = batch.iter().map(|it| it.content.url.key().to_owned()).collect();
        let known = self.known(keys).await?;
        let (mut complete, mut found, mut scanned) = (true, vec![], vec![]);
        for (item, known) in batch.into_iter().zip(known) {
            let picture = self.picture(&item.content, known).await?;
            complete &= picture.is_some() || item.content.image_url.is_none();
            scanned.push(scanned_item(&item, picture.clone(), self.app.clock.now()));
            found.push(FetchedItem { content: item.content, picture });
        }
        let platform = self.claimed.platform.id;
        let mentions = record_sightings(&self.app, &self.context, platform, found).await?;
        self.record_scanned(scanned, mentions).await?;
        Ok(complete)
    }

    /// What is known about each of these items.
    pub(super) async fn known(&self, keys: Vec<String>) -> Result<Vec<Option<Known>>> {
        let platform = self.claimed.platform.id;
        let find = move |tx: &mut Tx<'_>| {
            keys.iter().map(|key| scan::find_item(tx, platform, key)).collect::<Result<_, _>>()
        };
        Ok(self.app.store.read(find).await?)
    }

    /// The hashes of an item's picture, fetched unless known; empty if it is unreadable. `None` if
    /// there is no picture or the next run has to fetch it.
    async fn picture(
        &mut self,
        content: &Content,
        known: Option<Known>,
    ) -> Result<Option<Vec<u8>>> {
        let Some(url) = &content.image_url else { return Ok(None) };
        let known = known.filter(|it| it.image_url.as_deref() == Some(url.as_str()));
        if let Some(picture) = known.and_then(|it| it.picture) {
            return Ok(Some(picture));
        }
        if self.pictures == MAX_PICTURES {
            self.add_note(format!(
                "{MAX_PICTURES} images were read; the rest follow in the next run"
            ));
            return Ok(None);
        }
        self.pictures += 1;
        let Ok(url) = Url::parse(url.as_str()) else { return Ok(Some(vec![])) };
        match self.fetcher.read(Purpose::Image, &url, HeaderMap::new()).await {
            Ok(answer) => hash_picture(&self.app, answer.body).await.map(Some),
            Err(FetchError::Permanent(_)) => Ok(Some(vec![])),
            Err(FetchError::Temporary(reason)) => {
                self.add_note(format!("an image could not be read: {reason}"));
                Ok(None)
            }
            Err(FetchError::Internal(error)) => Err(error),
        }
    }

    /// Marks items as scanned and writes the counts.
    pub(super) async fn record_scanned(
        &mut self,
        scanned: Vec<Scanned>,
        mentions: u32,
    ) -> Result<()> {
        let mut counts = self.fetcher.counts;
        counts.items += u32::try_from(scanned.len()).unwrap_or(u32::MAX);
        counts.mentions += mentions;
        counter!("grantor_scan_items_total").increment(scanned.len() as u64);
        let claimed = self.claimed.clone();
        let write = move |tx: &mut Tx<'_>| {
            let mut counts = counts;
            for item in &scanned {
                counts.new_items += u32::from(scan::put_item(tx, claimed.platform.id, item)?);
            }
            scan::count(tx, &claimed, counts)
        };
        self.app.store.write(write).await?;
        self.fetcher.counts = RunCounts::default();
        Ok(())
    }
}

/// An item as it is stored.
fn scanned_item(item: &Item, picture: Option<Vec<u8>>, now: Timestamp) -> Scanned {
    let content = &item.content;
    let image_url = content.image_url.as_ref().map(|it| it.as_str().to_owned());
    let known = Known {
        digest: content.digest().to_vec(),
        listed_at: item.listed_at,
        image_url,
        picture,
        last_seen_at: now,
    };
    Scanned { key: content.url.key().to_owned(), known }
}
