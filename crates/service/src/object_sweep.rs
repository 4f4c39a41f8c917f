//! Objects that no row refers to: left by a process that died between the writing of a picture and
//! its row, or by a deletion that failed. Found by comparing the store with the database.

use std::time::Duration;

use grantor_domain::id::ImageId;
use grantor_domain::{Error, Result};
use grantor_storage::object::{Cursor, Found, ObjectKey, ObjectKind};
use grantor_storage::{image, meta};
use uuid::Uuid;

use crate::App;

/// How old an object must be before its missing row means anything. A row comes seconds after its
/// object; the rest is for clocks that differ.
const SAFE_AGE: Duration = Duration::from_hours(24);

/// Objects one page lists; S3 gives no more.
const AT_ONCE: usize = 1_000;

/// Pages one run looks at, so that a large store is walked through in many short runs.
const PAGES: usize = 20;

/// The kinds that belong to rows of images.
const KINDS: [ObjectKind; 2] = [ObjectKind::Image, ObjectKind::Thumbnail];

/// Where the next run goes on.
#[derive(Debug, Default)]
pub struct Place {
    kind: usize,
    after: Option<Cursor>,
}

/// Deletes what is older than a day and has no row, from where the last run ended; gives how many.
pub async fn sweep(app: &App, place: &mut Place) -> Result<u64> {
    check_owner(app).await?;
    let mut deleted = 0;
    for _ in 0..PAGES {
        let Some(kind) = KINDS.get(place.kind).copied() else {
            *place = Place::default();
            break;
        };
        if place.after.is_none() {
            let before = app.clock.now().minus(SAFE_AGE);
            deleted += app.objects.delete_unfinished(kind, before).await?;
        }
        let page = app.objects.list(kind, place.after.clone(), AT_ONCE).await?;
        deleted += delete_orphans(app, page.found).await?;
        place.kind += usize::from(page.next.is_none());
        place.after = page.next;
    }
    Ok(deleted)
}

/// Rows are looked for after the objects were listed: one that is missing then never comes.
async fn delete_orphans(app: &App, mut found: Vec<Found>) -> Result<u64> {
    let before = app.clock.now().minus(SAFE_AGE);
    found.retain(|it| it.written_at < before);
    let ids: Vec<ImageId> = found.iter().map(|it| it.key.id().into()).collect();
    let known = app.store.read(move |tx| Ok::<_, Error>(image::known(tx, &ids)?)).await?;
    let mut deleted = 0;
    for Found { key, .. } in found.into_iter().filter(|it| !known.contains(&it.key.id().into())) {
        match app.objects.delete(key).await {
            Ok(()) => deleted += 1,
            // The others need not wait for it.
            Err(error) => tracing::warn!(%error, object = %key, "an orphan could not be deleted"),
        }
    }
    Ok(deleted)
}

/// A store belongs to one database: beside an empty or a foreign one, every picture would look like
/// an orphan. The first sweep writes down whose it is; later ones of another database stop here.
async fn check_owner(app: &App) -> Result<()> {
    let id: Uuid = app.ids.next();
    let id = app
        .store
        .write(move |tx| Ok::<_, Error>(meta::put_first(tx, meta::DATABASE_ID, &id.to_string())?));
    let id = id.await?.parse().map_err(|_| Error::internal("the database's id is no UUID"))?;
    let ours = ObjectKey::new(ObjectKind::Database, id);
    let owners = || app.objects.list(ObjectKind::Database, None, AT_ONCE);
    if owners().await?.found.is_empty() {
        app.objects.put(ours, Vec::new(), "application/octet-stream").await?;
    }
    // Listed again: two that begin together both see the other.
    if owners().await?.found.iter().all(|it| it.key == ours) {
        return Ok(());
    }
    Err(Error::internal(format!(
        "objects are not swept: the store has another owner than the database {id} (see databases/ \
         in it)"
    )))
}
