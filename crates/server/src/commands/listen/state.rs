//! What outlives a run: how far the feed was forwarded, and the secret that signs.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{SHA256, digest};
use grantor_domain::hex;
use serde::{Deserialize, Serialize};

use super::credentials::variable;

/// The file's content.
#[derive(Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Kept {
    /// The server it belongs to.
    pub(super) server: String,
    /// The API client it belongs to.
    pub(super) api_key: String,
    /// What signs.
    pub(super) secret: String,
    /// Where the feed is read on from; nothing for its oldest event.
    pub(super) cursor: Option<String>,
    /// The number of the last event that arrived: a page may be forwarded in part.
    pub(super) delivered: i64,
}

impl fmt::Debug for Kept {
    /// Without what signs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Kept");
        shown.field("server", &self.server).field("api_key", &self.api_key);
        shown.field("cursor", &self.cursor).field("delivered", &self.delivered);
        shown.finish_non_exhaustive()
    }
}

/// The file, which one process has for itself.
pub(super) struct State {
    path: PathBuf,
    kept: Option<Kept>,
    // Let go by the system too, whatever ends the process.
    _lock: File,
}

impl State {
    /// Takes the file of a server and an API client, which need not be there yet.
    pub(super) fn open(path: PathBuf, server: &str, api_key: &str) -> Result<Self, String> {
        let lock = lock(&path)?;
        let kept = match fs::read(&path) {
            Ok(bytes) => Some(read(&path, &bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(at(&path, &error)),
        };
        match &kept {
            Some(it) if it.server != server || it.api_key != api_key => Err(format!(
                "{} belongs to {} and {}; name another with --state",
                path.display(),
                it.server,
                it.api_key
            )),
            _ => Ok(Self { path, kept, _lock: lock }),
        }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether an earlier run left something.
    pub(super) fn is_begun(&self) -> bool {
        self.kept.is_some()
    }

    /// What was saved last.
    pub(super) fn kept(&self) -> Result<&Kept, String> {
        self.kept.as_ref().ok_or_else(|| format!("{}: nothing is kept yet", self.path.display()))
    }

    /// Replaces the file: a reader sees the old content or the new, and never a part.
    pub(super) fn save(&mut self, kept: Kept) -> Result<(), String> {
        let text = serde_json::to_vec_pretty(&kept).map_err(|error| error.to_string())?;
        let unfinished = beside(&self.path, ".new");
        replace(&unfinished, &self.path, &text).map_err(|error| at(&self.path, &error))?;
        self.kept = Some(kept);
        Ok(())
    }
}

/// Where the state of a server and an API client is kept when no file is named.
pub(super) fn default_path(
    environment: &[(OsString, OsString)],
    server: &str,
    api_key: &str,
) -> Result<PathBuf, String> {
    let absolute =
        |name| variable(environment, name).map(PathBuf::from).filter(|it| it.is_absolute());
    let folder = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
        .ok_or("neither XDG_STATE_HOME nor HOME is set: name a file with --state")?;
    let name = digest(&SHA256, format!("{server} {api_key}").as_bytes());
    let name = hex::encode(&name.as_ref()[..8]);
    Ok(folder.join("grantor").join(format!("listen-{name}.json")))
}

fn read(path: &Path, bytes: &[u8]) -> Result<Kept, String> {
    // Beginning anew by itself would pass over events.
    serde_json::from_slice(bytes).map_err(|error| {
        format!("{} is not understood: {error}; remove it to begin anew", path.display())
    })
}

/// Two that share a file would each pass over what only the other has forwarded.
fn lock(path: &Path) -> Result<File, String> {
    if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|error| at(folder, &error))?;
    }
    let name = beside(path, ".lock");
    let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&name);
    let file = file.map_err(|error| at(&name, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(format!(
            "{} is in use by another grantor listen; name another with --state",
            path.display()
        )),
        Err(TryLockError::Error(error)) => Err(at(&name, &error)),
    }
}

fn replace(unfinished: &Path, path: &Path, text: &[u8]) -> io::Result<()> {
    if let Err(error) = fs::remove_file(unfinished)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(unfinished)?;
    file.write_all(text)?;
    file.sync_all()?;
    fs::rename(unfinished, path)
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(cursor: &str) -> Kept {
        let (server, api_key) = ("http://localhost/".to_owned(), "gk".to_owned());
        let cursor = Some(cursor.to_owned());
        Kept { server, api_key, secret: "whsec_".to_owned(), cursor, delivered: 7 }
    }

    #[test]
    fn what_is_saved_is_found_again_by_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/state.json");
        let open = |key| State::open(path.clone(), "http://localhost/", key);
        let mut state = open("gk").unwrap();
        assert!(!state.is_begun() && state.kept().is_err());
        state.save(kept("1")).unwrap();
        state.save(kept("2")).unwrap();
        let busy = open("gk").err().unwrap();
        assert!(busy.contains("is in use by another grantor listen"), "{busy}");
        drop(state);
        assert_eq!(open("gk").unwrap().kept(), Ok(&kept("2")));
        let other = open("another").err().unwrap();
        assert!(other.contains("belongs to http://localhost/ and gk"), "{other}");
        fs::write(&path, "{").unwrap();
        assert!(open("gk").err().unwrap().contains("remove it to begin anew"));
    }

    #[test]
    fn each_pair_of_server_and_key_has_a_file_of_its_own() {
        let under = |name: &str, value: &str| vec![(name.into(), value.into())];
        let path = |server, key| default_path(&under("HOME", "/home/d"), server, key).unwrap();
        let one = path("http://localhost/", "gk");
        assert!(one.starts_with("/home/d/.local/state/grantor"), "{}", one.display());
        assert_eq!(one, path("http://localhost/", "gk"));
        assert_ne!(one, path("http://localhost/", "gk2"));
        assert_ne!(one, path("http://localhost:1/", "gk"));
        let state = default_path(&under("XDG_STATE_HOME", "/s"), "a", "b").unwrap();
        assert!(state.starts_with("/s/grantor"), "{}", state.display());
        assert!(default_path(&under("HOME", ""), "a", "b").unwrap_err().contains("--state"));
    }
}
