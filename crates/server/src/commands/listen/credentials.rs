//! Whose events are read: the pair of an API client, from the environment. The secret may be in a
//! file that the environment names.

use std::ffi::{OsStr, OsString};

use secrecy::SecretString;

use crate::config::read_secret;

const KEY: &str = "GRANTOR_API_KEY";
const SECRET: &str = "GRANTOR_API_SECRET";
const SECRET_FILE: &str = "GRANTOR_API_SECRET_FILE";

/// The pair.
pub(super) struct Credentials {
    pub(super) key: String,
    pub(super) secret: SecretString,
}

impl Credentials {
    /// Finds both, or says which are missing.
    pub(super) fn find(environment: &[(OsString, OsString)]) -> Result<Self, String> {
        let missing = match (text(environment, KEY), find_secret(environment)?) {
            (Some(key), Some(secret)) => return Ok(Self { key: key.to_owned(), secret }),
            (Some(_), None) => format!("{SECRET} is"),
            (None, Some(_)) => format!("{KEY} is"),
            (None, None) => format!("{KEY} and {SECRET} are"),
        };
        Err(format!(
            "{missing} not set: grantor listen reads the events of an API client with the scope \
             webhook:manage and takes its key from {KEY} and its secret from {SECRET} or the file \
             that {SECRET_FILE} names",
        ))
    }
}

fn find_secret(environment: &[(OsString, OsString)]) -> Result<Option<SecretString>, String> {
    match (text(environment, SECRET), text(environment, SECRET_FILE)) {
        (Some(_), Some(_)) => Err(format!("{SECRET} and {SECRET_FILE} are both set: give one")),
        (Some(secret), None) => Ok(Some(secret.into())),
        (None, Some(path)) => {
            let secret = read_secret(path).map_err(|what| format!("{SECRET_FILE}: {what}"))?;
            Ok(Some(secret))
        }
        (None, None) => Ok(None),
    }
}

/// A variable that is set to something.
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
        assert_eq!(said, "GRANTOR_API_SECRET and GRANTOR_API_SECRET_FILE are both set: give one");
        let said = with(&[(KEY, "gk"), (SECRET_FILE, "/nowhere/at/all")]).unwrap_err();
        assert_eq!(said, "GRANTOR_API_SECRET_FILE: no file has that name");
    }
}
