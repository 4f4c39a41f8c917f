//! The key and secret of an API client, from the environment or, for the secret, from a file.

use std::ffi::{OsStr, OsString};

use secrecy::SecretString;

use crate::config::read_secret;

const KEY: &str = "GRANTOR_API_KEY";
const SECRET: &str = "GRANTOR_API_SECRET";
const SECRET_FILE: &str = "GRANTOR_API_SECRET_FILE";

/// The key and secret of an API client.
pub(super) struct Credentials {
    pub(super) key: String,
    pub(super) secret: SecretString,
}

impl Credentials {
    /// Finds both. The error names the missing ones.
    pub(super) fn find(environment: &[(OsString, OsString)]) -> Result<Self, String> {
        let missing = match (text(environment, KEY), find_secret(environment)?) {
            (Some(key), Some(secret)) => return Ok(Self { key: key.to_owned(), secret }),
            (Some(_), None) => format!("{SECRET} is"),
            (None, Some(_)) => format!("{KEY} is"),
            (None, None) => format!("{KEY} and {SECRET} are"),
        };
        Err(format!(
            "{missing} not set: grantor listen needs an API client with the scope webhook:manage; \
             set {KEY} to its key, and {SECRET} to its secret or {SECRET_FILE} to a file with it",
        ))
    }
}

fn find_secret(environment: &[(OsString, OsString)]) -> Result<Option<SecretString>, String> {
    match (text(environment, SECRET), text(environment, SECRET_FILE)) {
        (Some(_), Some(_)) => {
            Err(format!("{SECRET} and {SECRET_FILE} are both set: set only one of them"))
        }
        (Some(secret), None) => Ok(Some(secret.into())),
        (None, Some(path)) => {
            let secret = read_secret(path).map_err(|reason| format!("{SECRET_FILE}: {reason}"))?;
            Ok(Some(secret))
        }
        (None, None) => Ok(None),
    }
}

/// The value of a variable, unless it is empty.
pub(super) fn variable<'a>(
    environment: &'a [(OsString, OsString)],
    name: &str,
) -> Option<&'a OsStr> {
    let found = environment.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| value.as_os_str()).filter(|it| !it.is_empty())
}

fn text<'a>(environment: &'a [(OsString, OsString)], name: &str) -> Option<&'a str> {
    variable(environment, name)?.to_str().map(str::trim).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let with = |pairs: &[(&str, &str)]| {
            let pairs: Vec<_> =
                pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
            Credentials::find(&pairs).map(|it| it.key)
        };
        assert_eq!(with(&[(KEY, "gk"), (SECRET, "gs\n")]), Ok("gk".to_owned()));
        let said = with(&[(KEY, "gk"), (SECRET, " ")]).unwrap_err();
        assert!(said.starts_with("GRANTOR_API_SECRET is not set: "), "{said}");
        let said = with(&[]).unwrap_err();
        assert!(said.starts_with("GRANTOR_API_KEY and GRANTOR_API_SECRET are not set: "), "{said}");
        let said = with(&[(KEY, "gk"), (SECRET, "gs"), (SECRET_FILE, "f")]).unwrap_err();
        let both = "GRANTOR_API_SECRET and GRANTOR_API_SECRET_FILE are both set";
        assert_eq!(said, format!("{both}: set only one of them"));
        let said = with(&[(KEY, "gk"), (SECRET_FILE, "/nowhere/at/all")]).unwrap_err();
        assert_eq!(said, "GRANTOR_API_SECRET_FILE: there is no such file");
    }
}
