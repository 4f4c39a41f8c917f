//! Verifies the signatures of webhooks (Standard Webhooks).

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::system;

/// How many seconds the clocks of server and receiver may differ. Older deliveries could be copies.
const TOLERANCE: u64 = 300;

/// The headers of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookHeaders<'a> {
    /// `webhook-id`.
    pub id: &'a str,
    /// `webhook-timestamp`.
    pub timestamp: &'a str,
    /// `webhook-signature`.
    pub signature: &'a str,
}

/// Why a webhook must not be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Untrusted {
    /// The secret is not valid.
    #[error("the secret must be whsec_ and base64")]
    Secret,
    /// The time is missing, or too far from now.
    #[error("the timestamp is not valid, or more than five minutes from now")]
    Timestamp,
    /// The body or a header was changed, or another secret was used.
    #[error("no signature matches")]
    Signature,
}

/// Verifies webhooks that were signed with one secret.
pub struct Verifier {
    key: Vec<u8>,
}

impl fmt::Debug for Verifier {
    /// Omits the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").finish_non_exhaustive()
    }
}

impl Verifier {
    /// Reads a secret such as `whsec_…`.
    pub fn new(secret: &str) -> Result<Self, Untrusted> {
        let text = secret.trim().strip_prefix("whsec_").ok_or(Untrusted::Secret)?;
        let key = BASE64_STANDARD.decode(text).map_err(|_| Untrusted::Secret)?;
        if key.is_empty() { Err(Untrusted::Secret) } else { Ok(Self { key }) }
    }

    /// Verifies a webhook that arrived now. The body must be the bytes as they arrived.
    pub fn verify(&self, headers: WebhookHeaders<'_>, body: &[u8]) -> Result<(), Untrusted> {
        self.verify_at(headers, body, system::now())
    }

    /// Verifies a webhook that arrived at a time in Unix seconds.
    pub fn verify_at(
        &self,
        headers: WebhookHeaders<'_>,
        body: &[u8],
        now: u64,
    ) -> Result<(), Untrusted> {
        let sent: u64 = headers.timestamp.parse().map_err(|_| Untrusted::Timestamp)?;
        if sent.abs_diff(now) > TOLERANCE {
            return Err(Untrusted::Timestamp);
        }
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).map_err(|_| Untrusted::Secret)?;
        for part in [headers.id.as_bytes(), b".", headers.timestamp.as_bytes(), b".", body] {
            mac.update(part);
        }
        // While a secret is rotated, there is a signature for each.
        let signatures = headers.signature.split(' ').filter_map(|it| it.strip_prefix("v1,"));
        let mut signatures = signatures.filter_map(|it| BASE64_STANDARD.decode(it).ok());
        let matches = signatures.any(|it| mac.clone().verify_slice(&it).is_ok());
        if matches { Ok(()) } else { Err(Untrusted::Signature) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    const BODY: &[u8] = br#"{"type":"webhook.test"}"#;
    /// Computed with Python's `hmac`.
    const SIGNATURE: &str = "v1,zwHwocuTUY71RQa5my5m4rX4T1pZKSoWVlNolL8feIM=";

    fn headers() -> WebhookHeaders<'static> {
        WebhookHeaders { id: "msg-1", timestamp: "1750000000", signature: SIGNATURE }
    }

    #[test]
    fn what_the_server_signed_is_trusted() {
        let verifier = Verifier::new(SECRET).unwrap();
        assert_eq!(verifier.verify_at(headers(), BODY, 1_750_000_300), Ok(()));
        let both = format!("v1,b2xk v2,x {SIGNATURE}");
        let rotated = WebhookHeaders { signature: &both, ..headers() };
        assert_eq!(verifier.verify_at(rotated, BODY, 1_750_000_000), Ok(()));
    }

    #[test]
    fn everything_else_is_not() {
        let verifier = Verifier::new(SECRET).unwrap();
        let at = |headers, body: &[u8], now| verifier.verify_at(headers, body, now);
        let now = 1_750_000_000;
        assert_eq!(at(headers(), b"{}", now), Err(Untrusted::Signature));
        let other = WebhookHeaders { id: "msg-2", ..headers() };
        assert_eq!(at(other, BODY, now), Err(Untrusted::Signature));
        let other = WebhookHeaders { timestamp: "1750000001", ..headers() };
        assert_eq!(at(other, BODY, now), Err(Untrusted::Signature));
        let none = WebhookHeaders { signature: "", ..headers() };
        assert_eq!(at(none, BODY, now), Err(Untrusted::Signature));
        for late in [now + 301, now - 301] {
            assert_eq!(at(headers(), BODY, late), Err(Untrusted::Timestamp));
        }
        let another = Verifier::new("whsec_b3RoZXI=").unwrap();
        assert_eq!(another.verify_at(headers(), BODY, now), Err(Untrusted::Signature));
        for secret in ["", "whsec_", "whsec_!", "b3RoZXI="] {
            assert_eq!(Verifier::new(secret).err(), Some(Untrusted::Secret), "{secret}");
        }
    }
}
