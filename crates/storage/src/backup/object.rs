//! The objects of a backup: the pictures that its rows name.
//!
//! An object is written before its row, never changed, and deleted after its row. So every row of
//! the backup's moment had its object then, and whatever has the same key has the same bytes, also
//! when it was copied earlier. Pictures are therefore copied first, which may take hours, and the
//! rows are read afterward; then only what was added in between is left to copy. A picture that its
//! owner deletes while the backup runs is in the backup if the row is, and not if it is not.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use grantor_domain::id::ImageId;
use tokio::task::JoinSet;

use super::blocking;
use super::file::{self, NewFile, refused};
use super::manifest::{Manifest, ObjectList};
use super::picture::{FOLDER, KINDS, LIST, List, Picture, Pictures, check, path_of};
use crate::image;
use crate::object::{ObjectKey, Objects};
use crate::{Error, Result, Store};

/// Rows at a time.
const PAGE: usize = 500;
/// Objects on their way at a time. One has at most 10 MiB.
const AT_ONCE: usize = 4;
/// How often the rows are read anew because pictures were added and deleted in between.
const TRIES: usize = 5;

/// Objects that are collected for a backup, each folder before a reading of the rows.
pub(super) struct Collection {
    store: Store,
    objects: Objects,
    folder: PathBuf,
    stage: usize,
}

impl Collection {
    /// Copies what the rows name by now. Most of the work is done here.
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
                id: it.id.as_uuid(),
                content_type: it.content_type.name().to_owned(),
                bytes: it.bytes.into(),
                sha256: it.sha256,
            });
            // One that is not there may have been deleted since: the backup's own rows decide.
            it.copy(page.flat_map(with_keys).collect()).await?;
            if !full {
                return Ok(it);
            }
        }
    }

    /// Puts together what the rows of the backup name. False when the rows must be read anew, since
    /// a picture was deleted before it could be copied.
    pub(super) async fn complete(&mut self, manifest: &Manifest) -> Result<bool> {
        self.stage += 1;
        if self.stage > TRIES {
            return Err(Error::Backup(
                "pictures are deleted faster than they can be copied: try again".to_owned(),
            ));
        }
        self.make_stage().await?;
        let mut rows = Pictures::open(&self.folder, manifest)?;
        loop {
            let (stages, at) = ((0..=self.stage).map(|it| self.path(it)).collect::<Vec<_>>(), PAGE);
            let (back, page, missing) = blocking(move || {
                let page = rows.by_ref().take(at).collect::<Result<Vec<_>>>()?;
                let missing = take_over(&stages, &page)?;
                Ok((rows, page.len(), missing))
            })
            .await?;
            rows = back;
            if let Some(key) = self.copy(missing).await?.first() {
                return self.gone(*key).await.map(|()| false);
            }
            if page < PAGE {
                return Ok(true);
            }
        }
    }

    /// Writes the list of what was put together, reading each object back from the disk.
    pub(super) async fn finish(self, manifest: &Manifest) -> Result<ObjectList> {
        let rows = Pictures::open(&self.folder, manifest)?;
        blocking(move || {
            let (last, place) = (self.path(self.stage), self.folder.join(FOLDER));
            std::fs::rename(&last, &place).map_err(|error| refused(&last, &error))?;
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

    /// Copies these from the store; gives those it does not have.
    async fn copy(&self, keys: Vec<(ObjectKey, Picture)>) -> Result<Vec<ObjectKey>> {
        let (mut running, mut absent, mut failed) = (JoinSet::new(), Vec::new(), None);
        let mut keys = keys.into_iter();
        loop {
            while running.len() < AT_ONCE && failed.is_none() {
                let Some((key, picture)) = keys.next() else { break };
                let (objects, path) = (self.objects.clone(), self.path(self.stage));
                running.spawn(async move { copy_one(&objects, &path, key, &picture).await });
            }
            // All that began ends, also after a failure: nothing is written into a folder that is
            // being removed.
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

    /// A missing object is in order when its row has gone since.
    async fn gone(&self, key: ObjectKey) -> Result<()> {
        let ids = [key.id().into()];
        let known = self.store.read(move |tx| image::known(tx, &ids)).await?;
        if known.is_empty() {
            return Ok(());
        }
        Err(Error::Backup(format!(
            "the database names {key}, and it is not among the objects: put it back from an older \
             backup, or delete the picture"
        )))
    }
}

async fn copy_one(
    objects: &Objects,
    stage: &Path,
    key: ObjectKey,
    picture: &Picture,
) -> Result<Option<ObjectKey>> {
    let bytes = objects.get(key).await.map_err(|error| match error {
        Error::Objects(reason) => Error::Backup(format!("{reason}, so that it cannot be copied")),
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

/// Moves what earlier stages have of these pictures into the last; gives what none has.
fn take_over(stages: &[PathBuf], page: &[Picture]) -> Result<Vec<(ObjectKey, Picture)>> {
    let Some((last, earlier)) = stages.split_last() else { return Ok(Vec::new()) };
    let mut missing = Vec::new();
    for (key, picture) in page.iter().cloned().flat_map(with_keys) {
        let name = key.to_string();
        let place = last.join(&name);
        match earlier.iter().map(|stage| stage.join(&name)).find(|it| it.exists()) {
            Some(found) => {
                std::fs::rename(&found, &place).map_err(|error| refused(&found, &error))?;
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

/// Whether the backup has every object that its rows name, each as it was written.
pub(super) fn verify(folder: &Path, manifest: &Manifest) -> Result<()> {
    let told = &manifest.objects;
    file::verify(&folder.join(LIST), told.list_bytes, &told.sha256)?;
    let (mut list, mut count) = (List::open(folder)?, 0);
    for picture in Pictures::open(folder, manifest)? {
        let picture = picture?;
        for key in picture.keys() {
            let listed = list.next().transpose()?.filter(|it| it.key == key);
            let listed = listed.ok_or_else(|| {
                Error::Backup(format!("the backup names {key} and does not list it"))
            })?;
            file::verify(&path_of(folder, key), listed.bytes, &listed.sha256)?;
            check(key, picture.sum(key), &(listed.bytes, listed.sha256))?;
            count += 1;
        }
    }
    if list.next().is_none() && count == told.count {
        return Ok(());
    }
    Err(Error::Backup(format!("{LIST} lists more than the rows of the backup name")))
}

/// Puts all objects of a backup into a store. Those that are there already are written again with
/// the same bytes.
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
