//! Pictures that people chose in a form that was refused. They are kept for an hour, for the same
//! session only, so that nobody has to choose them again. A license takes them over as they are.
//!
//! Keeping a picture changes nothing that anybody else sees, so it is not an act and not logged.

use std::sync::Arc;

use grantor_domain::error::Fields;
use grantor_domain::id::{ImageId, SessionId};
use grantor_domain::image::{ImageFile, KEPT_FOR, MAX_AT_ONCE, MAX_KEPT};
use grantor_domain::role::{Right, may};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result, Timestamp};
use grantor_media::Prepared;
use grantor_storage::kept_image;
pub use grantor_storage::kept_image::KeptImage;

use super::image::{
    FIELD, StoredImage, delete_objects_of, hints_of, prepare_one, seen_of, with_objects,
};
use crate::act::UnitOfWork;
use crate::identity::access::Caller;
use crate::organizations::usage;
use crate::watching::likeness::Hint;
use crate::{App, Context};

/// Rows deleted per unit of work.
const BATCH: u32 = 500;

/// The pictures of a form.
#[derive(Debug, Default)]
pub struct KeptImages {
    /// The pictures that are kept, in the order in which they were chosen.
    pub images: Vec<KeptImage>,
    /// What to know about those that were not kept before.
    pub hints: Vec<KeptHint>,
    /// Why other pictures were refused.
    pub refused: Option<Error>,
}

/// What to know about a picture that was not kept before.
#[derive(Debug)]
pub struct KeptHint {
    /// The picture.
    pub image: ImageId,
    /// The name of its file.
    pub name: Option<String>,
    /// What to know.
    pub hint: Hint,
}

/// Keeps the pictures of a form: those that it already had, each named once, and new files. A file
/// that is refused does not affect the others.
pub async fn keep(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    had: Vec<ImageId>,
    files: Vec<ImageFile>,
) -> Result<KeptImages> {
    may(caller.role, caller.tenant_type, Right::ManageLicenses)?;
    let count = had.len();
    let images = find(app, &caller, had).await?;
    let mut kept = KeptImages { images, ..KeptImages::default() };
    if kept.images.len() < count {
        kept.refused = Some(no_longer_kept());
    }
    if files.is_empty() {
        return Ok(kept);
    }
    if kept.images.len() + files.len() > MAX_AT_ONCE {
        kept.refused = Some(Error::field(FIELD, "must be at most 10 per upload"));
        return Ok(kept);
    }
    let tenant = caller.tenant;
    if let Err(error) = usage::check(app, context, tenant, LimitedResource::ImageBytes).await {
        kept.refused = Some(error);
        return Ok(kept);
    }
    let (prepared, names, refused) = prepare(app, context, files).await?;
    kept.refused = refused.or(kept.refused);
    if !prepared.is_empty() {
        let seen = seen_of(&prepared);
        let new = store(app, Arc::clone(&caller), prepared).await?;
        let hints = hints_of(app, &caller, new.iter().map(|it| it.id), seen).await;
        let named = new.iter().zip(names).zip(hints);
        let hints = named.map(|((it, name), hint)| KeptHint { image: it.id, name, hint });
        kept.hints = hints.collect();
        kept.images.extend(new);
    }
    Ok(kept)
}

/// Returns those of the pictures that are kept for the caller's session.
async fn find(app: &App, caller: &Caller, mut ids: Vec<ImageId>) -> Result<Vec<KeptImage>> {
    // No form has more.
    ids.truncate(MAX_AT_ONCE);
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let (session, since) = (caller.session, app.clock.now().minus(KEPT_FOR));
    app.store.read(move |tx| Ok(kept_image::list(tx, session, &ids, since)?)).await
}

