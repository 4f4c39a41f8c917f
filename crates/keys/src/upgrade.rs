//! Adds a receipt key to a key ring file of an older version, which has none.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use super::ring::Ring;

/// Writes the first receipt key into a file that has none.
pub(super) fn add_receipt_key(path: &Path) -> Result<(), String> {
    if Ring::load(path)?.1 {
        return Ok(());
    }
    let problem = |error: &str| {
        format!(
            "{}: cannot add the receipt key that this version needs: {error}: make the file and \
             its folder writable for one start",
            path.display()
        )
    };
    let metadata = fs::metadata(path).map_err(|error| problem(&error.to_string()))?;
    // A rename would replace the file despite its mode.
    if metadata.permissions().readonly() {
        return Err(problem("the file is read-only"));
    }
    let _lock = lock(path).map_err(|error| problem(&error))?;
    let (ring, complete) = Ring::load(path)?;
    if complete { Ok(()) } else { ring.replace(path).map_err(|error| problem(&error)) }
}

/// Waits until no other process changes the key ring. The lock ends when the file is dropped.
///
/// The lock is on a file next to the ring, because the ring itself is replaced as a whole.
pub(super) fn lock(path: &Path) -> Result<File, String> {
    let path = path.with_extension("lock");
    let shown = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).mode(0o600).open(&path);
    let file = file.map_err(shown)?;
    match file.lock() {
        // Some network file systems have no locks. Changes at the same time are rare.
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(file),
        locked => locked.map(|()| file).map_err(shown),
    }
}
