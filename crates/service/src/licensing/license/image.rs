//! Reference images of a license. Adding and removing them creates a new version of the license.
//!
//! Images are decoded before the unit of work, and their objects are stored before their rows, so a
//! row always has its objects. Objects left by a failed unit are deleted, or swept a day later
//! (`object_sweep`).

use std::collections::HashMap;
use std::sync::Arc;

use grantor_domain::event::EventType;
use grantor_domain::id::{ImageId, LicenseId, TenantId};
use grantor_domain::image::{self as rules, ImageFile, ImageType};
use grantor_domain::license::License;
use grantor_domain::likeness::{Hashed, LocalFeatures};
use grantor_domain::role::{Right, may};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result};
pub use grantor_storage::image::Image;
use grantor_storage::object::{ObjectKey, ObjectKind};
use grantor_storage::{image, image_feature, image_hash, kept_image, license};
use serde_json::json;

use super::{Expected, Indexed, license_event, not_found, resource, restore, save};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::licensing::permission::{claim, owned};
use crate::organizations::usage;
use crate::watching::likeness::{self, Hint, NewImage, Seen};
use crate::{App, Context};
use grantor_media::Prepared;
use grantor_recognition::VERSION;

/// The result of an upload.
pub struct Added {
    /// The added images.
    pub images: Vec<Image>,
    /// The number of images the license now has.
    pub total: u32,
    /// What to know about each of the added images.
    pub hints: Vec<Hint>,
}

/// The field of images in forms and requests.
pub(super) const FIELD: &str = "images";

/// Adds images to one of the tenant's licenses: all of them or none.
pub async fn add_images<F: Into<ImageFile>>(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: LicenseId,
    expected: Expected,
    files: Vec<F>,
) -> Result<Added> {
    if files.is_empty() {
        return Err(Error::field(FIELD, "is required"));
    }
    may(caller.role, caller.tenant_type, Right::ManageLicenses)?;
    let (own, count, now) = (caller.tenant, files.len(), app.clock.now());
    // Check first, so that images that will be refused aren't decoded.
    let versions = expected.clone();
    app.store
        .read(move |tx| {
            let present = owned(license::find(tx, id)?, own)?;
            versions.check(&present, now)?;
            check_count(present.image_count, count)
        })
        .await?;
    let prepared = prepare(app, context, files).await?;
    let seen = seen_of(&prepared);
    let (context, adder) = (context.clone(), Arc::clone(&caller));
    let mut added = with_objects(app, prepared, move |app, images| async move {
        app.act(&context, AddImages { caller: adder, id, expected, images }).await
    })
    .await?;
    added.hints = hints_of(app, &caller, added.images.iter().map(|it| it.id), seen).await;
    Ok(added)
}

/// A prepared image as others are searched for that look like it: its SHA-256, the number of its
/// features, and what it is compared by.
pub(super) type SeenImage = (String, u32, Seen);

pub(super) fn seen_of(prepared: &[Prepared]) -> Vec<SeenImage> {
    let seen = |it: &Prepared| (it.sha256.clone(), it.features.count, it.seen.clone());
    prepared.iter().map(seen).collect()
}

/// The hints about images that were stored with these ids.
pub(super) async fn hints_of(
    app: &App,
    caller: &Caller,
    ids: impl Iterator<Item = ImageId>,
    seen: Vec<SeenImage>,
) -> Vec<Hint> {
    let new = ids.zip(seen);
    let new = new.map(|(id, (sha256, features, seen))| NewImage { id, sha256, features, seen });
    let new: Vec<NewImage> = new.collect();
    likeness::hints(app, caller, &new).await
}

/// Removes an image from one of the tenant's licenses. Its objects are deleted at once, or when the
/// removal can no longer be taken back.
pub async fn remove_image(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
    id: ImageId,
    expected: Expected,
) -> Result<()> {
    let kept = app.act(context, RemoveImage { caller, license, id, expected }).await?;
    if kept { Ok(()) } else { delete_objects_of(app, vec![id]).await }
}

/// Deletes the objects of deleted images, in a task that continues if the caller disconnects.
pub(super) async fn delete_objects_of(app: &App, ids: Vec<ImageId>) -> Result<()> {
    let app = app.clone();
    let deleted = tokio::spawn(async move { delete_objects(&app, &ids).await }).await;
    deleted.map_err(|error| Error::internal(error.to_string()))
}

/// Returns the images of these licenses.
pub async fn images_of(app: &App, ids: Vec<LicenseId>) -> Result<HashMap<LicenseId, Vec<Image>>> {
    let images = app.store.read(move |tx| Ok::<_, Error>(image::list_of(tx, &ids)?)).await?;
    let mut found = HashMap::<_, Vec<Image>>::new();
    for image in images {
        found.entry(image.license).or_default().push(image);
    }
    Ok(found)
}

