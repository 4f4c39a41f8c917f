//! Reference images of a license: added and removed by its owner, each change a new version.
//!
//! Pictures are made ready before the unit of work, and their objects are there before their rows
//! are: a row always has its object. What a failed unit leaves is deleted as far as that goes, and
//! swept a day later (`object_sweep`).

use std::collections::HashMap;
use std::sync::Arc;

use grantor_domain::event::EventType;
use grantor_domain::id::{ImageId, LicenseId, TenantId};
use grantor_domain::image::{self as rules, ImageType};
use grantor_domain::license::License;
use grantor_domain::likeness::Hashed;
use grantor_domain::role::{Right, may};
use grantor_domain::usage::Bounded;
use grantor_domain::{Error, Result};
pub use grantor_storage::image::Image;
use grantor_storage::object::{ObjectKey, ObjectKind};
use grantor_storage::{image, image_hash, license};
use serde_json::json;

use super::{Expected, FoundBy, not_found, resource, save, tell};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::image::Prepared;
use crate::permission::{claim, owned};
use crate::{App, Context, usage};

/// What an upload added.
pub struct Added {
    /// The images it brought.
    pub images: Vec<Image>,
    /// How many the license has now.
    pub total: u32,
}

/// Adds pictures to one of the tenant's own licenses: all of them or none.
pub async fn add_images(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: LicenseId,
    expected: Expected,
    files: Vec<Vec<u8>>,
) -> Result<Added> {
    if files.is_empty() {
        return Err(Error::field("images", "is required"));
    }
    may(caller.role, caller.tenant_type, Right::ManageLicenses)?;
    let (own, count, now) = (caller.tenant, files.len(), app.clock.now());
    // Before any work: what will be refused need not be decoded.
    let seen = expected.clone();
    app.store
        .read(move |tx| {
            let present = owned(license::find(tx, id)?, own)?;
            seen.check(&present, now)?;
            check_count(present.image_count, count)
        })
        .await?;
    let prepared = prepare(app, context, files).await?;
    let context = context.clone();
    with_objects(app, prepared, move |app, images| async move {
        app.act(&context, AddImages { caller, id, expected, images }).await
    })
    .await
}

/// Takes an image from one of the tenant's own licenses.
pub async fn remove_image(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
    id: ImageId,
    expected: Expected,
) -> Result<()> {
    app.act(context, RemoveImage { caller, license, id, expected }).await?;
    forget(app, vec![id]).await
}

/// Deletes the objects of images whose rows are gone. Runs on by itself: nobody asks for it a
/// second time but the sweep of what is left behind.
pub(super) async fn forget(app: &App, ids: Vec<ImageId>) -> Result<()> {
    let app = app.clone();
    let deleted = tokio::spawn(async move { delete_objects(&app, &ids).await }).await;
    deleted.map_err(|error| Error::internal(error.to_string()))
}

/// The images of these licenses.
pub async fn images_of(app: &App, ids: Vec<LicenseId>) -> Result<HashMap<LicenseId, Vec<Image>>> {
    let images = app.store.read(move |tx| Ok::<_, Error>(image::list_of(tx, &ids)?)).await?;
    let mut found = HashMap::<_, Vec<Image>>::new();
    for image in images {
        found.entry(image.license).or_default().push(image);
    }
    Ok(found)
}

/// An image whose objects are kept and whose row is not yet.
#[derive(Clone)]
pub(super) struct Fresh {
    id: ImageId,
    content_type: ImageType,
    width: u32,
    height: u32,
    bytes: u32,
    sha256: String,
    hashed: Hashed,
}

/// How many images a license has after some were added.
pub(super) fn check_count(present: u32, added: usize) -> Result<u32> {
    rules::check_count(present, added).map_err(|reason| Error::field("images", reason))
}

/// Makes pictures ready to be kept, in their order.
pub(super) async fn prepare(
    app: &App,
    context: &Context,
    files: Vec<Vec<u8>>,
) -> Result<Vec<Prepared>> {
    if let Some(tenant) = context.actor.tenant().filter(|_| !files.is_empty()) {
        usage::check(app, context, tenant, Bounded::ImageBytes).await?;
    }
    let mut prepared = Vec::with_capacity(files.len());
    for file in files {
        prepared.push(app.images.prepare(file, &context.waiter).await?);
    }
    Ok(prepared)
}

