//! Hints about images that a tenant adds: whether they are too plain to be known again, and which of
//! its own images they look like. They never stand in the way of an upload.

use std::collections::{HashMap, HashSet};

use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::likeness::{MIN_QUALITY, STRICT_DISTANCE};
use grantor_domain::{Error, Result};
use grantor_storage::check::{self, VisibleLicense};
use grantor_storage::{Tx, image, image_feature, image_hash};
use tokio::time::timeout;

use super::features::{self, CANDIDATES, LEAST_QUERY, is_strong};
use super::{MAX_FOUND, Seen, hashes};
use crate::App;
use crate::identity::access::Caller;

/// The similar images that are named.
const MAX_NAMED: usize = 3;
/// The same files of the tenant that are looked up.
const SAME_FILES: u32 = 20;
/// The images of everybody that local features suggest. Only the tenant's own are compared.
const SUGGESTED: usize = 200;

/// The fewest features of an image that is not too plain.
pub const LEAST_FEATURES: usize = grantor_recognition::LEAST_FEATURES;

/// An image that was just added.
#[derive(Debug)]
pub struct NewImage {
    /// The image.
    pub id: ImageId,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// The number of its features.
    pub features: u32,
    /// What it is compared by.
    pub seen: Seen,
}

/// What to know about an image that was just added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The number of features by which parts of it are known again.
    pub features: u32,
    /// The quality of the hash by which the whole of it is known again.
    pub quality: u8,
    /// The tenant's own images that it looks like, up to 3. The same files come first.
    pub resembles: Vec<Resembled>,
}

/// An image of the tenant that another one looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resembled {
    /// The image.
    pub image: ImageId,
    /// Its license.
    pub license: LicenseId,
    /// The title of the license.
    pub title: String,
    /// Whether both files are the same.
    pub identical: bool,
}

impl Hint {
    /// Whether the image is too plain to be known again after a crop.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        is_plain(self.features)
    }

    /// Whether the image is too plain to be known again at all.
    #[must_use]
    pub fn is_featureless(&self) -> bool {
        self.quality < MIN_QUALITY && !is_searchable(self.features)
    }
}

/// Whether an image with this many features is too plain to be known again after a crop.
#[must_use]
pub fn is_plain(features: u32) -> bool {
    usize::try_from(features).is_ok_and(|it| it < LEAST_FEATURES)
}

/// Whether an image with this many features can match by them.
fn is_searchable(features: u32) -> bool {
    usize::try_from(features).is_ok_and(|it| it >= LEAST_QUERY)
}

/// The hints about images that were just added, in their order. Those that are not found in time are
/// left out.
pub async fn hints(app: &App, caller: &Caller, added: &[NewImage]) -> Vec<Hint> {
    let of = |it: &NewImage| {
        let quality = it.seen.hashes.quality;
        Hint { features: it.features, quality, resembles: vec![] }
    };
    let mut hints: Vec<Hint> = added.iter().map(of).collect();
    let search = async {
        for (hint, image) in hints.iter_mut().zip(added) {
            match resembled(app, caller, image).await {
                Ok(resembles) => hint.resembles = resembles,
                Err(error) => tracing::warn!(%error, "cannot compare an image with others"),
            }
        }
    };
    if timeout(app.recognition_limits.hints, search).await.is_err() {
        tracing::warn!("comparing an upload with other images took too long");
    }
    hints
}

/// The numbers of features of those of these images that are described.
pub async fn feature_counts(app: &App, images: Vec<ImageId>) -> Result<HashMap<ImageId, u32>> {
    if images.is_empty() {
        return Ok(HashMap::new());
    }
    let counts = app.store.read(move |tx| Ok::<_, Error>(image_feature::counts_of(tx, &images)?));
    Ok(counts.await?.into_iter().collect())
}

