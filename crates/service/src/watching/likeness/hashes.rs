//! Finds reference images by perceptual hashes, by comparing those of a picture with all of them.
//!
//! Each node keeps as many hashes in memory as its setting allows, oldest first, and reads the
//! others from the database for each search. The newest are always read: a unit of work commits
//! some time after the timestamp it writes, and node clocks differ. Deleted images are dropped when
//! a search finds them, because they no longer have a license, and when the memory is filled anew.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use grantor_domain::id::ImageId;
use grantor_domain::likeness::{
    HashList, HashQuery, ImageHash, MIN_QUALITY, NearHash, VariantHashes, WEAK_DISTANCE,
};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::image_hash::{self, StoredHash};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::{SETTLED, broken};
use crate::App;

/// Hashes per read.
const PAGE: u32 = 5_000;

/// Pictures that are compared in one pass. Each takes a megabyte meanwhile.
const PICTURES_AT_ONCE: usize = 16;

/// How often the memory is filled anew, to drop deleted images and pick up hashes that were missed
/// because of clock differences.
const RELOAD: Duration = Duration::from_hours(6);

/// The hashes of reference images that this node keeps in memory.
#[derive(Debug)]
pub(super) struct Hashes {
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

/// Before all images.
pub(super) fn beginning() -> (Timestamp, ImageId) {
    (Timestamp::from_micros(i64::MIN), Uuid::nil().into())
}

/// An image near one of the hashes of a picture. Ordered by how near it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Near {
    /// The number of bits in which the hashes differ.
    pub(super) distance: u32,
    pub(super) image: ImageId,
    /// The position of the hash.
    pub(super) position: usize,
}

impl Near {
    fn new((image, NearHash { distance, position }): (ImageId, NearHash)) -> Self {
        Self { distance, image, position }
    }
}

/// The images near the hashes of each picture, each with its smallest distance, nearest first, with
/// a bound for each. What is not in memory is read once for several of them.
pub(super) async fn find_each(
    app: &App,
    seen: &[&VariantHashes],
    at_most: usize,
) -> Result<Vec<Vec<Near>>> {
    if seen.iter().all(|it| it.hashes.is_empty()) {
        return Ok(vec![vec![]; seen.len()]);
    }
    refresh(app).await?;
    let mut near = Vec::with_capacity(seen.len());
    for some in seen.chunks(PICTURES_AT_ONCE) {
        let hashes = some.iter().map(|it| it.hashes.clone()).collect();
        near.extend(near_each(app, hashes, at_most).await?);
    }
    Ok(near)
}

/// Keeps hashes in memory that are not there yet, as far as there is room, or all of them anew when
/// that is due.
pub(super) async fn refresh(app: &App) -> Result<()> {
    let Hashes { progress, most, .. } = &app.likenesses.hashes;
    let mut progress = progress.lock().await;
    let (now, settled) = (app.clock.monotonic(), app.clock.now().minus(SETTLED));
    if progress.begun_at.is_none_or(|at| now.saturating_sub(at) >= RELOAD) {
        app.likenesses.hashes.change(|kept, _| *kept = Kept::default()).await?;
        *progress = Progress { begun_at: Some(now), ..Progress::default() };
    }
    while progress.images < *most {
        let page = page_after(app, progress.end).await?;
        let full = page.len() == PAGE as usize;
        let old = page.iter().take_while(|it| it.hashed_at < settled).count();
        let more = full && old == page.len();
        let keep = move |kept: &mut Kept, most| kept.add(&page[..old], most);
        (progress.end, progress.images) = app.likenesses.hashes.change(keep).await?;
        if !more {
            break;
        }
    }
    Ok(())
}

async fn near_each(
    app: &App,
    hashes: Vec<Vec<ImageHash>>,
    at_most: usize,
) -> Result<Vec<Vec<Near>>> {
    let kept = Arc::clone(&app.likenesses.hashes.kept);
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

impl Hashes {
    /// Keeps at most this many bytes of hashes in memory.
    pub(super) fn new(memory: usize) -> Self {
        let most = memory / HashList::<ImageId>::ENTRY;
        Self { kept: Arc::default(), progress: Mutex::default(), most }
    }

    /// The number of images whose hashes are in memory.
    pub(super) fn len(&self) -> usize {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).hashes.len()
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

    pub(super) async fn forget(&self, gone: HashSet<ImageId>) -> Result<()> {
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
