//! `grantor backup` and `grantor restore`: rows in a form both engines read, the pictures, and the
//! key ring without which what was sealed stays sealed. All of it, or a sentence that says what is
//! missing.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grantor_domain::{Clock as _, Timestamp};
use grantor_service::backup::{open_all, ring_of};
use grantor_service::keys::FILE as RING;
use grantor_storage::backup::{self, Archive, Report};
use grantor_storage::migrate;

use crate::config::Config;
use crate::house;
use crate::system::{SystemClock, SystemEntropy};

/// Copies everything into a new folder while the server may go on running.
pub(crate) async fn export(config: &Config, to: PathBuf) -> Result<String, String> {
    let problem = |error: String| format!("backup: {error}");
    let (store, objects) = (house::open_store(config).await?, house::objects(config)?);
    let (clock, entropy) = (Arc::new(SystemClock::new()), Arc::new(SystemEntropy));
    let ring = ring_of(&store, &config.data_dir, clock, entropy).await.map_err(problem)?;
    let with_keys = ring.is_some();
    let beside = ring.into_iter().collect();
    let report = backup::export(&store, &objects, to.clone(), beside, now())
        .await
        .map_err(|error| problem(error.to_string()))?;
    let keys = if with_keys {
        "It holds the keys: keep it as safe as them."
    } else {
        "There are no keys yet: the first start makes them."
    };
    Ok(format!("Wrote {} to {}. {keys}", summary(&report), to.display()))
}

/// Proves a backup without touching anything else.
pub(crate) async fn check(folder: PathBuf) -> Result<String, String> {
    let (archive, opened) = open(folder.clone()).await?;
    archive.check_version().map_err(|error| format!("restore: {error}"))?;
    let report = archive.report();
    let keys = match opened {
        Some(count) => format!("The key ring opens all {count} sealed values."),
        None => "The database had no keys yet.".to_owned(),
    };
    Ok(format!(
        "{} is whole: {}, made at {} on {}. {keys}",
        folder.display(),
        summary(&report),
        report.at,
        archive.engine()
    ))
}

/// Fills an empty database and the object store from such a folder, on either engine.
pub(crate) async fn import(config: &Config, from: PathBuf) -> Result<String, String> {
    let problem = |error: grantor_storage::Error| format!("restore: {error}");
    let target = config.data_dir.join(RING);
    let (archive, _) = open(from.clone()).await?;
    let source = archive.beside(RING);
    if let Some(source) = &source
        && target.exists()
        && !same(source, &target)
    {
        return Err(format!(
            "restore: {} is another key ring than the backup's; move it away first",
            target.display()
        ));
    }
    let (store, objects) = (house::open_store(config).await?, house::objects(config)?);
    migrate::run(&store, now()).await.map_err(|error| format!("database_url: {error}"))?;
    // The keys first: a database without them could not be restored a second time.
    let brought = source.filter(|_| !target.exists());
    if let Some(source) = &brought {
        copy_private(source, &target)?;
    }
    let report = archive.import(&store, &objects, now()).await.map_err(|error| {
        if brought.is_some() {
            let _ = fs::remove_file(&target);
        }
        problem(error)
    })?;
    let engine = store.engine().name();
    Ok(format!("Restored {} from {} into {engine}.", summary(&report), from.display()))
}

/// A backup that is whole, and how many sealed values its keys open.
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

fn summary(report: &Report) -> String {
    let (rows, tables) = (report.rows(), report.tables.len());
    let (objects, bytes) = (report.objects, report.object_bytes);
    format!(
        "{rows} rows of {tables} tables ({} bytes) and {objects} objects ({bytes} bytes)",
        report.bytes
    )
}

fn copy_private(from: &Path, to: &Path) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("{}: {error}", to.display());
    // The permissions first: the content must never be readable by others, not for a moment.
    let file = fs::File::create(to).map_err(problem)?;
    file.set_permissions(fs::Permissions::from_mode(0o600)).map_err(problem)?;
    fs::copy(from, to).map_err(problem)?;
    fs::File::open(to).and_then(|file| file.sync_all()).map_err(problem)
}

fn same(one: &Path, other: &Path) -> bool {
    matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}
