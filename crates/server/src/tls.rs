//! The server's certificate, read again when its file changes.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use axum_server::tls_rustls::RustlsConfig;
use tokio::time::interval;

use crate::config::Tls;

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(5);

/// Reads certificate and key.
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

/// Watches the files for as long as the server runs. A pair that does not fit is not used.
pub(crate) async fn watch(tls: Tls, config: RustlsConfig) {
    let mut pace = interval(LOOK);
    let mut known = (modified(&tls.cert), modified(&tls.key));
    loop {
        pace.tick().await;
        let seen = (modified(&tls.cert), modified(&tls.key));
        if seen == known {
            continue;
        }
        match config.reload_from_pem_file(&tls.cert, &tls.key).await {
            Ok(()) => {
                known = seen;
                tracing::info!("the certificate was read again");
            }
            Err(error) => tracing::warn!(%error, "the new certificate is not used"),
        }
    }
}

/// A replaced file has another number even when the clock did not move.
fn modified(path: &Path) -> Option<(u64, SystemTime)> {
    let known = std::fs::metadata(path).ok()?;
    Some((known.ino(), known.modified().ok()?))
}
