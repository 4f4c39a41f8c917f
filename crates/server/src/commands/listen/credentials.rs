//! Whose events are read: the pair of an API client, from the environment.

use std::ffi::{OsStr, OsString};

use secrecy::SecretString;

const KEY: &str = "GRANTOR_API_KEY";
const SECRET: &str = "GRANTOR_API_SECRET";

/// The pair.
pub(super) struct Credentials {
    pub(super) key: String,
    pub(super) secret: SecretString,
}

impl Credentials {
    /// Finds both, or says which are missing.
    pub(super) fn find(environment: &[(OsString, OsString)]) -> Result<Self, String> {
        let missing: Vec<_> =
            [KEY, SECRET].into_iter().filter(|name| text(environment, name).is_none()).collect();
        match (text(environment, KEY), text(environment, SECRET)) {
            (Some(key), Some(secret)) => Ok(Self { key: key.to_owned(), secret: secret.into() }),
            _ => Err(format!(
                "{} not set: grantor listen reads the events of an API client with the scope \
                 webhook:manage and takes its key and secret from {KEY} and {SECRET}",
                if missing.len() == 1 {
                    format!("{} is", missing.concat())
                } else {
                    format!("{} are", missing.join(" and "))
                },
            )),
        }
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
    }
}
