//! Credentials as browsers send them and as they are stored.

use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::passkey::StoredPasskey;
use serde::Serialize;
use serde::de::DeserializeOwned;
use webauthn_rs::prelude::{AuthenticationResult, Passkey, WebauthnError};

/// The maximum length of a credential in bytes. Attestations, which make them long, are not asked
/// for.
const LONGEST: usize = 64 * 1024;

/// Reads a credential that a browser sends as JSON.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    let read = Some(text).filter(|it| it.len() <= LONGEST);
    read.and_then(|it| serde_json::from_str(it).ok()).ok_or_else(refused)
}

/// Opens a stored credential.
pub(super) fn open(stored: &StoredPasskey) -> Result<Passkey> {
    serde_json::from_str(&stored.credential)
        .map_err(|error| Error::internal(format!("a passkey cannot be read: {error}")))
}

/// Returns the JSON of a credential or of options for a browser.
pub(super) fn to_text<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::internal(error.to_string()))
}

/// Returns the stored form of a credential after a use, which may have moved its counter.
pub(super) fn after_use(mut passkey: Passkey, used: &AuthenticationResult) -> Result<String> {
    passkey.update_credential(used);
    to_text(&passkey)
}

/// The error for a passkey that was not accepted. Why is only told to the operator.
pub(super) fn refused() -> Error {
    Error::new(ErrorKind::InvalidCredentials, "The passkey was not accepted")
}

pub(super) fn refused_because(error: &WebauthnError) -> Error {
    tracing::debug!(%error, "a passkey was refused");
    refused()
}
