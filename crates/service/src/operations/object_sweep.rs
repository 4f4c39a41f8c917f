//! Deletes orphaned objects, which no row refers to: left by a crash between writing an image or a
//! copy and its row, by a failed deletion, or by evidence whose retention period is over.

use std::collections::HashSet;
use std::time::Duration;

use grantor_domain::id::{CatalogPictureId, EvidenceId, ImageId};
use grantor_domain::{Error, Result};
use grantor_storage::object::{Cursor, ObjectInfo, ObjectKey, ObjectKind};
use grantor_storage::{Tx, catalog_picture, evidence, image, meta, undo};
use uuid::Uuid;

use crate::App;

/// How old an object without a row must be to be deleted. A row follows its object within seconds;
/// the rest allows for clock differences.
const SAFE_AGE: Duration = Duration::from_hours(24);

/// Objects per page: the maximum of S3.
const PAGE: usize = 1_000;

/// Pages per run, so that a large store is swept in many short runs.
const PAGES: usize = 20;

/// The kinds of objects that belong to rows.
const KINDS: [ObjectKind; 6] = [
    ObjectKind::Image,
    ObjectKind::Thumbnail,
    ObjectKind::Evidence,
    ObjectKind::Reference,
    ObjectKind::CatalogPicture,
    ObjectKind::CatalogThumbnail,
];

/// Where the next run continues.
#[derive(Debug, Default)]
pub struct SweepCursor {
    kind: usize,
    after: Option<Cursor>,
}

/// Deletes orphaned objects, from where the last run ended, and returns how many.
pub async fn sweep(app: &App, cursor: &mut SweepCursor) -> Result<u64> {
    check_owner(app).await?;
    let mut deleted = 0;
    for _ in 0..PAGES {
        let Some(kind) = KINDS.get(cursor.kind).copied() else {
            *cursor = SweepCursor::default();
            break;
        };
        if cursor.after.is_none() {
            let before = app.clock.now().minus(SAFE_AGE);
            deleted += app.objects.delete_unfinished(kind, before).await?;
        }
        let page = app.objects.list(kind, cursor.after.clone(), PAGE).await?;
        deleted += delete_orphans(app, kind, page.objects).await?;
        cursor.kind += usize::from(page.next.is_none());
        cursor.after = page.next;
    }
    Ok(deleted)
}

/// Looks for rows after listing the objects: a row that is missing then will never be written.
async fn delete_orphans(app: &App, kind: ObjectKind, mut found: Vec<ObjectInfo>) -> Result<u64> {
    let before = app.clock.now().minus(SAFE_AGE);
    found.retain(|it| it.written_at < before);
    let keys: Vec<ObjectKey> = found.iter().map(|it| it.key).collect();
    let (known, kept) = app
        .store
        .read(move |tx| {
            let ids: Vec<Uuid> = keys.iter().map(|it| it.id()).collect();
            // A deletion that can still be taken back keeps its objects.
            let kept = undo::list_kept(tx, &keys)?;
            Ok::<_, Error>((list_existing(tx, kind, &ids)?, kept))
        })
        .await?;
    let mut deleted = 0;
    let is_orphan = |it: &ObjectInfo| !known.contains(&it.key.id()) && !kept.contains(&it.key);
    for ObjectInfo { key, .. } in found.into_iter().filter(is_orphan) {
        match app.objects.delete(key).await {
            Ok(()) => deleted += 1,
            Err(error) => tracing::warn!(%error, object = %key, "cannot delete orphaned object"),
        }
    }
    Ok(deleted)
}

/// The ids of rows that have objects of this kind.
fn list_existing(tx: &mut Tx<'_>, kind: ObjectKind, ids: &[Uuid]) -> Result<HashSet<Uuid>> {
    match kind {
        ObjectKind::Evidence | ObjectKind::Reference => {
            let ids: Vec<EvidenceId> = ids.iter().copied().map(EvidenceId::from).collect();
            let known = evidence::list_existing(tx, &ids)?;
            Ok(known.into_iter().map(EvidenceId::as_uuid).collect())
        }
        ObjectKind::CatalogPicture | ObjectKind::CatalogThumbnail => {
            let ids: Vec<_> = ids.iter().copied().map(CatalogPictureId::from).collect();
            let known = catalog_picture::list_existing(tx, &ids)?;
            Ok(known.into_iter().map(CatalogPictureId::as_uuid).collect())
        }
        ObjectKind::Image | ObjectKind::Thumbnail | ObjectKind::Database => {
            let ids: Vec<ImageId> = ids.iter().copied().map(ImageId::from).collect();
            let known = image::list_existing(tx, &ids)?;
            Ok(known.into_iter().map(ImageId::as_uuid).collect())
        }
    }
}

/// Checks that the object store belongs to this database: with an empty or another database, every
/// image would look like an orphan. The first sweep records the owner.
async fn check_owner(app: &App) -> Result<()> {
    let id: Uuid = app.ids.next();
    let id = app
        .store
        .write(move |tx| Ok::<_, Error>(meta::put_first(tx, meta::DATABASE_ID, &id.to_string())?));
    let id = id.await?.parse().map_err(|_| Error::internal("the database's ID is not a UUID"))?;
    let ours = ObjectKey::new(ObjectKind::Database, id);
    let owners = || app.objects.list(ObjectKind::Database, None, PAGE);
    if owners().await?.objects.is_empty() {
        app.objects.put(ours, Vec::new(), "application/octet-stream").await?;
    }
    // Listed again, so that two databases that start at the same time see each other.
    if owners().await?.objects.iter().all(|it| it.key == ours) {
        return Ok(());
    }
    Err(Error::internal(format!(
        "objects are not swept: the object store belongs to a database other than {id} (see its \
         databases/ prefix)"
    )))
}
