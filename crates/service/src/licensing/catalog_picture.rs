//! The picture that the owner of a license picks for the catalog: a copy of a reference image,
//! which itself stays private, or of an upload. It isn't part of the license, so picking one makes
//! no new version.
//!
//! The copy is made before the unit of work, and its objects are stored before its row, so a row
//! always has its objects. Objects left by a failed unit are deleted, or swept a day later.

use std::sync::Arc;

use grantor_domain::id::{CatalogPictureId, ImageId, LicenseId};
use grantor_domain::license::License;
use grantor_domain::role::{Right, may};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result};
use grantor_media::Downscaled;
pub use grantor_storage::catalog_picture::CatalogPicture;
use grantor_storage::object::{ObjectKey, ObjectKind};
use grantor_storage::{catalog_picture, image, license, talent};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::licensing::license::resource;
use crate::licensing::permission::{claim, owned};
use crate::organizations::{rights, usage};
use crate::undo::{Reverse, Undo};
use crate::{App, Context};

/// The longer side of a picture, at most.
pub const MAX_SIDE: u32 = 1024;

/// The longer side of a picture's thumbnail, at most.
pub const THUMBNAIL_SIDE: u32 = 480;

/// Where a picture comes from.
pub enum PictureSource {
    /// One of the license's reference images.
    Reference(ImageId),
    /// An uploaded file.
    Upload(Vec<u8>),
}

/// The size of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureSize {
    /// The picture itself.
    Full,
    /// Its thumbnail.
    Thumbnail,
}

impl PictureSize {
    /// The name in URLs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Thumbnail => "card",
        }
    }
}

/// Sets the catalog picture of one of the tenant's licenses, instead of the one it has.
pub async fn set(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
    source: PictureSource,
) -> Result<CatalogPicture> {
    let present = check(app, &caller, license).await?;
    if present.is_none() {
        usage::check(app, context, caller.tenant, LimitedResource::ImageBytes).await?;
    }
    let bytes = match source {
        PictureSource::Reference(id) => read_reference(app, license, id).await?,
        PictureSource::Upload(bytes) => bytes,
    };
    let copy = app.images.downscale(bytes, MAX_SIDE, THUMBNAIL_SIDE, &context.waiter).await;
    let copy = copy.map_err(about_image)?;
    let (app, context) = (app.clone(), context.clone());
    // Continues if the caller disconnects, so that no objects are left without a row.
    let work = tokio::spawn(async move { store(&app, &context, caller, license, copy).await });
    match work.await {
        Ok(done) => done,
        Err(error) => Err(Error::internal(error.to_string())),
    }
}

/// Removes the catalog picture of one of the tenant's licenses, if it has one.
pub async fn remove(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
) -> Result<()> {
    if check(app, &caller, license).await?.is_none() {
        return Ok(());
    }
    let (removed, kept) = app.act(context, Remove { caller, license }).await?;
    if kept { Ok(()) } else { delete_objects_of(app, removed).await }
}

/// Returns the catalog picture of a license that the caller may see.
pub async fn find(app: &App, license: LicenseId) -> Result<Option<CatalogPicture>> {
    app.store.lookup(move |tx| Ok(catalog_picture::find(tx, license)?)).await
}

/// Returns a catalog picture if its license is public. Any other is reported as not found.
pub async fn get_public(app: &App, id: CatalogPictureId) -> Result<CatalogPicture> {
    let now = app.clock.now();
    let found: Result<_> =
        app.store.lookup(move |tx| Ok(catalog_picture::find_public(tx, id, now)?)).await;
    found?.ok_or_else(not_found)
}

/// Returns the bytes of a catalog picture.
pub async fn read(app: &App, id: CatalogPictureId, size: PictureSize) -> Result<Vec<u8>> {
    let [full, thumbnail] = keys(id);
    let key = match size {
        PictureSize::Full => full,
        PictureSize::Thumbnail => thumbnail,
    };
    app.objects.get(key).await?.ok_or_else(not_found)
}

/// Deletes the objects of a removed picture, in a task that continues if the caller disconnects.
pub(super) async fn delete_objects_of(app: &App, id: Option<CatalogPictureId>) -> Result<()> {
    let Some(id) = id else { return Ok(()) };
    let app = app.clone();
    let deleted = tokio::spawn(async move { delete_objects(&app, id).await }).await;
    deleted.map_err(|error| Error::internal(error.to_string()))
}

fn not_found() -> Error {
    Error::not_found("Picture")
}

/// Checks that the caller may manage the license, before anything is decoded, and returns its
/// picture.
async fn check(app: &App, caller: &Caller, id: LicenseId) -> Result<Option<CatalogPicture>> {
    may(caller.role, caller.tenant_type, Right::ManageLicenses)?;
    let (own, actor) = (caller.tenant, caller.actor());
    app.store
        .read(move |tx| {
            let found = owned(license::find(tx, id)?, own)?;
            let team = talent::team_of(tx, found.talent)?;
            rights::require_for_team_as(tx, &actor, Right::ManageLicenses, team)?;
            Ok(catalog_picture::find(tx, id)?)
        })
        .await
}

