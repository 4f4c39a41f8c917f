//! Describes stored images by local features: those from before there were any, those of an earlier
//! version, and those that were restored or copied. Nodes share the work.

use std::time::Duration;

use grantor_domain::id::ImageId;
use grantor_domain::likeness::LocalFeatures;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_recognition::VERSION;
pub use grantor_storage::image_feature::Progress;
use grantor_storage::object::{ObjectKey, ObjectKind};
use grantor_storage::{Store, Tx, image_feature};
use uuid::Uuid;

use crate::App;

/// Images that wait, of which a run takes some.
const PAGE: u32 = 1_000;
/// Images one run decodes at most: about two seconds on one thread.
const BATCH: usize = 50;
/// How often images are looked for that a node of an earlier version added, and how far back: the
/// first time, and later.
const LOOK: Duration = Duration::from_mins(10);
const FIRST_LOOK_BACK: Duration = Duration::from_hours(30 * 24);
const LOOK_BACK: Duration = Duration::from_hours(24);

/// What a node remembers between runs.
#[derive(Debug, Default)]
pub struct DescribeCursor {
    /// When images that do not wait yet were looked for.
    looked_at: Option<Duration>,
    /// How many images failed. Each run begins after one more of them, so that none keeps others
    /// waiting.
    failed: u128,
}

/// Describes a batch of stored images and returns how many it described.
pub async fn describe_stored(app: &App, cursor: &mut DescribeCursor) -> Result<u64> {
    look(app, cursor).await?;
    let waiting =
        app.store.read(|tx| Ok::<_, Error>(image_feature::list_waiting(tx, VERSION, PAGE)?));
    let mut waiting = waiting.await?;
    if waiting.is_empty() {
        return Ok(0);
    }
    // Each node begins elsewhere, so that several rarely describe the same image.
    let node = app.nodes.id().as_uuid().as_u128();
    let start = node.wrapping_add(cursor.failed) % waiting.len() as u128;
    waiting.rotate_left(usize::try_from(start).unwrap_or(0));
    let mut described = 0;
    for image in waiting.into_iter().take(BATCH) {
        match describe_one(app, image).await {
            Ok(done) => described += u64::from(done),
            Err(error) => {
                cursor.failed += 1;
                return Err(error);
            }
        }
    }
    Ok(described)
}

/// Whether no image waits to be described, so that a search can find all of them.
pub(crate) fn is_complete(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(image_feature::list_waiting(tx, VERSION, 1)?.is_empty())
}

/// Returns how many images are described.
pub async fn progress(store: &Store) -> Result<Progress> {
    store.read(|tx| Ok::<_, Error>(image_feature::progress(tx, VERSION)?)).await
}

async fn look(app: &App, cursor: &mut DescribeCursor) -> Result<()> {
    let now = app.clock.monotonic();
    let back = match cursor.looked_at {
        None => FIRST_LOOK_BACK,
        Some(at) if now.saturating_sub(at) >= LOOK => LOOK_BACK,
        Some(_) => return Ok(()),
    };
    let after = first_id(app.clock.now().minus(back));
    let look = app.store.write(move |tx| Ok::<_, Error>(image_feature::insert_since(tx, after)?));
    look.await?;
    cursor.looked_at = Some(now);
    Ok(())
}

/// The first id that an image may have from a time on. Ids begin with the time in milliseconds.
fn first_id(at: Timestamp) -> ImageId {
    let millis = u128::try_from(at.as_micros() / 1_000).unwrap_or(0);
    Uuid::from_u128(millis << 80).into()
}

async fn describe_one(app: &App, image: ImageId) -> Result<bool> {
    let described = read(app, image).await?;
    let now = app.clock.now();
    let write = app.store.write(move |tx| {
        Ok::<_, Error>(image_feature::describe(tx, image, VERSION, described.as_ref(), now)?)
    });
    write.await
}

/// `None` if the image is missing or unreadable, which is final. An object store that does not
/// respond is an error, and the image is tried again.
async fn read(app: &App, image: ImageId) -> Result<Option<LocalFeatures>> {
    let object = app.objects.get(ObjectKey::new(ObjectKind::Image, image.as_uuid())).await?;
    let Some(bytes) = object else {
        tracing::warn!(%image, "cannot describe image: its object is missing");
        return Ok(None);
    };
    match app.images.describe(bytes).await {
        Ok(described) => Ok(Some(described)),
        Err(error) if *error.kind() == ErrorKind::Validation => {
            tracing::warn!(%image, %error, "cannot describe image: it is unreadable");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
