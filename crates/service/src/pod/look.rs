//! Content that a feed or a sitemap showed, looked at in batches: its picture fetched where it is
//! not known, handed over, and only then noted as looked at.

use grantor_domain::content::Content;
use grantor_domain::scan::RunCounts;
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::scan::{self, Known, Scanned};
use metrics::counter;
use url::Url;

use super::handover::{AT_ONCE, Found, hand_over, portray};
use super::run::Run;
use super::visit::Trouble;
use crate::outbound::Purpose;
use crate::outbound::header::HeaderMap;

/// Pictures that one run fetches.
pub(super) const MOST_PICTURES: u32 = 300;

/// A piece of content to look at.
pub(super) struct Item {
    pub(super) content: Content,
    /// The date a sitemap gave it.
    pub(super) listed_at: Option<Timestamp>,
}

impl Run {
    /// Looks at all of these. Gives whether nothing was left for another time.
    pub(super) async fn look_at(&mut self, items: Vec<Item>) -> Result<bool> {
        let mut complete = true;
        let mut items = items.into_iter();
        loop {
            let batch: Vec<Item> = items.by_ref().take(AT_ONCE).collect();
            if batch.is_empty() {
                return Ok(complete);
            }
            complete &= self.look_at_batch(batch).await?;
        }
    }

    async fn look_at_batch(&mut self, batch: Vec<Item>) -> Result<bool> {
        let keys = batch.iter().map(|it| it.content.url.key().to_owned()).collect();
        let known = self.known(keys).await?;
        let (mut complete, mut found, mut scanned) = (true, vec![], vec![]);
        for (item, known) in batch.into_iter().zip(known) {
            let picture = self.picture(&item.content, known).await?;
            complete &= picture.is_some() || item.content.image_url.is_none();
            scanned.push(noted(&item, picture.clone(), self.app.clock.now()));
            found.push(Found { content: item.content, picture });
        }
        let platform = self.claimed.platform.id;
        let mentions = hand_over(&self.app, &self.context, platform, found).await?;
        self.note(scanned, mentions).await?;
        Ok(complete)
    }

    /// What is known of each of these.
    pub(super) async fn known(&self, keys: Vec<String>) -> Result<Vec<Option<Known>>> {
        let platform = self.claimed.platform.id;
        let find = move |tx: &mut Tx<'_>| {
            keys.iter().map(|key| scan::find_item(tx, platform, key)).collect::<Result<_, _>>()
        };
        Ok(self.app.store.read(find).await?)
    }

    /// What is kept of the picture of a piece of content: fetched, unless it is known. Nothing where
    /// it is to be fetched another time.
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
        if self.pictures == MOST_PICTURES {
            self.note_once(format!("more than {MOST_PICTURES} pictures: the rest follows"));
            return Ok(None);
        }
        self.pictures += 1;
        let Ok(url) = Url::parse(url.as_str()) else { return Ok(Some(vec![])) };
        match self.visitor.read(Purpose::Image, &url, HeaderMap::new()).await {
            Ok(answer) => portray(&self.app, answer.body).await.map(Some),
            Err(Trouble::Lasting(_)) => Ok(Some(vec![])),
            Err(Trouble::Passing(reason)) => {
                self.note_once(format!("a picture could not be read: {reason}"));
                Ok(None)
            }
            Err(Trouble::Fault(error)) => Err(error),
        }
    }

    /// Writes that these were looked at, with all that was counted.
    pub(super) async fn note(&mut self, scanned: Vec<Scanned>, mentions: u32) -> Result<()> {
        let mut counts = self.visitor.counts;
        counts.items += u32::try_from(scanned.len()).unwrap_or(u32::MAX);
        counts.mentions += mentions;
        counter!("grantor_scan_items_total").increment(scanned.len() as u64);
        let claimed = self.claimed.clone();
        let note = move |tx: &mut Tx<'_>| {
            let mut counts = counts;
            for item in &scanned {
                counts.new_items += u32::from(scan::put_item(tx, claimed.platform.id, item)?);
            }
            scan::count(tx, &claimed, counts)
        };
        self.app.store.write(note).await?;
        self.visitor.counts = RunCounts::default();
        Ok(())
    }
}

/// A piece of content as it is kept.
fn noted(item: &Item, picture: Option<Vec<u8>>, now: Timestamp) -> Scanned {
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
