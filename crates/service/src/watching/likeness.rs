//! Finds the reference images that a picture shows: first by its hashes, which is quick and finds
//! copies of the whole image, then by local features, which also find parts, for the owners for whom
//! the hashes settle nothing.

mod backfill;
mod describe;
mod features;
mod hashes;
mod own;
mod shelf;

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use grantor_domain::id::{ImageId, LicenseId, TenantId};
use grantor_domain::likeness::{
    MIN_QUALITY, Placement, Region, STRICT_DISTANCE, Strength, VariantHashes, confidence,
};
use grantor_domain::{Error, Result};
pub use grantor_media::Seen;
use grantor_storage::image_hash;
use serde::{Deserialize, Serialize};

use self::features::{Features, LEAST_QUERY, Owners};
use self::hashes::{Hashes, Near};
use crate::App;

pub use backfill::{BackfillCursor, hash_stored};
pub(crate) use describe::is_complete;
pub use describe::{DescribeCursor, Progress, describe_stored, progress};
pub use own::{Hint, LEAST_FEATURES, NewImage, Resembled, feature_counts, hints, is_plain};

/// The most similar images that a search returns. Thousands of licenses may have the same picture;
/// a search must not look up all of them.
pub(crate) const MAX_FOUND: usize = 500;

/// Only what is older than this is kept in memory. No unit of work takes longer, and no two clocks
/// should differ by more.
const SETTLED: Duration = Duration::from_mins(5);

/// The memory of the part of the index of local features that grows.
const GROWING: usize = 130 << 20;
/// The memory for an image that is in a complete part of the index, and for another one.
const BYTES_IN_FILES: usize = 120;
const BYTES_IN_MEMORY: usize = 1_700;
/// The tables of an index in which nothing is complete: a megabyte for each of its few parts.
const TABLES: usize = 4 << 20;

/// What this node keeps in memory to find reference images.
#[derive(Debug)]
pub struct Likenesses {
    hashes: Hashes,
    features: Features,
}

/// The most memory of a node for finding reference images, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LikenessMemory {
    /// For hashes. Others are read from the database.
    pub hashes: usize,
    /// For the index of local features. Parts of it that are complete lie in files.
    pub features: usize,
}

impl LikenessMemory {
    /// About how many images the index of local features takes: what grows is in memory, what is
    /// complete in files.
    #[must_use]
    pub fn images(&self) -> u64 {
        let complete = self.features.saturating_sub(GROWING) / BYTES_IN_FILES;
        let growing = self.features.saturating_sub(TABLES) / BYTES_IN_MEMORY;
        let images = if complete > 0 { complete } else { growing };
        images as u64
    }
}

impl Default for LikenessMemory {
    fn default() -> Self {
        Self { hashes: 48 << 20, features: 176 << 20 }
    }
}

impl Likenesses {
    /// Keeps to this memory, and the files of the index in this folder, which is made when needed.
    #[must_use]
    pub fn new(memory: LikenessMemory, folder: PathBuf) -> Self {
        let LikenessMemory { hashes, features } = memory;
        Self { hashes: Hashes::new(hashes), features: Features::new(features, folder) }
    }

    /// The number of images whose hashes are in memory.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether no hash is in memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of images in the index of local features.
    #[must_use]
    pub fn indexed(&self) -> usize {
        self.features.len()
    }
}

/// A reference image that a picture shows, and how that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Likeness {
    /// The image.
    pub image: ImageId,
    /// Its license. It is not deleted, but may have any status.
    pub license: LicenseId,
    /// Whether the match is strong.
    pub strong: bool,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The number of bits in which the hashes differ, if it was found by them.
    pub distance: Option<u32>,
    /// The part of the picture that shows the image; `None` for the whole picture.
    pub region: Option<Region>,
    /// Where the picture shows the image, if it was found by local features.
    pub placement: Option<Placement>,
}

/// A reference image that local features found in a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// The image.
    pub image: ImageId,
    /// Whether the match is strong.
    pub strong: bool,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// Where the picture shows it.
    pub placement: Placement,
}

/// What is known of a picture when it is compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared<'a> {
    pub(crate) hashes: &'a VariantHashes,
    /// What local features found in it.
    pub(crate) shown: &'a [Shown],
}

impl Likeness {
    fn by_hash(near: Near, license: LicenseId, seen: &VariantHashes) -> Self {
        Self {
            image: near.image,
            license,
            strong: Strength::of(near.distance) == Some(Strength::Strong),
            confidence: confidence(near.distance),
            distance: Some(near.distance),
            region: seen.region(near.position),
            placement: None,
        }
    }

