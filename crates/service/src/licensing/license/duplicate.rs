//! Copies of licenses: drafts of their own, without permissions, with or without the images.

use std::collections::HashMap;
use std::sync::Arc;

use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::license::{License, NewLicense};
use grantor_domain::role::{Right, may};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result};
use grantor_media::Prepared;
use grantor_storage::image::{self, Image};
use grantor_storage::image_hash::{self, StoredHash};
use grantor_storage::{Tx, license, talent};

use super::create::{Create, Created, NewImages};
use super::image::{StoredImage, keys, with_stored};
use crate::identity::access::Caller;
use crate::licensing::permission::owned;
use crate::organizations::{rights, usage};
use crate::{App, Context};

/// An image to copy, and its hash unless it was not hashed yet.
type Original = (Image, Option<StoredHash>);

/// Creates a draft with the content of one of the tenant's licenses.
pub async fn duplicate(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: LicenseId,
    with_images: bool,
) -> Result<Created> {
    may(caller.role, caller.tenant_type, Right::ManageLicenses)?;
    let (own, actor) = (caller.tenant, caller.actor());
    let (license, originals) = app
        .store
        .read(move |tx| {
            let license = owned(license::find(tx, id)?, own)?;
            let team = talent::team_of(tx, license.talent)?;
            rights::require_for_team_as(tx, &actor, Right::ManageLicenses, team)?;
            let originals = if with_images { originals(tx, &license)? } else { vec![] };
            Ok::<_, Error>((license, originals))
        })
        .await?;
    if !originals.is_empty() {
        usage::check(app, context, own, LimitedResource::ImageBytes).await?;
    }
    let (talent, new) = (license.talent, NewLicense::copy_of(&license, app.clock.now()));
    let context = context.clone();
    let count = originals.len();
    let copy = |app: App, ids: Vec<ImageId>| async move { copy_all(&app, ids, originals).await };
    with_stored(app, count, copy, move |app, images| async move {
        let images = NewImages::Stored(images);
        app.act(&context, Create { caller, talent, new, images, copy_of: Some(id) }).await
    })
    .await
}

fn originals(tx: &mut Tx<'_>, license: &License) -> Result<Vec<Original>> {
    let images = image::list(tx, license.id)?;
    let ids: Vec<_> = images.iter().map(|it| it.id).collect();
    let hashes = image_hash::list_of(tx, &ids)?.into_iter().map(|it| (it.image, it));
    let mut hashes: HashMap<_, _> = hashes.collect();
    let original = |image: Image| {
        let hash = hashes.remove(&image.id);
        (image, hash)
    };
    Ok(images.into_iter().map(original).collect())
}

/// Copies objects one after the other, so that only one is in memory.
async fn copy_all(
    app: &App,
    ids: Vec<ImageId>,
    originals: Vec<Original>,
) -> Result<Vec<StoredImage>> {
    let mut stored = Vec::with_capacity(originals.len());
    for (id, (original, hash)) in ids.into_iter().zip(originals) {
        let [image, thumbnail] = keys(original.id);
        let [image_copy, thumbnail_copy] = keys(id);
        let bytes = app.objects.get(image).await?.ok_or_else(missing)?;
        let small = app.objects.get(thumbnail).await?.ok_or_else(missing)?;
        let hashed = match hash {
            Some(known) => known.hashed,
            None => Some(app.images.hash(bytes.clone()).await?),
        };
        app.objects.put(image_copy, bytes, original.content_type.name()).await?;
        app.objects.put(thumbnail_copy, small, Prepared::THUMBNAIL_TYPE.as_str()).await?;
        stored.push(StoredImage {
            id,
            content_type: original.content_type,
            width: original.width,
            height: original.height,
            bytes: original.bytes,
            sha256: original.sha256,
            hashed,
            features: None,
        });
    }
    Ok(stored)
}

/// The image was removed in the meantime.
fn missing() -> Error {
    Error::conflict("The images of the license just changed. Try again")
}