async fn read_reference(app: &App, license: LicenseId, id: ImageId) -> Result<Vec<u8>> {
    let refused = || Error::field("imageId", "must be a reference image of this license");
    let found = app.store.lookup(move |tx| Ok::<_, Error>(image::find(tx, id)?)).await?;
    if found.is_none_or(|it| it.license != license) {
        return Err(refused());
    }
    let object = ObjectKey::new(ObjectKind::Image, id.as_uuid());
    app.objects.get(object).await?.ok_or_else(refused)
}

/// The error of a picture, under the name of the field that it is sent in.
fn about_image(error: Error) -> Error {
    let message = error.fields().values().next().cloned();
    match message {
        Some(message) if error.is_refusal() => Error::field("image", message),
        _ => error,
    }
}

async fn store(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    license: LicenseId,
    copy: Downscaled,
) -> Result<CatalogPicture> {
    let id: CatalogPictureId = app.ids.next();
    let Downscaled { bytes, width, height, sha256, thumbnail } = copy;
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let picture = StoredPicture { id, width, height, bytes: length, sha256 };
    let [full, small] = keys(id);
    let jpeg = "image/jpeg";
    // Wait for both, even if one fails: an upload still running would outlive its deletion.
    let (full, small) =
        tokio::join!(app.objects.put(full, bytes, jpeg), app.objects.put(small, thumbnail, jpeg));
    let done = match full.and(small) {
        Ok(()) => app.act(context, Set { caller, license, picture }).await,
        Err(error) => Err(error.into()),
    };
    match done {
        Ok((picture, replaced)) => {
            delete_objects_of(app, replaced).await?;
            Ok(picture)
        }
        Err(error) => {
            discard(app, id).await;
            Err(error)
        }
    }
}

/// Deletes the objects of a picture without a row. The unit of work may have been committed despite
/// the error; then they stay.
async fn discard(app: &App, id: CatalogPictureId) {
    let known = app.store.read(move |tx| Ok::<_, Error>(catalog_picture::find_by_id(tx, id)?));
    match known.await {
        Ok(None) => delete_objects(app, id).await,
        Ok(Some(_)) => {}
        Err(error) => {
            tracing::warn!(%error, picture = %id, "picture objects may be left without rows");
        }
    }
}

/// Deletes the objects of a picture. Failures are only logged; leftover objects are swept later.
async fn delete_objects(app: &App, id: CatalogPictureId) {
    for key in keys(id) {
        if let Err(error) = app.objects.delete(key).await {
            tracing::warn!(%error, object = %key, "failed to delete an object without a row");
        }
    }
}

pub(super) fn keys(id: CatalogPictureId) -> [ObjectKey; 2] {
    [ObjectKind::CatalogPicture, ObjectKind::CatalogThumbnail]
        .map(|kind| ObjectKey::new(kind, id.as_uuid()))
}

/// A picture whose objects are stored and whose row isn't yet.
struct StoredPicture {
    id: CatalogPictureId,
    width: u32,
    height: u32,
    bytes: u32,
    sha256: String,
}

struct Set {
    caller: Arc<Caller>,
    license: LicenseId,
    picture: StoredPicture,
}

impl Act for Set {
    type Permit = License;
    type Output = (CatalogPicture, Option<CatalogPictureId>);
    const ACTION: &'static str = "catalog_picture.set";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<License> {
        claim(unit, &self.caller, self.license)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        license: License,
    ) -> Result<Done<Self::Output>> {
        // The old picture is deleted first, so that its bytes don't count anymore.
        let replaced = catalog_picture::delete(unit.tx, license.id)?;
        let &StoredPicture { id, width, height, bytes, .. } = &self.picture;
        usage::admit(unit, license.tenant, LimitedResource::ImageBytes, bytes.into())?;
        let (sha256, created_at) = (self.picture.sha256.clone(), unit.now);
        let picture =
            CatalogPicture { id, license: license.id, width, height, bytes, sha256, created_at };
        catalog_picture::insert(unit.tx, &picture)?;
        let message = "The catalog picture of a license was set";
        let mut done = Done::new((picture, replaced), resource(&license), message);
        done.details = json!({ "pictureId": id, "replaced": replaced });
        Ok(done.for_license(license.id))
    }
}

struct Remove {
    caller: Arc<Caller>,
    license: LicenseId,
}

impl Act for Remove {
    type Permit = License;
    /// The removed picture, and whether its objects are kept, because that can be taken back.
    type Output = (Option<CatalogPictureId>, bool);
    const ACTION: &'static str = "catalog_picture.remove";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<License> {
        claim(unit, &self.caller, self.license)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        license: License,
    ) -> Result<Done<Self::Output>> {
        let found = if unit.undoable { catalog_picture::find(unit.tx, license.id)? } else { None };
        let removed = catalog_picture::delete(unit.tx, license.id)?;
        let message = "The catalog picture of a license was removed";
        let output = (removed, found.is_some());
        let mut done = Done::new(output, resource(&license), message).for_license(license.id);
        done.details = json!({ "pictureId": removed });
        done.undo = found.map(|it| {
            let objects = keys(it.id).into();
            Undo { reverse: Reverse::CatalogPicture(it), objects }
        });
        Ok(done)
    }
}
