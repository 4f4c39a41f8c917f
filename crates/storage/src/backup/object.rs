//! The objects of a backup: the pictures that its rows refer to.
//!
//! An object is written before its row, never changed, and deleted after its row. So every row of
//! the snapshot had its object at that time, and an object copied earlier under the same key has
//! the same bytes. Pictures are therefore copied first, which may take hours, and the rows are read
//! afterward; then only pictures added in between are left to copy. A picture deleted during the
//! backup is included only if its row is.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use grantor_domain::id::{CatalogPictureId, EvidenceId, ImageId};
use tokio::task::JoinSet;

use super::blocking;
use super::file::{self, NewFile, refused};
use super::manifest::{Manifest, ObjectList};
use super::picture::{FOLDER, KINDS, LIST, List, Picture, Pictures, check, path_of};
use crate::object::{ObjectKey, ObjectKind, Objects};
use crate::{Error, Result, Store, catalog_picture, evidence, image};

/// Rows per page.
const PAGE: usize = 500;
/// Number of objects copied concurrently. Each has at most 10 MiB.
const AT_ONCE: usize = 4;
/// How often the rows are read again because pictures were added and deleted in between.
const TRIES: usize = 5;

/// The objects collected for a backup, in one directory per pass over the rows.
pub(super) struct Collection {
    store: Store,
    objects: Objects,
    folder: PathBuf,
    stage: usize,
}

impl Collection {
    /// Copies the objects of the current rows, which is most of the work.
    pub(super) async fn begin(store: &Store, objects: &Objects, folder: &Path) -> Result<Self> {
        let (folder, stage) = (folder.to_owned(), 0);
        let it = Self { store: store.clone(), objects: objects.clone(), folder, stage };
        it.make_stage().await?;
        let mut after: Option<ImageId> = None;
        loop {
            let page = store.read(move |tx| image::list_after(tx, after, PAGE)).await?;
            let full = page.len() == PAGE;
            after = page.last().map(|it| it.id);
            let page = page.into_iter().map(|it| Picture {
                kind: ObjectKind::Image,
                id: it.id.as_uuid(),
                content_type: it.content_type.name().to_owned(),
                bytes: it.bytes.into(),
                sha256: it.sha256,
            });
            // A missing object may have been deleted since; the backup's own rows decide.
            it.copy(page.flat_map(with_keys).collect()).await?;
            if !full {
                break;
            }
        }
        it.copy_catalog().await?;
        it.copy_evidence().await?;
        Ok(it)
    }

    /// Copies the current catalog pictures.
    async fn copy_catalog(&self) -> Result<()> {
        let mut after: Option<CatalogPictureId> = None;
        loop {
            let page =
                self.store.read(move |tx| catalog_picture::list_after(tx, after, PAGE)).await?;
            let full = page.len() == PAGE;
            after = page.last().map(|it| it.id);
            let page = page.into_iter().map(|it| {
                let (kind, id) = (ObjectKind::CatalogPicture, it.id.as_uuid());
                Picture::of_copy(kind, id, it.bytes.into(), it.sha256)
            });
            self.copy(page.flat_map(with_keys).collect()).await?;
            if !full {
                return Ok(());
            }
        }
    }

    /// Copies the pictures of the current evidence.
    async fn copy_evidence(&self) -> Result<()> {
        let mut after: Option<EvidenceId> = None;
        loop {
            let page = self.store.read(move |tx| evidence::list_after(tx, after, PAGE)).await?;
            let full = page.len() == PAGE;
            after = page.last().map(|it| it.id);
            let page = page.into_iter().flat_map(|it| {
                let copies =
                    [(ObjectKind::Evidence, it.picture), (ObjectKind::Reference, it.reference)];
                copies.into_iter().filter_map(move |(kind, copy)| {
                    let copy = copy?;
                    let (id, bytes) = (it.id.as_uuid(), u64::from(copy.bytes));
                    Some(Picture::of_copy(kind, id, bytes, copy.sha256))
                })
            });
            self.copy(page.flat_map(with_keys).collect()).await?;
            if !full {
                return Ok(());
            }
        }
    }