/// Keeps the objects of pictures and then carries out what makes their rows. Runs on by itself: a
/// caller who hangs up leaves no objects without rows.
pub(super) async fn with_objects<T, F>(
    app: &App,
    prepared: Vec<Prepared>,
    act: impl FnOnce(App, Vec<Fresh>) -> F + Send + 'static,
) -> Result<T>
where
    T: Send + 'static,
    F: Future<Output = Result<T>> + Send,
{
    let app = app.clone();
    let work = tokio::spawn(async move {
        let mut ids: Vec<ImageId> = prepared.iter().map(|_| app.ids.next()).collect();
        // Those of one request are listed in the order they came in.
        ids.sort_unstable();
        let done = match put_objects(&app, &ids, prepared).await {
            Ok(fresh) => act(app.clone(), fresh).await,
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

async fn put_objects(app: &App, ids: &[ImageId], prepared: Vec<Prepared>) -> Result<Vec<Fresh>> {
    let mut fresh = Vec::with_capacity(ids.len());
    for (id, picture) in ids.iter().zip(prepared) {
        let [image, thumbnail] = keys(*id);
        fresh.push(Fresh {
            id: *id,
            content_type: picture.content_type.into(),
            width: picture.width,
            height: picture.height,
            bytes: u32::try_from(picture.bytes.len()).unwrap_or(u32::MAX),
            sha256: picture.sha256,
            hashed: picture.hashed,
        });
        // Both to their end: what is half-way when the other fails would outlive its deletion.
        let (image, thumbnail) = tokio::join!(
            app.objects.put(image, picture.bytes, picture.content_type.as_str()),
            app.objects.put(thumbnail, picture.thumbnail, Prepared::THUMBNAIL_TYPE.as_str()),
        );
        image.and(thumbnail)?;
    }
    Ok(fresh)
}

/// Deletes objects that got no rows. A unit whose end nobody heard of may have been stored after
/// all: then they stay, since a row without its object is worse than an object without its row.
async fn discard(app: &App, ids: &[ImageId]) {
    let Some(first) = ids.first().copied() else { return };
    let found = app.store.read(move |tx| Ok::<_, Error>(image::find(tx, first)?)).await;
    match found {
        Ok(None) => delete_objects(app, ids).await,
        Ok(Some(_)) => {}
        Err(error) => tracing::warn!(%error, image = %first, "objects may be left without rows"),
    }
}

/// As far as that goes: what is left over is seen by nobody until it is swept.
async fn delete_objects(app: &App, ids: &[ImageId]) {
    for key in ids.iter().copied().flat_map(keys) {
        if let Err(error) = app.objects.delete(key).await {
            tracing::warn!(%error, object = %key, "an object without a row could not be deleted");
        }
    }
}

fn keys(id: ImageId) -> [ObjectKey; 2] {
    [ObjectKind::Image, ObjectKind::Thumbnail].map(|kind| ObjectKey::new(kind, id.as_uuid()))
}

/// Adds the rows.
pub(super) fn insert(
    desk: &mut Desk<'_, '_>,
    owner: TenantId,
    license: LicenseId,
    fresh: &[Fresh],
) -> Result<Vec<Image>> {
    let bytes = fresh.iter().map(|it| u64::from(it.bytes)).sum();
    if bytes > 0 {
        usage::admit(desk, owner, Bounded::ImageBytes, bytes)?;
    }
    let mut images = Vec::with_capacity(fresh.len());
    for it in fresh.iter().cloned() {
        let Fresh { id, content_type, width, height, bytes, sha256, hashed } = it;
        let created_at = desk.now;
        let added = Image { id, license, content_type, width, height, bytes, sha256, created_at };
        image::insert(desk.tx, &added)?;
        image_hash::insert(desk.tx, id, Some(hashed), created_at)?;
        images.push(added);
    }
    Ok(images)
}

struct AddImages {
    caller: Arc<Caller>,
    id: LicenseId,
    expected: Expected,
    images: Vec<Fresh>,
}

impl Act for AddImages {
    type Grant = License;
    type Output = Added;
    const ACTION: &'static str = "image.add";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<License> {
        let license = claim(desk, &self.caller, self.id)?;
        self.expected.check(&license, desk.now)?;
        Ok(license)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut license: License) -> Result<Done<Added>> {
        license.image_count = check_count(license.image_count, self.images.len())?;
        let images = insert(desk, license.tenant, license.id, &self.images)?;
        let ids: Vec<_> = images.iter().map(|it| it.id).collect();
        let added = Added { images, total: license.image_count };
        let mut done = save_anew(desk, &mut license, added, "Images were added to a license")?;
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
    type Grant = License;
    type Output = ();
    const ACTION: &'static str = "image.remove";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<License> {
        let license = claim(desk, &self.caller, self.license)?;
        self.expected.check(&license, desk.now)?;
        Ok(license)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut license: License) -> Result<Done<()>> {
        if !image::delete(desk.tx, license.id, self.id)? {
            return Err(Error::not_found("Image"));
        }
        license.image_count = license.image_count.saturating_sub(1);
        let mut done = save_anew(desk, &mut license, (), "An image was removed from a license")?;
        done.details = json!({ "imageIds": [self.id] });
        Ok(done)
    }
}

/// Writes a license whose images changed: another version, and told.
fn save_anew<T>(
    desk: &mut Desk<'_, '_>,
    license: &mut License,
    output: T,
    message: &str,
) -> Result<Done<T>> {
    license.version = license.version.saturating_add(1);
    license.updated_at = desk.now;
    let holders = save(desk, license, FoundBy::Same)?;
    let shown = license::find(desk.tx, license.id)?.ok_or_else(not_found)?;
    let changed: &[_] = &["reference_images"];
    let told = tell(desk, EventType::LicenseUpdated, &shown, &holders, Some(changed))?;
    Ok(Done::new(output, resource(license), message).about(license.id).tell(told))
}
