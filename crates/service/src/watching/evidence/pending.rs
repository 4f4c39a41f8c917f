//! Evidence that is about to be written: which sightings need it, and the copies of pictures, which
//! are stored before their rows. Copies without a row are deleted, or swept a day later.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use grantor_domain::evidence::{
    COPY_SIDE, Capture, FoundPicture, MissingPicture, ReferencePicture, StoredCopy, sha256,
};
use grantor_domain::id::{EvidenceId, ImageId, TalentId};
use grantor_domain::mention::{MatchKind, Recognition};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result, Timestamp, hex};
use grantor_storage::license::watch;
use grantor_storage::object::{ObjectKey, ObjectKind};
use grantor_storage::{Tx, evidence, image};

use super::{PictureCopy, SeenPicture};
use crate::App;
use crate::organizations::usage;
use crate::watching::likeness::Likeness;
use crate::watching::sighting::{Recognitions, Recognized, RecordedMention};

/// What was captured of a piece of content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Captured {
    /// The response that contained it. A check has none.
    pub(crate) capture: Option<Arc<Capture>>,
    pictures: Vec<SeenPicture>,
    /// Which picture shows which reference image, by its place.
    near: Vec<(usize, Likeness)>,
}

impl Captured {
    pub(crate) fn new(
        capture: Option<Arc<Capture>>,
        pictures: Vec<SeenPicture>,
        near: Vec<(usize, Likeness)>,
    ) -> Self {
        Self { capture, pictures, near }
    }

    /// The picture in which a talent was recognized, and the reference image.
    pub(crate) fn picture_of(&self, by: &Recognition) -> Option<(&SeenPicture, ImageId)> {
        let image = by.found.term.parse::<ImageId>().ok();
        let image = image.filter(|_| by.found.kind == MatchKind::Image)?;
        let (place, _) = self.near.iter().find(|(_, it)| {
            let same = it.distance == by.found.distance && it.placement == by.found.placement;
            same && it.image == image
        })?;
        Some((self.pictures.get(*place)?, image))
    }
}

/// A talent in a piece of content.
type Place = (TalentId, usize);

/// A picture that evidence needs.
#[derive(Clone, Debug)]
struct WantedPicture {
    url: String,
    reference: ImageId,
    /// Whether the tenant's plan has room for more.
    has_room: bool,
}

/// Sightings that need evidence.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    wanted: BTreeMap<Place, Option<WantedPicture>>,
    /// Copies of pictures by URL.
    copies: HashMap<String, Arc<PictureCopy>>,
}

impl Pending {
    /// Finds the sightings that need evidence: most content was seen before and has not changed.
    pub(crate) async fn find(
        app: &App,
        found: &Arc<Vec<Recognized>>,
        batches: &[Recognitions],
    ) -> Result<Self> {
        let (mut seen, mut copies) = (vec![], HashMap::new());
        for (talent, of_talent) in batches.iter().flatten() {
            for (at, recognition) in of_talent {
                let captured = &found[*at].captured;
                if captured.capture.is_none() {
                    continue;
                }
                let picture = captured.picture_of(recognition).map(|(picture, reference)| {
                    if let Some(copy) = &picture.copy {
                        copies.insert(picture.url.clone(), Arc::clone(copy));
                    }
                    (picture.url.clone(), reference)
                });
                seen.push(((*talent, *at), picture));
            }
        }
        if seen.is_empty() {
            return Ok(Self::default());
        }
        let (own, found, now) = (app.clone(), Arc::clone(found), app.clock.now());
        let wanted = app.store.read(move |tx| wanted(&own, tx, &found, &seen, now)).await?;
        Ok(Self { wanted, copies })
    }

    /// The URLs of pictures that evidence needs and that were not fetched now.
    pub(crate) fn missing_pictures(&self) -> BTreeSet<String> {
        let wanted = self.wanted.values().flatten().filter(|it| it.has_room);
        let missing = wanted.filter(|it| !self.copies.contains_key(&it.url));
        missing.map(|it| it.url.clone()).collect()
    }

    /// Adds the copy of a picture.
    pub(crate) fn add_copy(&mut self, url: String, copy: Arc<PictureCopy>) {
        self.copies.insert(url, copy);
    }

    /// Stores the copies.
    pub(crate) async fn store(self, app: &App) -> Result<Drafts> {
        let mut references = HashMap::new();
        let mut drafts = BTreeMap::new();
        for (place, picture) in self.wanted {
            let id = app.ids.next();
            let (picture, reference) = match picture {
                None => (None, None),
                Some(wanted) => {
                    let copy = self.copies.get(&wanted.url);
                    let found = store_picture(app, id, &wanted, copy).await?;
                    let reference = store_reference(app, id, &wanted, &mut references).await?;
                    (Some(found), Some(reference))
                }
            };
            drafts.insert(place, Draft { id, picture, reference });
        }
        Ok(Drafts(drafts))
    }
}

/// Which of these sightings need evidence.
fn wanted(
    app: &App,
    tx: &mut Tx<'_>,
    found: &[Recognized],
    seen: &[(Place, Option<(String, ImageId)>)],
    now: Timestamp,
) -> Result<BTreeMap<Place, Option<WantedPicture>>> {
    let (mut wanted, mut digests, mut room) = (BTreeMap::new(), HashMap::new(), HashMap::new());
    for ((talent, at), picture) in seen {
        let content = &found[*at].content;
        let digest: &mut String =
            digests.entry(*at).or_insert_with(|| hex::encode(&content.digest()));
        if !evidence::is_wanted(tx, *talent, &content.url, digest)? {
            continue;
        }
        let picture = match picture {
            None => None,
            Some((url, reference)) => {
                let has_room = match room.get(talent) {
                    Some(known) => *known,
                    None => has_room(app, tx, *talent, now)?,
                };
                room.insert(*talent, has_room);
                Some(WantedPicture { url: url.clone(), reference: *reference, has_room })
            }
        };
        wanted.insert((*talent, *at), picture);
    }
    Ok(wanted)
}

