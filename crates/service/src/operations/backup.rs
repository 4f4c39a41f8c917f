//! The key ring of a backup. A backup must include it, because the database's sealed values cannot
//! be opened without it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grantor_domain::{Clock, Entropy, hex};
use grantor_storage::backup::Archive;
use grantor_storage::{Error, Store};
use uuid::Uuid;

use crate::identity::second_factor::authenticator_app;
use crate::identity::single_sign_on::connection;
use crate::identity::{ceremony, code};
use crate::licensing::receipt::share;
use crate::notices::chat;
use crate::operations::idempotency;
use crate::operations::key_ring;
use crate::watching::{case, websub};
use crate::webhooks::delivery;
use grantor_keys::{FILE, Keys, Purpose};

/// A column of sealed values.
pub struct SealedColumn {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub name: &'static str,
    purpose: Purpose,
    /// The columns that a value is bound to.
    bound_to: &'static [&'static str],
    context: fn(&[&str]) -> Option<String>,
}

/// All columns of sealed values. A test compares this with the schema.
pub const SEALED: [SealedColumn; 13] = [
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
    SealedColumn {
        table: "shared_receipts",
        name: "sealed_code",
        purpose: Purpose::Field,
        bound_to: &["share_id"],
        context: |of| Some(share::sealed_for(id(of[0])?.into())),
    },
    SealedColumn {
        table: "cases",
        name: "sealed_code",
        purpose: Purpose::Field,
        bound_to: &["mention_id"],
        context: |of| Some(case::sealed_for(id(of[0])?.into())),
    },
    SealedColumn {
        table: "websub_subscriptions",
        name: "sealed",
        purpose: Purpose::Field,
        bound_to: &["subscription_id"],
        context: |of| Some(websub::sealed_for(id(of[0])?.into())),
    },
    SealedColumn {
        table: "chat_addresses",
        name: "sealed_url",
        purpose: Purpose::Field,
        bound_to: &["chat_address_id"],
        context: |of| Some(chat::bound_to(id(of[0])?.into())),
    },
    authenticator_secret("authenticator_apps"),
    authenticator_secret("pending_apps"),
    SealedColumn {
        table: "ceremonies",
        name: "sealed",
        purpose: Purpose::Field,
        bound_to: &["ceremony_hash"],
        context: |of| Some(ceremony::sealed_for(of[0])),
    },
    SealedColumn {
        table: "single_sign_on",
        name: "sealed_secret",
        purpose: Purpose::Field,
        bound_to: &["tenant_id"],
        context: |of| Some(connection::sealed_for(id(of[0])?.into())),
    },
];

const fn authenticator_secret(table: &'static str) -> SealedColumn {
    SealedColumn {
        table,
        name: "sealed_secret",
        purpose: Purpose::Field,
        bound_to: &["user_id"],
        context: |of| Some(authenticator_app::sealed_for(id(of[0])?.into())),
    }
}

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

/// Returns the path of the key ring that a backup must include, if the database is bound to one.
pub async fn ring_of(
    store: &Store,
    data_dir: &Path,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
) -> Result<Option<PathBuf>, String> {
    let path = data_dir.join(FILE);
    if Keys::exist(data_dir) {
        let keys = Keys::read(data_dir, clock, entropy)?;
        key_ring::check(store, keys.root_ids()).await?;
        return Ok(Some(path));
    }
    match key_ring::bound(store).await? {
        None => Ok(None),
        Some(root) => Err(format!(
            "{} is missing, and sealed values cannot be opened without it (root {root}): \
             run this with the server's data directory",
            path.display()
        )),
    }
}

/// Opens every sealed value of a backup with the backup's own key ring and returns how many there
/// are, or `None` if the database is not bound to a key ring.
pub fn open_all(
    archive: &Archive,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
) -> Result<Option<u64>, String> {
    let mut root = None;
    let seen = archive.each_row("meta", &["name", "value"], |row| {
        if row[0] == key_ring::NAME {
            root = row[1].as_str().map(str::to_owned);
        }
        Ok(())
    });
    seen.map_err(|error| error.to_string())?;
    let Some(root) = root else {
        return match count_sealed(archive).map_err(|error| error.to_string())? {
            0 => Ok(None),
            count => Err(format!("the backup has {count} sealed values and no key ring")),
        };
    };
    let path = archive.extra_file(FILE).ok_or("the backup has no key ring")?;
    let folder = path.parent().ok_or("the backup has no folder")?;
    // Only read: the backup must stay as it was written.
    let keys = Keys::read(folder, clock, entropy)?;
    if !keys.root_ids().contains(&root) {
        return Err(format!("the backup's key ring does not belong to its database (root {root})"));
    }
    let counts = SEALED.iter().map(|column| open_column(archive, column, &keys));
    let opened: Result<u64, Error> = counts.sum();
    opened.map(Some).map_err(|error| error.to_string())
}

/// Counts the sealed values of a backup without opening them.
fn count_sealed(archive: &Archive) -> Result<u64, Error> {
    let mut count = 0;
    for column in &SEALED {
        archive.each_row(column.table, &[column.name], |row| {
            count += u64::from(!row[0].is_null());
            Ok(())
        })?;
    }
    Ok(count)
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
                "the key ring cannot open a value of {}.{} in row {}",
                column.table,
                column.name,
                row[1].as_str().unwrap_or_default()
            ))),
        }
    })?;
    Ok(opened)
}
