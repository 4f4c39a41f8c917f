//! Finds the reference images that a picture resembles, by comparing its hashes with those of all
//! reference images.
//!
//! Each node keeps as many hashes in memory as its setting allows, oldest first, and reads the
//! others from the database for each search. The newest are always read: a unit of work commits
//! some time after the timestamp it writes, and node clocks differ. Deleted images are dropped when
//! a search finds them, because they no longer have a license, and when the memory is filled anew.

mod backfill;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::likeness::{
    HashList, HashQuery, ImageHash, MIN_QUALITY, NearHash, Region, VariantHashes, WEAK_DISTANCE,
};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::image_hash::{self, StoredHash};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::App;

pub use backfill::{BackfillCursor, hash_stored};

/// Hashes per read.
const PAGE: u32 = 5_000;

/// Pictures that are compared in one pass. Each takes a megabyte meanwhile.
const PICTURES_AT_ONCE: usize = 16;

/// The most similar images that a search returns. Thousands of licenses may have the same picture;
/// a search must not look up all of them.
pub(crate) const MAX_FOUND: usize = 500;

/// Only hashes older than this are kept in memory. No unit of work takes longer, and no two clocks
/// should differ by more.
const SETTLED: Duration = Duration::from_mins(5);

/// How often the memory is filled anew, to drop deleted images and pick up hashes that were missed
/// because of clock differences.
const RELOAD: Duration = Duration::from_hours(6);

/// The memory for hashes in a test, and in a program without a setting.
const DEFAULT_MEMORY: usize = 224 << 20;

/// The hashes of reference images that this node keeps in memory.
#[derive(Debug)]
pub struct Likenesses {
    /// Locked on threads that may block.
    kept: Arc<RwLock<Kept>>,
    /// Locked while the memory is filled, so that one search at a time does it.
    progress: Mutex<Progress>,
    /// The most images in memory.
    most: usize,
}

/// The hashes up to a position among all of them.
#[derive(Debug)]
struct Kept {
    hashes: HashList<ImageId>,
    /// When the images were hashed up to which all are here, and the last of them.
    end: (Timestamp, ImageId),
}

impl Default for Kept {
    fn default() -> Self {
        Self { hashes: HashList::default(), end: beginning() }
    }
}

/// How far the memory is filled.
#[derive(Debug)]
struct Progress {
    /// When the first hash was read.
    begun_at: Option<Duration>,
    end: (Timestamp, ImageId),
    images: usize,
}

impl Default for Progress {
    fn default() -> Self {
        Self { begun_at: None, end: beginning(), images: 0 }
    }
}

/// Before all hashes.
fn beginning() -> (Timestamp, ImageId) {
    (Timestamp::from_micros(i64::MIN), Uuid::nil().into())
}

/// A reference image that a picture resembles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// The image.
    pub image: ImageId,
    /// Its license. It is not deleted, but may have any status.
    pub license: LicenseId,
    /// The number of bits in which the hashes differ.
    pub distance: u32,
    /// The part of the picture that resembles the image; `None` for the whole picture.
    pub region: Option<Region>,
}

/// An image near one of the hashes of a picture. Ordered by how near it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Near {
    distance: u32,
    image: ImageId,
    /// The position of the hash.
    position: usize,
}

impl Near {
    fn new((image, NearHash { distance, position }): (ImageId, NearHash)) -> Self {
        Self { distance, image, position }
    }
}

/// Hashes a JPEG, PNG or WebP image within the upload limits. `None` if it has too little detail to
/// be told from others.
pub async fn hash_of(app: &App, bytes: Vec<u8>) -> Result<Option<VariantHashes>> {
    let seen = app.images.hash_variants(bytes).await?;
    Ok(Some(seen).filter(|it| it.quality >= MIN_QUALITY))
}