    fn by_features(shown: Shown, license: LicenseId) -> Self {
        Self {
            image: shown.image,
            license,
            strong: shown.strong,
            confidence: shown.confidence,
            distance: None,
            region: shown.placement.region(),
            placement: Some(shown.placement),
        }
    }

    /// What local features found; `None` if it was found by hashes.
    pub(crate) fn shown(&self) -> Option<Shown> {
        let placement = self.placement.clone()?;
        let Self { image, strong, confidence, .. } = *self;
        Some(Shown { image, strong, confidence, placement })
    }

    /// Sorts the surest first.
    pub(crate) fn by_sureness(&self, other: &Self) -> Ordering {
        let sureness = other.confidence.total_cmp(&self.confidence);
        other.strong.cmp(&self.strong).then(sureness).then(self.image.cmp(&other.image))
    }
}

/// Whether a match by local features with this confidence is strong.
#[must_use]
pub fn is_strong(confidence: f64) -> bool {
    confidence >= grantor_recognition::confidence(grantor_recognition::STRICT_SCORE)
}

/// Reads a JPEG, PNG or WebP image within the upload limits, to be compared. `None` if it has too
/// little detail to be told from others.
pub async fn see(app: &App, bytes: Vec<u8>) -> Result<Option<Seen>> {
    let seen = app.images.see(bytes).await?;
    comparable(app, seen).await
}

/// Like [`see`], for somebody who waits for the result: unavailable if too many images are in line,
/// or if the work cannot start within `wait`.
pub(crate) async fn see_within(app: &App, bytes: Vec<u8>, wait: Duration) -> Result<Option<Seen>> {
    let seen = app.images.see_within(bytes, wait).await?;
    comparable(app, seen).await
}

/// A picture with too little detail for its hashes may still show something small.
async fn comparable(app: &App, mut seen: Seen) -> Result<Option<Seen>> {
    if seen.hashes.quality >= MIN_QUALITY {
        return Ok(Some(seen));
    }
    seen.hashes.hashes.clear();
    let query = app.images.query(seen.brightness.clone()).await?;
    Ok((query.len() >= LEAST_QUERY).then_some(seen))
}

/// Returns the reference images that a picture shows, surest first, up to 500.
pub async fn find(app: &App, seen: &Seen) -> Result<Vec<Likeness>> {
    find_up_to(app, seen, MAX_FOUND).await
}

/// Like [`find`], with another bound.
pub(crate) async fn find_up_to(app: &App, seen: &Seen, at_most: usize) -> Result<Vec<Likeness>> {
    let known = Compared { hashes: &seen.hashes, shown: &[] };
    let by_hash = find_each(app, &[known], at_most).await?.pop().unwrap_or_default();
    let shown = features::find(app, &seen.brightness).await?;
    if shown.is_empty() {
        return Ok(by_hash);
    }
    let shown = with_copies(app, shown, at_most).await?;
    let by_features = unsettled(app, shown, &by_hash).await?;
    Ok(merged(by_hash.into_iter().chain(by_features), at_most))
}

/// The matches by local features of owners who have no strong match by hash. An owner whose copy of
/// the whole picture is known needs no search for parts of it, but settles nothing for others:
/// whoever adds the picture as a reference image must not hide it from those whose image it shows.
async fn unsettled(app: &App, shown: Vec<Shown>, by_hash: &[Likeness]) -> Result<Vec<Likeness>> {
    let strong: Vec<ImageId> = by_hash.iter().filter(|it| it.strong).map(|it| it.image).collect();
    let images = shown.iter().map(|it| it.image).chain(strong.iter().copied());
    let owners = owners_of(app, images.collect()).await?;
    let settled = strong.iter().filter_map(|it| owners.get(it)).map(|(_, owner)| *owner);
    let settled: HashSet<TenantId> = settled.collect();
    let open = shown.into_iter().filter_map(|it| {
        let (license, owner) = owners.get(&it.image)?;
        (!settled.contains(owner)).then(|| Likeness::by_features(it, *license))
    });
    Ok(open.collect())
}