async fn resembled(app: &App, caller: &Caller, new: &NewImage) -> Result<Vec<Resembled>> {
    // Also those that are too plain to be compared.
    let (tenant, id, sha256) = (caller.tenant, new.id, new.sha256.clone());
    let same = move |tx: &mut Tx<'_>| image::list_same(tx, tenant, id, &sha256, SAME_FILES);
    let mut near = app.store.read(same).await?;
    if new.seen.hashes.quality >= MIN_QUALITY {
        let found = hashes::find_each(app, &[&new.seen.hashes], MAX_FOUND).await?;
        let found = found.into_iter().flatten().filter(|it| it.distance <= STRICT_DISTANCE);
        near.extend(found.map(|it| it.image));
    }
    let by_hash = own(app, caller, new, near).await?;
    if !by_hash.is_empty() || !is_searchable(new.features) {
        return Ok(by_hash);
    }
    let Some(search) = features::search(app, &new.seen.brightness).await? else {
        return Ok(vec![]);
    };
    let mut candidates = search.candidates(app, SUGGESTED).await?;
    let ids = candidates.iter().map(|it| it.key).filter(|it| *it != new.id).collect();
    let mine = mine(app, caller, ids).await?;
    candidates.retain(|it| it.key != new.id && mine.contains_key(&it.key));
    candidates.truncate(CANDIDATES);
    let verified = search.verify(app, candidates).await?;
    let strong = verified.iter().filter(|(_, it)| is_strong(it)).map(|(image, _)| *image);
    own(app, caller, new, strong.collect()).await
}

/// The first of these images that are the tenant's: the same files, then those that look alike.
async fn own(
    app: &App,
    caller: &Caller,
    new: &NewImage,
    images: Vec<ImageId>,
) -> Result<Vec<Resembled>> {
    let mut mine = mine(app, caller, images.clone()).await?;
    let mut known = HashSet::from([new.id]);
    let wanted = images.into_iter().filter(|it| known.insert(*it) && mine.contains_key(it));
    let wanted: Vec<ImageId> = wanted.collect();
    if wanted.is_empty() {
        return Ok(vec![]);
    }
    let ids = wanted.clone();
    let hashes = app.store.read(move |tx| Ok::<_, Error>(image::hashes_of(tx, &ids)?)).await?;
    let hashes: HashMap<ImageId, String> = hashes.into_iter().collect();
    let found = wanted.into_iter().filter_map(|image| {
        let (VisibleLicense { id, title, .. }, hash) = (mine.remove(&image)?, hashes.get(&image)?);
        Some(Resembled { image, license: id, title, identical: *hash == new.sha256 })
    });
    let mut found: Vec<Resembled> = found.collect();
    // Keeps the order of those that look alike.
    found.sort_by_key(|it| !it.identical);
    found.truncate(MAX_NAMED);
    Ok(found)
}

/// The licenses of those of these images that belong to the tenant, and that the caller may see.
async fn mine(
    app: &App,
    caller: &Caller,
    images: Vec<ImageId>,
) -> Result<HashMap<ImageId, VisibleLicense>> {
    if images.is_empty() {
        return Ok(HashMap::new());
    }
    let (reader, tenant, now) = (caller.reader(), caller.tenant, app.clock.now());
    let read = move |tx: &mut Tx<'_>| {
        let owners = image_hash::owners_of(tx, &images)?;
        let ids: HashSet<LicenseId> = owners.iter().map(|(_, (license, _))| *license).collect();
        let ids: Vec<LicenseId> = ids.into_iter().collect();
        let visible = check::visible(tx, reader, &ids, now)?.into_iter();
        let visible = visible.filter(|it| it.held && it.owner == tenant).map(|it| (it.id, it));
        let visible: HashMap<LicenseId, VisibleLicense> = visible.collect();
        let mine = owners.into_iter();
        let mine =
            mine.filter_map(|(image, (license, _))| Some((image, visible.get(&license)?.clone())));
        Ok::<_, Error>(mine.collect::<HashMap<_, _>>())
    };
    app.store.read(read).await
}