    /// Completes the objects of the backup's rows. False if the rows must be read again, because a
    /// picture was deleted before it could be copied.
    pub(super) async fn complete(&mut self, manifest: &Manifest) -> Result<bool> {
        self.stage += 1;
        if self.stage > TRIES {
            return Err(Error::Backup(
                "images are deleted faster than they can be copied: try again".to_owned(),
            ));
        }
        self.make_stage().await?;
        let mut rows = Pictures::open(&self.folder, manifest)?;
        loop {
            let (stages, at) = ((0..=self.stage).map(|it| self.path(it)).collect::<Vec<_>>(), PAGE);
            let (back, page, missing) = blocking(move || {
                let page = rows.by_ref().take(at).collect::<Result<Vec<_>>>()?;
                let missing = move_to_last_stage(&stages, &page)?;
                Ok((rows, page.len(), missing))
            })
            .await?;
            rows = back;
            if let Some(key) = self.copy(missing).await?.first() {
                return self.ensure_deleted(*key).await.map(|()| false);
            }
            if page < PAGE {
                return Ok(true);
            }
        }
    }

    /// Writes the list of the objects, reading each one back from the disk.
    pub(super) async fn finish(self, manifest: &Manifest) -> Result<ObjectList> {
        let rows = Pictures::open(&self.folder, manifest)?;
        blocking(move || {
            let (last, target) = (self.path(self.stage), self.folder.join(FOLDER));
            std::fs::rename(&last, &target).map_err(|error| refused(&last, &error))?;
            for stage in 0..self.stage {
                let path = self.path(stage);
                std::fs::remove_dir_all(&path).map_err(|error| refused(&path, &error))?;
            }
            let mut list = NewFile::create(self.folder.join(LIST))?;
            let (mut count, mut bytes) = (0, 0);
            for picture in rows {
                let picture = picture?;
                for key in picture.keys() {
                    let found = file::sum(&path_of(&self.folder, key))?;
                    check(key, picture.sum(key), &found)?;
                    list.write(picture.line(key, &found).as_bytes())?;
                    count += 1;
                    bytes += found.0;
                }
            }
            let (list_bytes, sha256) = list.finish()?;
            Ok(ObjectList { count, bytes, list_bytes, sha256 })
        })
        .await
    }

    fn path(&self, stage: usize) -> PathBuf {
        self.folder.join(format!("{FOLDER}.{stage}"))
    }

    async fn make_stage(&self) -> Result<()> {
        let path = self.path(self.stage);
        blocking(move || KINDS.iter().try_for_each(|kind| make(&path.join(kind.as_str())))).await
    }

    /// Copies these objects from the store and returns the keys it does not have.
    async fn copy(&self, keys: Vec<(ObjectKey, Picture)>) -> Result<Vec<ObjectKey>> {
        let (mut running, mut absent, mut failed) = (JoinSet::new(), Vec::new(), None);
        let mut keys = keys.into_iter();
        loop {
            while running.len() < AT_ONCE && failed.is_none() {
                let Some((key, picture)) = keys.next() else { break };
                let (objects, path) = (self.objects.clone(), self.path(self.stage));
                running.spawn(async move { copy_one(&objects, &path, key, &picture).await });
            }
            // All started copies run to their end, even after a failure, so that nothing is written
            // into a directory that is being removed.
            match running.join_next().await {
                None => break,
                Some(Ok(Ok(found))) => absent.extend(found),
                Some(Ok(Err(error))) => failed = failed.or(Some(error)),
                Some(Err(error)) => failed = failed.or(Some(Error::Fault(error.to_string()))),
            }
        }
        absent.sort_unstable_by_key(|key: &ObjectKey| key.id());
        failed.map_or(Ok(absent), Err)
    }

    /// A missing object is fine if its row has been deleted too.
    async fn ensure_deleted(&self, key: ObjectKey) -> Result<()> {
        let known = self.store.read(move |tx| match key.kind() {
            ObjectKind::Evidence | ObjectKind::Reference => {
                Ok::<_, Error>(!evidence::list_existing(tx, &[key.id().into()])?.is_empty())
            }
            ObjectKind::CatalogPicture | ObjectKind::CatalogThumbnail => {
                Ok(!catalog_picture::list_existing(tx, &[key.id().into()])?.is_empty())
            }
            _ => Ok(!image::list_existing(tx, &[key.id().into()])?.is_empty()),
        });
        if !known.await? {
            return Ok(());
        }
        let remedy = remedy(key.kind());
        Err(Error::Backup(format!(
            "the object {key} is in the database but not in the object store: restore it from \
             an older backup, or {remedy}"
        )))
    }
}

