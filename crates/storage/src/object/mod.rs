//! Where the bytes of pictures are kept: files in a folder for one node, a bucket of an
//! S3-compatible service for several.
//!
//! An object is written once under a fresh key and never changed, so a reader sees all of it or
//! nothing. Which pictures there are is known to the database; what is listed here is compared with
//! it, in order to find what was left behind.

mod key;
mod listed;
mod local;
mod s3;

use std::path::PathBuf;
use std::time::Duration;

use grantor_domain::Timestamp;
use url::Url;

use crate::Result;
pub use key::{InvalidObjectKey, ObjectKey, ObjectKind};
pub use listed::{Cursor, Found, Listed};
use local::Local;
use s3::S3;
pub use s3::{InvalidS3, S3Settings};

/// Where objects are kept.
#[derive(Clone, Debug)]
pub struct Objects(Place);

#[derive(Clone, Debug)]
enum Place {
    Local(Local),
    S3(Box<S3>),
}

impl Objects {
    /// Files under this folder, which is made when the first object comes.
    pub fn local(folder: impl Into<PathBuf>) -> Self {
        Self(Place::Local(Local::new(folder.into())))
    }

    /// A bucket. Nothing is asked of the service yet.
    pub fn s3(settings: &S3Settings) -> Result<Self, InvalidS3> {
        Ok(Self(Place::S3(Box::new(S3::new(settings)?))))
    }

    /// Keeps an object, durably when this returns; one of the same key is replaced whole.
    pub async fn put(&self, key: ObjectKey, bytes: Vec<u8>, content_type: &str) -> Result<()> {
        match &self.0 {
            // The row that names the object knows its type.
            Place::Local(local) => local.put(key, bytes).await,
            Place::S3(s3) => s3.put(key, bytes, content_type).await,
        }
    }

    /// The object's bytes; nothing when there is none.
    pub async fn get(&self, key: ObjectKey) -> Result<Option<Vec<u8>>> {
        match &self.0 {
            Place::Local(local) => local.get(key).await,
            Place::S3(s3) => s3.get(key).await,
        }
    }

    /// How long the object is; nothing when there is none.
    pub async fn size(&self, key: ObjectKey) -> Result<Option<u64>> {
        match &self.0 {
            Place::Local(local) => local.size(key).await,
            Place::S3(s3) => s3.size(key).await,
        }
    }

    /// Removes the object; one that is not there is as good as removed.
    pub async fn delete(&self, key: ObjectKey) -> Result<()> {
        match &self.0 {
            Place::Local(local) => local.delete(key).await,
            Place::S3(s3) => s3.delete(key).await,
        }
    }

    /// A page of the objects of a kind, at most so many, after where another ended.
    pub async fn list(
        &self,
        kind: ObjectKind,
        after: Option<Cursor>,
        at_most: usize,
    ) -> Result<Listed> {
        match &self.0 {
            Place::Local(local) => local.list(kind, after, at_most).await,
            Place::S3(s3) => s3.list(kind, after, at_most).await,
        }
    }

    /// Removes what a process that died has left half written before this instant; gives how many.
    /// A bucket never shows such.
    pub async fn delete_unfinished(&self, kind: ObjectKind, before: Timestamp) -> Result<u64> {
        match &self.0 {
            Place::Local(local) => local.delete_unfinished(kind, before).await,
            Place::S3(_) => Ok(0),
        }
    }

    /// A URL by which anyone may fetch the object until it expires, served by the bucket itself.
    /// Files have none: the service signs URLs of its own for them.
    ///
    /// It counts from the machine's clock, since the bucket's service compares with its own.
    pub async fn presign(
        &self,
        key: ObjectKey,
        content_type: &str,
        expires_in: Duration,
    ) -> Result<Option<Url>> {
        match &self.0 {
            Place::Local(_) => Ok(None),
            Place::S3(s3) => s3.presign(key, content_type, expires_in).await.map(Some),
        }
    }
}
