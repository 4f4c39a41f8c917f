//! Access tokens: JWTs signed with Ed25519, one algorithm, every claim checked.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use grantor_domain::id::ClientId;
use grantor_domain::{Error, Result, Timestamp};
use jsonwebtoken::{Algorithm, Header, Validation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ring::Ring;
use super::signing::SigningKey;

/// The type of access tokens (RFC 9068). Tokens of other types are refused.
const TYPE: &str = "at+jwt";
/// Grantor issues no longer tokens.
const MAX_LENGTH: usize = 4_096;

/// The API that a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// The external API.
    External,
    /// The console API.
    Console,
    /// The admin API.
    Admin,
    /// Pages that staff view as one of an organization's people. No API accepts such a token.
    View,
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::External => "external",
            Self::Console => "console",
            Self::Admin => "admin",
            Self::View => "view",
        })
    }
}

impl FromStr for Audience {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let all = [Self::External, Self::Console, Self::Admin, Self::View];
        let found = all.into_iter().find(|it| it.to_string() == text);
        found.ok_or_else(|| Error::internal(format!("unknown audience {text:?}")))
    }
}

/// The claims of a token. Times are in seconds, as in JWTs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The issuer: the installation's public URL.
    pub iss: String,
    /// The subject: the user, API client or member of staff.
    pub sub: String,
    /// The API that it is for.
    pub aud: Audience,
    /// Scopes, separated by spaces.
    pub scope: String,
    /// The token's id, by which it can be revoked.
    pub jti: String,
    /// The session or credential exchange that it belongs to, and ends with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sid: Option<Uuid>,
    /// The API client it was issued to (RFC 9068), on the external API.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<ClientId>,
    /// When it was issued.
    pub iat: i64,
    /// When it becomes valid.
    pub nbf: i64,
    /// When it expires.
    pub exp: i64,
}

/// Why a token is refused. Callers get no more details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidToken {
    /// It was not issued here, was altered, or is for another API.
    #[error("The access token is not valid")]
    Invalid,
    /// It was valid once.
    #[error("The access token has expired")]
    Expired,
}

/// Signs a token. The library would compute the key pair for each of them.
pub(super) fn sign(key: &SigningKey, claims: &Claims) -> Result<String> {
    let mut header = Header::new(Algorithm::EdDSA);
    header.typ = Some(TYPE.to_owned());
    header.kid = Some(key.kid.clone());
    let mut token = encoded(&header)? + "." + &encoded(claims)?;
    let signature = key.pair().map_err(Error::internal)?.sign(token.as_bytes());
    token.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut token);
    Ok(token)
}

fn encoded(part: &impl Serialize) -> Result<String> {
    let json = serde_json::to_vec(part)
        .map_err(|error| Error::internal(format!("cannot sign a token: {error}")))?;
    Ok(URL_SAFE_NO_PAD.encode(json))
}

/// Verifies a token.
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

/// Verifies a token except for its expiry.
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
    // The kid is only looked up: no key is ever read from the token or from a URL in it.
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
    // A replaced key may have been stolen, so unexpired tokens signed with it are not valid.
    if live.is_none() && claims.exp > seconds {
        return Err(InvalidToken::Invalid);
    }
    Ok(claims)
}

/// The library checks algorithm and signature. The claims are checked above, against our clock.
fn signature_only() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    validation
}
