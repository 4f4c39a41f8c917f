//! Access tokens: JWTs signed with Ed25519, one algorithm, every claim checked.

use std::fmt;
use std::str::FromStr;

use grantor_domain::id::ClientId;
use grantor_domain::{Error, Result, Timestamp};
use jsonwebtoken::{Algorithm, Header, Validation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ring::Ring;
use super::signing::SigningKey;

/// What an access token says it is (RFC 9068); a token of another kind is not one.
const TYPE: &str = "at+jwt";
/// A token longer than this is not ours.
const MAX_LENGTH: usize = 4_096;

/// Which API a token opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// The external API.
    External,
    /// The console API.
    Console,
    /// The admin API.
    Admin,
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::External => "external",
            Self::Console => "console",
            Self::Admin => "admin",
        })
    }
}

impl FromStr for Audience {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let all = [Self::External, Self::Console, Self::Admin];
        let found = all.into_iter().find(|it| it.to_string() == text);
        found.ok_or_else(|| Error::internal(format!("no audience is called {text:?}")))
    }
}

/// What a token says. Times are whole seconds, as JWTs have them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// Who issued it: the installation's public URL.
    pub iss: String,
    /// Whom it stands for.
    pub sub: String,
    /// Which API it opens.
    pub aud: Audience,
    /// Scopes, separated by spaces.
    pub scope: String,
    /// Its own id, by which it can be revoked.
    pub jti: String,
    /// The sign-in or the exchange of credentials it came from, and ends with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sid: Option<Uuid>,
    /// The API client it was given to (RFC 9068), on the external API.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<ClientId>,
    /// When it was issued.
    pub iat: i64,
    /// From when it holds.
    pub nbf: i64,
    /// Until when it holds.
    pub exp: i64,
}

/// Why a token is refused. Callers learn no more than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidToken {
    /// It is not one of ours, was altered, or opens another API.
    #[error("The access token is not valid")]
    Invalid,
    /// It was valid once.
    #[error("The access token has expired")]
    Expired,
}

pub(super) fn sign(key: &SigningKey, claims: &Claims) -> Result<String> {
    let mut header = Header::new(Algorithm::EdDSA);
    header.typ = Some(TYPE.to_owned());
    header.kid = Some(key.kid.clone());
    let encoding = key.encoding().map_err(Error::internal)?;
    jsonwebtoken::encode(&header, claims, &encoding)
        .map_err(|error| Error::internal(format!("signing a token: {error}")))
}

/// Checks everything.
pub(super) fn verify(
    ring: &Ring,
    token: &str,
    issuer: &str,
    audience: Audience,
    now: Timestamp,
) -> Result<Claims, InvalidToken> {
    let claims = read(ring, token, issuer, audience, now)?;
    if claims.exp <= now.as_secs() { Err(InvalidToken::Expired) } else { Ok(claims) }
}

/// Checks everything but the end of its life.
pub(super) fn read(
    ring: &Ring,
    token: &str,
    issuer: &str,
    audience: Audience,
    now: Timestamp,
) -> Result<Claims, InvalidToken> {
    if token.len() > MAX_LENGTH {
        return Err(InvalidToken::Invalid);
    }
    let header = jsonwebtoken::decode_header(token).map_err(|_| InvalidToken::Invalid)?;
    if header.typ.as_deref() != Some(TYPE) || header.alg != Algorithm::EdDSA {
        return Err(InvalidToken::Invalid);
    }
    // The kid is only a name to look up: no key ever comes from the token or from an address in it.
    let kid = header.kid.ok_or(InvalidToken::Invalid)?;
    let live = ring.verifying(&kid, now);
    let decoding = match live {
        Some(key) => key.decoding(),
        None => ring.retired(&kid, now).ok_or(InvalidToken::Invalid)?.decoding(),
    };
    let decoding = decoding.map_err(|_| InvalidToken::Invalid)?;
    let claims = jsonwebtoken::decode::<Claims>(token, &decoding, &signature_only())
        .map_err(|_| InvalidToken::Invalid)?
        .claims;
    let seconds = now.as_secs();
    if claims.iss != issuer || claims.aud != audience || claims.jti.is_empty() {
        return Err(InvalidToken::Invalid);
    }
    if claims.nbf > seconds || claims.iat > seconds {
        return Err(InvalidToken::Invalid);
    }
    // A key that was replaced may have been stolen: nothing it signs is good, however fresh it looks.
    if live.is_none() && claims.exp > seconds {
        return Err(InvalidToken::Invalid);
    }
    Ok(claims)
}

/// The claims are checked by us, against our clock; the library checks algorithm and signature.
fn signature_only() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    validation
}
