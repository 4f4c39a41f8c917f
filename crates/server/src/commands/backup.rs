//! `grantor backup` and `grantor restore`. A backup contains the rows in a format that both
//! database engines read, the images, and the key ring that decrypts the encrypted values.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grantor_domain::{Clock as _, Timestamp};
use grantor_keys::{FILE as RING, Keys};
use grantor_service::operations::backup::open_all;
use grantor_storage::backup::{self, Archive, Report};
use grantor_storage::migrate;

use crate::bootstrap;
use crate::config::{Config, Database, KeyRing};
use crate::key_ring::{self, System};
use crate::system::{SystemClock, SystemEntropy};

/// Writes a backup to a new directory. The server may keep running.
pub(crate) async fn export(config: &Config, to: PathBuf) -> Result<String, String> {
    let problem = |error: String| format!("backup: {error}");
    if let Database::Sqlite(path) = &config.database
        && !path.exists()
    {
        return Err(problem(format!("there is no database at {}", path.display())));
    }
    let store = bootstrap::open_store(config).await?;
    let objects = bootstrap::objects(config, &store)?;
    let ring = key_ring::copy(config, &store, system()).await.map_err(problem)?;
    let with_keys = ring.path.is_some();
    let extra_files = ring.path.iter().cloned().collect();
    let report = tokio::select! {
        report = backup::export(&store, &objects, to.clone(), extra_files, now()) => report,
        never = ring.follow(config, &store, system) => match never {},
    };
    let report = report.map_err(|error| problem(error.to_string()))?;
    let keys = if with_keys {
        "The backup contains the keys: store it as securely as the keys themselves."
    } else {
        "There are no keys yet: the first start creates them."
    };
    Ok(format!("Wrote {} to {}. {keys}", summary(&report), to.display()))
}

/// Verifies a backup without changing anything.
pub(crate) async fn check(folder: PathBuf) -> Result<String, String> {
    let (archive, opened) = open(folder.clone()).await?;
    archive.check_version().map_err(|error| format!("restore: {error}"))?;
    let report = archive.report();
    let keys = match opened {
        Some(count) => format!("The key ring decrypts all {count} encrypted values."),
        None => "The database had no keys yet.".to_owned(),
    };
    Ok(format!(
        "{} is complete: {}, created at {} on {}. {keys}",
        folder.display(),
        summary(&report),
        report.at,
        archive.engine()
    ))
}

/// Restores a backup into an empty database and object store, on either database engine.
pub(crate) async fn import(config: &Config, from: PathBuf) -> Result<String, String> {
    let problem = |error: grantor_storage::Error| format!("restore: {error}");
    let target = config.data_dir.join(RING);
    let (archive, _) = open(from.clone()).await?;
    let source = archive.extra_file(RING);
    let in_file = matches!(config.key_ring, KeyRing::File);
    if let Some(source) = &source
        && in_file
        && target.exists()
        && !same(source, &target)
        && !covers(&target, source)
    {
        return Err(format!(
            "restore: {} is not the backup's key ring; move it elsewhere first",
            target.display()
        ));
    }
    let store = bootstrap::open_store(config).await?;
    let objects = bootstrap::objects(config, &store)?;
    migrate::run(&store, now()).await.map_err(|error| format!("database_url: {error}"))?;
    // The keys come first: a database restored without them could not be restored again.
    if let Some(source) = source.as_ref().filter(|_| !in_file) {
        let restored = key_ring::restore(config, &store, source, system()).await;
        restored.map_err(|error| format!("restore: {}: {error}", key_ring::setting(config)))?;
    }
    let copied = source.filter(|_| in_file && !target.exists());
    if let Some(source) = &copied {
        copy_private(source, &target)?;
    }
    let report = archive.import(&store, &objects, now()).await.map_err(|error| {
        if copied.is_some() {
            let _ = fs::remove_file(&target);
        }
        problem(error)
    })?;
    let engine = store.engine().name();
    Ok(format!("Restored {} from {} into {engine}.", summary(&report), from.display()))
}

/// Opens a complete backup. Returns the number of encrypted values that its keys decrypt.
async fn open(folder: PathBuf) -> Result<(Archive, Option<u64>), String> {
    let problem = |error: String| format!("restore: {error}");
    let archive = Archive::open(folder).await.map_err(|error| problem(error.to_string()))?;
    let opening = tokio::task::spawn_blocking(move || {
        let opened = open_all(&archive, Arc::new(SystemClock::new()), Arc::new(SystemEntropy))?;
        Ok((archive, opened))
    });
    opening.await.map_err(|error| problem(error.to_string()))?.map_err(problem)
}

fn now() -> Timestamp {
    SystemClock::new().now()
}

fn system() -> System {
    (Arc::new(SystemClock::new()), Arc::new(SystemEntropy))
}

fn summary(report: &Report) -> String {
    let (rows, tables) = (report.rows(), report.tables.len());
    let (objects, bytes) = (report.objects, report.object_bytes);
    format!(
        "{rows} rows in {tables} tables ({} bytes) and {objects} objects ({bytes} bytes)",
        report.bytes
    )
}

fn copy_private(from: &Path, to: &Path) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("{}: {error}", to.display());
    // The permissions come first: others must never be able to read the content.
    let file = fs::File::create(to).map_err(problem)?;
    file.set_permissions(fs::Permissions::from_mode(0o600)).map_err(problem)?;
    fs::copy(from, to).map_err(problem)?;
    fs::File::open(to).and_then(|file| file.sync_all()).map_err(problem)
}

/// Whether a key ring has every key of another that receipts or encrypted values need. A newer ring
/// stays: replacing it with the backup's would lose the receipt keys added since.
fn covers(newer: &Path, older: &Path) -> bool {
    let read = |path: &Path| {
        Keys::read(path.parent()?, Arc::new(SystemClock::new()), Arc::new(SystemEntropy)).ok()
    };
    matches!((read(newer), read(older)), (Some(newer), Some(older)) if newer.includes(&older))
}

fn same(one: &Path, other: &Path) -> bool {
    matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}
