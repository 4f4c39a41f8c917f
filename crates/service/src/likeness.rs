//! Reference images as they look: all hashes of the store in memory, and which of them a picture
//! met somewhere is near to.
//!
//! Every node has its own, loaded at the first look and brought up to date before each: what was
//! hashed since is read. An image that is gone is noticed when it is found, since its license is
//! asked for; from time to time everything is loaded anew.

mod backfill;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::likeness::{HashIndex, ImageHash, MIN_QUALITY, Seen, WEAK_DISTANCE};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::image_hash::{self, Kept};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::App;

pub use backfill::{Place, hash_stored};

/// Hashes one unit of work reads.
const PAGE: u32 = 5_000;

/// How long before the newest hash others may still come: a unit of work is stored a little after
/// the instant it bears, and the clocks of nodes differ.
const OVERLAP: Duration = Duration::from_mins(5);

/// When everything is loaded anew: what was deleted goes, and what a clock hid comes.
const RELOAD: Duration = Duration::from_hours(6);

/// What this node knows of every reference image.
#[derive(Debug, Default)]
pub struct Likenesses {
    index: Arc<RwLock<HashIndex<ImageId>>>,
    /// Held while hashes are read, so that they are read once for all who ask.
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// When everything was loaded; nothing before the first time.
    loaded_at: Option<Duration>,
    /// The newest hash.
    newest: Option<Timestamp>,
}

/// A reference image that a picture is near to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// The image.
    pub image: ImageId,
    /// Its license, which is not deleted. More is not known of it.
    pub license: LicenseId,
    /// The bits in which they differ.
    pub distance: u32,
}

/// What a picture from elsewhere looks like: by its content a JPEG, PNG or WebP within the limits of
/// uploads. Nothing when there is too little in it to tell it from others.
pub async fn hash_of(app: &App, bytes: Vec<u8>) -> Result<Option<Seen>> {
    let seen = app.images.see(bytes).await?;
    Ok(Some(seen).filter(|it| it.quality >= MIN_QUALITY))
}

/// The reference images within the weak distance of a picture, the nearest first.
pub async fn find(app: &App, seen: &Seen) -> Result<Vec<Likeness>> {
    refresh(app).await?;
    let near = app.likenesses.near(seen.hashes.clone()).await?;
    if near.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<ImageId> = near.iter().map(|(image, _)| *image).collect();
    let licenses = app.store.read(move |tx| Ok::<_, Error>(image_hash::licenses_of(tx, &ids)?));
    let licenses: HashMap<_, _> = licenses.await?.into_iter().collect();
    let gone = near.iter().map(|it| it.0).filter(|image| !licenses.contains_key(image));
    app.likenesses.forget(gone.collect()).await?;
    let present = near.into_iter().filter_map(|(image, distance)| {
        Some(Likeness { image, license: *licenses.get(&image)?, distance })
    });
    Ok(present.collect())
}

/// Reads what was hashed since the last time, or everything. Called by `find`.
pub async fn refresh(app: &App) -> Result<()> {
    let mut state = app.likenesses.state.lock().await;
    let now = app.clock.monotonic();
    let fresh = state.loaded_at.is_some_and(|at| now.saturating_sub(at) < RELOAD);
    let since = state.newest.filter(|_| fresh).map(|newest| newest.minus(OVERLAP));
    let kept = read(app, since.unwrap_or(Timestamp::from_micros(i64::MIN))).await?;
    let newest = kept.last().map(|it| it.hashed_at);
    app.likenesses.take(kept, !fresh).await?;
    state.newest = newest.or(state.newest);
    if !fresh {
        state.loaded_at = Some(now);
    }
    Ok(())
}

async fn read(app: &App, since: Timestamp) -> Result<Vec<Kept>> {
    let mut all: Vec<Kept> = Vec::new();
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
    /// How many images can be found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether none can.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds hashes, to what there is or in place of it.
    async fn take(&self, kept: Vec<Kept>, anew: bool) -> Result<()> {
        if kept.is_empty() && !anew {
            return Ok(());
        }
        let index = Arc::clone(&self.index);
        let work = spawn_blocking(move || {
            let usable = kept.into_iter().filter_map(|it| {
                let hashed = it.hashed.filter(|hashed| hashed.quality >= MIN_QUALITY)?;
                Some((it.image, hashed.hash))
            });
            if anew {
                let mut fresh = HashIndex::default();
                fresh.insert_all(usable);
                *index.write().unwrap_or_else(PoisonError::into_inner) = fresh;
            } else {
                index.write().unwrap_or_else(PoisonError::into_inner).insert_all(usable);
            }
        });
        work.await.map_err(|error| Error::internal(error.to_string()))
    }

    /// Images near to any of these hashes, each with its least distance, the nearest first.
    async fn near(&self, hashes: Vec<ImageHash>) -> Result<Vec<(ImageId, u32)>> {
        let index = Arc::clone(&self.index);
        let work = spawn_blocking(move || {
            let index = index.read().unwrap_or_else(PoisonError::into_inner);
            let near = hashes.into_iter().flat_map(|hash| index.find(hash, WEAK_DISTANCE));
            let mut near: Vec<_> = near.collect();
            near.sort_unstable_by_key(|(image, distance)| (*distance, *image));
            let mut met = HashSet::new();
            near.retain(|(image, _)| met.insert(*image));
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
