//! Finds the reference images that a picture resembles, in an in-memory index of all likeness
//! hashes.
//!
//! Each node loads its own index on the first search and reads newer hashes before each further
//! one. Deleted images are dropped when a search finds them, because they no longer have a license,
//! and when the whole index is reloaded.

mod backfill;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::likeness::{
    HashIndex, ImageHash, MIN_QUALITY, Region, VariantHashes, WEAK_DISTANCE,
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

/// The most similar images that a search returns. Thousands of licenses may have the same picture;
/// a search must not look up all of them.
const MAX_FOUND: usize = 500;

/// A refresh reads the hashes made since this long before the previous one: a unit of work commits
/// some time after the timestamp it writes, and node clocks differ.
const OVERLAP: Duration = Duration::from_mins(5);

/// How often the index is reloaded, to drop deleted images and pick up hashes that were missed
/// because of clock differences.
const RELOAD: Duration = Duration::from_hours(6);

/// This node's index of all reference images.
#[derive(Debug, Default)]
pub struct Likenesses {
    index: Arc<RwLock<HashIndex<ImageId>>>,
    /// Locked during a refresh, so concurrent searches share it.
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// When the whole index was last loaded.
    loaded_at: Option<Duration>,
    /// When the hashes were last read.
    read_at: Timestamp,
}

impl Default for State {
    fn default() -> Self {
        Self { loaded_at: None, read_at: Timestamp::from_secs(0) }
    }
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
    refresh(app).await?;
    let near = app.likenesses.near(seen.hashes.clone(), at_most).await?;
    if near.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<ImageId> = near.iter().map(|it| it.image).collect();
    let licenses = app.store.read(move |tx| Ok::<_, Error>(image_hash::licenses_of(tx, &ids)?));
    let licenses: HashMap<_, _> = licenses.await?.into_iter().collect();
    let gone = near.iter().map(|it| it.image).filter(|image| !licenses.contains_key(image));
    app.likenesses.forget(gone.collect()).await?;
    let present = near.into_iter().filter_map(|Near { distance, image, position }| {
        let (license, region) = (*licenses.get(&image)?, seen.region(position));
        Some(Likeness { image, license, distance, region })
    });
    Ok(present.collect())
}

/// Reads the hashes since the last refresh, or all of them when a reload is due. `find` calls it.
pub async fn refresh(app: &App) -> Result<()> {
    let mut state = app.likenesses.state.lock().await;
    let (now, wall) = (app.clock.monotonic(), app.clock.now());
    let fresh = state.loaded_at.is_some_and(|at| now.saturating_sub(at) < RELOAD);
    // Also if the clock was set back.
    let since = Some(state.read_at.min(wall).minus(OVERLAP)).filter(|_| fresh);
    let kept = read(app, since.unwrap_or(Timestamp::from_micros(i64::MIN))).await?;
    app.likenesses.add(kept, !fresh).await?;
    state.read_at = wall;
    if !fresh {
        state.loaded_at = Some(now);
    }
    Ok(())
}

async fn read(app: &App, since: Timestamp) -> Result<Vec<StoredHash>> {
    let mut all: Vec<StoredHash> = Vec::new();
    let mut after = (since, ImageId::from(Uuid::nil()));
    loop {
        let page =
            app.store.read(move |tx| Ok::<_, Error>(image_hash::list_since(tx, after, PAGE)?));
        let page = page.await?;
        let full = page.len() == PAGE as usize;
        all.extend(page);
        match all.last() {
            Some(last) if full => after = (last.hashed_at, last.image),
            _ => return Ok(all),
        }
    }
}

impl Likenesses {
    /// The number of indexed images.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether no image is indexed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds hashes to the index, or replaces the index with them.
    async fn add(&self, kept: Vec<StoredHash>, replace: bool) -> Result<()> {
        if kept.is_empty() && !replace {
            return Ok(());
        }
        let index = Arc::clone(&self.index);
        let work = spawn_blocking(move || {
            let usable = kept.into_iter().filter_map(|it| {
                let hashed = it.hashed.filter(|hashed| hashed.quality >= MIN_QUALITY)?;
                Some((it.image, hashed.hash))
            });
            if replace {
                let mut fresh = HashIndex::default();
                fresh.insert_all(usable);
                *index.write().unwrap_or_else(PoisonError::into_inner) = fresh;
            } else {
                index.write().unwrap_or_else(PoisonError::into_inner).insert_all(usable);
            }
        });
        work.await.map_err(|error| Error::internal(error.to_string()))
    }

    /// The images near any of these hashes, each with its smallest distance, nearest first.
    async fn near(&self, hashes: Vec<ImageHash>, at_most: usize) -> Result<Vec<Near>> {
        let index = Arc::clone(&self.index);
        let work = spawn_blocking(move || {
            let index = index.read().unwrap_or_else(PoisonError::into_inner);
            let mut near = Vec::new();
            for (position, hash) in hashes.into_iter().enumerate() {
                let found = index.find(hash, WEAK_DISTANCE).into_iter();
                near.extend(found.map(|(image, distance)| Near { distance, image, position }));
            }
            near.sort_unstable();
            let mut seen = HashSet::new();
            near.retain(|it| seen.insert(it.image));
            near.truncate(at_most);
            near
        });
        work.await.map_err(|error| Error::internal(error.to_string()))
    }

    async fn forget(&self, gone: Vec<ImageId>) -> Result<()> {
        if gone.is_empty() {
            return Ok(());
        }
        let index = Arc::clone(&self.index);
        let work = spawn_blocking(move || {
            let mut index = index.write().unwrap_or_else(PoisonError::into_inner);
            for image in gone {
                index.remove(image);
            }
        });
        work.await.map_err(|error| Error::internal(error.to_string()))
    }
}