/// Adds the reference images that are copies of those that the picture surely shows. Only a few
/// images are compared by local features, but many licenses, of anybody, may have the same picture.
async fn with_copies(app: &App, mut shown: Vec<Shown>, at_most: usize) -> Result<Vec<Shown>> {
    let sure: Vec<Shown> = shown.iter().filter(|it| it.strong).cloned().collect();
    if sure.is_empty() {
        return Ok(shown);
    }
    let ids: Vec<ImageId> = sure.iter().map(|it| it.image).collect();
    let stored = app.store.read(move |tx| Ok::<_, Error>(image_hash::list_of(tx, &ids)?)).await?;
    let stored = stored.into_iter().filter_map(|it| {
        let hashed = it.hashed.filter(|it| it.quality >= MIN_QUALITY)?;
        let (hashes, quality) = (vec![hashed.hash], hashed.quality);
        Some((it.image, VariantHashes { hashes, quality, inside: None }))
    });
    let stored: HashMap<ImageId, VariantHashes> = stored.collect();
    let originals: Vec<&Shown> = sure.iter().filter(|it| stored.contains_key(&it.image)).collect();
    let seen: Vec<&VariantHashes> =
        originals.iter().filter_map(|it| stored.get(&it.image)).collect();
    let near = hashes::find_each(app, &seen, at_most).await?;
    let mut known: HashSet<ImageId> = shown.iter().map(|it| it.image).collect();
    for (original, near) in originals.into_iter().zip(near) {
        let copies = near.into_iter().filter(|it| it.distance <= STRICT_DISTANCE);
        let new = copies.filter(|it| known.insert(it.image));
        shown.extend(new.map(|it| Shown { image: it.image, ..original.clone() }));
    }
    Ok(shown)
}

/// Finds the reference images near the hashes of each picture, together with those that local
/// features found before, with a bound for each picture.
pub(crate) async fn find_each(
    app: &App,
    pictures: &[Compared<'_>],
    at_most: usize,
) -> Result<Vec<Vec<Likeness>>> {
    let seen: Vec<&VariantHashes> = pictures.iter().map(|it| it.hashes).collect();
    let near = hashes::find_each(app, &seen, at_most).await?;
    let shown = pictures.iter().flat_map(|it| it.shown).map(|it| it.image);
    let ids = near.iter().flatten().map(|it| it.image).chain(shown).collect();
    let owners = owners_of(app, ids).await?;
    let license = |image| owners.get(&image).map(|(license, _)| *license);
    let found = near.into_iter().zip(pictures).map(|(near, picture)| {
        let by_hash = near
            .into_iter()
            .filter_map(|it| Some(Likeness::by_hash(it, license(it.image)?, picture.hashes)));
        let by_features = picture
            .shown
            .iter()
            .filter_map(|it| Some(Likeness::by_features(it.clone(), license(it.image)?)));
        merged(by_hash.chain(by_features), at_most)
    });
    Ok(found.collect())
}

/// The surest match of each image, surest first.
fn merged(all: impl Iterator<Item = Likeness>, at_most: usize) -> Vec<Likeness> {
    let mut all: Vec<Likeness> = all.collect();
    all.sort_by(Likeness::by_sureness);
    let mut known = HashSet::new();
    all.retain(|it| known.insert(it.image));
    all.truncate(at_most);
    all
}

/// The licenses of images, and who owns them. Images that are gone are forgotten.
async fn owners_of(app: &App, images: HashSet<ImageId>) -> Result<Owners> {
    if images.is_empty() {
        return Ok(Owners::new());
    }
    let all: Vec<ImageId> = images.iter().copied().collect();
    let owners = app.store.read(move |tx| Ok::<_, Error>(image_hash::owners_of(tx, &all)?));
    let owners: Owners = owners.await?.into_iter().collect();
    let gone = images.into_iter().filter(|image| !owners.contains_key(image));
    let gone: HashSet<ImageId> = gone.collect();
    if !gone.is_empty() {
        app.likenesses.hashes.forget(gone.clone()).await?;
        app.likenesses.features.forget(gone).await?;
    }
    Ok(owners)
}

/// Reads what is not in memory yet, so that the first picture need not wait for it.
pub async fn refresh(app: &App) -> Result<()> {
    hashes::refresh(app).await?;
    features::refresh(app).await?;
    let found = &app.likenesses;
    for (index, images) in [("hashes", found.len()), ("features", found.indexed())] {
        let images = u32::try_from(images).unwrap_or(u32::MAX);
        metrics::gauge!("grantor_reference_images", "index" => index).set(f64::from(images));
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "is passed to `map_err`")]
fn broken(error: tokio::task::JoinError) -> Error {
    Error::internal(error.to_string())
}
