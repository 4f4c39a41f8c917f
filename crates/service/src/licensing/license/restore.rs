//! Taking back what was done to a license: its deletion, a change, and the removal of an image.

use std::sync::Arc;

use grantor_domain::event::EventType;
use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::license::{License, LicenseStatus, revert};
use grantor_domain::likeness::{Hashed, ImageHash};
use grantor_domain::role::{Right, may};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Result, Timestamp};
use grantor_storage::catalog_picture::{self, CatalogPicture};
use grantor_storage::image::{self, Image};
use grantor_storage::license::{self, reader, version};
use grantor_storage::{image_feature, image_hash, mention, permission, talent};
use serde::{Deserialize, Serialize};

use super::change::{claim, store};
use super::image::{check_count, keys, save_new_version};
use super::{LicenseRef, license_event, not_found, resource, taken};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::licensing::catalog_picture::keys as picture_keys;
use crate::licensing::permission as permissions;
use crate::organizations::{rights, usage};
use crate::undo::{Reverse, Undo, changed_since};
use crate::watching::pod::look_at_once;

/// What takes back an act on a license.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum LicenseReverse {
    /// Gives it the values of an earlier version, if nobody made another one since.
    Changed {
        /// The license.
        license: LicenseId,
        /// The version before the change.
        before: u32,
        /// The version that the change made.
        after: u32,
    },
    /// Restores a deleted license.
    Deleted(Box<DeletedLicense>),
    /// Adds a removed image again.
    ImageRemoved(RemovedImage),
}

/// What a deletion removed.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct DeletedLicense {
    license: LicenseId,
    /// The version that the deletion made.
    version: u32,
    watched_since: Option<Timestamp>,
    watched_until: Option<Timestamp>,
    images: Vec<RemovedImage>,
    picture: Option<CatalogPicture>,
}

/// A removed image with its likeness hash.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct RemovedImage {
    image: Image,
    /// The hash and its quality; `None` if the image could not be read or was not hashed yet.
    hash: Option<(Vec<u8>, u8)>,
}

impl RemovedImage {
    fn insert(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        image::insert(unit.tx, &self.image)?;
        // Its local features are computed anew.
        image_feature::insert(unit.tx, self.image.id)?;
        // An image without a hash is hashed by the job that looks for those.
        if let Some((bytes, quality)) = &self.hash
            && let Some(hash) = ImageHash::from_bytes(bytes)
        {
            let hashed = Hashed { hash, quality: *quality };
            image_hash::insert(unit.tx, self.image.id, Some(hashed), unit.now)?;
        }
        Ok(())
    }
}

/// Reads images that are about to be removed, with their hashes.
fn removed(unit: &mut UnitOfWork<'_, '_>, images: Vec<Image>) -> Result<Vec<RemovedImage>> {
    let ids: Vec<ImageId> = images.iter().map(|it| it.id).collect();
    let hashes = image_hash::list_of(unit.tx, &ids)?;
    let hash_of = |id: ImageId| {
        let hashed = hashes.iter().find(|it| it.image == id)?.hashed?;
        Some((hashed.hash.to_bytes().to_vec(), hashed.quality))
    };
    Ok(images.into_iter().map(|image| RemovedImage { hash: hash_of(image.id), image }).collect())
}

/// What takes back the deletion of a license that is about to be deleted; `None` if nothing can. The
/// license has the version that the deletion makes.
pub(super) fn of_deleted(unit: &mut UnitOfWork<'_, '_>, license: &License) -> Result<Option<Undo>> {
    if !unit.undoable {
        return Ok(None);
    }
    let images = match license.image_count {
        0 => vec![],
        _ => image::list(unit.tx, license.id)?,
    };
    let images = removed(unit, images)?;
    let picture = catalog_picture::find(unit.tx, license.id)?;
    let mut objects: Vec<_> = images.iter().flat_map(|it| keys(it.image.id)).collect();
    objects.extend(picture.iter().flat_map(|it| picture_keys(it.id)));
    let deleted = DeletedLicense {
        license: license.id,
        version: license.version,
        watched_since: license.watched_since,
        watched_until: license.watched_until,
        images,
        picture,
    };
    let reverse = Reverse::License(LicenseReverse::Deleted(Box::new(deleted)));
    Ok(Some(Undo { reverse, objects }))
}

