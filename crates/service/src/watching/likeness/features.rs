//! Finds reference images by local features: an index gives a few candidates, whose features are
//! read from the database and compared.
//!
//! Each node fills its index with what follows what it has. A unit of work commits some time after
//! the timestamp it writes, and node clocks differ, so what is newer than a few minutes is listed
//! for each search, and what is not in the index is added. The index takes images as long as it is
//! within its memory; its complete parts lie in files. Deleted images are dropped when a search
//! finds them.

use std::collections::{HashMap, HashSet};
use std::mem::take;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use grantor_domain::id::{ImageId, LicenseId, TenantId};
use grantor_domain::likeness::Placement;
use grantor_domain::{Error, Result, Timestamp};
use grantor_recognition::{
    Brightness, Candidate, Finding, Index, Query, Reference, ShelfError, Strength, VERSION,
    compare, entries_from_bytes,
};
use grantor_storage::{Tx, image_feature, image_hash};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::hashes::beginning;
use super::shelf::Files;
use super::{SETTLED, Shown, broken};
use crate::App;

/// A picture with fewer features cannot match.
pub(super) const LEAST_QUERY: usize = 6;
/// Images per read.
const PAGE: u32 = 2_000;
/// The most new images that are listed for a search. More come into the index after a few minutes.
const MOST_RECENT: u32 = 10_000;
/// Candidates that are compared in each round.
pub(super) const CANDIDATES: usize = 20;
/// If so many of them are found, those of others are compared, too.
const CROWDED: usize = 8;
/// The images that are suggested at most, before it is known whose they are.
const SUGGESTED: usize = 1_000;
/// A picture may show several images. What was found is left out of the next round.
const ROUNDS: usize = 3;

/// The index of this node.
#[derive(Debug)]
pub(super) struct Features {
    /// Locked on threads that may block.
    index: Arc<RwLock<Index<ImageId>>>,
    /// The number of images in the index.
    count: Arc<AtomicUsize>,
    /// Locked while the index is filled, so that one search at a time does it.
    progress: Mutex<Progress>,
    memory: usize,
}

/// How far the index is filled.
#[derive(Debug)]
struct Progress {
    /// When the images were described up to which all are in the index, and the last of them.
    end: (Timestamp, ImageId),
    /// Those after the end that are known, too. Others with an earlier time may follow.
    recent: HashSet<ImageId>,
    is_full: bool,
}

/// Images with their entries as bytes.
type Entries = Vec<(ImageId, Vec<u8>)>;

/// Images that a picture may show.
pub(super) type Candidates = Vec<Candidate<ImageId>>;

/// The licenses of images, and who owns them.
pub(super) type Owners = HashMap<ImageId, (LicenseId, TenantId)>;

/// A picture that is looked up.
pub(super) struct Search(Arc<Query>);

impl Features {
    pub(super) fn new(memory: usize, folder: PathBuf) -> Self {
        let index = Index::bounded(memory, Box::new(Files::new(folder)));
        let progress = Progress { end: beginning(), recent: HashSet::new(), is_full: false };
        Self {
            index: Arc::new(RwLock::new(index)),
            count: Arc::default(),
            progress: Mutex::new(progress),
            memory,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Changes the index, on a thread that may block until all searches are done.
    async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Index<ImageId>) -> T + Send + 'static,
    ) -> Result<T> {
        let (index, count) = (Arc::clone(&self.index), Arc::clone(&self.count));
        let work = spawn_blocking(move || {
            let mut index = index.write().unwrap_or_else(PoisonError::into_inner);
            let changed = change(&mut index);
            count.store(index.len(), Ordering::Relaxed);
            changed
        });
        work.await.map_err(broken)
    }

    /// Adds images that are not in the index. Returns whether there is no room for more.
    async fn add(&self, images: Entries) -> Result<bool> {
        if images.is_empty() {
            return Ok(false);
        }
        let memory = self.memory;
        let add = move |index: &mut Index<ImageId>| {
            let images = images.iter().filter_map(|(image, bytes)| {
                let entries = entries_from_bytes(bytes).filter(|it| !it.is_empty())?;
                Some((*image, entries))
            });
            let added = index.insert_all(&images.collect::<Vec<_>>());
            if let Err(error) = &added {
                tracing::error!(%error, "no more reference images are compared by local features");
            }
            added.is_err() || index.memory() > memory
        };
        let is_full = self.change(add).await?;
        if is_full {
            let images = self.len();
            tracing::warn!(images, "recognition_memory holds no more reference images");
        }
        Ok(is_full)
    }