/// An image whose objects are stored and whose row isn't yet.
#[derive(Clone)]
pub(super) struct StoredImage {
    pub(super) id: ImageId,
    pub(super) content_type: ImageType,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) bytes: u32,
    pub(super) sha256: String,
    /// The likeness hash; `None` if the image could not be read.
    pub(super) hashed: Option<Hashed>,
    /// The local features; `None` if they are computed later.
    pub(super) features: Option<LocalFeatures>,
}

/// Returns the number of images after an addition, or refuses it.
pub(super) fn check_count(present: u32, added: usize) -> Result<u32> {
    rules::check_count(present, added).map_err(|reason| Error::field(FIELD, reason))
}

/// Decodes and prepares uploaded images, in order.
pub(super) async fn prepare<F: Into<ImageFile>>(
    app: &App,
    context: &Context,
    files: Vec<F>,
) -> Result<Vec<Prepared>> {
    if let Some(tenant) = context.actor.tenant().filter(|_| !files.is_empty()) {
        usage::check(app, context, tenant, LimitedResource::ImageBytes).await?;
    }
    let mut prepared = Vec::with_capacity(files.len());
    for file in files {
        prepared.push(prepare_one(app, context, file.into()).await?);
    }
    Ok(prepared)
}

/// Decodes and prepares an uploaded image. Errors name its file.
pub(super) async fn prepare_one(app: &App, context: &Context, file: ImageFile) -> Result<Prepared> {
    let ImageFile { name, bytes } = file;
    let prepared = if bytes.is_empty() {
        Err(Error::field(FIELD, "is empty"))
    } else {
        app.images.prepare(bytes, &context.waiter).await
    };
    prepared.map_err(|error| match name.zip(error.fields().get(FIELD).cloned()) {
        Some((name, reason)) => Error::field(FIELD, rules::error_of_file(&name, &reason)),
        None => error,
    })
}

/// Stores the objects of images and then runs the act that inserts their rows. Runs in a task that
/// continues if the caller disconnects, so that no objects are left without rows.
pub(super) async fn with_objects<T, F>(
    app: &App,
    prepared: Vec<Prepared>,
    act: impl FnOnce(App, Vec<StoredImage>) -> F + Send + 'static,
) -> Result<T>
where
    T: Send + 'static,
    F: Future<Output = Result<T>> + Send,
{
    let count = prepared.len();
    let put = |app: App, ids: Vec<ImageId>| async move { put_objects(&app, &ids, prepared).await };
    with_stored(app, count, put, act).await
}

/// Like [`with_objects`], with objects that the given function stores under new ids.
pub(super) async fn with_stored<T, S, F>(
    app: &App,
    count: usize,
    store: impl FnOnce(App, Vec<ImageId>) -> S + Send + 'static,
    act: impl FnOnce(App, Vec<StoredImage>) -> F + Send + 'static,
) -> Result<T>
where
    T: Send + 'static,
    S: Future<Output = Result<Vec<StoredImage>>> + Send,
    F: Future<Output = Result<T>> + Send,
{
    let app = app.clone();
    let work = tokio::spawn(async move {
        let mut ids: Vec<ImageId> = (0..count).map(|_| app.ids.next()).collect();
        // Images are listed by id, so this keeps the order of the upload.
        ids.sort_unstable();
        let done = match store(app.clone(), ids.clone()).await {
            Ok(stored) => act(app.clone(), stored).await,
            Err(error) => Err(error),
        };
        if done.is_err() {
            discard(&app, &ids).await;
        }
        done
    });
    match work.await {
        Ok(done) => done,
        Err(error) => Err(Error::internal(error.to_string())),
    }
}

async fn put_objects(
    app: &App,
    ids: &[ImageId],
    prepared: Vec<Prepared>,
) -> Result<Vec<StoredImage>> {
    let mut stored = Vec::with_capacity(ids.len());
    for (id, picture) in ids.iter().zip(prepared) {
        let [image, thumbnail] = keys(*id);
        stored.push(StoredImage {
            id: *id,
            content_type: picture.content_type.into(),
            width: picture.width,
            height: picture.height,
            bytes: u32::try_from(picture.bytes.len()).unwrap_or(u32::MAX),
            sha256: picture.sha256,
            hashed: Some(picture.hashed),
            features: Some(picture.features),
        });
        // Wait for both, even if one fails: an upload still running would outlive its deletion.
        let (image, thumbnail) = tokio::join!(
            app.objects.put(image, picture.bytes, picture.content_type.as_str()),
            app.objects.put(thumbnail, picture.thumbnail, Prepared::THUMBNAIL_TYPE.as_str()),
        );
        image.and(thumbnail)?;
    }
    Ok(stored)
}