fn has_room(app: &App, tx: &mut Tx<'_>, talent: TalentId, now: Timestamp) -> Result<bool> {
    let Some(watched) = watch::find(tx, talent, now)? else { return Ok(false) };
    let left = usage::left(app, tx, watched.owner, LimitedResource::ImageBytes)?;
    Ok(left.is_none_or(|it| it > 0))
}

async fn store_picture(
    app: &App,
    id: EvidenceId,
    wanted: &WantedPicture,
    copy: Option<&Arc<PictureCopy>>,
) -> Result<FoundPicture> {
    let missing =
        if wanted.has_room { MissingPicture::Unavailable } else { MissingPicture::PlanLimit };
    let Some(copy) = copy else { return Ok(missing_picture(wanted.url.clone(), missing)) };
    let PictureCopy { capture, content_type, jpeg } = &**copy;
    let stored = if wanted.has_room {
        Some(put(app, ObjectKind::Evidence, id, jpeg.clone()).await?)
    } else {
        None
    };
    Ok(FoundPicture {
        url: wanted.url.clone(),
        final_url: capture.final_url.clone(),
        status: capture.status,
        headers: capture.headers.clone(),
        content_type: *content_type,
        sha256: Some(capture.sha256.clone()),
        missing: stored.is_none().then_some(missing),
        copy: stored,
    })
}

/// A picture of which nothing but its URL is known.
pub(super) fn missing_picture(url: String, missing: MissingPicture) -> FoundPicture {
    FoundPicture {
        url,
        final_url: None,
        status: None,
        headers: BTreeMap::new(),
        content_type: None,
        sha256: None,
        copy: None,
        missing: Some(missing),
    }
}

/// The SHA-256 of a reference image, and its copy. Several mentions may have the same image.
type References = HashMap<ImageId, (Option<String>, Option<Vec<u8>>)>;

async fn store_reference(
    app: &App,
    id: EvidenceId,
    wanted: &WantedPicture,
    known: &mut References,
) -> Result<ReferencePicture> {
    let image_id = wanted.reference;
    let (sha256, jpeg) = match known.entry(image_id) {
        Entry::Occupied(entry) => entry.get().clone(),
        Entry::Vacant(entry) => entry.insert(copy_reference(app, image_id).await?).clone(),
    };
    let copy = match jpeg.filter(|_| wanted.has_room) {
        Some(jpeg) => Some(put(app, ObjectKind::Reference, id, jpeg).await?),
        None => None,
    };
    Ok(ReferencePicture { image_id, sha256, copy })
}

/// Copies a reference image, unless it was just deleted.
async fn copy_reference(app: &App, id: ImageId) -> Result<(Option<String>, Option<Vec<u8>>)> {
    let found = app.store.read(move |tx| Ok::<_, Error>(image::find(tx, id)?)).await?;
    let Some(found) = found else { return Ok((None, None)) };
    let object = app.objects.get(ObjectKey::new(ObjectKind::Image, id.as_uuid())).await?;
    let copy = match object {
        Some(bytes) => match app.images.copy(bytes, COPY_SIDE).await {
            Err(error) if error.is_refusal() => None,
            copied => Some(copied?),
        },
        None => None,
    };
    Ok((Some(found.sha256), copy))
}

async fn put(app: &App, kind: ObjectKind, id: EvidenceId, jpeg: Vec<u8>) -> Result<StoredCopy> {
    let bytes = u32::try_from(jpeg.len()).unwrap_or(u32::MAX);
    let copy = StoredCopy { sha256: sha256(&jpeg), bytes };
    app.objects.put(ObjectKey::new(kind, id.as_uuid()), jpeg, "image/jpeg").await?;
    Ok(copy)
}

/// Evidence whose copies are stored and whose row is not yet.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(super) id: EvidenceId,
    pub(super) picture: Option<FoundPicture>,
    pub(super) reference: Option<ReferencePicture>,
}

impl Draft {
    /// The stored objects.
    fn objects(&self) -> Vec<ObjectKey> {
        let key = |kind| ObjectKey::new(kind, self.id.as_uuid());
        let picture = self.picture.as_ref().is_some_and(|it| it.copy.is_some());
        let reference = self.reference.as_ref().is_some_and(|it| it.copy.is_some());
        [(ObjectKind::Evidence, picture), (ObjectKind::Reference, reference)]
            .into_iter()
            .filter(|it| it.1)
            .map(|it| key(it.0))
            .collect()
    }
}

/// The evidence of one call, by talent and piece of content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drafts(BTreeMap<Place, Draft>);

impl Drafts {
    pub(super) fn get(&self, talent: TalentId, at: usize) -> Option<&Draft> {
        self.0.get(&(talent, at))
    }
}

/// Deletes the copies that no row refers to, because another unit of work wrote the evidence first
/// or the plan has no more room. Failures are only logged; leftover objects are swept.
pub(crate) async fn discard_unused(app: &App, drafts: &Drafts, mentions: &[Vec<RecordedMention>]) {
    let used: BTreeSet<EvidenceId> = mentions.iter().flatten().filter_map(|it| it.copies).collect();
    for draft in drafts.0.values().filter(|it| !used.contains(&it.id)) {
        for key in draft.objects() {
            if let Err(error) = app.objects.delete(key).await {
                tracing::warn!(%error, object = %key, "failed to delete a copy without a row");
            }
        }
    }
}
