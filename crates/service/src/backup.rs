//! The key ring of a backup: what the database sealed stays sealed without it, so a backup has it
//! or is none.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grantor_domain::{Clock, Entropy, hex};
use grantor_storage::backup::Archive;
use grantor_storage::{Error, Store};
use uuid::Uuid;

use crate::keys::{FILE, Keys, Purpose};
use crate::{code, delivery, idempotency, ring};

/// A column whose values are sealed.
pub struct SealedColumn {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub name: &'static str,
    purpose: Purpose,
    /// The columns that a value is bound to, and how.
    bound_to: &'static [&'static str],
    context: fn(&[&str]) -> Option<String>,
}

/// Every column whose values are sealed. A test compares this with the schema.
pub const SEALED: [SealedColumn; 5] = [
    SealedColumn {
        table: "mails",
        name: "sealed",
        purpose: Purpose::Mail,
        bound_to: &["mail_id"],
        context: |of| Some(id(of[0])?.to_string()),
    },
    SealedColumn {
        table: "idempotency_keys",
        name: "sealed_answer",
        purpose: Purpose::Answer,
        bound_to: &["caller", "method", "path", "key"],
        context: |of| Some(idempotency::sealed_for(of.try_into().ok()?)),
    },
    SealedColumn {
        table: "challenges",
        name: "sealed",
        purpose: Purpose::Field,
        bound_to: &["challenge_hash"],
        context: |of| Some(code::sealed_for(of[0])),
    },
    webhook_secret("secret"),
    webhook_secret("old_secret"),
];

const fn webhook_secret(name: &'static str) -> SealedColumn {
    SealedColumn {
        table: "webhooks",
        name,
        purpose: Purpose::Field,
        bound_to: &["webhook_id"],
        context: |of| Some(delivery::bound_to(id(of[0])?.into())),
    }
}

fn id(text: &str) -> Option<Uuid> {
    Uuid::try_parse(text).ok()
}

/// The ring that a backup of this database must hold; nothing where the database has none yet.
pub async fn ring_of(
    store: &Store,
    data_dir: &Path,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
) -> Result<Option<PathBuf>, String> {
    let path = data_dir.join(FILE);
    if Keys::exist(data_dir) {
        let keys = Keys::open(data_dir, clock, entropy)?;
        ring::check(store, keys.root_ids()).await?;
        return Ok(Some(path));
    }
    match ring::bound(store).await? {
        None => Ok(None),
        Some(root) => Err(format!(
            "{} is not there, and nothing that the database sealed opens without it (root {root}): \
             run this with the data directory of the server",
            path.display()
        )),
    }
}

/// Opens every sealed value of a backup with the backup's own ring; gives how many there are, and
/// nothing where the database has no ring yet. Takes as long as reading those tables.
pub fn open_all(
    archive: &Archive,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
) -> Result<Option<u64>, String> {
    let mut root = None;
    let seen = archive.each_row("meta", &["name", "value"], |row| {
        if row[0] == ring::NAME {
            root = row[1].as_str().map(str::to_owned);
        }
        Ok(())
    });
    seen.map_err(|error| error.to_string())?;
    let Some(root) = root else { return Ok(None) };
    let path = archive.beside(FILE).ok_or("the backup has no key ring")?;
    let folder = path.parent().ok_or("the backup has no folder")?;
    let keys = Keys::open(folder, clock, entropy)?;
    if !keys.root_ids().contains(&root) {
        return Err(format!("the key ring of the backup is not the database's (root {root})"));
    }
    let counts = SEALED.iter().map(|column| open_column(archive, column, &keys));
    let opened: Result<u64, Error> = counts.sum();
    opened.map(Some).map_err(|error| error.to_string())
}

fn open_column(archive: &Archive, column: &SealedColumn, keys: &Keys) -> Result<u64, Error> {
    let mut opened = 0;
    let columns = [&[column.name], column.bound_to].concat();
    archive.each_row(column.table, &columns, |row| {
        let Some(sealed) = row[0].as_str() else { return Ok(()) };
        let of: Option<Vec<&str>> = row[1..].iter().map(|it| it.as_str()).collect();
        let context = of.and_then(|of| (column.context)(&of));
        let plain = context
            .zip(hex::decode(sealed))
            .and_then(|(context, sealed)| keys.open_sealed(column.purpose, &context, &sealed));
        opened += u64::from(plain.is_some());
        match plain {
            Some(_) => Ok(()),
            None => Err(Error::Backup(format!(
                "the key ring does not open a value of {}.{}, of the row {}",
                column.table,
                column.name,
                row[1].as_str().unwrap_or_default()
            ))),
        }
    })?;
    Ok(opened)
}
