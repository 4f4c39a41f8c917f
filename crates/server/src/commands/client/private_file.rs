//! Files that only their owner can read.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Reads a file; `None` if there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(path, &error)),
    }
}

/// Creates the directory of a file.
pub(crate) fn create_folder(path: &Path) -> Result<(), String> {
    let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) else {
        return Ok(());
    };
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| at(folder, &error))
}

/// Replaces a file atomically.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    create_folder(path)?;
    // Another process may be replacing the same file.
    let draft = with_suffix(path, &format!(".{}.new", std::process::id()));
    let written = write(&draft, bytes).and_then(|()| fs::rename(&draft, path));
    written.map_err(|error| at(path, &error))
}

/// A path with something after the name of the file.
pub(crate) fn with_suffix(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// The message for an error of a file.
pub(crate) fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// A draft of an earlier process may have been left behind, with another mode.
fn write(draft: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Err(error) = fs::remove_file(draft)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(draft)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn what_is_replaced_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/file");
        assert_eq!(read(&path), Ok(None));
        for text in ["first", "second"] {
            replace(&path, text.as_bytes()).unwrap();
            assert_eq!(read(&path), Ok(Some(text.as_bytes().to_vec())));
        }
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no draft is left");
    }
}
