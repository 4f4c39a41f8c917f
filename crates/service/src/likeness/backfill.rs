//! Images that were stored before they were hashed: walked through once by every process that
//! works, some at a time. Two that hash the same image do no harm: the first row stays.

use grantor_domain::id::ImageId;
use grantor_domain::likeness::Hashed;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::image_hash;
use grantor_storage::object::{ObjectKey, ObjectKind};
use uuid::Uuid;

use crate::App;

/// Images one page lists.
const PAGE: u32 = 1_000;
/// Pages one run looks at.
const PAGES: usize = 20;
/// Pictures one run decodes.
const AT_ONCE: usize = 100;

/// Where the next run goes on.
#[derive(Debug)]
pub struct Place {
    after: ImageId,
    finished: bool,
}

impl Default for Place {
    fn default() -> Self {
        Self { after: Uuid::nil().into(), finished: false }
    }
}

/// Hashes stored images that have no hash, from where the last run ended; gives how many. Does
/// nothing once all were seen: those that come later bring theirs.
pub async fn hash_stored(app: &App, place: &mut Place) -> Result<u64> {
    let mut hashed = 0;
    for _ in 0..PAGES {
        if place.finished || hashed >= AT_ONCE {
            break;
        }
        let after = place.after;
        let page =
            app.store.read(move |tx| Ok::<_, Error>(image_hash::list_images(tx, after, PAGE)?));
        let page = page.await?;
        place.finished = page.is_empty();
        for (image, known) in page {
            if !known && hashed >= AT_ONCE {
                break;
            }
            if !known {
                hash_one(app, image).await?;
                hashed += 1;
            }
            place.after = image;
        }
    }
    Ok(hashed as u64)
}

async fn hash_one(app: &App, image: ImageId) -> Result<()> {
    let hashed = read(app, image).await?;
    let now = app.clock.now();
    let write = app.store.write(move |tx| {
        // It may have been deleted meanwhile.
        if !image_hash::licenses_of(tx, &[image])?.is_empty() {
            image_hash::insert(tx, image, hashed, now)?;
        }
        Ok::<_, Error>(())
    });
    write.await
}

/// Nothing when there is no picture to be read, now or ever. A store that does not answer is an
/// error, and the image is tried again.
async fn read(app: &App, image: ImageId) -> Result<Option<Hashed>> {
    let object = app.objects.get(ObjectKey::new(ObjectKind::Image, image.as_uuid())).await?;
    let Some(bytes) = object else {
        tracing::warn!(%image, "an image has no object: it cannot be hashed");
        return Ok(None);
    };
    match app.images.hash(bytes).await {
        Ok(hashed) => Ok(Some(hashed)),
        Err(error) if *error.kind() == ErrorKind::Validation => {
            tracing::warn!(%image, %error, "an image cannot be read: it cannot be hashed");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
