//! The server's certificate, reloaded when its files change.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use axum_server::tls_rustls::RustlsConfig;
use tokio::time::interval;

use crate::config::Tls;

/// How often the files are checked for changes.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Reads the certificate and the key.
pub(crate) async fn load(tls: &Tls) -> Result<RustlsConfig, String> {
    for (setting, path) in [("tls_cert", &tls.cert), ("tls_key", &tls.key)] {
        std::fs::File::open(path)
            .map_err(|error| format!("{setting}: {}: {error}", path.display()))?;
    }
    RustlsConfig::from_pem_file(&tls.cert, &tls.key).await.map_err(|error| {
        let (cert, key) = (tls.cert.display(), tls.key.display());
        format!("tls_cert, tls_key: {cert} and {key} are not a certificate and its key: {error}")
    })
}

/// Reloads the files when they change. A certificate and key that don't match are ignored.
pub(crate) async fn watch(tls: Tls, config: RustlsConfig) {
    let mut ticks = interval(CHECK_INTERVAL);
    let mut loaded = (version(&tls.cert), version(&tls.key));
    loop {
        ticks.tick().await;
        let current = (version(&tls.cert), version(&tls.key));
        if current == loaded {
            continue;
        }
        match config.reload_from_pem_file(&tls.cert, &tls.key).await {
            Ok(()) => {
                loaded = current;
                tracing::info!("the TLS certificate was reloaded");
            }
            Err(error) => tracing::warn!(%error, "the new TLS certificate cannot be used"),
        }
    }
}

/// The inode and modification time. A replaced file has a new inode even within one clock tick.
fn version(path: &Path) -> Option<(u64, SystemTime)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.ino(), metadata.modified().ok()?))
}
