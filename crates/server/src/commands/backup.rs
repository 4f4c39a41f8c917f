//! `grantor backup` and `grantor restore`: the database in a form both engines read, and the key
//! ring without which what it sealed stays sealed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use grantor_domain::Clock as _;
use grantor_storage::backup::{self, Report};
use grantor_storage::migrate;

use crate::config::Config;
use crate::house;
use crate::system::SystemClock;

const RING: &str = "keys.json";

/// Copies everything into a new folder while the server may go on running.
pub(crate) async fn export(config: &Config, to: PathBuf) -> Result<String, String> {
    let store = house::open_store(config).await?;
    let ring = config.data_dir.join(RING);
    let beside = if ring.exists() { vec![ring] } else { vec![] };
    let report = backup::export(&store, to.clone(), beside, SystemClock::new().now())
        .await
        .map_err(|error| format!("backup: {error}"))?;
    let summary = summary(&report);
    Ok(format!("Wrote {summary} to {}. It holds the keys: keep it as safe as them.", to.display()))
}

/// Fills an empty database from such a folder, on either engine.
pub(crate) async fn import(config: &Config, from: PathBuf) -> Result<String, String> {
    let target = config.data_dir.join(RING);
    let source = from.join(RING);
    if source.exists() && target.exists() && !same(&source, &target) {
        return Err(format!(
            "restore: {} is another key ring than the backup's; move it away first",
            target.display()
        ));
    }
    backup::verify(from.clone()).await.map_err(|error| format!("restore: {error}"))?;
    let store = house::open_store(config).await?;
    let now = SystemClock::new().now();
    migrate::run(&store, now).await.map_err(|error| format!("database_url: {error}"))?;
    // The keys first: a database without them could not be restored a second time.
    let brings_keys = source.exists() && !target.exists();
    if brings_keys {
        copy_private(&source, &target)?;
    }
    let report = backup::import(&store, from.clone(), now).await.map_err(|error| {
        if brings_keys {
            let _ = fs::remove_file(&target);
        }
        format!("restore: {error}")
    })?;
    let engine = store.engine().name();
    Ok(format!("Restored {} from {} into {engine}.", summary(&report), from.display()))
}

fn summary(report: &Report) -> String {
    let rows: u64 = report.tables.values().sum();
    format!("{rows} rows of {} tables ({} bytes)", report.tables.len(), report.bytes)
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
