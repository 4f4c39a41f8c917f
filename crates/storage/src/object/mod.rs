//! The object store: the bytes of pictures, in files for one node, or in the database or an
//! S3-compatible bucket for several.
//!
//! An object is written once under a new key and never changed, so a reader sees all of it or
//! nothing. The database knows which pictures exist; listings of the store are compared with it to
//! find orphans.

mod database;
mod key;
mod listing;
mod local;
mod s3;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::{Clock, Timestamp};
use url::Url;

use crate::{Result, Store};
use database::Database;
pub use key::{InvalidObjectKey, ObjectKey, ObjectKind};
pub use listing::{Cursor, ObjectInfo, ObjectPage};
use local::Local;
use s3::S3;
pub use s3::{InvalidS3, S3Settings};

/// The object store.
#[derive(Clone, Debug)]
pub struct Objects(Backend);

#[derive(Clone, Debug)]
enum Backend {
    Local(Local),
    Database(Database),
    S3(Box<S3>),
}

impl Objects {
    /// Stores objects as files in this directory, which is created with the first object.
    pub fn local(folder: impl Into<PathBuf>) -> Self {
        Self(Backend::Local(Local::new(folder.into())))
    }

    /// Stores objects in the database. Objects that are still files in the directory are read from
    /// there until [`Self::move_files`] has moved them.
    #[must_use]
    pub fn database(store: Store, clock: Arc<dyn Clock>, files: Option<PathBuf>) -> Self {
        Self(Backend::Database(Database::new(store, clock, files.map(Local::new))))
    }

    /// Stores objects in a bucket. Does not contact the service yet.
    pub fn s3(settings: &S3Settings) -> Result<Self, InvalidS3> {
        Ok(Self(Backend::S3(Box::new(S3::new(settings)?))))
    }

    /// Stores an object, durably; an existing object with the same key is replaced.
    pub async fn put(&self, key: ObjectKey, bytes: Vec<u8>, content_type: &str) -> Result<()> {
        match &self.0 {
            // The type is stored in the object's row.
            Backend::Local(local) => local.put(key, bytes).await,
            Backend::Database(database) => database.put(key, bytes).await,
            Backend::S3(s3) => s3.put(key, bytes, content_type).await,
        }
    }

    /// Returns the object's bytes, if it exists.
    pub async fn get(&self, key: ObjectKey) -> Result<Option<Vec<u8>>> {
        match &self.0 {
            Backend::Local(local) => local.get(key).await,
            Backend::Database(database) => database.get(key).await,
            Backend::S3(s3) => s3.get(key).await,
        }
    }

    /// Returns the object's length, if it exists.
    pub async fn size(&self, key: ObjectKey) -> Result<Option<u64>> {
        match &self.0 {
            Backend::Local(local) => local.size(key).await,
            Backend::Database(database) => database.size(key).await,
            Backend::S3(s3) => s3.size(key).await,
        }
    }

    /// Deletes the object, if it exists.
    pub async fn delete(&self, key: ObjectKey) -> Result<()> {
        match &self.0 {
            Backend::Local(local) => local.delete(key).await,
            Backend::Database(database) => database.delete(key).await,
            Backend::S3(s3) => s3.delete(key).await,
        }
    }

    /// Lists at most `at_most` objects of a kind, after the given position.
    pub async fn list(
        &self,
        kind: ObjectKind,
        after: Option<Cursor>,
        at_most: usize,
    ) -> Result<ObjectPage> {
        match &self.0 {
            Backend::Local(local) => local.list(kind, after, at_most).await,
            Backend::Database(database) => database.list(kind, after, at_most).await,
            Backend::S3(s3) => s3.list(kind, after, at_most).await,
        }
    }

    /// Deletes files left unfinished before this time by a process that died and returns their
    /// number. Only files can be unfinished.
    pub async fn delete_unfinished(&self, kind: ObjectKind, before: Timestamp) -> Result<u64> {
        match &self.0 {
            Backend::Local(local) => local.delete_unfinished(kind, before).await,
            Backend::Database(_) | Backend::S3(_) => Ok(0),
        }
    }

    /// Copies files from before the objects were in the database into it, unless they are there,
    /// and returns the number of copies. The files stay.
    pub async fn copy_files(&self) -> Result<u64> {
        match &self.0 {
            Backend::Database(database) => database.copy_files().await,
            Backend::Local(_) | Backend::S3(_) => Ok(0),
        }
    }

    /// Moves files from before the objects were in the database into it and returns their number.
    pub async fn move_files(&self) -> Result<u64> {
        match &self.0 {
            Backend::Database(database) => database.move_files().await,
            Backend::Local(_) | Backend::S3(_) => Ok(0),
        }
    }

    /// A URL by which anyone may fetch the object from the bucket until it expires. Files and rows
    /// have none: the service signs its own URLs for them.
    ///
    /// The expiry is based on the system clock, because the bucket's service compares it with its
    /// own.
    pub async fn presign(
        &self,
        key: ObjectKey,
        content_type: &str,
        expires_in: Duration,
    ) -> Result<Option<Url>> {
        match &self.0 {
            Backend::Local(_) | Backend::Database(_) => Ok(None),
            Backend::S3(s3) => s3.presign(key, content_type, expires_in).await.map(Some),
        }
    }
}