/// What removes the row of a lost object of this kind.
fn remedy(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Evidence | ObjectKind::Reference => {
            "lower retention_evidence until its evidence is deleted"
        }
        ObjectKind::CatalogPicture | ObjectKind::CatalogThumbnail => {
            "remove the picture of the license"
        }
        _ => "delete the image",
    }
}

async fn copy_one(
    objects: &Objects,
    stage: &Path,
    key: ObjectKey,
    picture: &Picture,
) -> Result<Option<ObjectKey>> {
    let bytes = objects.get(key).await.map_err(|error| match error {
        Error::Objects(reason) => Error::Backup(format!("{reason}: the object cannot be copied")),
        other => other,
    })?;
    let Some(bytes) = bytes else { return Ok(Some(key)) };
    let (expected, path) = (picture.clone(), stage.join(key.to_string()));
    blocking(move || {
        let mut file = NewFile::create(path)?;
        file.write(&bytes)?;
        let found = file.finish()?;
        check(key, expected.sum(key), &found).map(|()| None)
    })
    .await
}

/// Moves these pictures from earlier stages into the last one and returns those that are in no
/// stage.
fn move_to_last_stage(stages: &[PathBuf], page: &[Picture]) -> Result<Vec<(ObjectKey, Picture)>> {
    let Some((last, earlier)) = stages.split_last() else { return Ok(Vec::new()) };
    let mut missing = Vec::new();
    for (key, picture) in page.iter().cloned().flat_map(with_keys) {
        let name = key.to_string();
        let target = last.join(&name);
        match earlier.iter().map(|stage| stage.join(&name)).find(|it| it.exists()) {
            Some(found) => {
                std::fs::rename(&found, &target).map_err(|error| refused(&found, &error))?;
            }
            None => missing.push((key, picture)),
        }
    }
    Ok(missing)
}

fn with_keys(picture: Picture) -> impl Iterator<Item = (ObjectKey, Picture)> {
    picture.keys().into_iter().map(move |key| (key, picture.clone()))
}

fn make(folder: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| refused(folder, &error))
}

/// Checks that the backup has every object that its rows refer to, with a matching checksum.
pub(super) fn verify(folder: &Path, manifest: &Manifest) -> Result<()> {
    let expected = &manifest.objects;
    file::verify(&folder.join(LIST), expected.list_bytes, &expected.sha256)?;
    let (mut list, mut count) = (List::open(folder)?, 0);
    for picture in Pictures::open(folder, manifest)? {
        let picture = picture?;
        for key in picture.keys() {
            let listed = list.next().transpose()?.filter(|it| it.key == key);
            let listed = listed.ok_or_else(|| {
                Error::Backup(format!("the object {key} is missing from the backup"))
            })?;
            file::verify(&path_of(folder, key), listed.bytes, &listed.sha256)?;
            check(key, picture.sum(key), &(listed.bytes, listed.sha256))?;
            count += 1;
        }
    }
    if list.next().is_none() && count == expected.count {
        return Ok(());
    }
    Err(Error::Backup(format!("{LIST} lists objects that no row of the backup refers to")))
}

/// Writes all objects of a backup into a store. Existing objects are overwritten with the same
/// bytes.
pub(super) async fn put_all(objects: &Objects, folder: &Path) -> Result<()> {
    let mut list = List::open(folder)?;
    let mut running = JoinSet::new();
    loop {
        while running.len() < AT_ONCE {
            let Some(listed) = list.next().transpose()? else { break };
            let (objects, path) = (objects.clone(), path_of(folder, listed.key));
            running.spawn(async move {
                let bytes =
                    blocking(move || std::fs::read(&path).map_err(|error| refused(&path, &error)));
                objects.put(listed.key, bytes.await?, &listed.content_type).await
            });
        }
        match running.join_next().await {
            None => return Ok(()),
            Some(done) => done.map_err(|error| Error::Fault(error.to_string()))??,
        }
    }
}