    pub(super) async fn forget(&self, gone: HashSet<ImageId>) -> Result<()> {
        self.change(move |index| gone.into_iter().for_each(|it| index.remove(it))).await
    }
}

/// Adds images to the index that are not there yet, as far as there is room.
pub(super) async fn refresh(app: &App) -> Result<()> {
    let features = &app.likenesses.features;
    let mut progress = features.progress.lock().await;
    let settled = app.clock.now().minus(SETTLED);
    let mut more = true;
    while more && !progress.is_full {
        let end = progress.end;
        let read = move |tx: &mut Tx<'_>| {
            Ok::<_, Error>(image_feature::list_between(tx, end, settled, VERSION, PAGE)?)
        };
        let page = app.store.read(read).await?;
        more = page.len() == PAGE as usize;
        let end = page.last().map_or(end, |it| (it.described_at, it.image));
        let new = page.into_iter().filter(|it| !progress.recent.contains(&it.image));
        let images = new.filter_map(|it| Some((it.image, it.entries?))).collect();
        progress.is_full = features.add(images).await?;
        progress.end = end;
    }
    if !progress.is_full {
        add_recent(app, &mut progress, settled).await?;
    }
    Ok(())
}

/// Adds the newest images, each of which is read once.
async fn add_recent(app: &App, progress: &mut Progress, settled: Timestamp) -> Result<()> {
    // Also if the clock was set back.
    let after = progress.end.min((settled, Uuid::nil().into()));
    let known = take(&mut progress.recent);
    let read = move |tx: &mut Tx<'_>| {
        let recent = image_feature::list_since(tx, after, MOST_RECENT)?;
        let new = recent.iter().copied().filter(|it| !known.contains(it));
        let images = image_feature::entries_of(tx, &new.collect::<Vec<_>>(), VERSION)?;
        Ok::<_, Error>((recent, images))
    };
    let (recent, images) = app.store.read(read).await?;
    progress.is_full = app.likenesses.features.add(images).await?;
    progress.recent = recent.into_iter().collect();
    Ok(())
}

/// Prepares to look a picture up; `None` if there is nothing to find.
pub(super) async fn search(app: &App, brightness: &Brightness) -> Result<Option<Search>> {
    refresh(app).await?;
    if app.likenesses.features.len() == 0 {
        return Ok(None);
    }
    let query = app.images.query(brightness.clone()).await?;
    Ok((query.len() >= LEAST_QUERY).then(|| Search(Arc::new(query))))
}

impl Search {
    /// The images that the picture may show, likeliest first.
    pub(super) async fn candidates(&self, app: &App, most: usize) -> Result<Candidates> {
        let (index, query) = (Arc::clone(&app.likenesses.features.index), Arc::clone(&self.0));
        let work = spawn_blocking(move || {
            index.read().unwrap_or_else(PoisonError::into_inner).search(&query, most)
        });
        work.await.map_err(broken)?.map_err(unavailable)
    }

    /// Those of the candidates that the picture shows. Those that are gone are forgotten.
    pub(super) async fn verify(
        &self,
        app: &App,
        candidates: Candidates,
    ) -> Result<Vec<(ImageId, Finding)>> {
        if candidates.is_empty() {
            return Ok(vec![]);
        }
        let ids: Vec<ImageId> = candidates.iter().map(|it| it.key).collect();
        let read = app.store.read(move |tx| Ok::<_, Error>(image_feature::features_of(tx, &ids)?));
        let stored: HashMap<ImageId, Vec<u8>> = read.await?.into_iter().collect();
        let gone = candidates.iter().map(|it| it.key).filter(|it| !stored.contains_key(it));
        let gone: HashSet<ImageId> = gone.collect();
        if !gone.is_empty() {
            app.likenesses.features.forget(gone).await?;
        }
        let query = Arc::clone(&self.0);
        let work = spawn_blocking(move || {
            let compared = candidates.into_iter().filter_map(|it| {
                let reference = Reference::from_bytes(stored.get(&it.key)?)?;
                let finding = compare(&query, it.mirrored, &reference)?;
                finding.strength().map(|_| (it.key, finding))
            });
            compared.collect::<Vec<_>>()
        });
        work.await.map_err(broken)
    }