/// Prepares the files that are pictures. Their names and what is wrong with the others are returned
/// with them.
async fn prepare(
    app: &App,
    context: &Context,
    files: Vec<ImageFile>,
) -> Result<(Vec<Prepared>, Vec<Option<String>>, Option<Error>)> {
    let (mut prepared, mut names, mut refused) = (Vec::with_capacity(files.len()), vec![], vec![]);
    for file in files {
        let name = file.name.clone();
        match prepare_one(app, context, file).await {
            Ok(picture) => {
                prepared.push(picture);
                names.push(name);
            }
            Err(error) if error.is_refusal() => refused.push(error),
            Err(error) => return Err(error),
        }
    }
    Ok((prepared, names, together(refused)))
}

/// One error about all refused files: the first under the name of the field, the others under the
/// names of its parts, which the form shows with it.
fn together(refused: Vec<Error>) -> Option<Error> {
    let mut fields = Fields::default();
    for (index, error) in refused.into_iter().enumerate() {
        let Some(reason) = error.fields().get(FIELD) else { return Some(error) };
        let name = if index == 0 { FIELD.to_owned() } else { format!("{FIELD}.{index}") };
        fields.add(name, reason);
    }
    fields.finish().err()
}

async fn store(app: &App, caller: Arc<Caller>, prepared: Vec<Prepared>) -> Result<Vec<KeptImage>> {
    let (kept, surplus) = with_objects(app, prepared, move |app, stored| async move {
        let now = app.clock.now();
        let kept: Vec<_> = stored.into_iter().filter_map(|it| row(it, &caller, now)).collect();
        let (rows, user) = (kept.clone(), caller.user);
        let surplus = app.store.write(move |tx| {
            for row in &rows {
                kept_image::insert(tx, row)?;
            }
            Ok::<_, Error>(kept_image::delete_all_but(tx, user, MAX_KEPT)?)
        });
        Ok((kept, surplus.await?))
    })
    .await?;
    if !surplus.is_empty() {
        delete_objects_of(app, surplus).await?;
    }
    Ok(kept)
}

/// An image that was just prepared has a hash.
fn row(stored: StoredImage, caller: &Caller, now: Timestamp) -> Option<KeptImage> {
    Some(KeptImage {
        id: stored.id,
        session: caller.session,
        user: caller.user,
        content_type: stored.content_type,
        width: stored.width,
        height: stored.height,
        bytes: stored.bytes,
        sha256: stored.sha256,
        hashed: stored.hashed?,
        created_at: now,
    })
}

/// Takes kept pictures for a license. Refuses if one is no longer kept.
pub(super) fn take(
    unit: &mut UnitOfWork<'_, '_>,
    session: SessionId,
    ids: &[ImageId],
) -> Result<Vec<StoredImage>> {
    if ids.len() > MAX_AT_ONCE {
        return Err(Error::field(FIELD, "must be at most 10 per upload"));
    }
    let taken = kept_image::take(unit.tx, session, ids, unit.now.minus(KEPT_FOR))?;
    if taken.len() < ids.len() {
        return Err(no_longer_kept());
    }
    Ok(taken.into_iter().map(StoredImage::from).collect())
}

fn no_longer_kept() -> Error {
    Error::field(FIELD, "were kept for an hour, which is over: choose them again")
}

impl From<KeptImage> for StoredImage {
    fn from(kept: KeptImage) -> Self {
        Self {
            id: kept.id,
            content_type: kept.content_type,
            width: kept.width,
            height: kept.height,
            bytes: kept.bytes,
            sha256: kept.sha256,
            hashed: Some(kept.hashed),
            features: None,
        }
    }
}

/// Deletes pictures that were kept for an hour, and returns how many.
pub(crate) async fn forget_kept_images(app: &App) -> Result<u64> {
    let mut forgotten = 0;
    loop {
        let before = app.clock.now().minus(KEPT_FOR);
        let delete = app
            .store
            .write(move |tx| Ok::<_, Error>(kept_image::delete_before(tx, before, BATCH)?));
        let ids = delete.await?;
        let full = ids.len() == BATCH as usize;
        forgotten += ids.len() as u64;
        delete_objects_of(app, ids).await?;
        if !full {
            return Ok(forgotten);
        }
    }
}