/// Like [`hash_of`], for somebody who waits for the result: unavailable if too many images are in
/// line, or if the work cannot start within `wait`.
pub(crate) async fn hash_within(
    app: &App,
    bytes: Vec<u8>,
    wait: Duration,
) -> Result<Option<VariantHashes>> {
    let seen = app.images.hash_variants_within(bytes, wait).await?;
    Ok(Some(seen).filter(|it| it.quality >= MIN_QUALITY))
}

/// Returns the reference images within the weak distance of a picture, nearest first, up to
/// 500.
pub async fn find(app: &App, seen: &VariantHashes) -> Result<Vec<Likeness>> {
    find_up_to(app, seen, MAX_FOUND).await
}

/// Like [`find`], with another bound.
pub(crate) async fn find_up_to(
    app: &App,
    seen: &VariantHashes,
    at_most: usize,
) -> Result<Vec<Likeness>> {
    let found = find_each(app, &[seen], at_most).await?;
    Ok(found.into_iter().flatten().collect())
}

/// Like [`find`], for several pictures, with a bound for each. What is not in memory is read once
/// for all of them.
pub(crate) async fn find_each(
    app: &App,
    seen: &[&VariantHashes],
    at_most: usize,
) -> Result<Vec<Vec<Likeness>>> {
    if seen.is_empty() {
        return Ok(Vec::new());
    }
    refresh(app).await?;
    let mut near = Vec::with_capacity(seen.len());
    for some in seen.chunks(PICTURES_AT_ONCE) {
        let hashes = some.iter().map(|it| it.hashes.clone()).collect();
        near.extend(near_each(app, hashes, at_most).await?);
    }
    let ids: HashSet<ImageId> = near.iter().flatten().map(|it| it.image).collect();
    if ids.is_empty() {
        return Ok(vec![Vec::new(); seen.len()]);
    }
    let all: Vec<ImageId> = ids.iter().copied().collect();
    let licenses = app.store.read(move |tx| Ok::<_, Error>(image_hash::licenses_of(tx, &all)?));
    let licenses: HashMap<_, _> = licenses.await?.into_iter().collect();
    let gone = ids.into_iter().filter(|image| !licenses.contains_key(image));
    app.likenesses.forget(gone.collect()).await?;
    let present = near.into_iter().zip(seen).map(|(near, seen)| {
        let present = near.into_iter().filter_map(|Near { distance, image, position }| {
            let (license, region) = (*licenses.get(&image)?, seen.region(position));
            Some(Likeness { image, license, distance, region })
        });
        present.collect()
    });
    Ok(present.collect())
}

/// Keeps hashes in memory that are not there yet, as far as there is room, or all of them anew when
/// that is due. `find` calls it.
pub async fn refresh(app: &App) -> Result<()> {
    let Likenesses { progress, most, .. } = &app.likenesses;
    let mut progress = progress.lock().await;
    let (now, settled) = (app.clock.monotonic(), app.clock.now().minus(SETTLED));
    if progress.begun_at.is_none_or(|at| now.saturating_sub(at) >= RELOAD) {
        app.likenesses.change(|kept, _| *kept = Kept::default()).await?;
        *progress = Progress { begun_at: Some(now), ..Progress::default() };
    }
    while progress.images < *most {
        let page = page_after(app, progress.end).await?;
        let full = page.len() == PAGE as usize;
        let old = page.iter().take_while(|it| it.hashed_at < settled).count();
        let more = full && old == page.len();
        let keep = move |kept: &mut Kept, most| kept.add(&page[..old], most);
        (progress.end, progress.images) = app.likenesses.change(keep).await?;
        if !more {
            break;
        }
    }
    Ok(())
}

