//! Hashes images that were stored without a hash. Every process walks through all images once, in
//! batches. If two processes hash the same image, the first row stays.

use grantor_domain::id::ImageId;
use grantor_domain::likeness::Hashed;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::image_hash;
use grantor_storage::object::{ObjectKey, ObjectKind};
use uuid::Uuid;

use crate::App;

/// Images per page.
const PAGE: u32 = 1_000;
/// Pages per run.
const PAGES: usize = 20;
/// Images one run decodes at most.
const BATCH: usize = 100;

/// Where the next run continues.
#[derive(Debug)]
pub struct BackfillCursor {
    after: ImageId,
    finished: bool,
}

impl Default for BackfillCursor {
    fn default() -> Self {
        Self { after: Uuid::nil().into(), finished: false }
    }
}

/// Hashes a batch of stored images that have no hash and returns how many it hashed. Does nothing
/// once it has been through all images: new ones are hashed on upload.
pub async fn hash_stored(app: &App, cursor: &mut BackfillCursor) -> Result<u64> {
    let mut hashed = 0;
    for _ in 0..PAGES {
        if cursor.finished || hashed >= BATCH {
            break;
        }
        let after = cursor.after;
        let page =
            app.store.read(move |tx| Ok::<_, Error>(image_hash::list_images(tx, after, PAGE)?));
        let page = page.await?;
        cursor.finished = page.is_empty();
        for (image, known) in page {
            if !known && hashed >= BATCH {
                break;
            }
            if !known {
                hash_one(app, image).await?;
                hashed += 1;
            }
            cursor.after = image;
        }
    }
    Ok(hashed as u64)
}

async fn hash_one(app: &App, image: ImageId) -> Result<()> {
    let hashed = read(app, image).await?;
    let now = app.clock.now();
    let write = app.store.write(move |tx| {
        // The image may have been deleted in the meantime.
        if !image_hash::owners_of(tx, &[image])?.is_empty() {
            image_hash::insert(tx, image, hashed, now)?;
        }
        Ok::<_, Error>(())
    });
    write.await
}

/// `None` if the image is missing or unreadable, which is final. An object store that does not
/// respond is an error, and the image is tried again.
async fn read(app: &App, image: ImageId) -> Result<Option<Hashed>> {
    let object = app.objects.get(ObjectKey::new(ObjectKind::Image, image.as_uuid())).await?;
    let Some(bytes) = object else {
        tracing::warn!(%image, "cannot hash image: its object is missing");
        return Ok(None);
    };
    match app.images.hash(bytes).await {
        Ok(hashed) => Ok(Some(hashed)),
        Err(error) if *error.kind() == ErrorKind::Validation => {
            tracing::warn!(%image, %error, "cannot hash image: it is unreadable");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
