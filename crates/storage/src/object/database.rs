//! Objects as rows of the database, so that every node that uses it has them.
//!
//! The bytes are in rows of [`CHUNK`] bytes, which are written and read one by one: neither the
//! database nor its client has an object in memory several times.

use std::fmt;
use std::sync::Arc;

use grantor_domain::{Clock, Timestamp};
use uuid::Uuid;

use super::local::Local;
use super::{Cursor, ObjectInfo, ObjectKey, ObjectKind, ObjectPage};
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Store, Tx, only_column};

/// Bytes per row.
const CHUNK: usize = 256 * 1024;
/// Files moved per page.
const PAGE: usize = 1_000;

/// The tables of objects, and the folder of files from before they were in the database.
#[derive(Clone)]
pub(super) struct Database {
    store: Store,
    clock: Arc<dyn Clock>,
    files: Option<Local>,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Database")
    }
}

impl Database {
    pub(super) fn new(store: Store, clock: Arc<dyn Clock>, files: Option<Local>) -> Self {
        Self { store, clock, files }
    }

    pub(super) async fn put(&self, key: ObjectKey, bytes: Vec<u8>) -> Result<()> {
        self.write(key, bytes, self.clock.now()).await
    }

    async fn write(&self, key: ObjectKey, bytes: Vec<u8>, written_at: Timestamp) -> Result<()> {
        self.store.write(move |tx| write(tx, key, &bytes, written_at)).await
    }

    pub(super) async fn get(&self, key: ObjectKey) -> Result<Option<Vec<u8>>> {
        let found = self.store.read(move |tx| read(tx, key)).await?;
        match &self.files {
            Some(files) if found.is_none() => files.get(key).await,
            _ => Ok(found),
        }
    }

    pub(super) async fn size(&self, key: ObjectKey) -> Result<Option<u64>> {
        let found = self.store.read(move |tx| length(tx, key)).await?;
        match &self.files {
            Some(files) if found.is_none() => files.size(key).await,
            _ => Ok(found),
        }
    }

    pub(super) async fn delete(&self, key: ObjectKey) -> Result<()> {
        // The file first: otherwise it might be moved into the database in between.
        if let Some(files) = &self.files {
            files.delete(key).await?;
        }
        self.store.write(move |tx| delete(tx, key)).await
    }

    pub(super) async fn list(
        &self,
        kind: ObjectKind,
        after: Option<Cursor>,
        at_most: usize,
    ) -> Result<ObjectPage> {
        let after = after.map_or(Ok(Uuid::nil()), |Cursor(id)| Uuid::try_parse(&id));
        let after = after.map_err(|error| Error::Objects(format!("{}: {error}", kind.as_str())))?;
        let objects = self.store.read(move |tx| list(tx, kind, after, at_most)).await?;
        let last = objects.last().filter(|_| objects.len() == at_most);
        let next = last.map(|it| Cursor(it.key.id().to_string()));
        Ok(ObjectPage { objects, next })
    }

