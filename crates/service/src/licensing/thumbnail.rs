//! The pictures by which people recognize talents and licenses in lists: one of the reference
//! images, for those who may see them, or the picture of the catalog.

use std::collections::HashMap;

use grantor_domain::id::{CatalogPictureId, ImageId, LicenseId, TalentId};
use grantor_domain::{Error, Result};
use grantor_storage::license::reader::Reader;
use grantor_storage::{Tx, catalog_picture, image};

use crate::App;
use crate::identity::access::Caller;

/// Returns an image of each of these licenses that has one and that the reader sees.
pub async fn of_licenses(
    app: &App,
    reader: Reader,
    ids: Vec<LicenseId>,
) -> Result<HashMap<LicenseId, ImageId>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let readers = reader.ids();
    let work = move |tx: &mut Tx<'_>| Ok::<_, Error>(image::first_of_licenses(tx, readers, &ids)?);
    Ok(app.store.lookup(work).await?.into_iter().collect())
}

/// Returns the catalog's picture of each of these licenses that is public and has one.
pub async fn of_public_licenses(
    app: &App,
    ids: Vec<LicenseId>,
) -> Result<HashMap<LicenseId, CatalogPictureId>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let now = app.clock.now();
    let work =
        move |tx: &mut Tx<'_>| Ok::<_, Error>(catalog_picture::list_public_of(tx, &ids, now)?);
    Ok(app.store.lookup(work).await?.into_iter().map(|it| (it.license, it.id)).collect())
}

/// Returns an image of each of these talents that belongs to the caller's tenant and has a license
/// with images.
pub async fn of_talents(
    app: &App,
    caller: &Caller,
    ids: Vec<TalentId>,
) -> Result<HashMap<TalentId, ImageId>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let tenant = caller.tenant;
    let work = move |tx: &mut Tx<'_>| Ok::<_, Error>(image::first_of_talents(tx, tenant, &ids)?);
    Ok(app.store.lookup(work).await?.into_iter().collect())
}
