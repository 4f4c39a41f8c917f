//! Variables and directories of the user.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The environment of the process.
pub(crate) type Environment = [(OsString, OsString)];

/// The value of a variable, unless it is empty.
pub(crate) fn variable<'a>(environment: &'a Environment, name: &str) -> Option<&'a OsStr> {
    let found = environment.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| value.as_os_str()).filter(|it| !it.is_empty())
}

/// The value of a variable as text, unless it is blank.
pub(crate) fn text<'a>(environment: &'a Environment, name: &str) -> Option<&'a str> {
    variable(environment, name)?.to_str().map(str::trim).filter(|it| !it.is_empty())
}

/// The user's directory for our files of one kind, such as `XDG_STATE_HOME` or else `.local/state`
/// in the home directory.
pub(crate) fn folder(environment: &Environment, name: &str, default: &str) -> Option<PathBuf> {
    let absolute =
        |name| variable(environment, name).map(PathBuf::from).filter(|it| it.is_absolute());
    let base = absolute(name).or_else(|| absolute("HOME").map(|home| home.join(default)));
    base.map(|it| it.join("grantor"))
}

/// An environment for tests.
#[cfg(test)]
pub(crate) fn environment(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_its_own_comes_before_the_home() {
        let of =
            |pairs: &[(&str, &str)]| folder(&environment(pairs), "XDG_STATE_HOME", ".local/state");
        assert_eq!(of(&[("HOME", "/h")]), Some("/h/.local/state/grantor".into()));
        let both = [("HOME", "/h"), ("XDG_STATE_HOME", "/s")];
        assert_eq!(of(&both), Some("/s/grantor".into()));
        assert_eq!(of(&[("HOME", "relative")]), None);
        assert_eq!(of(&[("HOME", "")]), None);
    }
}
