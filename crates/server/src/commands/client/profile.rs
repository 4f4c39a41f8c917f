//! The file in which `grantor login` keeps API keys and secrets: one profile for each.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use grantor_client::Credentials;
use serde::{Deserialize, Serialize};

use super::environment::{Environment, folder, text};
use super::private_file;
use crate::cli;

const PROFILE: &str = "GRANTOR_PROFILE";
const DEFAULT: &str = "default";
const NO_HOME: &str = "neither XDG_CONFIG_HOME nor HOME is set, so there is no place for the API \
                       key and secret; set GRANTOR_API_KEY and GRANTOR_API_SECRET instead";

/// A server with an API key and secret. It is not formatted, because of the secret.
#[derive(Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Profile {
    pub(super) url: String,
    api_key: String,
    api_secret: String,
}

impl Profile {
    pub(super) fn new(url: &str, credentials: &Credentials) -> Self {
        Self {
            url: url.to_owned(),
            api_key: credentials.api_key().to_owned(),
            api_secret: credentials.expose_secret().to_owned(),
        }
    }

    /// The API key and secret.
    pub(super) fn credentials(&self) -> Credentials {
        Credentials::new(self.api_key.as_str(), self.api_secret.as_str())
    }
}

/// All profiles.
pub(super) struct Profiles {
    path: Option<PathBuf>,
    all: BTreeMap<String, Profile>,
}

impl Profiles {
    /// Reads the file, if there is one.
    pub(super) fn open(environment: &Environment) -> Result<Self, String> {
        let folder = folder(environment, "XDG_CONFIG_HOME", ".config");
        let path = folder.map(|it| it.join("credentials.toml"));
        let all = path.as_deref().map(read).transpose()?.unwrap_or_default();
        Ok(Self { path, all })
    }

    /// The path of the file, also before it exists.
    pub(super) fn path(&self) -> Result<&Path, String> {
        self.path.as_deref().ok_or_else(|| NO_HOME.to_owned())
    }

    pub(super) fn find(&self, name: &str) -> Option<&Profile> {
        self.all.get(name)
    }

    /// Adds or replaces a profile.
    pub(super) fn insert(&mut self, name: &str, profile: Profile) -> Result<(), String> {
        self.all.insert(name.to_owned(), profile);
        self.save()
    }

    /// Removes a profile.
    pub(super) fn delete(&mut self, name: &str) -> Result<(), String> {
        self.all.remove(name);
        self.save()
    }

    fn save(&self) -> Result<(), String> {
        let text = toml::to_string(&self.all).map_err(|error| error.to_string())?;
        private_file::replace(self.path()?, text.as_bytes())
    }
}

/// The name of the profile that is meant.
pub(super) fn name(environment: &Environment, option: &cli::Profile) -> Result<String, String> {
    let given = option.profile.as_deref().map(|it| ("--profile", it));
    let given = given.or_else(|| text(environment, PROFILE).map(|it| (PROFILE, it)));
    let (source, name) = given.unwrap_or((PROFILE, DEFAULT));
    let fits = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'_' | b'-');
    if (1..=64).contains(&name.len()) && name.bytes().all(fits) {
        Ok(name.to_owned())
    } else {
        Err(format!("{source}: must be 1 to 64 letters, digits, dots, underscores or hyphens"))
    }
}

/// How to create a profile.
pub(super) fn login_command(name: &str) -> String {
    if name == DEFAULT {
        "grantor login".to_owned()
    } else {
        format!("grantor login --profile {name}")
    }
}

fn read(path: &Path) -> Result<BTreeMap<String, Profile>, String> {
    let Some(bytes) = private_file::read(path)? else { return Ok(BTreeMap::new()) };
    let shown = path.display();
    let metadata = fs::metadata(path).map_err(|error| private_file::at(path, &error))?;
    if metadata.permissions().mode() & 0o077 != 0 {
        return Err(format!("others can read the secrets in {shown}: run chmod 600 {shown}"));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{shown} is not UTF-8 text"))?;
    // The parser's own message repeats the line, which may contain a secret.
    toml::from_str(&text)
        .map_err(|_| format!("{shown} is not a file of grantor login; delete it and sign in again"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::client::environment::environment;

    #[test]
    fn a_profile_is_found_again_and_forgotten() {
        let home = tempfile::tempdir().unwrap();
        let environment = environment(&[("HOME", home.path().to_str().unwrap())]);
        let mut profiles = Profiles::open(&environment).unwrap();
        for name in ["default", "v1.0"] {
            let profile = Profile::new("http://localhost/", &Credentials::new("gk", name));
            profiles.insert(name, profile).unwrap();
        }
        profiles.delete("default").unwrap();
        let again = Profiles::open(&environment).unwrap();
        assert!(again.find("default").is_none());
        let found = again.find("v1.0").unwrap();
        let credentials = found.credentials();
        assert_eq!((found.url.as_str(), credentials.api_key()), ("http://localhost/", "gk"));
        assert_eq!(credentials.expose_secret(), "v1.0");
        let path = again.path().unwrap();
        assert!(path.ends_with(".config/grantor/credentials.toml"), "{}", path.display());
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let environment = environment(&[("XDG_CONFIG_HOME", home.path().to_str().unwrap())]);
        let mut profiles = Profiles::open(&environment).unwrap();
        profiles.insert("default", Profile::new("u", &Credentials::new("k", "hunter2"))).unwrap();
        let path = profiles.path().unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o640)).unwrap();
        let refused = Profiles::open(&environment).err().unwrap();
        assert!(refused.contains("run chmod 600 "), "{refused}");
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(path, "api_secret = hunter2").unwrap();
        let refused = Profiles::open(&environment).err().unwrap();
        assert!(refused.contains("sign in again") && !refused.contains("hunter2"), "{refused}");
    }

    #[test]
    fn without_a_home_there_is_no_place() {
        let mut profiles = Profiles::open(&[]).unwrap();
        let profile = Profile::new("u", &Credentials::new("k", "s"));
        assert!(profiles.insert("default", profile).unwrap_err().contains("HOME is set"));
    }

    #[test]
    fn the_option_comes_before_the_environment() {
        let environment = environment(&[(PROFILE, "b")]);
        let option = |text: Option<&str>| cli::Profile { profile: text.map(str::to_owned) };
        assert_eq!(name(&environment, &option(Some("a"))), Ok("a".to_owned()));
        assert_eq!(name(&environment, &option(None)), Ok("b".to_owned()));
        assert_eq!(name(&[], &option(None)), Ok("default".to_owned()));
        assert!(name(&[], &option(Some("a b"))).unwrap_err().starts_with("--profile: must be "));
    }
}