/// Deletes objects without rows. The unit of work may have been committed despite the error; then
/// the objects stay, since a row without its object is worse than an object without a row.
async fn discard(app: &App, ids: &[ImageId]) {
    let Some(first) = ids.first().copied() else { return };
    let found = app.store.read(move |tx| {
        Ok::<_, Error>(image::find(tx, first)?.is_some() || kept_image::exists(tx, first)?)
    });
    match found.await {
        Ok(false) => delete_objects(app, ids).await,
        Ok(true) => {}
        Err(error) => {
            tracing::warn!(%error, image = %first, "image objects may be left without rows");
        }
    }
}

/// Deletes the objects of images. Failures are only logged; leftover objects are swept later.
async fn delete_objects(app: &App, ids: &[ImageId]) {
    for key in ids.iter().copied().flat_map(keys) {
        if let Err(error) = app.objects.delete(key).await {
            tracing::warn!(%error, object = %key, "failed to delete an object without a row");
        }
    }
}

pub(super) fn keys(id: ImageId) -> [ObjectKey; 2] {
    [ObjectKind::Image, ObjectKind::Thumbnail].map(|kind| ObjectKey::new(kind, id.as_uuid()))
}

/// Inserts the rows of stored images.
pub(super) fn insert(
    unit: &mut UnitOfWork<'_, '_>,
    owner: TenantId,
    license: LicenseId,
    stored: &[StoredImage],
) -> Result<Vec<Image>> {
    let bytes = stored.iter().map(|it| u64::from(it.bytes)).sum();
    if bytes > 0 {
        usage::admit(unit, owner, LimitedResource::ImageBytes, bytes)?;
    }
    let mut images = Vec::with_capacity(stored.len());
    for it in stored.iter().cloned() {
        let StoredImage { id, content_type, width, height, bytes, sha256, hashed, features } = it;
        let created_at = unit.now;
        let added = Image { id, license, content_type, width, height, bytes, sha256, created_at };
        image::insert(unit.tx, &added)?;
        image_hash::insert(unit.tx, id, hashed, created_at)?;
        image_feature::insert(unit.tx, id)?;
        if features.is_some() {
            image_feature::describe(unit.tx, id, VERSION, features.as_ref(), created_at)?;
        }
        images.push(added);
    }
    Ok(images)
}

struct AddImages {
    caller: Arc<Caller>,
    id: LicenseId,
    expected: Expected,
    images: Vec<StoredImage>,
}

impl Act for AddImages {
    type Permit = License;
    type Output = Added;
    const ACTION: &'static str = "image.add";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<License> {
        let license = claim(unit, &self.caller, self.id)?;
        self.expected.check(&license, unit.now)?;
        Ok(license)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut license: License,
    ) -> Result<Done<Added>> {
        license.image_count = check_count(license.image_count, self.images.len())?;
        let images = insert(unit, license.tenant, license.id, &self.images)?;
        let ids: Vec<_> = images.iter().map(|it| it.id).collect();
        let added = Added { images, total: license.image_count, hints: vec![] };
        let message = "Images were added to a license";
        let mut done = save_new_version(unit, &mut license, added, message)?;
        done.details = json!({ "imageIds": ids });
        Ok(done)
    }
}

struct RemoveImage {
    caller: Arc<Caller>,
    license: LicenseId,
    id: ImageId,
    expected: Expected,
}

impl Act for RemoveImage {
    type Permit = License;
    /// Whether the objects are kept, because the removal can be taken back.
    type Output = bool;
    const ACTION: &'static str = "image.remove";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<License> {
        let license = claim(unit, &self.caller, self.license)?;
        self.expected.check(&license, unit.now)?;
        Ok(license)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, mut license: License) -> Result<Done<bool>> {
        let undo = restore::of_image(unit, self.id)?;
        if !image::delete(unit.tx, license.id, self.id)? {
            return Err(Error::not_found("Image"));
        }
        license.image_count = license.image_count.saturating_sub(1);
        let message = "An image was removed from a license";
        let mut done = save_new_version(unit, &mut license, undo.is_some(), message)?;
        done.details = json!({ "imageIds": [self.id] });
        done.undo = undo;
        Ok(done)
    }
}

/// Stores a new version of a license whose images changed, with an event.
pub(super) fn save_new_version<T>(
    unit: &mut UnitOfWork<'_, '_>,
    license: &mut License,
    output: T,
    message: &str,
) -> Result<Done<T>> {
    license.version = license.version.saturating_add(1);
    license.updated_at = unit.now;
    let holders = save(unit, license, Indexed::Unchanged)?;
    let shown = license::find(unit.tx, license.id)?.ok_or_else(not_found)?;
    let changed: &[_] = &["reference_images"];
    let kind = EventType::LicenseUpdated;
    let event = license_event(unit, kind, &shown, &holders, Some(changed))?;
    Ok(Done::new(output, resource(license), message).for_license(license.id).with_event(event))
}
