//! Sign-ins and set-ups that take several requests. The state stays with us, sealed; the browser in
//! which the ceremony began has a secret, so that nobody else can go on with it.

use std::time::Duration;

use grantor_domain::id::UserId;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::{Error, ErrorKind, Result, Timestamp, hex};
use grantor_keys::Purpose;
use grantor_storage::Tx;
use grantor_storage::ceremony::{self, Ceremony};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::App;

/// What a ceremony is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CeremonyPurpose {
    /// A sign-in that waits for a second factor.
    SignIn,
    /// A sign-in with a passkey alone.
    PasskeySignIn,
    /// Adding a passkey.
    PasskeySetUp,
    /// A sign-in at an identity provider.
    SingleSignOn,
}

impl CeremonyPurpose {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::SignIn => "sign_in",
            Self::PasskeySignIn => "passkey_sign_in",
            Self::PasskeySetUp => "passkey_set_up",
            Self::SingleSignOn => "single_sign_on",
        }
    }
}

/// Generates the secret of a new ceremony, for the browser.
#[must_use]
pub fn new_secret(app: &App) -> Secret {
    Secret::generate(SecretKind::Ceremony, &*app.entropy)
}

/// Reads the secret that a browser sends.
#[must_use]
pub fn read_secret(text: &str) -> Option<SecretHash> {
    Secret::parse(&[SecretKind::Ceremony], text).map(|it| it.hash())
}

/// Stores a new ceremony.
pub(crate) fn begin<T: Serialize>(
    app: &App,
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    (purpose, life): (CeremonyPurpose, Duration),
    user: Option<UserId>,
    state: &T,
) -> Result<()> {
    let now = app.clock.now();
    let (purpose, expires_at) = (purpose.name().to_owned(), now.plus(life));
    let sealed = seal(app, hash, state)?;
    let ceremony = Ceremony { purpose, user, sealed, wrong: 0, expires_at };
    Ok(ceremony::insert(tx, hash, &ceremony, now)?)
}

/// Reads the state of a ceremony that has not expired, without ending it.
pub(crate) fn find<T: DeserializeOwned>(
    app: &App,
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    purpose: CeremonyPurpose,
    now: Timestamp,
) -> Result<Option<T>> {
    let found = ceremony::find(tx, hash, purpose.name(), now)?;
    found.map(|it| open(app, hash, &it.sealed)).transpose()
}

/// Ends a ceremony and returns its state; an error if it is over.
pub(crate) fn consume<T: DeserializeOwned>(
    app: &App,
    tx: &mut Tx<'_>,
    hash: &SecretHash,
    purpose: CeremonyPurpose,
    now: Timestamp,
) -> Result<T> {
    let taken = ceremony::consume(tx, hash, purpose.name(), now)?;
    open(app, hash, &taken.ok_or_else(over)?.sealed)
}

/// Seals the state of a ceremony.
pub(crate) fn seal<T: Serialize>(app: &App, hash: &SecretHash, state: &T) -> Result<Vec<u8>> {
    let plain = serde_json::to_vec(state).map_err(|it| Error::internal(it.to_string()))?;
    Ok(app.keys.seal(Purpose::Field, &bound_to(hash), &plain))
}

/// Opens the state of a ceremony.
pub(crate) fn open<T: DeserializeOwned>(app: &App, hash: &SecretHash, sealed: &[u8]) -> Result<T> {
    app.keys
        .open_sealed(Purpose::Field, &bound_to(hash), sealed)
        .and_then(|plain| serde_json::from_slice(&plain).ok())
        .ok_or_else(|| Error::internal("the state of a ceremony cannot be decrypted"))
}

/// The error for a ceremony that is over, or that began in another browser.
pub(crate) fn over() -> Error {
    let message = "This sign-in has expired or was started in another browser; start again";
    Error::new(ErrorKind::InvalidSession, message)
}

fn bound_to(hash: &SecretHash) -> String {
    sealed_for(&hex::encode(hash.as_bytes()))
}

/// Returns the encryption context that binds the state to its ceremony (hash in hex).
pub(crate) fn sealed_for(hash: &str) -> String {
    format!("ceremony:{hash}")
}