/// What takes back the removal of an image that is about to be removed; `None` if nothing can.
pub(super) fn of_image(unit: &mut UnitOfWork<'_, '_>, id: ImageId) -> Result<Option<Undo>> {
    if !unit.undoable {
        return Ok(None);
    }
    let Some(found) = image::find(unit.tx, id)? else { return Ok(None) };
    let kept = removed(unit, vec![found])?.pop();
    Ok(kept.map(|kept| Undo {
        reverse: Reverse::License(LicenseReverse::ImageRemoved(kept)),
        objects: keys(id).into(),
    }))
}

impl LicenseReverse {
    /// Takes the act back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: &Arc<Caller>,
    ) -> Result<Done<()>> {
        match self {
            Self::Changed { license, before, after } => {
                take_back(unit, caller, license, (before, after))
            }
            Self::Deleted(deleted) => restore(unit, caller, &deleted),
            Self::ImageRemoved(kept) => add_again(unit, caller, &kept),
        }
    }
}

fn take_back(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    id: LicenseId,
    (before, after): (u32, u32),
) -> Result<Done<()>> {
    let shown = claim(unit, caller.reader(), &LicenseRef::Id(id), None)?.shown;
    if shown.license.version != after {
        return Err(changed_since());
    }
    let earlier = version::find(unit.tx, id, before)?.ok_or_else(changed_since)?;
    let applied = revert(&shown.license, &earlier.license, unit.now);
    Ok(store(unit, shown, applied)?.told("A change of a license was undone"))
}

fn restore(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    deleted: &DeletedLicense,
) -> Result<Done<()>> {
    let id = deleted.license;
    may(caller.role, caller.tenant_type, Right::ManageLicenses)?;
    license::lock(unit.tx, id)?;
    let (owner, person) = license::owner_of(unit.tx, id)?
        .filter(|(owner, _)| *owner == caller.tenant)
        .ok_or_else(not_found)?;
    rights::require_for_talent(unit, Right::ManageLicenses, (owner, person))?;
    usage::admit(unit, owner, LimitedResource::Licenses, 1)?;
    let watched = (deleted.watched_since, deleted.watched_until);
    let restored = license::restore(unit.tx, (id, deleted.version), watched, unit.now, unit.actor);
    if !restored.map_err(taken)? {
        return Err(changed_since());
    }
    for kept in &deleted.images {
        kept.insert(unit)?;
    }
    if let Some(picture) = &deleted.picture {
        catalog_picture::insert(unit.tx, picture)?;
    }
    let shown = license::find(unit.tx, id)?.ok_or_else(not_found)?;
    let holders = permission::holders(unit.tx, &shown.license)?;
    reader::set(unit.tx, &shown.license, &holders)?;
    mention::restore_owner(unit.tx, &shown.license)?;
    talent::count_license(unit.tx, person, 1)?;
    if shown.license.is_watched(unit.now) {
        look_at_once(unit, owner)?;
    }
    let created = license_event(unit, EventType::LicenseCreated, &shown, &holders, None)?;
    let done = Done::new((), resource(&shown.license), "A license was restored");
    let mut done = done.for_license(id).with_event(created);
    if shown.license.effective_status(unit.now) == LicenseStatus::Public {
        let published = EventType::LicensePublished;
        done.events.push(license_event(unit, published, &shown, &holders, None)?);
    }
    Ok(done)
}

fn add_again(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    kept: &RemovedImage,
) -> Result<Done<()>> {
    let mut license = permissions::claim(unit, caller, kept.image.license)?;
    license.image_count = check_count(license.image_count, 1)?;
    let bytes = u64::from(kept.image.bytes);
    usage::admit(unit, license.tenant, LimitedResource::ImageBytes, bytes)?;
    kept.insert(unit)?;
    save_new_version(unit, &mut license, (), "An image was restored")
}

/// Puts back a catalog picture that was removed, if the license has none now.
pub(crate) fn restore_picture(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    picture: &CatalogPicture,
) -> Result<Done<()>> {
    let license = permissions::claim(unit, caller, picture.license)?;
    if catalog_picture::find(unit.tx, license.id)?.is_some() {
        return Err(changed_since());
    }
    let bytes = u64::from(picture.bytes);
    usage::admit(unit, license.tenant, LimitedResource::ImageBytes, bytes)?;
    catalog_picture::insert(unit.tx, picture)?;
    let message = "The catalog picture of a license was restored";
    Ok(Done::new((), resource(&license), message).for_license(license.id))
}
