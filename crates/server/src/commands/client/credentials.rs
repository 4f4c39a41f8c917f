//! The key and secret of an API client, from the environment or, for the secret, from a file.

use grantor_client::Credentials;
use secrecy::SecretString;

use super::environment::{Environment, text};
use crate::config::read_secret;

const KEY: &str = "GRANTOR_API_KEY";
const SECRET: &str = "GRANTOR_API_SECRET";
const SECRET_FILE: &str = "GRANTOR_API_SECRET_FILE";

/// Returns both, or `None` if neither is set. If only one is set, the error names the other.
pub(super) fn find(environment: &Environment) -> Result<Option<Credentials>, String> {
    let missing = match (key(environment), secret(environment)?) {
        (Some(key), Some(secret)) => return Ok(Some(Credentials::new(key, secret))),
        (None, None) => return Ok(None),
        (Some(_), None) => format!("{SECRET} is not set, but {KEY} is"),
        (None, Some(_)) => format!("{KEY} is not set, but its secret is"),
    };
    Err(format!(
        "{missing}: set {KEY} to the key of an API client, and {SECRET} to its secret or \
         {SECRET_FILE} to a file with it"
    ))
}

/// The key.
pub(super) fn key(environment: &Environment) -> Option<&str> {
    text(environment, KEY)
}

/// The secret.
pub(super) fn secret(environment: &Environment) -> Result<Option<SecretString>, String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::client::environment::environment;

    #[test]
    fn what_is_missing_is_named() {
        let with = |pairs: &[(&str, &str)]| {
            find(&environment(pairs)).map(|it| it.map(|it| it.api_key().to_owned()))
        };
        assert_eq!(with(&[(KEY, "gk"), (SECRET, "gs\n")]), Ok(Some("gk".to_owned())));
        assert_eq!(with(&[]), Ok(None));
        let said = with(&[(KEY, "gk"), (SECRET, " ")]).unwrap_err();
        assert!(said.starts_with("GRANTOR_API_SECRET is not set, but GRANTOR_API_KEY is: "));
        let said = with(&[(SECRET, "gs")]).unwrap_err();
        assert!(said.starts_with("GRANTOR_API_KEY is not set, but its secret is: "), "{said}");
        let said = with(&[(KEY, "gk"), (SECRET, "gs"), (SECRET_FILE, "f")]).unwrap_err();
        let both = "GRANTOR_API_SECRET and GRANTOR_API_SECRET_FILE are both set";
        assert_eq!(said, format!("{both}: set only one of them"));
        let said = with(&[(KEY, "gk"), (SECRET_FILE, "/nowhere/at/all")]).unwrap_err();
        assert_eq!(said, "GRANTOR_API_SECRET_FILE: there is no such file");
    }
}
