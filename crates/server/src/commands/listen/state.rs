//! The state file: the position in the feed and the signing secret.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{SHA256, digest};
use grantor_domain::hex;
use serde::{Deserialize, Serialize};

use crate::commands::client::environment::{Environment, folder};
use crate::commands::client::private_file::{self, at, with_suffix};

/// The file's content.
#[derive(Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Saved {
    /// The URL of the server.
    pub(super) server: String,
    /// The key of the API client.
    pub(super) api_key: String,
    /// The signing secret.
    pub(super) secret: String,
    /// The position in the feed; `None` for its start.
    pub(super) cursor: Option<String>,
    /// The number of the last delivered event, since a page may be forwarded only in part.
    pub(super) delivered: i64,
}

impl fmt::Debug for Saved {
    /// Omits the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Saved");
        shown.field("server", &self.server).field("api_key", &self.api_key);
        shown.field("cursor", &self.cursor).field("delivered", &self.delivered);
        shown.finish_non_exhaustive()
    }
}

/// The state file, locked by this process.
pub(super) struct State {
    path: PathBuf,
    saved: Option<Saved>,
    // The system releases the lock when the process ends.
    _lock: File,
}

impl State {
    /// Locks and reads the file of a server and an API client. The file need not exist yet.
    pub(super) fn open(path: PathBuf, server: &str, api_key: &str) -> Result<Self, String> {
        let lock = lock(&path)?;
        let saved = private_file::read(&path)?.map(|bytes| read(&path, &bytes)).transpose()?;
        match &saved {
            Some(it) if it.server != server || it.api_key != api_key => Err(format!(
                "{} belongs to {} and {}; choose another file with --state",
                path.display(),
                it.server,
                it.api_key
            )),
            _ => Ok(Self { path, saved, _lock: lock }),
        }
    }

    /// The path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether an earlier run saved a state.
    pub(super) fn exists(&self) -> bool {
        self.saved.is_some()
    }

    /// The last saved state.
    pub(super) fn saved(&self) -> Result<&Saved, String> {
        self.saved.as_ref().ok_or_else(|| format!("{}: not saved yet", self.path.display()))
    }

    /// Replaces the file atomically.
    pub(super) fn save(&mut self, saved: Saved) -> Result<(), String> {
        let text = serde_json::to_vec_pretty(&saved).map_err(|error| error.to_string())?;
        private_file::replace(&self.path, &text)?;
        self.saved = Some(saved);
        Ok(())
    }
}

/// The default path for a server and an API client.
pub(super) fn default_path(
    environment: &Environment,
    server: &str,
    api_key: &str,
) -> Result<PathBuf, String> {
    let folder = folder(environment, "XDG_STATE_HOME", ".local/state")
        .ok_or("neither XDG_STATE_HOME nor HOME is set: choose a file with --state")?;
    let name = digest(&SHA256, format!("{server} {api_key}").as_bytes());
    let name = hex::encode(&name.as_ref()[..8]);
    Ok(folder.join(format!("listen-{name}.json")))
}

fn read(path: &Path, bytes: &[u8]) -> Result<Saved, String> {
    // An error, because starting over would skip events.
    serde_json::from_slice(bytes).map_err(|error| {
        format!("{} is not a state file: {error}; delete it to start over", path.display())
    })
}

/// Two processes with the same file would skip events that only the other one forwarded.
fn lock(path: &Path) -> Result<File, String> {
    private_file::create_folder(path)?;
    let name = with_suffix(path, ".lock");
    let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&name);
    let file = file.map_err(|error| at(&name, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(format!(
            "{} is in use by another grantor listen; choose another file with --state",
            path.display()
        )),
        Err(TryLockError::Error(error)) => Err(at(&name, &error)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::commands::client::environment::environment;

    fn saved(cursor: &str) -> Saved {
        let (server, api_key) = ("http://localhost/".to_owned(), "gk".to_owned());
        let cursor = Some(cursor.to_owned());
        Saved { server, api_key, secret: "whsec_".to_owned(), cursor, delivered: 7 }
    }

    #[test]
    fn what_is_saved_is_found_again_by_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/state.json");
        let open = |key| State::open(path.clone(), "http://localhost/", key);
        let mut state = open("gk").unwrap();
        assert!(!state.exists() && state.saved().is_err());
        state.save(saved("1")).unwrap();
        state.save(saved("2")).unwrap();
        let busy = open("gk").err().unwrap();
        assert!(busy.contains("is in use by another grantor listen"), "{busy}");
        drop(state);
        assert_eq!(open("gk").unwrap().saved(), Ok(&saved("2")));
        let other = open("another").err().unwrap();
        assert!(other.contains("belongs to http://localhost/ and gk"), "{other}");
        fs::write(&path, "{").unwrap();
        assert!(open("gk").err().unwrap().contains("delete it to start over"));
    }

    #[test]
    fn each_pair_of_server_and_key_has_a_file_of_its_own() {
        let under = |name: &str, value: &str| environment(&[(name, value)]);
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
