//! The pictures by which people recognize talents and licenses in lists: one of the reference
//! images, for those who may see them.

use std::collections::HashMap;

use grantor_domain::id::{ImageId, LicenseId, TalentId};
use grantor_domain::{Error, Result};
use grantor_storage::license::reader::Reader;
use grantor_storage::{Tx, image};

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
