//! How a client proves its identity (RFC 6749 section 2.3.1).

use headers::HeaderMapExt as _;
use headers::authorization::{Authorization, Basic};
use http::{HeaderMap, header};

use crate::frame::oauth::{OAuthForm, decode, invalid_request};
use crate::frame::problem::{Problem, ProblemKind};

/// The API key and secret of a client.
pub(super) struct Credentials {
    pub(super) key: String,
    pub(super) secret: String,
}

impl Credentials {
    /// Reads the credentials in the Authorization header or in the form.
    pub(super) fn read<T>(headers: &HeaderMap, form: &OAuthForm<T>) -> Result<Self, Problem> {
        let (id, secret) = (form.get("client_id"), form.get("client_secret"));
        if !headers.contains_key(header::AUTHORIZATION) {
            return match (id, secret) {
                (Some(key), Some(secret)) => {
                    Ok(Self { key: key.to_owned(), secret: secret.to_owned() })
                }
                _ => Err(unauthenticated("The client must authenticate")),
            };
        }
        if secret.is_some() {
            let message =
                "Credentials must be in the Authorization header or in the body, not both";
            return Err(invalid_request(message));
        }
        let found = Self::in_header(headers);
        let found =
            found.ok_or_else(|| unauthenticated("The Authorization header is not valid"))?;
        if id.is_some_and(|it| it != found.key) {
            let message = "The parameter client_id differs from the Authorization header";
            return Err(invalid_request(message));
        }
        Ok(found)
    }

    /// The key and the secret are encoded like values of a form before they are joined.
    fn in_header(headers: &HeaderMap) -> Option<Self> {
        let basic = headers.typed_get::<Authorization<Basic>>()?;
        Some(Self { key: decode(basic.username())?, secret: decode(basic.password())? })
    }
}

fn unauthenticated(message: &'static str) -> Problem {
    Problem::new(ProblemKind::Unauthorized, message)
}