    /// Copies the files that the database does not have yet and returns their number.
    pub(super) async fn copy_files(&self) -> Result<u64> {
        let Some(files) = &self.files else { return Ok(0) };
        let mut copied = 0;
        for kind in ObjectKind::ALL {
            let mut after = None;
            loop {
                let page = files.list(kind, after, PAGE).await?;
                for info in page.objects {
                    copied += u64::from(self.copy(files, info).await?);
                }
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(copied)
    }

    /// Copies a file. Its age stays, so that a file without a row is swept as before. False if the
    /// database has the object already, or if the file is gone.
    async fn copy(&self, files: &Local, info: ObjectInfo) -> Result<bool> {
        let ObjectInfo { key, written_at } = info;
        if self.store.read(move |tx| length(tx, key)).await?.is_some() {
            return Ok(false);
        }
        let Some(bytes) = files.get(key).await? else { return Ok(false) };
        self.write(key, bytes, written_at).await?;
        Ok(true)
    }

    /// Moves the files into the database and returns their number. A file is deleted once its bytes
    /// are stored durably.
    pub(super) async fn move_files(&self) -> Result<u64> {
        let Some(files) = &self.files else { return Ok(0) };
        let mut moved = 0;
        for kind in ObjectKind::ALL {
            loop {
                let page = files.list(kind, None, PAGE).await?.objects;
                if page.is_empty() {
                    break;
                }
                for info in page {
                    let key = info.key;
                    self.copy(files, info).await?;
                    files.delete(key).await?;
                    moved += 1;
                }
            }
        }
        Ok(moved)
    }
}

/// Replaces all of an object. The row of `objects` orders writers of the same object.
fn write(tx: &mut Tx<'_>, key: ObjectKey, bytes: &[u8], written_at: Timestamp) -> Result<()> {
    let (kind, id) = (key.kind().as_str(), key.id());
    let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    tx.execute(
        sql!(
            "INSERT INTO objects (kind, object_id, bytes, written_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (kind, object_id) DO UPDATE SET bytes = excluded.bytes,
               written_at = excluded.written_at"
        ),
        params![kind, id, length, written_at],
    )?;
    delete_chunks(tx, key)?;
    for (number, chunk) in (0_i64..).zip(bytes.chunks(CHUNK)) {
        tx.execute(
            sql!(
                "INSERT INTO object_chunks (kind, object_id, number, data)
                 VALUES ($1, $2, $3, $4)"
            ),
            params![kind, id, number, chunk],
        )?;
    }
    Ok(())
}

/// Reads an object; a small one with a single statement.
fn read(tx: &mut Tx<'_>, key: ObjectKey) -> Result<Option<Vec<u8>>> {
    let (kind, id) = (key.kind().as_str(), key.id());
    let found: Option<(i64, Option<Vec<u8>>)> = tx.find(
        sql!(
            "SELECT o.bytes, c.data FROM objects o
             LEFT JOIN object_chunks c
               ON c.kind = o.kind AND c.object_id = o.object_id AND c.number = 0
             WHERE o.kind = $1 AND o.object_id = $2"
        ),
        params![kind, id],
        |row| Ok((row.get("bytes")?, row.get("data")?)),
    )?;
    let Some((length, first)) = found else { return Ok(None) };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let mut bytes = first.unwrap_or_default();
    for number in 1_i64.. {
        if bytes.len() >= length {
            break;
        }
        let chunk: Option<Vec<u8>> = tx.find(
            sql!(
                "SELECT data FROM object_chunks
                 WHERE kind = $1 AND object_id = $2 AND number = $3"
            ),
            params![kind, id, number],
            only_column,
        )?;
        bytes.extend(chunk.ok_or_else(|| damaged(key))?);
    }
    if bytes.len() == length { Ok(Some(bytes)) } else { Err(damaged(key)) }
}

fn damaged(key: ObjectKey) -> Error {
    Error::Objects(format!("{key}: its rows in the database do not have its length"))
}

fn length(tx: &mut Tx<'_>, key: ObjectKey) -> Result<Option<u64>> {
    let found: Option<i64> = tx.find(
        sql!("SELECT bytes FROM objects WHERE kind = $1 AND object_id = $2"),
        params![key.kind().as_str(), key.id()],
        only_column,
    )?;
    Ok(found.map(|it| u64::try_from(it).unwrap_or(0)))
}

fn delete(tx: &mut Tx<'_>, key: ObjectKey) -> Result<()> {
    tx.execute(
        sql!("DELETE FROM objects WHERE kind = $1 AND object_id = $2"),
        params![key.kind().as_str(), key.id()],
    )?;
    delete_chunks(tx, key)
}

fn delete_chunks(tx: &mut Tx<'_>, key: ObjectKey) -> Result<()> {
    tx.execute(
        sql!("DELETE FROM object_chunks WHERE kind = $1 AND object_id = $2"),
        params![key.kind().as_str(), key.id()],
    )?;
    Ok(())
}

fn list(tx: &mut Tx<'_>, kind: ObjectKind, after: Uuid, at_most: usize) -> Result<Vec<ObjectInfo>> {
    tx.query(
        sql!(
            "SELECT object_id, written_at FROM objects
             WHERE kind = $1 AND object_id > $2 ORDER BY object_id LIMIT $3"
        ),
        params![kind.as_str(), after, i64::try_from(at_most).unwrap_or(i64::MAX)],
        |row| {
            let key = ObjectKey::new(kind, row.get::<Uuid>("object_id")?);
            Ok(ObjectInfo { key, written_at: row.get("written_at")? })
        },
    )
}