/// The images near the hashes of each picture, each with its smallest distance, nearest first.
async fn near_each(
    app: &App,
    hashes: Vec<Vec<ImageHash>>,
    at_most: usize,
) -> Result<Vec<Vec<Near>>> {
    let kept = Arc::clone(&app.likenesses.kept);
    let work = spawn_blocking(move || {
        let queries = hashes.into_iter().map(|it| HashQuery::new(it, WEAK_DISTANCE));
        let queries: Vec<HashQuery> = queries.collect();
        let kept = kept.read().unwrap_or_else(PoisonError::into_inner);
        let near =
            queries.iter().map(|it| kept.hashes.find(it).into_iter().map(Near::new).collect());
        let near: Vec<Vec<Near>> = near.collect();
        (queries, near, kept.end)
    });
    let (mut queries, mut near, end) = work.await.map_err(broken)?;
    // Also if the clock was set back.
    let mut after = end.min((app.clock.now().minus(SETTLED), Uuid::nil().into()));
    loop {
        let page = page_after(app, after).await?;
        let Some(last) = page.last().map(|it| (it.hashed_at, it.image)) else { break };
        let full = page.len() == PAGE as usize;
        let work = spawn_blocking(move || {
            let entries: Vec<_> = page.iter().filter_map(usable).collect();
            for (query, near) in queries.iter().zip(&mut near) {
                near.extend(query.find_in(&entries).into_iter().map(Near::new));
                tidy(near, at_most);
            }
            (queries, near)
        });
        (queries, near) = work.await.map_err(broken)?;
        if !full {
            break;
        }
        after = last;
    }
    for it in &mut near {
        tidy(it, at_most);
    }
    Ok(near)
}

/// Leaves each image once, and the nearest ones.
fn tidy(near: &mut Vec<Near>, at_most: usize) {
    near.sort_unstable();
    let mut seen = HashSet::new();
    near.retain(|it| seen.insert(it.image));
    near.truncate(at_most);
}

async fn page_after(app: &App, after: (Timestamp, ImageId)) -> Result<Vec<StoredHash>> {
    app.store.read(move |tx| Ok::<_, Error>(image_hash::list_since(tx, after, PAGE)?)).await
}

/// The hash of an image that has enough detail to be told from others.
fn usable(stored: &StoredHash) -> Option<(ImageHash, ImageId)> {
    let hashed = stored.hashed.filter(|it| it.quality >= MIN_QUALITY)?;
    Some((hashed.hash, stored.image))
}

#[expect(clippy::needless_pass_by_value, reason = "is passed to `map_err`")]
fn broken(error: tokio::task::JoinError) -> Error {
    Error::internal(error.to_string())
}

impl Default for Likenesses {
    fn default() -> Self {
        Self::new(DEFAULT_MEMORY)
    }
}

impl Likenesses {
    /// Keeps at most this many bytes of hashes in memory.
    #[must_use]
    pub fn new(memory: usize) -> Self {
        let most = memory / HashList::<ImageId>::ENTRY;
        Self { kept: Arc::default(), progress: Mutex::default(), most }
    }

    /// The number of images whose hashes are in memory.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).hashes.len()
    }

    /// Whether no hash is in memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Changes what is in memory, on a thread that may block until all searches are done. `change`
    /// gets the most images there may be.
    async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Kept, usize) -> T + Send + 'static,
    ) -> Result<T> {
        let (kept, most) = (Arc::clone(&self.kept), self.most);
        let work = spawn_blocking(move || {
            change(&mut kept.write().unwrap_or_else(PoisonError::into_inner), most)
        });
        work.await.map_err(broken)
    }

    async fn forget(&self, gone: HashSet<ImageId>) -> Result<()> {
        if gone.is_empty() {
            return Ok(());
        }
        self.change(move |kept, _| kept.hashes.retain(|image| !gone.contains(&image))).await
    }
}

impl Kept {
    /// Adds the hashes that follow, as far as there is room. Returns the position up to which all
    /// are here, and how many that is.
    fn add(&mut self, page: &[StoredHash], most: usize) -> ((Timestamp, ImageId), usize) {
        let mut count = self.hashes.len();
        for stored in page {
            if let Some((hash, image)) = usable(stored) {
                if count >= most {
                    break;
                }
                self.hashes.push(image, hash);
                count += 1;
            }
            self.end = (stored.hashed_at, stored.image);
        }
        (self.end, count)
    }
}