    /// The likeliest images of licenses of which none was found, in turns of their owners: many
    /// copies of a picture must not hide what others have of it.
    async fn others(&self, app: &App, tried: &Tried, found: Vec<ImageId>) -> Result<Candidates> {
        let mut candidates = self.candidates(app, SUGGESTED).await?;
        candidates.retain(|it| !tried.has(it));
        let mut ids: Vec<ImageId> = candidates.iter().map(|it| it.key).collect();
        ids.extend(&found);
        let read = app.store.read(move |tx| Ok::<_, Error>(image_hash::owners_of(tx, &ids)?));
        let owners: Owners = read.await?.into_iter().collect();
        Ok(in_turns(candidates, &found, &owners))
    }

    /// The same without what these findings show. `None` if too little is left.
    fn without<'a>(&self, found: impl Iterator<Item = &'a Finding>) -> Option<Self> {
        let rest = found.fold(None, |rest: Option<Query>, finding| {
            Some(rest.as_ref().unwrap_or(&self.0).outside(finding))
        });
        rest.filter(|it| it.len() >= LEAST_QUERY).map(|it| Self(Arc::new(it)))
    }
}

/// Returns the reference images that a picture shows, in no order.
pub(super) async fn find(app: &App, brightness: &Brightness) -> Result<Vec<Shown>> {
    let mut search = search(app, brightness).await?;
    let mut tried = Tried::default();
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        let Some(now) = &search else { break };
        // The others of this round are among these, whatever was tried before.
        let most = SUGGESTED.min(CANDIDATES + tried.0.len());
        let mut candidates = now.candidates(app, most).await?;
        candidates.retain(|it| !tried.has(it));
        candidates.truncate(CANDIDATES);
        let mut verified = now.verify(app, tried.note(candidates)).await?;
        let sure = verified.iter().filter(|(_, it)| is_strong(it)).map(|(image, _)| *image);
        let sure: Vec<ImageId> = sure.collect();
        if sure.len() >= CROWDED {
            let others = now.others(app, &tried, sure).await?;
            verified.extend(now.verify(app, tried.note(others)).await?);
        }
        let strong = verified.iter().map(|(_, it)| it).filter(|it| is_strong(it));
        let next = now.without(strong);
        found.extend(verified.iter().map(|(image, finding)| Shown::new(*image, finding)));
        search = next;
    }
    Ok(found)
}

/// Images that were compared, and whether with the mirrored picture.
#[derive(Default)]
struct Tried(HashSet<(ImageId, bool)>);

impl Tried {
    fn has(&self, candidate: &Candidate<ImageId>) -> bool {
        self.0.contains(&(candidate.key, candidate.mirrored))
    }

    /// Notes that these are compared.
    fn note(&mut self, candidates: Candidates) -> Candidates {
        self.0.extend(candidates.iter().map(|it| (it.key, it.mirrored)));
        candidates
    }
}

/// The first of other licenses, in turns of their owners. `owners` has who owns an image.
fn in_turns(candidates: Candidates, found: &[ImageId], owners: &Owners) -> Candidates {
    let (mut licenses, mut turns) = (HashSet::new(), HashMap::<TenantId, usize>::new());
    let mut turn = |image: ImageId| {
        let (license, owner) = owners.get(&image)?;
        let turn = turns.entry(*owner).or_default();
        licenses.insert(*license).then(|| {
            *turn += 1;
            *turn
        })
    };
    for image in found {
        _ = turn(*image);
    }
    let others = candidates.into_iter().filter_map(|it| Some((turn(it.key)?, it)));
    let mut others: Vec<_> = others.collect();
    others.sort_by_key(|(turn, _)| *turn);
    others.into_iter().map(|(_, it)| it).take(CANDIDATES).collect()
}

pub(super) fn is_strong(finding: &Finding) -> bool {
    finding.strength() == Some(Strength::Strong)
}

#[expect(clippy::needless_pass_by_value, reason = "is passed to `map_err`")]
fn unavailable(error: ShelfError) -> Error {
    Error::internal(error.to_string())
}

impl Shown {
    fn new(image: ImageId, finding: &Finding) -> Self {
        Self {
            image,
            strong: is_strong(finding),
            confidence: finding.confidence(),
            placement: Placement {
                outline: finding.outline.clone(),
                scale: thousandths(finding.scale),
                rotation: degrees(finding.rotation),
                mirrored: finding.mirrored,
            },
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates, as intended"
)]
fn thousandths(value: f32) -> u32 {
    (value * 1_000.0).round() as u32
}

#[expect(clippy::cast_possible_truncation, reason = "a cast from a float saturates, as intended")]
fn degrees(value: f32) -> i16 {
    value.round() as i16
}
